//! The second step: limits, colours, rings, notes and lints, from the cells.

use super::bars::{ScaleGroup, scale_groups};
use super::error::ResolveError;
use super::frame::Frame;
use super::limits::{DecidedScale, beyond, scale_spec, scan_requests};
use super::margins::margins;
use super::overrides::{ScaleChoice, ScaleOverrides, Seen};
use super::{lints, notes};
use gridscope_core::color::Color;
use gridscope_core::figure::{Figure, Reduce, Theme, Toggle};
use gridscope_core::grid::{
    Grid, Kind, Margins, Reduced, ScanRequest, ScanResult, SourceError, State, Stats, Summaries,
};
use gridscope_core::lint::Lints;
use gridscope_core::scale::{ColorScale, Fill, Pattern, ScaleSpec};
use gridscope_core::view::EdgeTable;
use std::fmt;
use std::sync::Arc;

/// The luminance on which dark and light text are seen equally well.
const MIDDLE: f64 = 0.18;
/// At most this many rings; more extremes than that are only counted.
const MOST_RINGS: usize = 50;
/// A mean hides an extreme that lies farther from it than this share of the map.
const HIDES: f64 = 0.25;

/// Resolves colours, rings, notes and lints.
///
/// # Errors
/// Limits or a norm that the values do not allow.
pub fn colours(
    figure: &Figure,
    frame: &Frame,
    grids: &[Grid],
    folded: &[Folded<'_>],
) -> Result<Colours, ResolveError> {
    let mut out = scales(figure, frame, grids, folded)?;
    rings(figure, folded, &mut out)?;
    out.lints = lints::lints(figure, frame, grids, folded, &out);
    out.notes = notes::notes(frame, grids, folded, &out);
    Ok(out)
}

/// Resolves limits and colours alone.
///
/// # Errors
/// As [`colours`].
pub fn scales(
    figure: &Figure,
    frame: &Frame,
    grids: &[Grid],
    folded: &[Folded<'_>],
) -> Result<Colours, ResolveError> {
    let reduce = frame.reduce;
    let stats: Vec<&Stats> = folded.iter().map(|f| &f.scan.stats).collect();
    let mut panels: Vec<Option<PanelColours>> = vec![None; grids.len()];
    let mut bars = Vec::new();
    for bar in &frame.bars {
        let counted = reduce == Reduce::Count && bar.panels.iter().any(|&i| folded[i].body.is_some());
        let mut most = 0;
        for f in bar.among.iter().map(|&i| &folded[i]).filter(|_| counted) {
            f.each(&mut |_, list| most = most.max(list.most().unwrap_or(0)))?;
        }
        let counts = counted.then_some(most as f64);
        let DecidedScale { mut spec, empty, ranked } =
            scale_spec(figure, &bar.overrides, grids, &bar.among, &stats, &frame.palette, counts)?;
        paint_page(&mut spec, frame);
        opaque(&mut spec, frame.page);
        let centre = centre_of(figure, &grids[bar.among[0]], &bar.overrides, &spec);
        let mut made = Bar {
            scale: Arc::new(ColorScale::new(&spec, Kind::F32)),
            below: 0,
            above: 0,
            empty,
            whole: counted || bar.numbers.whole,
        };
        let mut scales = vec![(Kind::F32, made.scale.clone())];
        for &i in &bar.panels {
            let kind = if counted { Kind::F32 } else { grids[i].kind() };
            let scale = match scales.iter().find(|s| s.0 == kind) {
                Some((_, scale)) => scale.clone(),
                None => {
                    scales.push((kind, Arc::new(ColorScale::new(&spec, kind))));
                    scales[scales.len() - 1].1.clone()
                }
            };
            let [below, above] = if counted {
                [0, 0]
            } else {
                let ranked = bar.among.iter().zip(&ranked).find(|(of, _)| **of == i);
                let ranked = ranked.map_or([None; 2], |(_, ranked)| *ranked);
                beyond(&grids[i], folded[i].scan, ranked, [spec.vmin, spec.vmax], folded[i].later)?
            };
            if frame.drawn_panels().contains(&i) {
                made.below = made.below.saturating_add(below);
                made.above = made.above.saturating_add(above);
            }
            let reduce = match reduce {
                Reduce::Count if !counted => Reduce::Mean,
                reduce => reduce,
            };
            let rings = Vec::new();
            panels[i] = Some(PanelColours { scale, reduce, centre, below, above, rings, hidden: 0 });
        }
        bars.push(made);
    }
    let panels: Vec<PanelColours> = panels.into_iter().flatten().collect();
    Ok(Colours {
        bars,
        panels,
        margins: margins(frame, folded),
        reduce,
        notes: Vec::new(),
        lints: Lints::default(),
    })
}

/// The value that `extreme` measures from: the centre of the scale whose first panel is this one, else the middle of its limits.
fn centre_of(figure: &Figure, panel: &Grid, changes: &ScaleOverrides, spec: &ScaleSpec) -> f64 {
    let center = ScaleChoice::new(figure, panel, changes).center();
    center.unwrap_or(spec.vmin / 2.0 + spec.vmax / 2.0)
}

/// The value that `extreme` measures from in the picture of each grid. Grids are read where limits depend on their values.
///
/// # Errors
/// As [`colours`], and when a source does not give its cells.
pub fn centres(figure: &Figure, grids: &[Grid]) -> Result<Vec<f64>, ResolveError> {
    let changes = ScaleOverrides::default();
    let requests = scan_requests(figure, grids)?;
    let palette = Palette::of(figure.theme.unwrap_or_default());
    let mut stats: Vec<Option<Stats>> = vec![None; grids.len()];
    let mut out = vec![0.0; grids.len()];
    for ScaleGroup { panels, among } in scale_groups(figure, grids)? {
        let center = ScaleChoice::new(figure, &grids[among[0]], &changes).center();
        let centre = match center {
            Some(center) => center,
            None => {
                for &i in &among {
                    if stats[i].is_none() {
                        let request = ScanRequest { limits: [None; 2], ..requests[i] };
                        stats[i] = Some(grids[i].scan(&request)?.stats);
                    }
                }
                let none = Stats::default();
                let known: Vec<&Stats> = stats.iter().map(|s| s.as_ref().unwrap_or(&none)).collect();
                let spec = scale_spec(figure, &changes, grids, &among, &known, &palette, None)?.spec;
                centre_of(figure, &grids[among[0]], &changes, &spec)
            }
        };
        panels.iter().for_each(|&i| out[i] = centre);
    }
    Ok(out)
}

/// Finds the pixels whose mean hides an extreme.
///
/// # Errors
/// When a source does not give its cells.
pub fn rings(figure: &Figure, folded: &[Folded<'_>], colours: &mut Colours) -> Result<(), ResolveError> {
    for (out, folded) in colours.panels.iter_mut().zip(folded) {
        out.rings.clear();
        out.hidden = 0;
        let (Reduce::Mean, Some((columns, rows))) = (colours.reduce, folded.body) else {
            continue;
        };
        let scale = out.scale.clone();
        let spec = scale.spec();
        let (across, down, width) = (middles(columns.spans()), middles(rows.spans()), columns.pixels());
        let t = |v: f64| {
            let v = v.clamp(spec.vmin, spec.vmax);
            spec.norm.t(v, spec.vmin, spec.vmax, spec.map.entries.len()).clamp(0.0, 1.0)
        };
        // Under a straight norm values within a quarter of the limits lie within a quarter of the map.
        let near = if spec.norm.traits().straight { 0.249 * (spec.vmax - spec.vmin) } else { 0.0 };
        let mut hides = |top: u32, i: usize, s: &dyn Reduced| {
            let (x, y) = (i as u32 % width, top + i as u32 / width);
            if !across[x as usize] || !down[y as usize] {
                return;
            }
            let mean = t(s.shown_mean());
            if s.count() > 1
                && ((t(s.least()) - mean).abs() > HIDES || (t(s.greatest()) - mean).abs() > HIDES)
            {
                out.hidden += 1;
                if out.rings.len() <= MOST_RINGS {
                    out.rings.push((x, y));
                }
            }
        };
        folded.each(&mut |top, list| match list {
            Summaries::Stored(list) => {
                let far = list.iter().enumerate().filter(|(_, s)| f64::from(s.max) - f64::from(s.min) > near);
                far.for_each(|(i, s)| hides(top, i, s));
            }
            Summaries::Wide(list) => {
                let far = list.iter().enumerate().filter(|(_, s)| s.greatest() - s.least() > near);
                far.for_each(|(i, s)| hides(top, i, s));
            }
        })?;
        if out.rings.len() > MOST_RINGS || figure.reduce.rings == Some(Toggle::Off) {
            out.rings.clear();
        }
    }
    Ok(())
}

/// The middle one of pixels in a row that cover the same cells.
fn middles(spans: &[[u32; 2]]) -> Vec<bool> {
    let mut out = vec![false; spans.len()];
    let mut first = 0;
    for run in spans.chunk_by(|a, b| a == b) {
        out[first + run.len() / 2] = true;
        first += run.len();
    }
    out
}

/// The scale of a lone body: colours keep their alpha, absent cells are clear unless they have a colour.
/// Gives the scale and the value that `extreme` measures from; `most` is the greatest count where counts show, `seen` the limits
/// of the picture before: automatic limits are no narrower.
///
/// # Errors
/// As [`colours`].
pub fn bare_scale(
    figure: &Figure,
    grid: &Grid,
    stats: &Stats,
    most: Option<u64>,
    seen: Option<(f64, f64)>,
) -> Result<(ColorScale, f64), ResolveError> {
    let palette = Palette { background: Color::CLEAR, ink: Color::BLACK };
    let counts = most.map(|m| m as f64);
    let changes = ScaleOverrides { seen, ..ScaleOverrides::default() };
    let grids = std::slice::from_ref(grid);
    let mut spec = scale_spec(figure, &changes, grids, &[0], &[stats], &palette, counts)?.spec;
    if figure.color.absent.is_none() {
        spec.fills[State::Absent.index()] =
            Fill { color: Color::CLEAR, pattern: Pattern::Solid, ink: Color::CLEAR };
    }
    let kind = if most.is_some() { Kind::F32 } else { grid.kind() };
    let centre = centre_of(figure, grid, &changes, &spec);
    Ok((ColorScale::new(&spec, kind), centre))
}

/// What is as the background is as the page.
fn paint_page(spec: &mut ScaleSpec, frame: &Frame) {
    let (background, page) = (frame.palette.background, frame.page);
    for fill in spec.fills.iter_mut().filter(|f| f.pattern == Pattern::Solid && f.color == background) {
        (fill.color, fill.ink) = (page, page);
    }
}

/// On a canvas every colour is laid over the page, so that all back ends write the same opaque bytes.
fn opaque(spec: &mut ScaleSpec, background: Color) {
    for c in &mut spec.map.entries {
        *c = c.over(background);
    }
    spec.under = spec.under.map(|c| c.over(background));
    spec.over = spec.over.map(|c| c.over(background));
    if let Some(hide) = &mut spec.hide {
        hide.color = hide.color.over(background);
    }
    for f in &mut spec.fills {
        f.color = f.color.over(background);
        f.ink = f.ink.over(background);
    }
}

/// Everything that the values decide.
#[derive(Clone, Debug)]
pub struct Colours {
    /// One a scale, as in [`Frame::bars`](super::Frame::bars).
    pub bars: Vec<Bar>,
    /// One a panel.
    pub panels: Vec<PanelColours>,
    /// Margins of each panel, and the ranges of their axes.
    pub margins: Vec<PanelMargins>,
    /// The reduction.
    pub reduce: Reduce,
    /// Lines under the figure, the user's own note first.
    pub notes: Vec<String>,
    /// Warnings.
    pub lints: Lints,
}

/// The margins of a panel.
#[derive(Clone, Debug)]
pub struct PanelMargins {
    /// Statistics of each row and each column.
    pub lines: Arc<Margins>,
    /// The least and the greatest number on the axis of each track; `None` of tracks without an axis, and without a number.
    pub ranges: Vec<Option<(f64, f64)>>,
}

/// A colour bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Its colours.
    pub scale: Arc<ColorScale>,
    /// Cells below its limits.
    pub below: u64,
    /// Cells above its limits.
    pub above: u64,
    /// No cell has a value.
    pub empty: bool,
    /// All values are whole numbers.
    pub whole: bool,
}

/// A panel's colours.
#[derive(Clone, Debug)]
pub struct PanelColours {
    /// The scale for the kind of numbers that this panel shows.
    pub scale: Arc<ColorScale>,
    /// What its pixels show of the cells under them; never the count where no panel of its bar has several cells under one.
    pub reduce: Reduce,
    /// The value that `extreme` measures from.
    pub centre: f64,
    /// Cells below the limits.
    pub below: u64,
    /// Cells above the limits.
    pub above: u64,
    /// Pixels (x, y) of the body that hide an extreme and get a ring.
    pub rings: Vec<(u32, u32)>,
    /// Pixels that hide an extreme.
    pub hidden: u64,
}

/// Hands over the Summaries of a body's pixels strip by strip: the first pixel row of each, and its rows.
pub type Strips<'a> = dyn Fn(&mut dyn FnMut(u32, &Summaries)) -> Result<(), SourceError> + 'a;

/// Result of the pass over one panel's grid.
pub struct Folded<'a> {
    /// Statistics of all its cells.
    pub scan: &'a ScanResult,
    /// Summaries that cover all its cells, one a pixel or one a block; `None` where the cells are in memory.
    pub summaries: Option<&'a Summaries>,
    /// Which columns and rows its pixels cover, where pixels cover several cells.
    pub body: Option<(&'a EdgeTable, &'a EdgeTable)>,
    /// The walk over the Summaries of all pixels, where `summaries` are not those.
    pub strips: Option<&'a Strips<'a>>,
    /// Cells of large grids beyond limits are counted later.
    pub later: bool,
}

impl fmt::Debug for Folded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Folded").field("scan", self.scan).field("body", &self.body).finish_non_exhaustive()
    }
}

impl Folded<'_> {
    /// Takes the Summaries of all pixels, some rows at a time.
    ///
    /// # Errors
    /// When the source does not give its cells.
    pub fn each(&self, take: &mut dyn FnMut(u32, &Summaries)) -> Result<(), SourceError> {
        match (self.strips, self.summaries) {
            _ if self.body.is_none() => Ok(()),
            (Some(strips), _) => strips(take),
            (None, Some(all)) => {
                take(0, all);
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }
}

/// The colours of everything but cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Palette {
    /// The canvas.
    pub background: Color,
    /// Text and ticks.
    pub ink: Color,
}

impl Palette {
    /// The palette of a theme on a page of this colour; without a theme, that in which text is seen.
    pub fn on(theme: Option<Theme>, page: Option<Color>) -> Self {
        let Some(page) = page else {
            return Self::of(theme.unwrap_or_default());
        };
        let is_dark = page.alpha() == 255 && page.luminance() < MIDDLE;
        let of = Self::of(theme.unwrap_or(if is_dark { Theme::Dark } else { Theme::Light }));
        Self { background: page.over(of.background), ..of }
    }

    /// The palette of a theme.
    pub fn of(theme: Theme) -> Self {
        match theme {
            Theme::Light => Self { background: Color::WHITE, ink: Color::rgb(0x14, 0x14, 0x14) },
            Theme::Dark => {
                Self { background: Color::rgb(0x16, 0x18, 0x1d), ink: Color::rgb(0xe8, 0xe8, 0xe8) }
            }
        }
    }
}

/// The limits that a picture shows.
pub fn limits(grids: &[Grid], colours: &Colours) -> Seen {
    let of = |p: &PanelColours| (p.scale.spec().vmin, p.scale.spec().vmax);
    grids.iter().zip(&colours.panels).map(|(g, p)| (g.name().to_owned(), of(p))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::frame::frame;
    use super::super::overrides::Overrides;
    use super::*;
    use crate::render::{PrepareOptions, prepare_with};
    use gridscope_core::text::Fonts;
    use gridscope_core::timing::Phases;

    #[test]
    fn a_hidden_extreme_gets_one_ring_however_wide_its_pixels_are() {
        let mut values = vec![0.0; 4000];
        values[1234] = 100.0;
        let grids = [Grid::from_rows(2000, 2, values).unwrap()];
        let (columns, rows) = (EdgeTable::fit(2, 60), EdgeTable::fit(2000, 50));
        let scan = grids[0]
            .scan(&ScanRequest { body: Some((columns.spans(), rows.spans())), ..ScanRequest::default() })
            .unwrap();
        let figure = Figure::default();
        let folded = [Folded {
            scan: &scan,
            summaries: Some(&scan.summaries),
            body: Some((&columns, &rows)),
            strips: None,
            later: false,
        }];
        let found =
            colours(&figure, &frame(&figure, &Overrides::default(), &grids).unwrap(), &grids, &folded)
                .unwrap();
        assert_eq!((found.panels[0].hidden, &found.panels[0].rings[..]), (1, &[(15, 15)][..]));
    }

    #[test]
    fn automatic_limits_only_widen_and_those_that_are_set_stay() {
        let grid = |a: f64, b: f64| [Grid::from_rows(1, 3, vec![a, b, f64::NAN]).unwrap()];
        let shown = |figure: &Figure, grids: &[Grid], seen: &Seen| {
            let options = PrepareOptions { seen: seen.clone(), ..PrepareOptions::default() };
            let prepared =
                prepare_with(figure, grids, &mut Fonts::new(), &mut Phases::new(), options).unwrap();
            limits(grids, &prepared.colours)
        };
        let mut figure = Figure::default();
        let seen = shown(&figure, &grid(1.0, 5.0), &Seen::new());
        assert_eq!(seen, [(String::new(), (1.0, 5.0))]);
        assert_eq!(shown(&figure, &grid(2.0, 9.0), &seen)[0].1, (1.0, 9.0));
        for (norm, grids, limits) in [
            // Of what a log norm cannot show nothing is remembered.
            ("log", grid(2.0, 9.0), (1.0, 9.0)),
            ("bounds:0,3,10", grid(2.0, 9.0), (0.0, 10.0)),
            ("centered", grid(-2.0, 1.0), (-5.0, 5.0)),
        ] {
            let mut figure = figure.clone();
            figure.color.norm = Some(norm.parse().unwrap());
            figure.color.center = Some(0.0);
            assert_eq!(shown(&figure, &grids, &seen)[0].1, limits, "{norm}");
        }
        let mut log = figure.clone();
        log.color.norm = Some("log".parse().unwrap());
        let below = vec![(String::new(), (-7.0, 3.0))];
        assert_eq!(shown(&log, &grid(2.0, 9.0), &below)[0].1, (2.0, 9.0));
        figure.color.vmax = Some(3.0);
        assert_eq!(shown(&figure, &grid(2.0, 9.0), &seen)[0].1, (1.0, 3.0));
    }
}
