//! Description in a picture: the figure, limits and inputs as JSON, which every format holds and `gridscope info` reads back.

mod text;
mod escapes;
mod read;

pub use read::{PictureFormat, read, read_as};
pub use text::{figure_toml, pruned, toml_text};

use crate::report::escaped;
use gridscope_core::figure::{Baseline, Figure, SideFile};
use gridscope_core::geom::PxSize;
use gridscope_read::{Fingerprint, base_name, disambiguate};
use serde_json::{Map, Value, json};
use std::fmt;

/// The longest description, in bytes: figure files of more words than this have none.
pub const LONGEST: usize = 4 << 20;

/// All that a picture says of itself.
#[derive(Clone, Debug)]
pub struct Description<'a> {
    /// The figure as it was drawn, flags included.
    pub figure: &'a Figure,
    /// Its data files, wherever they were named.
    pub files: &'a [String],
    /// Its scales, as [`crate::report::limits`] has them.
    pub limits: Vec<Map<String, Value>>,
    /// The reduction's word where a body shows one.
    pub reduction: Option<&'a str>,
    /// Files that were read.
    pub inputs: &'a [Fingerprint],
    /// Cells alone, without axes and bars: `--bare`.
    pub bare: bool,
    /// The canvas in output pixels.
    pub size: PxSize,
    /// What the picture shows, for readers who do not see it.
    pub alt: Option<String>,
}

impl Description<'_> {
    /// Compact JSON in ASCII, its keys always in the same order; no date and no folder, so that the same figure of the same
    /// data gives the same bytes everywhere. `None` where it would be longer than [`LONGEST`].
    pub fn json(&self) -> Option<String> {
        let mut all = Map::new();
        all.insert("gridscope".to_owned(), json!(env!("CARGO_PKG_VERSION")));
        all.insert("figure".to_owned(), pruned(&without_folders(self.figure, self.files)));
        all.insert("size".to_owned(), json!([self.size.w, self.size.h]));
        if self.bare {
            all.insert("bare".to_owned(), json!(true));
        }
        all.insert("limits".to_owned(), self.limits.iter().cloned().map(Value::Object).collect());
        if let Some(word) = self.reduction {
            all.insert("reduction".to_owned(), json!(word));
        }
        all.insert("inputs".to_owned(), self.inputs.iter().map(input).collect());
        let text = escaped(&Value::Object(all).to_string(), |c| !c.is_ascii() || c == '\u{7f}');
        (text.len() <= LONGEST).then_some(text)
    }
}

fn input(print: &Fingerprint) -> Value {
    let mut out = json!({"name": print.name, "bytes": print.bytes, "sha256": print.sha256});
    if print.sampled {
        out["sampled"] = json!(true);
    }
    out
}

/// The figure with its data, and paths cut to the files' names: where they lay is nobody's business, and a description beside
/// its data finds them. Folders stay where they alone tell two data files apart.
fn without_folders(figure: &Figure, files: &[String]) -> Figure {
    let mut figure = figure.clone();
    figure.set_files(disambiguate(files));
    figure.each_side_file(|kind, path| {
        // A file of that name, not the word.
        let is_word = kind == SideFile::Mask && matches!(base_name(path).as_str(), "upper" | "lower");
        *path = format!("{}{}", if is_word { "./" } else { "" }, base_name(path));
    });
    for panel in &mut figure.panel {
        panel.change_baselines(|baseline| match baseline {
            Baseline::File(path) => Some(Baseline::File(base_name(path))),
            Baseline::Named(word) if word.contains(['/', '\\']) => Some(Baseline::Named(base_name(word))),
            _ => None,
        });
    }
    figure
}

/// A description that cannot be read out of a picture, or written as TOML.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MetadataError {
    /// The picture itself is damaged, in the words of its decoder.
    Picture(String),
    /// The description does not end.
    NoEnd,
    /// It is not UTF-8.
    NotUtf8,
    /// It has an entity that XML does not define.
    Entity,
    /// It is longer than [`LONGEST`].
    TooLong,
    /// It is not JSON.
    NotJson(String),
    /// It names no version or no figure.
    NoFigure,
    /// A value that TOML cannot hold.
    NotToml(String),
}

impl fmt::Display for MetadataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Picture(what) | Self::NotToml(what) => f.write_str(what),
            Self::NoEnd => f.write_str("its description has no end"),
            Self::NotUtf8 => f.write_str("its description is not UTF-8"),
            Self::Entity => f.write_str("its description has '&' without a known entity"),
            Self::TooLong => write!(f, "its description is longer than {} MiB", LONGEST >> 20),
            Self::NotJson(what) => write!(f, "its description is not JSON: {what}"),
            Self::NoFigure => f.write_str("its description names no version and no figure"),
        }
    }
}

impl std::error::Error for MetadataError {}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::figure::{List, PanelSpec};

    fn described(figure: &Figure, files: &[&str]) -> String {
        let files: Vec<String> = files.iter().map(|f| (*f).to_owned()).collect();
        let inputs: Vec<Fingerprint> = files.iter().map(|f| Fingerprint::of_bytes(f, b"abc")).collect();
        Description {
            figure,
            files: &files,
            limits: Vec::new(),
            reduction: Some("mean"),
            inputs: &inputs,
            bare: false,
            size: PxSize { w: 3, h: 2 },
            alt: None,
        }
        .json()
        .unwrap()
    }

    #[test]
    fn it_is_compact_ascii_in_one_order() {
        let figure = Figure { title: Some("Größe \u{1f600}\u{7f}\n".to_owned()), ..Figure::default() };
        let sha = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let wanted = format!(
            "{{\"gridscope\":\"{}\",\"figure\":{{\"title\":\"Gr\\u00f6\\u00dfe \\ud83d\\ude00\\u007f\\n\",\"data\":{{\"file\":\"a.csv\"}}}},\
             \"size\":[3,2],\"limits\":[],\"reduction\":\"mean\",\"inputs\":[{{\"name\":\"a.csv\",\"bytes\":3,\"sha256\":\"{sha}\"}}]}}",
            env!("CARGO_PKG_VERSION")
        );
        assert_eq!(described(&figure, &["a.csv"]), wanted);
    }

    #[test]
    fn no_folder_goes_into_it() {
        let mut figure = Figure::default();
        figure.data.file = Some(List(vec!["/home/me/other.csv".to_owned()]));
        figure.data.mask = "/home/me/mask.csv".parse().ok();
        figure.font = Some("/home/me/fonts/f.ttf".to_owned());
        (figure.x.values, figure.y.values) =
            (Some("0.5:1e3:log".to_owned()), Some("../home/y.txt".to_owned()));
        let text = described(&figure, &["/home/me/a.csv", "home/b.csv"]);
        let value: Value = serde_json::from_str(&text).unwrap();
        assert!(!text.contains("home"), "{text}");
        assert_eq!(value["figure"]["data"], json!({"file": ["a.csv", "b.csv"], "mask": "mask.csv"}));
        assert_eq!(
            (&value["figure"]["x"]["values"], &value["figure"]["y"]["values"]),
            (&json!("0.5:1e3:log"), &json!("y.txt"))
        );
        assert_eq!(value["figure"]["font"], "f.ttf");
        figure.data.mask = "upper".parse().ok();
        assert!(described(&figure, &["-"]).contains(r#""data":{"file":"-","mask":"upper"}"#));
    }

    #[test]
    fn what_reads_back_is_the_figure() {
        let mut figure = Figure::default();
        figure.data.file = Some(List(vec!["a.csv".to_owned()]));
        (figure.color.vmin, figure.color.vmax, figure.size.dpi) = (Some(0.1), Some(1e300), Some(150.0));
        figure
            .panels
            .insert("p.\"q\"".to_owned(), PanelSpec { title: Some("t".to_owned()), ..PanelSpec::default() });
        figure.panels.insert("none".to_owned(), PanelSpec::default());
        let value: Value = serde_json::from_str(&described(&figure, &["a.csv"])).unwrap();
        let back: Figure = serde_json::from_value(value["figure"].clone()).unwrap();
        // A panel of which nothing is said goes unsaid.
        figure.panels.remove("none");
        assert_eq!(back, figure);
        assert_eq!(toml::from_str::<Figure>(&toml_text(&value["figure"]).unwrap()).unwrap(), figure);
    }

    #[test]
    fn an_endless_one_is_left_out() {
        let figure = Figure { note: Some("ä".repeat(LONGEST / 6)), ..Figure::default() };
        let one = Description {
            figure: &figure,
            files: &[],
            limits: Vec::new(),
            reduction: None,
            inputs: &[],
            bare: true,
            size: PxSize::default(),
            alt: None,
        };
        assert_eq!(one.json(), None);
    }
}
