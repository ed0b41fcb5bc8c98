//! Tracks: narrow rectangles beside every body, aligned with its cells, such as side strips.

use super::bars::{BarFrame, PERCENT, in_percent};
use super::error::ResolveError;
use gridscope_core::color::Color;
use gridscope_core::figure::{Figure, MarginForm, MarginStat, OnOff, Strip, StripAxis, StripSide, StripType};
use gridscope_core::grid::{Axis, Grid, MarginRequest};
use gridscope_core::scale::{Colormap, short, typeset};
use gridscope_core::text::clean;
use std::borrow::Cow;
use std::collections::HashMap;

/// Kind of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackKind {
    /// The categories or numbers of a strip, by its place among those of the figure.
    Strip(usize),
    /// The tree of clustered rows or columns.
    Tree {
        /// It is beside the rows.
        of_rows: bool,
    },
    /// Numbers of whole rows or columns.
    Margin(MarginTrack),
}

/// A margin beside the rows, or over the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarginTrack {
    /// It is beside the rows.
    pub of_rows: bool,
    /// Statistic of each row or column.
    pub stat: MarginStat,
    /// How it looks.
    pub form: MarginForm,
    /// The numbers of its axis are multiples of this power of ten.
    pub power: i32,
}

/// A track beside every body. Axes and texts alone decide which there are, so that no value of a cell moves a body.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackFrame {
    /// Where it lies. The tracks of a side are listed from the body outwards.
    pub side: TrackSide,
    /// Kind.
    pub kind: TrackKind,
    /// Em between it and the body, or the track before it.
    pub gap: f64,
    /// Its own em across the side.
    pub depth: f64,
    /// Its em, with all distances to its surroundings.
    pub room: f64,
    /// Where the tracks of a direction would take more than their share of the body, this one is narrower.
    pub shrinks: bool,
    /// Its name: left of a track over the body, over a track beside it.
    pub title: String,
    /// It has an axis of its own, whose numbers are between it and its title.
    pub has_axis: bool,
}

/// The tracks of a figure, those of one side from the body outwards.
///
/// # Errors
/// A margin of more rows or columns than are summed up one by one.
pub(super) fn tracks(
    figure: &Figure,
    grids: &[Grid],
    bars: &[BarFrame],
    strips: &[StripFrame],
) -> Result<Vec<TrackFrame>, ResolveError> {
    let mut out: Vec<TrackFrame> =
        strips.iter().enumerate().map(|(place, strip)| of_strip(place, strip)).collect();
    for of_rows in [true, false] {
        let axis = |grid: &Grid| {
            let axis = if of_rows { grid.rows() } else { grid.columns() };
            axis.tree.is_some()
        };
        if figure.cluster.dendrogram != Some(OnOff::Off) && grids.iter().any(axis) {
            out.push(of_tree(of_rows));
        }
    }
    // A power of ten that values give has no room in a margin's title.
    let are_shares = !bars.is_empty() && bars.iter().all(|bar| bar.numbers.power == PERCENT);
    for margin in figure.margin.iter().flat_map(|list| &list.0) {
        for of_rows in [true, false].into_iter().filter(|rows| margin.covers(*rows)) {
            let lines = |g: &Grid| if of_rows { g.height() } else { g.width() };
            let most = grids.iter().map(lines).max().unwrap_or(0);
            if most > MarginRequest::MOST_LINES {
                let (what, flag) = if of_rows { ("rows", "rows") } else { ("columns", "cols") };
                let limit = MarginRequest::MOST_LINES;
                return Err(ResolveError::Limit {
                    key: "margin",
                    what: format!("'{margin}': {most} {what} are more than {limit}"),
                    hint: format!("--{flag} 0:{limit}"),
                });
            }
            let of = MarginTrack {
                of_rows,
                stat: margin.stat,
                form: margin.shape(),
                power: if are_shares && margin.stat != MarginStat::Count { PERCENT } else { 0 },
            };
            out.push(of_margin(of));
        }
    }
    Ok(out)
}

/// Request of these tracks to a pass.
pub fn margin_request(tracks: &[TrackFrame]) -> MarginRequest {
    let mut out = MarginRequest::default();
    for track in tracks {
        if let TrackKind::Margin(margin) = track.kind {
            out.rows |= margin.of_rows;
            out.columns |= !margin.of_rows;
            out.spread |= margin.stat == MarginStat::Std;
        }
    }
    out
}

fn of_margin(margin: MarginTrack) -> TrackFrame {
    let is_strip = margin.form == MarginForm::Strip;
    let title = match (margin.stat, margin.form) {
        (MarginStat::Std, MarginForm::Line) => "mean ±\u{a0}std".to_owned(),
        (MarginStat::MinMax, _) => "min to max".to_owned(),
        (MarginStat::Std, MarginForm::Text) => "std".to_owned(),
        (stat, _) => stat.word().to_owned(),
    };
    let is_text = margin.form == MarginForm::Text;
    let (gap, depth, room) = match margin.form {
        MarginForm::Strip => (0.3, 0.95, 1.35),
        // Of a number beside its row, or over its column.
        MarginForm::Text if margin.of_rows => (0.4, 3.2, 3.8),
        MarginForm::Text => (0.2, 1.2, 1.6),
        _ => (0.6, 3.6, 4.8),
    };
    TrackFrame {
        side: if margin.of_rows { TrackSide::Right } else { TrackSide::Top },
        kind: TrackKind::Margin(margin),
        gap,
        depth,
        room,
        shrinks: !is_strip && !is_text,
        title: if !is_strip && margin.power == PERCENT { in_percent(title) } else { title },
        has_axis: !is_strip && !is_text,
    }
}

fn of_strip(place: usize, strip: &StripFrame) -> TrackFrame {
    TrackFrame {
        side: strip.side,
        kind: TrackKind::Strip(place),
        gap: 0.2,
        depth: 0.65,
        room: 0.95,
        shrinks: false,
        title: String::new(),
        has_axis: false,
    }
}

/// Trees are on the sides without labels.
fn of_tree(of_rows: bool) -> TrackFrame {
    TrackFrame {
        side: if of_rows { TrackSide::Right } else { TrackSide::Top },
        kind: TrackKind::Tree { of_rows },
        gap: 0.2,
        depth: 3.6,
        room: 4.2,
        shrinks: true,
        title: String::new(),
        has_axis: false,
    }
}

/// A side of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackSide {
    /// Aligned with the rows, before the row labels.
    Left,
    /// Aligned with the rows, before the colour bar.
    Right,
    /// Aligned with the columns, under the panel's title.
    Top,
    /// Aligned with the columns, before the column labels.
    Bottom,
}

impl TrackSide {
    /// Its place among all.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Whether tracks of this side run along the columns.
    pub fn is_along_x(self) -> bool {
        matches!(self, Self::Top | Self::Bottom)
    }
}

/// The part of a sequential map that is too pale to be visible on paper.
const PALE: f64 = 0.2;

/// A side strip.
#[derive(Clone, Debug)]
pub struct StripFrame {
    /// Along the columns.
    pub along_x: bool,
    /// Beside, over or under the body.
    pub side: TrackSide,
    /// Its place among the strips of its axis.
    pub place: usize,
    /// Title.
    pub title: String,
    /// Its colours.
    pub colors: StripColors,
}

/// The colours of a strip.
#[derive(Clone, Debug)]
pub enum StripColors {
    /// Categories and their colours in the order of the axis.
    Categories(Vec<(String, Color)>),
    /// A scale of numbers.
    Numbers {
        /// The least and the greatest.
        ends: (f64, f64),
        /// The colours between them.
        colors: Vec<Color>,
    },
    /// The colours that the texts are, in the order of the axis.
    Own(Vec<Color>),
}

impl StripFrame {
    /// The colour of a text.
    pub fn color(&self, text: &str) -> Option<Color> {
        match &self.colors {
            StripColors::Categories(swatches) => {
                let text = clean(text);
                swatches.iter().find(|(c, _)| *c == text).map(|(_, k)| *k)
            }
            StripColors::Numbers { ends, colors } => {
                let v = number(text)?;
                // Halves: the difference of two numbers may be beyond f64.
                let span = ends.1 / 2.0 - ends.0 / 2.0;
                let t = if span > 0.0 { (v / 2.0 - ends.0 / 2.0) / span } else { 0.0 };
                let n = colors.len();
                colors.get(((t * n as f64) as usize).min(n.saturating_sub(1))).copied()
            }
            StripColors::Own(_) => text.parse().ok(),
        }
    }

    /// The ends of a scale of numbers as its key writes them.
    pub fn ends(&self) -> Option<[String; 2]> {
        match self.colors {
            StripColors::Categories(_) | StripColors::Own(_) => None,
            StripColors::Numbers { ends, .. } => Some([ends.0, ends.1].map(|v| typeset(&short(v)))),
        }
    }
}

/// The finite number of a text.
fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|v| v.is_finite())
}

/// Resolves the strips of a figure.
pub(super) fn strips(figure: &Figure, grids: &[Grid]) -> Result<Vec<StripFrame>, ResolveError> {
    let mut places = [0, 0];
    let mut given = Given::default();
    let all = figure.strip.iter().flat_map(|strips| &strips.0);
    all.map(|spec| {
        let place = &mut places[usize::from(spec.axis == StripAxis::X)];
        *place += 1;
        strip(spec, *place - 1, (figure, grids), &mut given)
    })
    .collect()
}

/// The colours that strips before have: a category of one column has one colour, and others go on with the palette.
#[derive(Default)]
struct Given<'f> {
    colors: HashMap<(&'f str, String), Color>,
    count: usize,
}

fn strip<'f>(
    spec: &'f Strip,
    place: usize,
    (figure, grids): (&Figure, &[Grid]),
    given: &mut Given<'f>,
) -> Result<StripFrame, ResolveError> {
    let along_x = spec.axis == StripAxis::X;
    let wrong = |key: &str, what: String| Err(ResolveError::key(key, what));
    let axis = |g: &'_ Grid| -> Axis { if along_x { g.columns() } else { g.rows() }.clone() };
    let mut texts: Vec<String> = Vec::new();
    let mut met = std::collections::HashSet::new();
    let mut is_there = false;
    for g in grids {
        let axis = axis(g);
        is_there |= axis.strips.len() > place;
        for text in axis.strips.get(place).into_iter().flatten() {
            if met.insert(text.clone()) {
                texts.push(text.clone());
            }
        }
    }
    if !is_there {
        return wrong("strip", format!("the table has no column '{}' along this axis", spec.column));
    }
    let side = match (spec.side, along_x) {
        (None | Some(StripSide::Left), false) => TrackSide::Left,
        (Some(StripSide::Right), false) => TrackSide::Right,
        (None | Some(StripSide::Bottom), true) => TrackSide::Bottom,
        (Some(StripSide::Top), true) => TrackSide::Top,
        (Some(side), _) => {
            let (own, sides) = if along_x { ("x", "bottom or top") } else { ("y", "left or right") };
            let what = format!("a strip along {own} is {sides}, not {}", side.word());
            return wrong("strip.side", what);
        }
    };
    let known: Vec<&String> = texts.iter().filter(|t| !t.trim().is_empty()).collect();
    let numbers: Option<Vec<f64>> = known.iter().map(|t| number(t)).collect();
    let numbers = numbers.filter(|n| !n.is_empty());
    let map = |name: &str| -> Result<Colormap, ResolveError> {
        match spec.cmap.as_deref() {
            Some(map) => Ok(map.clone()),
            None => Colormap::named(name).map_err(|e| ResolveError::key("strip.cmap", e.to_string())),
        }
    };
    let colors = match (spec.kind, numbers) {
        (None | Some(StripType::Number), Some(numbers)) => {
            let map = map("Greys")?;
            let from = if spec.cmap.is_some() { 0 } else { (PALE * map.entries.len() as f64) as usize };
            StripColors::Numbers {
                ends: numbers
                    .iter()
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |e, v| (e.0.min(*v), e.1.max(*v))),
                colors: map.entries[from..].to_vec(),
            }
        }
        (Some(StripType::Number), None) => {
            let text = known.iter().find(|t| number(t).is_none());
            let what =
                format!("'{}' of column '{}' is not a number", text.map_or("", |t| t.as_str()), spec.column);
            return wrong("strip.type", what);
        }
        (Some(StripType::Color), _) => StripColors::Own(own_colors(&known, &spec.column)?),
        _ if spec.cmap.is_none() => {
            let map = map("tab10")?;
            let color = |name: String| {
                let Given { colors, count } = given;
                let color = colors.entry((&spec.column, name.clone())).or_insert_with(|| {
                    *count += 1;
                    map.entries[(*count - 1) % map.entries.len()]
                });
                (clean(&name), *color)
            };
            StripColors::Categories(texts.into_iter().map(color).collect())
        }
        _ => StripColors::Categories(categories(texts, &map("tab10")?)),
    };
    // A strip along the axis of its own column has that axis' title.
    let own = if along_x { &figure.x } else { &figure.y };
    let same = grids.iter().all(|g| spec.column == axis(g).name);
    let said = || grids.first().map_or(Cow::Borrowed(spec.column.as_str()), |g| g.said(&spec.column));
    let own_title = own.label.as_deref().filter(|_| same && !spec.column.is_empty());
    let title = own_title.map_or_else(said, Cow::Borrowed);
    Ok(StripFrame { along_x, side, place, title: clean(&title), colors })
}

/// The colours that texts are.
fn own_colors(texts: &[&String], column: &str) -> Result<Vec<Color>, ResolveError> {
    let color = |text: &&String| {
        let of_text =
            |_| ResolveError::key("strip.type", format!("'{text}' of column '{column}' is not a colour"));
        text.parse::<Color>().map_err(of_text)
    };
    texts.iter().map(color).collect()
}

/// A colour for each category.
fn categories(names: Vec<String>, map: &Colormap) -> Vec<(String, Color)> {
    let (n, entries) = (names.len(), map.entries.len());
    let pick = |i: usize| {
        if map.is_qualitative() {
            map.entries[i % entries]
        } else {
            let t = if n == 1 { 1.0 } else { PALE + (1.0 - PALE) * i as f64 / (n - 1) as f64 };
            map.entries[((t * entries as f64) as usize).min(entries - 1)]
        }
    };
    names.into_iter().enumerate().map(|(i, name)| (clean(&name), pick(i))).collect()
}
