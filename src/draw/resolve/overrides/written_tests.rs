//! Overrides written into a figure, against the same overrides beside it.

use super::*;
use crate::resolve::{Canvas, Folded, frame, scales};
use gridscope_core::figure::{PanelSpec, Reduce, Theme};
use gridscope_core::geom::PxSize;
use gridscope_core::grid::{Axis, Grid, ScanRequest, ScanResult};
use gridscope_core::scale::{Colormap, Norm};
use gridscope_core::view::{Part, View};
use gridscope_random::Random as Dice;

fn norm(text: &str) -> Norm {
    text.parse::<NormSpec>().unwrap().about(Some(0.0)).unwrap()
}

fn scale(cmap: Option<&str>, chosen: Option<&str>, limits: Option<(f64, f64)>) -> ScaleOverrides {
    ScaleOverrides {
        colormap: cmap.map(|c| Colormap::named(c).unwrap()),
        norm: chosen.map(norm),
        limits,
        ..ScaleOverrides::default()
    }
}

fn panels(scales: &[usize]) -> Vec<(String, usize)> {
    scales.iter().enumerate().map(|(i, s)| (format!("p{i}"), *s)).collect()
}

#[test]
fn nothing_changes_a_figure_by_itself() {
    let mut figure = Figure::default();
    Overrides { scales: vec![ScaleOverrides::default(); 2], ..Overrides::default() }
        .apply_to(&mut figure, &panels(&[0, 1]));
    assert_eq!(figure, Figure::default());
}

#[test]
fn a_lone_scale_speaks_for_every_panel() {
    let mut figure = Figure::default();
    figure.color.vmin = Some(3.0);
    let own = PanelSpec {
        cmap: Some("mako".parse().unwrap()),
        vmin: Some(1.0),
        title: Some("T".to_owned()),
        ..PanelSpec::default()
    };
    figure.panels.insert("p1".to_owned(), own);
    let changes =
        Overrides { scales: vec![scale(Some("magma"), None, Some((2.0, 5.0)))], ..Overrides::default() };
    changes.apply_to(&mut figure, &panels(&[0, 0]));
    assert_eq!(
        (figure.color.cmap.as_ref().map(Literal::text), figure.color.vmin, figure.color.vmax),
        (Some("magma"), Some(2.0), Some(5.0))
    );
    assert_eq!(figure.panels["p1"], PanelSpec { title: Some("T".to_owned()), ..PanelSpec::default() });
    assert!(!figure.panels.contains_key("p0"));
}

#[test]
fn several_scales_are_their_panels() {
    let mut figure = Figure::default();
    figure.color.cmap = Some("viridis".parse().unwrap());
    let changes = Overrides {
        scales: vec![ScaleOverrides::default(), scale(Some("magma"), Some("log"), Some((2.0, 5.0)))],
        ..Overrides::default()
    };
    changes.apply_to(&mut figure, &panels(&[0, 1, 1]));
    assert_eq!(figure.color.cmap.as_ref().map(Literal::text), Some("viridis"));
    let said = PanelSpec {
        cmap: Some("magma".parse().unwrap()),
        norm: Some("log".parse().unwrap()),
        vmin: Some(2.0),
        vmax: Some(5.0),
        ..PanelSpec::default()
    };
    assert_eq!((figure.panels.len(), &figure.panels["p1"], &figure.panels["p2"]), (2, &said, &said));
}

#[test]
fn limits_that_a_new_norm_forbids_go() {
    let mut figure = Figure::default();
    (figure.color.vmin, figure.color.vmax) = (Some(0.0), Some(9.0));
    let log = scale(None, Some("log"), None);
    let mut one = figure.clone();
    Overrides { scales: vec![log.clone()], ..Overrides::default() }.apply_to(&mut one, &panels(&[0]));
    assert_eq!(
        (one.color.vmin, one.color.vmax, one.color.norm.as_ref().map(Literal::text)),
        (None, Some(9.0), Some("log"))
    );
    Overrides { scales: vec![ScaleOverrides::default(), log], ..Overrides::default() }
        .apply_to(&mut figure, &panels(&[0, 1]));
    assert_eq!(
        (figure.color.vmin, figure.panels["p0"].vmin, figure.panels["p1"].vmin),
        (None, Some(0.0), None)
    );
    // A norm about a centre that its figure did not name.
    let mut centred = Figure::default();
    (centred.color.norm, centred.color.vmin) = (Some("centered".parse().unwrap()), Some(2.0));
    Overrides { scales: vec![scale(None, Some("twoslope"), None)], ..Overrides::default() }
        .apply_to(&mut centred, &panels(&[0]));
    assert_eq!((centred.color.center, centred.color.vmin), (Some(0.0), None));
}

#[test]
fn words_of_the_whole_figure() {
    let on = |b| Overrides {
        annotations: Some(b),
        borders: Some(b),
        labels: Some(b),
        square: Some(b),
        ..Overrides::default()
    };
    let mut figure = Figure::default();
    Overrides { reduce: Some(Reduce::Max), ..on(true) }.apply_to(&mut figure, &[]);
    assert_eq!(
        (figure.annotations.show.as_ref().map(Literal::text), figure.linewidths.clone()),
        (Some("on"), Some("0.5pt".parse().unwrap()))
    );
    assert_eq!(
        (figure.x.ticks.clone(), figure.square, figure.reduce.by),
        (None, Some(Toggle::On), Some(Reduce::Max))
    );
    on(false).apply_to(&mut figure, &[]);
    assert_eq!(
        (figure.annotations.show.as_ref().map(Literal::text), figure.linewidths.clone()),
        (Some("off"), Some("0pt".parse().unwrap()))
    );
    let none = Some(Ticks::Word(TicksWord::None));
    assert_eq!(
        (&figure.x.ticks, &figure.y.ticks, figure.square, figure.reduce.by),
        (&none, &none, Some(Toggle::Off), Some(Reduce::Max))
    );
    figure.annotations.show = Some("{mean:.1f}".parse().unwrap());
    figure.linewidths = Some("2px".parse().unwrap());
    on(true).apply_to(&mut figure, &[]);
    assert_eq!(
        (figure.annotations.show.as_ref().map(Literal::text), figure.linewidths.clone()),
        (Some("{mean:.1f}"), Some("2px".parse().unwrap()))
    );
    assert_eq!(figure.y.ticks, Some(Ticks::Word(TicksWord::Auto)));
}

/// All that frame and scales say of a figure with its overrides, as text; a refusal is a text too.
fn resolved(figure: &Figure, overrides: &Overrides, grids: &[Grid]) -> String {
    let shown = || {
        let frame = frame(figure, overrides, grids)?;
        let scans: Vec<ScanResult> =
            grids.iter().map(|g| g.scan(&ScanRequest::default())).collect::<Result<_, _>>()?;
        let folded: Vec<Folded<'_>> = scans
            .iter()
            .map(|scan| Folded { scan, summaries: None, body: None, strips: None, later: false })
            .collect();
        let colours = scales(figure, &frame, grids, &folded)?;
        let mut text = format!(
            "{} x {:?} at {}, only {:?}, square {}, labels on each {}, {:?}, lines {:?}, {:?}, {:?} {:?}",
            frame.width,
            frame.height,
            frame.dpi,
            frame.only,
            frame.square,
            frame.labels_on_each,
            frame.reduce,
            frame.cell_lines,
            frame.annotate,
            frame.x.ticks,
            frame.y.ticks
        );
        for (bar, made) in frame.bars.iter().zip(&colours.bars) {
            let spec = made.scale.spec();
            text.push_str(&format!(
                "; {} {} {:?} {} {} {} {:?}",
                bar.clips,
                bar.is_limited(),
                spec.norm,
                spec.vmin,
                spec.vmax,
                spec.map.name,
                spec.hide
            ));
        }
        for (panel, made) in frame.panels.iter().zip(&colours.panels) {
            // All of an axis is shown where no part is named, too.
            let part =
                |part: Option<Part>, axis: &Axis| part.filter(|p| *p != Part::whole(axis.len() as f64));
            let parts = [part(panel.part_x, &panel.columns), part(panel.part_y, &panel.rows)];
            text.push_str(&format!("; {parts:?} {}", made.centre));
        }
        Ok::<_, crate::resolve::ResolveError>(text)
    };
    shown().unwrap_or_else(|e| e.to_string())
}

#[test]
fn a_figure_with_overrides_is_the_figure_that_they_are_written_into() {
    let grid = |name: &str, low: f64| {
        let mut grid = Grid::from_rows(2, 3, (0..6).map(|i| low + f64::from(i)).collect()).unwrap();
        grid.set_name(name);
        grid
    };
    let grids = [grid("a", -2.0), grid("b", 1.0), grid("c", -9.5)];
    let (mut dice, mut alone, mut hides) = (Dice(7), Dice(8), Dice(9));
    let mut refused = 0;
    for case in 0..2000 {
        let d = &mut dice;
        let mut figure = Figure::default();
        let norms = ["linear", "log", "centered", "twoslope", "power:2"];
        let maybe = |d: &mut Dice, v: f64| (d.below(3) == 0).then_some(v);
        if d.below(2) == 0 {
            figure.color.scale = Some("panel".to_owned());
        }
        figure.color.norm = (d.below(3) == 0).then(|| norms[d.below(5_usize)].parse().unwrap());
        figure.color.cmap = (d.below(3) == 0).then(|| "magma".parse().unwrap());
        (figure.color.vmin, figure.color.vmax) = (maybe(d, -1.0), maybe(d, 4.0));
        figure.color.center = maybe(d, 0.5);
        let h = &mut hides;
        (figure.color.hide_below, figure.color.hide_above) = (maybe(h, 0.6), maybe(h, 3.5));
        figure.annotations.show = (d.below(3) == 0).then(|| "{mean:.1f}".parse().unwrap());
        figure.linewidths = (d.below(3) == 0).then(|| "2px".parse().unwrap());
        figure.view.x = (d.below(3) == 0).then(|| "0:2".parse().unwrap());
        figure.only_panel = (alone.below(4) == 0).then(|| "b".to_owned());
        for name in ["a", "b"] {
            let own = PanelSpec {
                cmap: (d.below(3) == 0).then(|| "mako".parse().unwrap()),
                norm: (d.below(4) == 0).then(|| norms[d.below(5_usize)].parse().unwrap()),
                vmin: maybe(d, 0.25),
                vmax: maybe(d, 5.0),
                center: maybe(d, 1.0),
                hide_below: maybe(h, 0.7),
                ..PanelSpec::default()
            };
            figure.panels.insert(name.to_owned(), own);
        }
        let several = figure.color.scale.is_some();
        let toggle = |d: &mut Dice| [None, Some(true), Some(false)][d.below(3_usize)];
        let views = [View::whole(2.0, 2.0), View::whole(3.0, 1.0)];
        let scale = |d: &mut Dice| ScaleOverrides {
            colormap: (d.below(3) == 0).then(|| Colormap::named("Greys_r").unwrap()),
            norm: (d.below(3) == 0).then(|| norm(norms[d.below(5_usize)])),
            limits: (d.below(3) == 0).then_some((0.5, 2.0)),
            auto: d.below(4) == 0,
            earlier: Some((maybe(d, -30.0), maybe(d, 40.0))).filter(|_| several),
            hide: None,
            center: None,
            seen: None,
        };
        let mut overrides = Overrides {
            canvas: (d.below(2) == 0).then_some(Canvas { size: PxSize { w: 900, h: 500 }, dpi: 144.0 }),
            views: (d.below(2) == 0).then(|| (0..3).map(|_| views[d.below(2_usize)]).collect()),
            scales: (0..if several { 3 } else { 1 }).map(|_| scale(d)).collect(),
            reduce: (d.below(2) == 0).then_some(Reduce::Max),
            annotations: toggle(d),
            borders: toggle(d),
            labels: toggle(d),
            square: toggle(d),
            opaque: true,
            theme: [None, Some(Theme::Light), Some(Theme::Dark)][alone.below(3_usize)],
            only: [None, Some(None), Some(Some(alone.below(3_usize)))][alone.below(3_usize)],
            // Limits of before are in force until those that the data would not have are known.
            seen: if several { vec![("a".to_owned(), (-20.0, 30.0))] } else { Vec::new() },
        };
        for scale in &mut overrides.scales {
            scale.hide = (h.below(3) == 0).then(|| [maybe(h, 0.3), maybe(h, 1.5)]);
            scale.center = (h.below(4) == 0).then_some(0.9);
        }
        let scale_of = if several { [0, 1, 2] } else { [0; 3] };
        let named: Vec<_> =
            ["a".to_owned(), "b".to_owned(), "c".to_owned()].into_iter().zip(scale_of).collect();
        let mut written = figure.clone();
        overrides.apply_to(&mut written, &named);
        let (beside, within) =
            (resolved(&figure, &overrides, &grids), resolved(&written, &Overrides::default(), &grids));
        assert_eq!(beside, within, "case {case}: {:?}, {:?}", figure.color, figure.panels);
        refused += usize::from(!beside.contains("labels on each"));
    }
    assert!(refused < 1500, "{refused} of 2000 cases were refused");
}
