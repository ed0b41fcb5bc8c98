//! The commands that print lists: colormaps, devices, the schema, completions.

use super::Outcome;
use super::args::{Cli, ColormapArgs, DeviceArgs};
use super::diagnostics::print;
use super::preview::{Depth, Terminal};
use clap::CommandFactory;
use gridscope_core::scale::{Colormap, MapTraits};
use gridscope_draw::report::versioned;
#[cfg(feature = "gpu")]
use gridscope_gpu::{AdapterSummary, DeviceWork};
use gridscope_read::figure_schema;
#[cfg(feature = "gpu")]
use serde_json::Value;
use serde_json::json;
use std::io::IsTerminal;

pub(super) fn colormaps(args: &ColormapArgs) -> Outcome {
    let mut names: Vec<&str> = Colormap::names().collect();
    names.sort_unstable_by_key(|n| n.to_ascii_lowercase());
    let mut text = String::new();
    let mut list = Vec::new();
    for name in names {
        let map = Colormap::named(name).map_err(|e| super::Failure::usage(e.to_string()))?;
        let traits = MapTraits::of(&map);
        let kind = traits.kind.word();
        if args.json {
            list.push(json!({"name": name, "kind": kind, "colour_blind_safe": traits.is_safe, "grey": traits.is_grey}));
            continue;
        }
        let safe = if traits.is_safe { "colour-blind safe" } else { "" };
        let grey = if traits.is_grey { "prints in grey" } else { "" };
        text.push_str(format!("{name:18} {} {kind:12} {safe:17} {grey}", swatch(&map)).trim_end());
        text.push('\n');
    }
    if args.json {
        print(&format!("{:#}\n", json!(list)))?;
        return Ok(0);
    }
    text.push_str(
        "colour-blind safe: its colours stay apart for readers who lack a kind of cones; --simulate deutan|protan|tritan draws what they see\n\
         prints in grey: it goes from dark to light, or back, without a turn\n",
    );
    text.push_str("NAME_r reverses a colormap; --cmap '#ffffff,#08306b' makes one of your own colours\n");
    print(&text)?;
    Ok(0)
}

/// The colours of a map if the terminal shows 24-bit colour, otherwise its first and last in hex.
fn swatch(map: &Colormap) -> String {
    let n = map.entries.len();
    let is_rich = std::io::stdout().is_terminal() && Terminal::of_stdout().depth == Ok(Depth::True);
    if !is_rich {
        return format!("{} … {} {n:4} entries ", map.entries[0], map.entries[n - 1]);
    }
    let cells = (0..40)
        .map(|i| map.entries[i * n / 40].rgba())
        .map(|[r, g, b, _]| format!("\x1b[48;2;{r};{g};{b}m "))
        .collect::<String>();
    cells + "\x1b[0m"
}

#[cfg(feature = "gpu")]
pub(super) fn devices(args: &DeviceArgs) -> Outcome {
    let list = gridscope_gpu::devices().map_err(|e| gridscope_draw::error::Error::Device {
        what: e.to_string(),
        hint: e.hint().map(str::to_owned),
    })?;
    if args.json {
        let list: Vec<Value> = list.iter().map(device).collect();
        print(&format!("{:#}\n", versioned([("devices", json!(list))])))?;
        return Ok(0);
    }
    let mut text = String::new();
    for (i, d) in list.iter().enumerate() {
        let kind = if d.software { ", draws on the CPU" } else { "" };
        let work = match DeviceWork::of(d.kind) {
            Some(DeviceWork { pixels, cells, .. }) => {
                format!("it reduces and paints cells from {pixels} px or {cells} cells on")
            }
            None => "the CPU reduces and paints cells".to_owned(),
        };
        let subgroups = if d.subgroups { ", subgroup operations" } else { "" };
        text.push_str(&format!("{i}  {} ({}, {}{subgroups}{kind}); {work}\n", d.name, d.backend, d.driver));
    }
    text.push_str(WITHOUT);
    print(&text)?;
    Ok(0)
}

/// A device and from which size on it does the work; `null`: the CPU does at every size.
#[cfg(feature = "gpu")]
fn device(d: &AdapterSummary) -> Value {
    let work = DeviceWork::of(d.kind).map(|w| json!({"from_pixels": w.pixels, "from_cells": w.cells}));
    json!({"name": d.name, "driver": d.driver, "api": d.backend, "kind": d.kind.word(), "software": d.software, "work": work, "subgroups": d.subgroups})
}

#[cfg(not(feature = "gpu"))]
pub(super) fn devices(args: &DeviceArgs) -> Outcome {
    if args.json {
        print(&format!("{:#}\n", versioned([("devices", json!([]))])))?;
        return Ok(0);
    }
    print(WITHOUT)?;
    Ok(0)
}

/// The line of the back end that needs no device.
const WITHOUT: &str = "-  cpu: the back end that needs no device\n";

pub(super) fn schema() -> Outcome {
    print(&(figure_schema() + "\n"))?;
    Ok(0)
}

pub(super) fn completions(shell: clap_complete::Shell) -> Outcome {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "gridscope", &mut bytes);
    print(&String::from_utf8_lossy(&bytes))?;
    Ok(0)
}
