//! The second step: limits, colours, rings, notes and lints, from what the cells hold.

use super::bars::{ScaleGroup, scale_groups};
use super::error::ResolveError;
use super::frame::Frame;
use super::limit_rule::{beyond, scan_requests};
use super::limits::{DecidedScale, scale_spec};
use super::margins::margins;
use super::overrides::{ScaleChoice, ScaleOverrides};
use super::palette::Palette;
use super::scheme::{Bar, Colours, Folded, PanelColours};
use super::{lints, notes};
use gridscope_core::color::Color;
use gridscope_core::figure::{Figure, Reduce, Toggle};
use gridscope_core::grid::{Grid, Kind, Reduced, ScanRequest, State, Stats, Summaries};
use gridscope_core::lint::Lints;
use gridscope_core::scale::{ColorScale, Fill, Pattern, ScaleSpec};
use std::sync::Arc;

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
        opaque(&mut spec, frame.palette.background);
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
                beyond(&grids[i], folded[i].scan, ranked, [spec.vmin, spec.vmax])?
            };
            if frame.drawn_panels().contains(&i) {
                made.below += below;
                made.above += above;
            }
            panels[i] = Some(PanelColours { scale, centre, below, above, rings: Vec::new(), hidden: 0 });
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

/// On a canvas every colour is laid over the background, so that all back ends write the same opaque bytes.
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

#[cfg(test)]
mod tests {
    use super::super::frame::frame;
    use super::super::overrides::Overrides;
    use super::*;
    use gridscope_core::view::EdgeTable;

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
        }];
        let found =
            colours(&figure, &frame(&figure, &Overrides::default(), &grids).unwrap(), &grids, &folded)
                .unwrap();
        assert_eq!((found.panels[0].hidden, &found.panels[0].rings[..]), (1, &[(15, 15)][..]));
    }
}
