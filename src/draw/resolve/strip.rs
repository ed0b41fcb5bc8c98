//! Categories and numbers coloured along an axis.

use super::error::ResolveError;
use super::track_side::TrackSide;
use gridscope_core::color::Color;
use gridscope_core::figure::{Figure, Strip, StripAxis, StripSide, StripType};
use gridscope_core::grid::{Axis, Grid};
use gridscope_core::scale::{Colormap, short, typeset};
use gridscope_core::text::clean;
use std::collections::HashMap;

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
        }
    }

    /// The ends of a scale of numbers as its key writes them.
    pub fn ends(&self) -> Option<[String; 2]> {
        match self.colors {
            StripColors::Categories(_) => None,
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
    let title = own.label.as_deref().filter(|_| same).unwrap_or(&spec.column);
    Ok(StripFrame { along_x, side, place, title: clean(title), colors })
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
