//! The text of a figure file to a [`Figure`].

use super::deserializer::FromValue;
use super::fault::{Fault, FaultKind};
use super::parse_json::parse_json;
use super::parse_toml::parse_toml;
use super::validate::check_numbers;
use crate::array::range;
use crate::error::{ErrorKind, InputError};
use crate::format::json::READ_AS_DATA;
use crate::panels::names_of_panels;
use crate::position::place;
use gridscope_core::figure::{Baseline, Figure, Mask, Masks, PanelSpec};
use serde::Deserialize;
use std::path::Path;

/// How a figure file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// TOML.
    Toml,
    /// JSON.
    Json,
}

/// Reads a figure; paths in it stay as written ([`resolve_paths`] is for those).
///
/// # Errors
/// The first fault, with its line and column: text that is not TOML or JSON, unknown and duplicate keys, wrong types and
/// words.
pub fn read_figure(bytes: &[u8], file: &str, format: Format) -> Result<Figure, InputError> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let at = e.valid_up_to();
        let utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
        let what = format!("not UTF-8 at byte {at}{}", if utf16 { ", this is UTF-16" } else { "" });
        InputError::refused(file, place(&String::from_utf8_lossy(&bytes[..at]), at), what)
    })?;
    parse(text, format).map_err(|fault| match fault.kind {
        // Data, perhaps, in a shape that is not read.
        FaultKind::UnknownKey(..) if format == Format::Json => {
            fault.error(text, file).with_hint(READ_AS_DATA)
        }
        FaultKind::Value(_) if fault.chooses_cells() => {
            InputError { kind: ErrorKind::Usage, ..fault.error(text, file) }
        }
        _ => fault.error(text, file),
    })
}

fn parse(text: &str, format: Format) -> Result<Figure, Fault> {
    let value = match format {
        Format::Toml => parse_toml(text)?,
        Format::Json => parse_json(text)?,
    };
    let figure = Figure::deserialize(FromValue(&value)).map_err(|mut fault| {
        fault.at.get_or_insert(value.at);
        fault
    })?;
    let mut figure = figure;
    check_numbers(&figure).map_err(|(key, what)| {
        let what = format!("{}: {what}", super::fault::short(&key));
        Fault::new(value.locate(&key), FaultKind::Other(what))
    })?;
    settle_panels(&mut figure);
    Ok(figure)
}

/// Puts what panels under `[[panel]]` look like into the tables of the panels, whose own keys win.
pub(super) fn settle_panels(figure: &mut Figure) {
    let names = names_of_panels(figure);
    for (i, name) in names.into_iter().enumerate() {
        let spec = figure.panel[i].take_spec();
        if spec != PanelSpec::default() {
            let own = figure.panels.remove(&name).unwrap_or_default();
            figure.panels.insert(name, own.or(&spec));
        }
    }
}

/// Makes the paths of a figure file in folder `base` valid from where the program runs.
pub(super) fn resolve_paths(figure: &mut Figure, base: &Path) {
    let join = |p: &mut String| *p = base.join(&*p).to_string_lossy().into_owned();
    for f in figure.data.file.iter_mut().flat_map(|l| &mut l.0).filter(|f| *f != "-") {
        join(f);
    }
    figure.data.mask.iter_mut().flat_map(Masks::files).for_each(join);
    for mark in figure.all_marks_mut() {
        if let Some(mut path) = mark.file().map(str::to_owned) {
            join(&mut path);
            mark.set_file(path);
        }
    }
    for panel in &mut figure.panel {
        panel.file.iter_mut().filter(|f| *f != "-").for_each(join);
        let is_file = |m: &&mut String| matches!(m.parse::<Mask>(), Ok(Mask::File(_)));
        panel.mask_mut().filter(is_file).into_iter().for_each(join);
        panel.change_baselines(|baseline| moved(baseline, base));
    }
    for baseline in figure.data.baselines_mut().into_iter().flatten() {
        if let Some(moved) = moved(baseline, base) {
            *baseline = moved.into();
        }
    }
    // An array's name stays a name: only what is a file becomes a path.
    for values in [&mut figure.x.values, &mut figure.y.values].into_iter().flatten() {
        if range(values).is_none() && base.join(&*values).exists() {
            join(values);
        }
    }
    if let Some(font) = &mut figure.font {
        join(font);
    }
}

/// A baseline in folder `base`, where it is a file.
fn moved(baseline: &Baseline, base: &Path) -> Option<Baseline> {
    let join = |path: &str| base.join(path).to_string_lossy().into_owned();
    match baseline {
        Baseline::File(path) => Some(Baseline::File(join(path))),
        Baseline::Named(word) if base.join(word).is_file() => Some(Baseline::Named(join(word))),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
