//! The description inside a picture, for `gridscope info`: as a figure file that draws it again, or as JSON.

use super::Outcome;
use super::diagnostics::{Failure, print, write_json};
use gridscope_core::grid::Number;
use gridscope_core::output::Output;
use gridscope_core::scale::grouped;
use gridscope_core::text::clean;
use gridscope_draw::metadata::{PictureFormat, read_as, toml_text};
use gridscope_read::{InputError, base_name, read_first, read_last};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Bytes at the start by which the format is recognised.
const HEAD: u64 = 64 << 10;
/// Bytes at the start of a PNG or an SVG that contain the description.
const TOP: u64 = 32 << 20;
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
    let bytes = if format == PictureFormat::Pdf { read_last(path, END) } else { read_first(path, TOP) }?;
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
            format!("# picture written by gridscope {}{size}\n", clean(text(&described["gridscope"])));
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
        let name = clean(&base_name(text(&input["name"])));
        out.push(format!("input {name}: {bytes} bytes, sha256{of} {}", clean(text(&input["sha256"]))));
    }
    for scale in list("limits") {
        let panels: Vec<&str> =
            scale["panels"].as_array().into_iter().flatten().map(text).filter(|p| !p.is_empty()).collect();
        let of = if panels.is_empty() { String::new() } else { format!(" of {}", clean(&panels.join(", "))) };
        let [low, high] = ["vmin", "vmax"].map(|k| limit(&scale[k]));
        out.push(format!(
            "limits{of}: {low} to {high}, {}, {}",
            clean(text(&scale["norm"])),
            clean(text(&scale["cmap"]))
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

fn text(value: &Value) -> &str {
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
