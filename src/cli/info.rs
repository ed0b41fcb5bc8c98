//! `gridscope info`: the grids of a figure, or the description in a picture; without a command, with a preview.

mod best;

use super::args::{InfoArgs, Preview};
use super::diagnostics::{Failure, Report, print, write_json};
use super::load::{Job, load, reload};
use super::{Outcome, diagnostics, preview};
use gridscope_core::grid::{Axis, AxisKind, Grid, Number, ScanRequest, State, Stats};
use gridscope_core::output::Output;
use gridscope_core::scale::grouped;
use gridscope_core::text::clean;
use gridscope_draw::error::Error;
use gridscope_draw::metadata::{PictureFormat, read_as, toml_text};
use gridscope_draw::report;
use gridscope_draw::resolve::{changed_label, place_of, rules};
use gridscope_read::{Delimiter, InputError, ReadOptions, base_name, read_first, read_last};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The number of extreme cells that are listed by default.
const TOP: u32 = 10;
/// The most labels of an axis that are listed.
const LABELS: usize = 12;

pub(super) fn run(args: &InfoArgs, preview: Option<Preview>) -> Outcome {
    let is_asked = preview.is_some_and(|p| !matches!(p, Preview::Auto | Preview::Never));
    if args.source.run.json.is_some() && is_asked {
        return Err(Failure::usage("--json and --preview exclude each other, except auto and never"));
    }
    let json = diagnostics::json_output(&args.source.run, &[])?;
    if let Some(picture) = find(&args.source.files)? {
        return picture.print(json);
    }
    if args.best {
        diagnostics::limit_time(&args.source.run, args.source.files.first())?;
        let needs = ReadOptions { statistics: best::statistics(), ..ReadOptions::default() };
        let job = reload(&args.source, needs)?;
        best::print_best(&job, json).map_err(|e| job.origin.of(e))?;
        return Ok(diagnostics::lints(&job.loaded.lints, &job.policy, &args.source.run));
    }
    let job = load(&args.source)?;
    print_grids(args, &job, json, preview).map_err(|e| job.origin.of(e))
}

/// Prints the grids of a job, or their report, then the warnings.
fn print_grids(args: &InfoArgs, job: &Job, json: Option<Report>, preview: Option<Preview>) -> Outcome {
    let scan = |g: &Grid| Ok::<_, Error>(g.scan(&ScanRequest::default())?.stats);
    let stats = job.loaded.grids.iter().map(scan).collect::<Result<Vec<Stats>, _>>()?;
    if json.is_some() {
        let panels: Value =
            job.loaded.grids.iter().zip(&stats).map(|(g, s)| report::panel(g, s, None)).collect();
        let value = report::versioned(
            report::reading(&job.loaded)
                .into_iter()
                .chain([("panels", panels), ("lints", report::lints(&job.loaded.lints, &job.policy))]),
        );
        diagnostics::write_json(json, &value)?;
        return Ok(diagnostics::lints(&job.loaded.lints, &job.policy, &args.source.run));
    }
    let text = text(job, &stats, args.top.unwrap_or(TOP) as usize)?;
    print(&text)?;
    if let Some(how) = preview {
        preview::show(job, how, text.lines().count(), args.source.run.quiet)?;
    }
    Ok(diagnostics::lints(&job.loaded.lints, &job.policy, &args.source.run))
}

/// The text of `info`, with the `top` largest cells of each panel.
fn text(job: &Job, stats: &[Stats], top: usize) -> Result<String, Error> {
    let mut out = String::new();
    let grids = &job.loaded.grids;
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    if !job.loaded.summary.is_empty() {
        line(job.loaded.summary.clone());
    }
    for d in &job.loaded.dialects {
        let delimiter = match d.delimiter {
            Delimiter::Byte(b',') => None,
            Delimiter::Byte(b'\t') => Some("delimiter tab".to_owned()),
            Delimiter::Blanks => Some("fields between blanks".to_owned()),
            other => Some(format!("delimiter '{}'", clean(&other.to_string()))),
        };
        let comments = match d.comments {
            0 => None,
            1 => Some("1 comment".to_owned()),
            n => Some(format!("{n} comments")),
        };
        let facts: Vec<String> = delimiter.into_iter().chain(comments).collect();
        if !facts.is_empty() {
            line(format!("{}: {}", clean(&d.file), facts.join(", ")));
        }
    }
    let rules = rules(&job.figure, grids);
    let shared = grids.windows(2).all(|p| p[0].rows() == p[1].rows() && p[0].columns() == p[1].columns());
    for (i, (g, s)) in grids.iter().zip(stats).enumerate() {
        let name = if g.name().is_empty() { "grid".to_owned() } else { format!("panel {}", clean(g.name())) };
        let value = if let Some(label) = changed_label(g) {
            format!(": {label}")
        } else if g.value_name().is_empty() {
            String::new()
        } else {
            format!(" of {}", clean(g.value_name()))
        };
        line(format!("{name}: {} rows x {} columns{value}", g.height(), g.width()));
        if i == 0 || !shared {
            for (side, own, rule) in [("x", g.columns(), rules.x), ("y", g.rows(), rules.y)] {
                line(format!("  {side}  {}", axis(own)));
                if let Some(rule) = rule.filter(|_| i == 0) {
                    line(format!("     {} keys, {rule}", own.len()));
                }
            }
        }
        line(format!("  {}", counts(g, s)));
        if let (Some(min), Some(max)) = (s.min, s.max) {
            line(format!("  min {min}, max {max}, mean {}", json!(s.mean)));
            for (word, cells) in [("max", g.extremes(top, true)?), ("min", g.extremes(top.min(1), false)?)] {
                for ((r, c), v) in cells {
                    line(format!("    {word} {v} at {}", clean(&place_of(g, r, c))));
                }
            }
        }
    }
    Ok(out)
}

/// The type in which a grid stores its values exactly, in parentheses; empty without values.
fn kind(g: &Grid, s: &Stats) -> &'static str {
    match (s.min, g.is_f32()) {
        (None, _) => "",
        (Some(Number::I64(_) | Number::U64(_)), _) => " (integers)",
        (_, Some(_)) => " (f32)",
        (_, None) => " (f64)",
    }
}

/// The number of values, and of the cells in each state.
fn counts(g: &Grid, s: &Stats) -> String {
    let mut out = format!("{} values{}", s.values, kind(g, s));
    for state in State::ALL {
        let n = s.states[state.index()];
        if n > 0 {
            let _ = write!(out, ", {n} {}", state.key_text());
        }
    }
    if let (Some(n), Some(least)) = (g.thin_cells().filter(|n| *n > 0), g.min_count()) {
        let _ = write!(out, ", {n} of fewer than {least} rows");
    }
    for (n, word) in [(s.pos_inf, "+inf"), (s.neg_inf, "-inf")] {
        if n > 0 {
            let _ = write!(out, ", {n} {word}");
        }
    }
    out
}

/// Name, kind, length and labels of an axis.
fn axis(a: &Axis) -> String {
    let kind = match a.kind {
        AxisKind::Index => "index",
        AxisKind::Category => "category",
        AxisKind::Number => "number",
        AxisKind::Log => "log",
        AxisKind::Time => "time",
    };
    let name = if a.name.is_empty() { String::new() } else { format!("{} ", clean(&a.name)) };
    let shown: Vec<String> = if a.len() <= LABELS {
        (0..a.len()).map(|i| a.label(i)).collect()
    } else {
        (0..LABELS - 2).map(|i| a.label(i)).chain(["…".to_owned(), a.label(a.len() - 1)]).collect()
    };
    format!("{name}({kind}, {}): {}", a.len(), clean(&shown.join(", ")))
}

/// Bytes at the start by which the format is recognised.
const HEAD: u64 = 64 << 10;
/// Bytes at the start of a PNG or an SVG that contain the description.
const MOST_BYTES: u64 = 32 << 20;
/// Bytes at the end of a PDF that contain the description.
const END: u64 = 64 << 20;

/// A picture file, and the part of it that contains the description.
pub(super) struct DescribedPicture {
    file: String,
    format: PictureFormat,
    bytes: Vec<u8>,
}

/// The picture, if there is a single file whose content is one.
pub(super) fn find(files: &[String]) -> Result<Option<DescribedPicture>, Failure> {
    let [file] = files else { return Ok(None) };
    let path = Path::new(file);
    // Reading the data will report what cannot be read. Standard input can be read only once.
    let Some(format) =
        read_first(path, HEAD).ok().filter(|_| file != "-").and_then(|head| PictureFormat::of(&head))
    else {
        return Ok(None);
    };
    let bytes =
        if format == PictureFormat::Pdf { read_last(path, END) } else { read_first(path, MOST_BYTES) }?;
    Ok(Some(DescribedPicture { file: file.clone(), format, bytes }))
}

impl DescribedPicture {
    /// Prints the description.
    pub(super) fn print(&self, json: Option<(Output, PathBuf)>) -> Outcome {
        let name = self.format.name();
        let refused = |what: String| InputError::refused(&self.file, "", what);
        let described = read_as(self.format, &self.bytes).map_err(|e| refused(format!("{name}: {e}")))?;
        let Some(described) = described else {
            let what = format!("{name} without gridscope's description");
            let hint =
                "gridscope render writes one unless --no-metadata is given; other programs may drop it";
            return Err(refused(what).with_hint(hint).into());
        };
        if json.is_some() {
            let mut all = Map::from_iter([("version".to_owned(), json!(env!("CARGO_PKG_VERSION")))]);
            all.extend(described.as_object().into_iter().flatten().map(|(k, v)| (k.clone(), v.clone())));
            write_json(json, &Value::Object(all))?;
            return Ok(0);
        }
        let figure = toml_text(&described["figure"])
            .map_err(|e| refused(format!("{name} whose description contains no valid figure: {e}")))?;
        let size = side(&described, 0)
            .zip(side(&described, 1))
            .map(|(w, h)| format!(", {w} x {h} px"))
            .unwrap_or_default();
        // These lines are comments, so that the whole output is a figure file.
        let mut out =
            format!("# picture written by gridscope {}{size}\n", clean(string(&described["gridscope"])));
        for line in about(&described) {
            out.push_str(&format!("# {line}\n"));
        }
        print(&format!("{out}\n{figure}"))?;
        Ok(0)
    }
}

/// Inputs, limits and reduction, one line each. Other fields are ignored.
fn about(described: &Value) -> Vec<String> {
    let list = |key: &str| described[key].as_array().into_iter().flatten();
    let mut out = Vec::new();
    for input in list("inputs") {
        let bytes = grouped(&input["bytes"].as_u64().unwrap_or_default().to_string());
        let of = if input["sampled"] == true { " of samples" } else { "" };
        let name = clean(&base_name(string(&input["name"])));
        out.push(format!("input {name}: {bytes} bytes, sha256{of} {}", clean(string(&input["sha256"]))));
    }
    for scale in list("limits") {
        let panels: Vec<&str> =
            scale["panels"].as_array().into_iter().flatten().map(string).filter(|p| !p.is_empty()).collect();
        let of = if panels.is_empty() { String::new() } else { format!(" of {}", clean(&panels.join(", "))) };
        let [low, high] = ["vmin", "vmax"].map(|k| limit(&scale[k]));
        out.push(format!(
            "limits{of}: {low} to {high}, {}, {}",
            clean(string(&scale["norm"])),
            clean(string(&scale["cmap"]))
        ));
    }
    if let Some(word) = described["reduction"].as_str() {
        out.push(format!("each pixel = {} of its cells", clean(word)));
    }
    if described["bare"] == true {
        let flag = |name: &str, i: usize| {
            side(described, i).map(|px| format!(" --{name} {px}px")).unwrap_or_default()
        };
        out.push(format!("only cells; drawn again with --bare{}{}", flag("width", 0), flag("height", 1)));
    }
    out
}

/// The picture's width (0) or height (1) in pixels.
fn side(described: &Value, i: usize) -> Option<u64> {
    described["size"].get(i)?.as_u64()
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A limit as text; `?` if it is neither number nor string.
fn limit(value: &Value) -> String {
    match value.as_f64() {
        Some(v) => Number::F64(v).to_string(),
        None => clean(value.as_str().unwrap_or("?")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_no_control_characters() {
        let described = json!({
            "inputs": [
                {"name": "r1.csv", "bytes": 5321, "sha256": "ab"},
                {"name": "/x/a\u{1b}[2J\n.npy", "bytes": 1_234_567_890_123u64, "sha256": "\u{202e}", "sampled": true},
                3,
            ],
            "limits": [
                {"label": "L", "panels": ["A", "B\n"], "norm": "linear", "vmin": 0.0, "vmax": 48, "cmap": "viridis"},
                {"label": "", "panels": [""], "norm": "log", "vmin": 0.1, "vmax": "inf", "cmap": "magma"},
                {"vmin": null},
            ],
            "reduction": "mean",
        });
        let wanted = [
            "input r1.csv: 5,321 bytes, sha256 ab",
            "input a\\u{1b}[2J .npy: 1,234,567,890,123 bytes, sha256 of samples \\u{202e}",
            "input : 0 bytes, sha256 ",
            "limits of A, B : 0 to 48, linear, viridis",
            "limits: 0.1 to inf, log, magma",
            "limits: ? to ?, , ",
            "each pixel = mean of its cells",
        ];
        assert_eq!(about(&described), wanted);
        assert!(
            about(&json!({"gridscope": "1", "figure": {}, "inputs": {"a": 1}, "limits": "x", "bare": 1}))
                .is_empty()
        );
    }
}
