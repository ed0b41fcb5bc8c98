//! A figure as the rules see it: what was asked for, the geometry, and the boxes of its texts.

use crate::support::blocks::Block;
use gridscope::figure::{Figure, List};
use gridscope::input::{ReadOptions, open};
use gridscope::{Fonts, Grid, LintName};
use gridscope_core::geom::Rect;
use gridscope_core::timing::Phases;
use gridscope_draw::render::{Prepared, prepare};
use gridscope_draw::scene::Item;
use std::path::Path;

/// The words of options; blanks within quotes do not separate them.
pub fn words(options: &str) -> Vec<String> {
    let (mut out, mut quoted) = (vec![String::new()], false);
    for c in options.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => out.push(String::new()),
            _ => out.last_mut().unwrap().push(c),
        }
    }
    out.retain(|w| !w.is_empty());
    out
}

/// The figure that options describe: those that name columns and arrays, and margins, which have labels of their own.
pub fn figure_of(options: &str) -> Figure {
    let (mut figure, words) = (Figure::default(), words(options));
    for pair in words.chunks(2) {
        let value = pair[1].as_str();
        let list = || Some(List::from_flag(value));
        match pair[0].as_str() {
            "-x" => figure.data.x = list(),
            "-y" => figure.data.y = list(),
            "-z" => figure.data.value = list(),
            "--panel" => figure.data.panel = Some(value.into()),
            "--table" => figure.data.table = Some(serde_json::from_value(value.into()).unwrap()),
            "--key" => figure.data.key = Some(value.to_owned()),
            "--agg" => figure.data.agg = Some(serde_json::from_value(value.into()).unwrap()),
            "--x-values" => figure.x.values = Some(value.to_owned()),
            "--y-values" => figure.y.values = Some(value.to_owned()),
            "--margin" => figure.margin = Some(serde_json::from_value(value.into()).unwrap()),
            other => panic!("an option beyond the columns: {other}"),
        }
    }
    figure
}

/// A text of a figure with its box.
pub struct Text {
    pub block: Block,
    pub font: f64,
    pub degrees: i32,
    /// It is inside of a body: the value of a cell.
    pub in_body: bool,
    /// The panel of which it is the title, or a line of it.
    pub title_of: Option<usize>,
}

/// A figure whose rules are measured.
pub struct Drawn {
    pub grids: Vec<Grid>,
    pub prepared: Prepared,
    pub texts: Vec<Text>,
    /// Rows were merged by an aggregate that nobody named.
    pub merged: bool,
}

/// The resolution at which the gallery is drawn.
pub const DPI: f64 = 100.0;

impl Drawn {
    /// Reads files of a folder and lays out their figure; a refusal is returned as its message.
    pub fn new(folder: &Path, files: &[String], options: &str, fonts: &mut Fonts) -> Result<Self, String> {
        let mut figure = figure_of(options);
        figure.size.dpi = Some(DPI);
        let files: Vec<String> = files.iter().map(|f| folder.join(f).to_str().unwrap().to_owned()).collect();
        let loaded =
            open(&files, &figure, &ReadOptions::default(), 1 << 30).map_err(|e| format!("refused: {e}"))?;
        let merged =
            figure.data.agg.is_none() && loaded.lints.0.iter().any(|l| l.name == LintName::DuplicateKeys);
        let prepared = prepare(&figure, &loaded.grids, fonts, &mut Phases::new())
            .map_err(|e| format!("refused: {e}"))?;
        Ok(Self::laid_out(prepared, loaded.grids, merged, fonts))
    }

    /// The figure of grids.
    pub fn of(figure: &Figure, grids: Vec<Grid>, fonts: &mut Fonts) -> Self {
        let prepared = prepare(figure, &grids, fonts, &mut Phases::new()).unwrap();
        Self::laid_out(prepared, grids, false, fonts)
    }

    fn laid_out(prepared: Prepared, grids: Vec<Grid>, merged: bool, fonts: &mut Fonts) -> Self {
        let mut texts = texts(&prepared, fonts);
        mark_titles(&prepared, &mut texts);
        Self { grids, prepared, texts, merged }
    }

    pub fn canvas(&self) -> Rect {
        let size = self.prepared.scene.size;
        Rect::new(0.0, 0.0, f64::from(size.w), f64::from(size.h))
    }

    pub fn bodies(&self) -> Vec<Rect> {
        let panels = self.prepared.layout.panels.iter();
        panels.map(|p| p.body.rect()).collect()
    }

    pub fn has_lint(&self, name: LintName) -> bool {
        self.prepared.lints.0.iter().any(|l| l.name == name)
    }
}

fn texts(prepared: &Prepared, fonts: &mut Fonts) -> Vec<Text> {
    let bodies: Vec<Rect> = prepared.layout.panels.iter().map(|p| p.body.rect()).collect();
    // Digits have no descent, so line boxes of the lowest row may extend slightly beyond the body.
    let loose = 1.0 + 0.1 * prepared.frame.font_size;
    prepared
        .scene
        .all()
        .filter_map(|item| {
            let Item::Text { text, font_size, at, degrees, .. } = item else {
                return None;
            };
            let block = Block::new(text, *font_size, *at, *degrees, fonts);
            let is_inside = |r: &Rect| {
                let holds = |x: f64, y: f64| r.grown(loose).contains(&Rect::new(x, y, 0.0, 0.0), 0.0);
                block.corners.iter().all(|c| holds(c.x, c.y))
            };
            let in_body = bodies.iter().any(is_inside);
            Some(Text { block, font: *font_size, degrees: *degrees, in_body, title_of: None })
        })
        .collect()
}

/// A text without blanks, at which lines break, and with the minus of ASCII.
pub fn plain(text: &str) -> String {
    let kept = text.chars().filter(|c| !c.is_whitespace() && *c != '\u{200b}');
    kept.map(|c| if c == '−' { '-' } else { c }).collect()
}

/// Finds the lines of the titles over panels.
fn mark_titles(prepared: &Prepared, texts: &mut [Text]) {
    let bodies: Vec<Rect> = prepared.layout.panels.iter().map(|p| p.body.rect()).collect();
    for (i, body) in bodies.iter().enumerate() {
        let title = plain(&prepared.frame.panels[i].title);
        let above = bodies.iter().map(Rect::bottom).filter(|b| *b <= body.y).fold(0.0, f64::max);
        let is_over = |t: &Text| {
            let over = t.block.right().min(body.right()) - t.block.left().max(body.x);
            t.degrees == 0
                && !t.in_body
                && t.block.bottom() <= body.y + 1.0
                && t.block.top() >= above - 1.0
                && over >= 0.5 * body.w.min(t.block.right() - t.block.left())
        };
        let mut lines: Vec<usize> = (0..texts.len()).filter(|k| is_over(&texts[*k])).collect();
        lines.sort_by(|a, b| texts[*a].block.top().total_cmp(&texts[*b].block.top()));
        let joined =
            |from: usize| lines[from..].iter().map(|k| plain(&texts[*k].block.text)).collect::<String>();
        let is_short = |text: &str| {
            text.split_once('…').is_some_and(|(a, b)| title.starts_with(a) && title.ends_with(b))
        };
        let first = (0..lines.len()).find(|k| joined(*k) == title);
        let first = first.or_else(|| (0..lines.len()).find(|k| is_short(&joined(*k))));
        for k in first.unwrap_or(lines.len())..lines.len() {
            texts[lines[k]].title_of = Some(i);
        }
    }
}
