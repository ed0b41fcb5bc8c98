//! The first step: everything that axes and texts decide. Cell values are read only for the formats of numbers, for which the
//! layout reserves room whatever they are: no value moves a body.

use super::axis_rule::{AxisRule, directions, rules};
use super::bars::{BarFrame, bars};
use super::cell_text::number_styles;
use super::colour::Palette;
use super::drawn::only_panel;
use super::drawn_labels::{drawn_labels, panel_names};
use super::error::ResolveError;
use super::marks::{PanelMark, hidden_key, mark_keys, masked_key, panel_marks};
use super::notes::note;
use super::overrides::{Overrides, ScaleChoice, shows_sides};
use super::parts::without_whole_parts;
use super::tick_keys::{KeyTick, tick_keys};
use super::titles::{Template, figure_title};
use super::tracks::{StripFrame, TrackFrame, strips, tracks};
use gridscope_core::color::Color;
use gridscope_core::figure::{
    Annotate, AxisSpec, BarPlace, Contours, Figure, Length, MarkStyle, OnOff, Reduce, Side, Spacing,
    TickLabels, Ticks, TicksWord, Toggle, Unit,
};
use gridscope_core::grid::{Axis, AxisKind, Facet, FacetValue, Grid, State};
use gridscope_core::notation::Literal;
use gridscope_core::scale::{LabelFormat, NumberFormat};
use gridscope_core::text::{clean, rich};
use gridscope_core::view::Part;
use gridscope_core::vision::Vision;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

/// Everything about the figure but its colours, lengths in output pixels.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Only the bars are drawn, in a picture of this width and height, either of which may be open.
    pub bar_alone: Option<[Option<f64>; 2]>,
    /// Canvas width; the least where that is automatic.
    pub width: f64,
    /// The most to which an automatic width grows; equal to `width` where that is given.
    pub widest: f64,
    /// Canvas height, `None` where the layout finds it.
    pub height: Option<f64>,
    /// Output pixels per inch.
    pub dpi: f64,
    /// Plain text.
    pub font_size: f64,
    /// The size of plain text that was asked for, in points, where that is under the smallest.
    pub asked_font: Option<f64>,
    /// The smallest text: 5 pt.
    pub least_font: f64,
    /// The smallest value in a cell: as other text, but 9 px of a screen where parts are shown.
    pub least_value_font: f64,
    /// The largest value in a cell.
    pub value_font: f64,
    /// Colours.
    pub palette: Palette,
    /// The colour of the canvas, which the background of the palette may lie over.
    pub page: Color,
    /// Colours are as readers see them who lack a kind of cones.
    pub simulate: Option<Vision>,
    /// Text over the figure.
    pub title: String,
    /// Text under the figure.
    pub note: String,
    /// Whether notes about the data appear under the figure.
    pub notes: bool,
    /// Panels side by side, `None` where the layout finds it.
    pub columns: Option<usize>,
    /// The panel that alone is drawn; `None`: all are. Everything else is that of all panels.
    pub only: Option<usize>,
    /// The panels in order.
    pub panels: Vec<PanelFrame>,
    /// Their rows and columns, where the figure has titles for these.
    pub facets: Option<Facets>,
    /// The axis along the bottom.
    pub x: AxisFrame,
    /// The axis down the side.
    pub y: AxisFrame,
    /// Tick labels on each panel.
    pub labels_on_each: bool,
    /// Row 0 below.
    pub lower: bool,
    /// Column 0 at the right.
    pub leftward: bool,
    /// Cells of a fixed shape: square, unless `aspect` says otherwise.
    pub square: bool,
    /// The height of such a cell in widths of one.
    pub aspect: f64,
    /// Lines between cells: width and colour.
    pub cell_lines: Option<(f64, Color)>,
    /// Which panels share a scale, and where its bar is placed.
    pub bars: Vec<BarFrame>,
    /// How several cells become one pixel.
    pub reduce: Reduce,
    /// Values written into cells.
    pub annotate: Annotate,
    /// Categories coloured along an axis.
    pub strips: Vec<StripFrame>,
    /// Tracks beside every body, aligned with its cells; those of a side from the body outwards.
    pub tracks: Vec<TrackFrame>,
    /// Marks that have a key: how they look, and its text.
    pub marks: Vec<(MarkStyle, String)>,
    /// The levels of contours.
    pub contours: Option<Contours>,
    /// States that need a key, in their order.
    pub states: Vec<State>,
    /// The same of all panels: the key of one that alone is drawn has as much room as that of any other.
    pub states_of_all: Vec<State>,
    /// The key of cells that conditions mask.
    pub masked: Option<String>,
    /// Entry of the key for values that are not shown.
    pub hidden: Option<String>,
    /// The rows that cells should have, where some have fewer and a value: these are hatched, and need a key.
    pub min_count: Option<u64>,
    /// Cells that a mask hides are background: masked cells have no colour of their own.
    pub hides: bool,
    /// Bodies show parts of their grids: every label gets room, so that no part moves a body.
    pub viewed: bool,
}

/// One axis as it is drawn.
#[derive(Clone, Debug)]
pub struct AxisFrame {
    /// Its title.
    pub title: String,
    /// Each panel has the title of its own axis instead.
    pub titles_of_panels: bool,
    /// Which labels are shown.
    pub ticks: Ticks,
    /// For each panel, the ticks that a list of keys asks for, without one those of labels that the figure gives.
    pub key_ticks: Vec<Vec<KeyTick>>,
    /// Degrees, `None` where the layout finds them.
    pub rotate: Option<u32>,
    /// Cells as wide as their coordinates say.
    pub true_spacing: bool,
    /// Its numbers are places in space, of which round ones have ticks, not those of cells.
    pub coordinates: bool,
    /// The format of labels, where the user gave one.
    pub format: Option<LabelFormat>,
}

/// The least and the most inches of an automatic width.
pub(super) const AUTOMATIC_WIDTH: [f64; 2] = [6.5, 13.0];

/// Resolves everything but colours and geometry: what `overrides` say, else the figure, else what suits the grids.
///
/// # Errors
/// A key of the figure that does not fit, named.
pub fn frame(figure: &Figure, overrides: &Overrides, grids: &[Grid]) -> Result<Frame, ResolveError> {
    let canvas = overrides.canvas;
    let dpi = canvas.map(|c| c.dpi).or(figure.size.dpi).unwrap_or(200.0);
    if !(1.0..=10_000.0).contains(&dpi) {
        return Err(ResolveError::Dpi(dpi));
    }
    let length = |l: Option<&Length>, bare: Unit| l.map(|l| l.pixels(dpi, bare));
    let given =
        |side: &Option<Side>| length(side.as_ref().and_then(Side::length), Unit::Pixel).map(f64::round);
    let (width, height) = match canvas {
        Some(canvas) => (Some(f64::from(canvas.size.w)), Some(f64::from(canvas.size.h))),
        None => (given(&figure.size.width), given(&figure.size.height)),
    };
    let size = [width, height];
    let automatic = AUTOMATIC_WIDTH.map(|inches| (inches * dpi).round());
    let [width, widest] = width.map_or(automatic, |w| [w, w]);
    let least_font = 5.0 * dpi / 72.0;
    let asked = length(figure.size.font_size.as_ref(), Unit::Point).unwrap_or(9.0 * dpi / 72.0);
    let page = figure.background.as_deref().copied();
    let palette = Palette::on(overrides.theme.or(figure.theme), page);
    let page = page.filter(|_| !overrides.opaque).unwrap_or(palette.background);
    let mut bars = bars(figure, overrides, grids)?;
    let columns: Vec<&Axis> = grids.iter().map(Grid::columns).collect();
    let rows: Vec<&Axis> = grids.iter().map(Grid::rows).collect();
    let (columns, rows) = (drawn_labels(&columns, &figure.x, "x")?, drawn_labels(&rows, &figure.y, "y")?);
    let (x_common, y_common) = (columns.common, rows.common);
    let only = only_panel(figure, overrides, grids)?;
    let drawn = only.map_or(0..grids.len(), |i| i..i + 1);
    let facets = facets(figure, grids);
    let mut panels = panels(
        figure,
        overrides,
        grids,
        &bars,
        facets.is_some(),
        columns.axes.into_iter().zip(rows.axes),
        panel_marks(figure, grids)?,
    )?;
    let matrix = grids.iter().all(is_matrix);
    let own_width = length(figure.linewidths.as_ref(), Unit::Point);
    let line_width = match overrides.borders {
        None => own_width.unwrap_or(0.0),
        Some(true) => own_width.filter(|w| *w > 0.0).unwrap_or(0.5 * dpi / 72.0),
        Some(false) => 0.0,
    };
    let line_color = figure.linecolor.as_ref().map_or(palette.background, |c| **c);
    let rules = rules(figure, grids);
    let names = grids.iter().map(|g| g.said(&g.columns().name));
    let mut x = axis_frame(&figure.x, names, x_common, (overrides.labels, rules.x), false);
    let names = grids.iter().map(|g| g.said(&g.rows().name));
    let mut y = axis_frame(&figure.y, names, y_common, (overrides.labels, rules.y), true);
    let between = |frame: &AxisFrame, rule: Option<AxisRule>| {
        frame.true_spacing || rule.is_some_and(|r| r.has_places_between())
    };
    // Panels of several files may have nothing in common.
    let differ = |side: fn(&Grid) -> &Axis| grids.iter().any(|g| side(g).name != side(&grids[0]).name);
    for (frame, spec, side) in
        [(&mut x, &figure.x, Grid::columns as fn(&Grid) -> &Axis), (&mut y, &figure.y, Grid::rows)]
    {
        if !figure.panel.is_empty() && spec.label.is_none() && differ(side) {
            (frame.titles_of_panels, frame.title) = (true, String::new());
        }
    }
    x.key_ticks = tick_keys(&figure.x, "x", grids, Grid::columns, between(&x, rules.x))?;
    y.key_ticks = tick_keys(&figure.y, "y", grids, Grid::rows, between(&y, rules.y))?;
    let [leftward, lower] = directions(figure, grids);
    let is_automatic = overrides.square.is_none() && figure.square.unwrap_or_default() == Toggle::Auto;
    let aspect = rules.aspect.filter(|_| is_automatic);
    let own = figure.annotations.show.as_deref().cloned().unwrap_or_default();
    let annotate = match (overrides.annotations, own) {
        (Some(false), _) => Annotate::Off,
        (None, own) | (Some(true), own @ (Annotate::Template(_) | Annotate::File(_))) => own,
        (Some(true), _) => Annotate::On,
    };
    let steady = overrides.views.is_some() || figure.view.steady == Some(true);
    if !steady {
        without_whole_parts(&mut panels);
    }
    let viewed = steady || panels.iter().any(|p| p.part_x.or(p.part_y).is_some());
    let reduce = overrides.reduce.or(figure.reduce.by).unwrap_or_default();
    number_styles(figure, reduce, grids, &annotate, &mut bars, &mut panels);
    let hides = |bar: &BarFrame| ScaleChoice::new(figure, &grids[bar.panels[0]], &bar.overrides).hides();
    let is_seen = |bar: &&BarFrame| reduce != Reduce::Count && bar.panels.iter().any(|i| drawn.contains(i));
    let hidden = hidden_key(grids, bars.iter().filter(is_seen).map(hides));
    let strips = strips(figure, grids)?;
    let tracks = tracks(figure, grids, &bars, &strips)?;
    // A page of given height, as a window, has the arrangement with the largest bodies.
    let sides_in_a_row = shows_sides(figure) && height.is_none();
    let is_alone = canvas.is_none() && !bars.is_empty() && bars.iter().all(|b| b.place == BarPlace::Only);
    Ok(Frame {
        bar_alone: is_alone.then_some(size),
        viewed,
        width,
        widest,
        height,
        dpi,
        font_size: asked.max(least_font),
        asked_font: (asked < least_font * (1.0 - 1e-9)).then_some(asked * 72.0 / dpi),
        least_font,
        least_value_font: if viewed { 9.0 * dpi / 96.0 } else { least_font },
        value_font: length(figure.annotations.font_size.as_ref(), Unit::Point)
            .unwrap_or(asked)
            .max(least_font),
        palette,
        page,
        simulate: figure.simulate,
        title: figure_title(figure, grids)?,
        note: note(figure, grids),
        notes: figure.notes != Some(OnOff::Off),
        columns: figure.columns.map(|c| (c as usize).max(1)).or_else(|| sides_in_a_row.then_some(SIDES)),
        only,
        tracks,
        strips,
        marks: mark_keys(panels[drawn.clone()].iter().flat_map(|p| &p.marks)),
        contours: figure.contours.clone(),
        panels,
        facets,
        x,
        y,
        // Labels beside one panel would not be true of panels that show another part.
        labels_on_each: !overrides.is_linked()
            || figure.tick_labels == Some(TickLabels::Each)
            || figure.share_x == Some(false)
            || figure.share_y == Some(false),
        lower,
        leftward,
        square: overrides.square.unwrap_or(match figure.square.unwrap_or_default() {
            Toggle::Auto => matrix && !grids.iter().all(is_strip) || aspect.is_some(),
            Toggle::On => true,
            Toggle::Off => false,
        }),
        aspect: aspect.unwrap_or(1.0),
        cell_lines: (line_width > 0.0).then(|| (line_width.max(1.0).round(), line_color)),
        bars,
        reduce,
        annotate,
        states: states_of(peek(figure, &grids[drawn.clone()])?),
        states_of_all: states_of(peek(figure, grids)?),
        masked: masked_key(figure, &grids[drawn.clone()]),
        hidden,
        min_count: grids[drawn]
            .iter()
            .filter(|g| g.thin_cells().is_some_and(|n| n > 0))
            .find_map(|g| Some(g.min_count()?.get())),
        hides: figure.color.masked.is_none(),
    })
}

/// States that some cells hold, as far as that is known before all are read.
fn peek(figure: &Figure, grids: &[Grid]) -> Result<u8, ResolveError> {
    grids.iter().try_fold(0, |all, g| Ok(all | keyed_states(figure, g, g.peek_states()?)))
}

/// Of the states that a grid holds those that need a key: cells that a mask hides need none, unless masked cells have a colour.
pub fn keyed_states(figure: &Figure, grid: &Grid, held: u8) -> u8 {
    let hidden = |state: &State| figure.color.masked.is_none() && grid.hides_all(*state);
    let of = State::ALL.into_iter().filter(hidden);
    of.fold(held, |held, state| held & !(1 << state.index()))
}

/// The states of these bits, in their order.
pub fn states_of(bits: u8) -> Vec<State> {
    let holds = |s: &State| bits & 1 << s.index() != 0;
    State::ALL.into_iter().filter(holds).collect()
}

/// Panels of a comparison: baseline, values, difference.
const SIDES: usize = 3;

/// The least number of keys of a table that relates them to each other.
const LEAST_KEYS: usize = 3;

/// Whether rows and columns are the same: positions, or the same keys in the same order, as of correlations.
fn is_matrix(grid: &Grid) -> bool {
    let (rows, columns) = (grid.rows(), grid.columns());
    match (rows.kind, columns.kind) {
        (AxisKind::Index, AxisKind::Index) => true,
        (AxisKind::Category, AxisKind::Category) | (AxisKind::Number, AxisKind::Number) => {
            rows.len() >= LEAST_KEYS && rows.len() == columns.len() && rows.levels == columns.levels
        }
        _ => false,
    }
}

/// How many times longer than wide a grid is at which square cells leave a line of a few pixels.
const LINE: usize = 20;

/// Whether a grid is that much longer along one axis than along the other, as a single row is.
fn is_strip(grid: &Grid) -> bool {
    let (h, w) = (grid.height(), grid.width());
    h.max(w) > LINE * h.min(w)
}

/// Names that an axis title joins.
const MOST_NAMES: usize = 3;

fn axis_frame<'a>(
    spec: &AxisSpec,
    names_of: impl Iterator<Item = Cow<'a, str>>,
    common: Option<String>,
    (labels, rule): (Option<bool>, Option<AxisRule>),
    side: bool,
) -> AxisFrame {
    // Axes of separate files may have other names: one alone would not be true of all panels.
    let mut names: Vec<Cow<'_, str>> = Vec::new();
    for name in names_of {
        if names.len() <= MOST_NAMES && !name.is_empty() && !names.contains(&name) {
            names.push(if names.len() < MOST_NAMES { name } else { Cow::Borrowed("…") });
        }
    }
    let shown = || {
        let names = names.join(" / ");
        clean(&match common {
            Some(common) if names.is_empty() => common,
            Some(common) => format!("{names} ({common})"),
            None => names,
        })
    };
    let title = spec.label.as_ref().map_or_else(shown, |label| rich(label));
    let own = spec.ticks.clone().unwrap_or(Ticks::Word(TicksWord::Auto));
    let ticks = match labels {
        Some(false) => Ticks::Word(TicksWord::None),
        Some(true) if own == Ticks::Word(TicksWord::None) => Ticks::Word(TicksWord::Auto),
        _ => own,
    };
    AxisFrame {
        title,
        titles_of_panels: false,
        ticks,
        key_ticks: Vec::new(),
        rotate: spec.rotate.or(side.then_some(0)),
        true_spacing: spec.spacing == Some(Spacing::True) || rule.is_some_and(|rule| rule.true_spacing()),
        coordinates: rule.is_some_and(|rule| rule.is_coordinate()),
        format: spec.fmt.as_deref().cloned(),
    }
}

/// One panel.
#[derive(Clone, Debug)]
pub struct PanelFrame {
    /// Its value, as lints name it.
    pub name: String,
    /// Text over it.
    pub title: String,
    /// The axis along the bottom, labels as drawn.
    pub columns: Axis,
    /// The axis down the side, labels as drawn.
    pub rows: Axis,
    /// Index of its scale.
    pub scale: usize,
    /// Marked cells.
    pub marks: Vec<PanelMark>,
    /// Its own number format.
    pub fmt: Option<NumberFormat>,
    /// The part of the columns that its body shows; none: all.
    pub part_x: Option<Part>,
    /// The part of the rows that its body shows; none: all.
    pub part_y: Option<Part>,
}

/// The panels of the figure, with the labels of their axes as they are drawn.
pub(super) fn panels(
    figure: &Figure,
    overrides: &Overrides,
    grids: &[Grid],
    bars: &[BarFrame],
    has_facets: bool,
    axes: impl Iterator<Item = (Axis, Axis)>,
    mut marks: Vec<Vec<PanelMark>>,
) -> Result<Vec<PanelFrame>, ResolveError> {
    let mut scale_of = vec![0; grids.len()];
    bars.iter().enumerate().for_each(|(b, bar)| bar.panels.iter().for_each(|&i| scale_of[i] = b));
    let of_all =
        figure.panel_title.as_ref().map(|text| Template::of_panels(text, "panel_title")).transpose()?;
    let titles = figure.panel_titles.as_ref().map(|list| list.0.as_slice());
    if let Some(given) = titles.filter(|titles| titles.len() != grids.len()) {
        let what = format!("{} titles for {} panels", given.len(), grids.len());
        return Err(ResolveError::key("panel_titles", what));
    }
    let names: Vec<&str> = grids.iter().map(Grid::name).collect();
    let drawn_names = panel_names(&names);
    let mut panel_columns = figure.data.panel_names();
    let lone_column = panel_columns.next().filter(|_| panel_columns.next().is_none());
    grids
        .iter()
        .zip(axes)
        .enumerate()
        .map(|(i, (g, (mut columns, mut rows)))| {
            let spec = figure.panels.get(g.name());
            let own = spec.and_then(|s| s.title.as_ref());
            let own = own.map(|text| Template::of_panels(text, &format!("panels.{}.title", g.name())));
            let title = match (own.transpose()?, &of_all) {
                (Some(template), _) => template.of(g, i, &drawn_names[i]),
                (None, _) if let Some(titles) = titles => rich(&titles[i]),
                (None, Some(template)) => template.of(g, i, &drawn_names[i]),
                (None, None) if grids.len() == 1 && figure.title.is_some() => String::new(),
                (None, None) if has_facets => String::new(),
                (None, None) => match lone_column {
                    _ if g.caption().is_some() => clean(g.caption().unwrap_or_default()),
                    Some(column) if g.name().parse::<f64>().is_ok() => {
                        clean(&format!("{} = {}", g.said(column), drawn_names[i]))
                    }
                    _ => clean(g.name()),
                },
            };
            for axis in [&mut columns, &mut rows] {
                axis.name = g.said(&axis.name).into_owned();
            }
            let (part_x, part_y) = match overrides.view(i) {
                Some(view) => (Some(view.x), Some(view.y)),
                None => {
                    let own = |own: Option<&Literal<Part>>, all: &Option<Literal<Part>>| {
                        own.or(all.as_ref()).map(|p| **p)
                    };
                    (
                        own(spec.and_then(|s| s.view_x.as_ref()), &figure.view.x),
                        own(spec.and_then(|s| s.view_y.as_ref()), &figure.view.y),
                    )
                }
            };
            Ok(PanelFrame {
                name: g.name().to_owned(),
                title,
                columns,
                rows,
                scale: scale_of[i],
                marks: std::mem::take(&mut marks[i]),
                fmt: spec
                    .and_then(|s| s.fmt.as_deref())
                    .or(figure.annotations.fmt.as_deref())
                    .map(|fmt| fmt.of_values(g.value_name())),
                part_x,
                part_y,
            })
        })
        .collect()
}

/// The rows and columns of panels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facets {
    /// The title of each row, empty where rows have none.
    pub rows: Vec<String>,
    /// The title of each column.
    pub columns: Vec<String>,
    /// The row and the column of each panel.
    pub places: Vec<(usize, usize)>,
}

/// The rows and columns of these panels; `None` where a panel has no place of its own. Panels with titles of their own need
/// none for rows and columns.
pub(super) fn facets(figure: &Figure, grids: &[Grid]) -> Option<Facets> {
    let all: Vec<&Facet> = grids.iter().map(Grid::facet).collect::<Option<_>>()?;
    let titled = figure.panel_title.is_none() && figure.panel_titles.is_none();
    let first = grids.first()?;
    let (rows, row_of) = side(first, &all, |f| f.row.as_ref(), titled);
    let (columns, column_of) = side(first, &all, |f| f.column.as_ref(), titled);
    let places: Vec<(usize, usize)> = row_of.into_iter().zip(column_of).collect();
    let mut met = HashSet::new();
    let are_apart = places.iter().all(|place| met.insert(*place));
    (are_apart && !all.is_empty()).then_some(Facets { rows, columns, places })
}

/// The titles of one side in their order, and of each panel which it has. Places without a panel are left out.
fn side<'f>(
    first: &Grid,
    all: &[&'f Facet],
    of: impl Fn(&'f Facet) -> Option<&'f FacetValue>,
    titled: bool,
) -> (Vec<String>, Vec<usize>) {
    let place = |facet: &'f Facet| of(facet).map_or(0, |value| value.place);
    let values: BTreeMap<usize, Option<&FacetValue>> = all.iter().map(|f| (place(f), of(f))).collect();
    let names: Vec<&str> = values.values().map(|v| v.map_or("", |v| v.value.as_str())).collect();
    let title = |(value, drawn): (Option<&FacetValue>, String)| match value {
        Some(value) if titled => clean(&value.title(&first.said(&value.name), &drawn)),
        _ => String::new(),
    };
    let titles = values.values().copied().zip(panel_names(&names)).map(title).collect();
    let rank = |facet: &&'f Facet| values.range(..place(facet)).count();
    (titles, all.iter().map(rank).collect())
}
