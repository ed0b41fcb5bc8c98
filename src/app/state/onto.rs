//! The look written into a figure, so that it can be drawn and saved.

use super::{Look, ScaleLook};
use crate::figure::{Figure, Length, Ticks, TicksWord, Toggle};
use crate::scale::Norm;

impl Look {
    /// Writes what differs into a figure; `panels` are the name and the scale of each grid.
    pub fn onto(&self, figure: &mut Figure, panels: &[(String, usize)]) {
        let several = panels.iter().any(|p| p.1 > 0) || self.scales.len() > 1;
        for (i, look) in self.scales.iter().enumerate() {
            if several {
                one_of_several(look, figure, i, panels);
            } else {
                the_only_one(look, figure, panels);
            }
        }
        if self.reduce.is_some() {
            figure.reduce.by = self.reduce;
        }
        match self.annotations {
            Some(true)
                if figure
                    .annotations
                    .show
                    .as_deref()
                    .is_some_and(|t| t.contains('{')) => {}
            Some(on) => figure.annotations.show = Some(if on { "on" } else { "off" }.to_owned()),
            None => {}
        }
        match self.borders {
            Some(true)
                if figure
                    .linewidths
                    .as_ref()
                    .is_some_and(|l| l.pixels(96.0, "pt").is_ok_and(|w| w > 0.0)) => {}
            Some(on) => figure.linewidths = Some(Length(if on { "0.5pt" } else { "0pt" }.to_owned())),
            None => {}
        }
        for ticks in [&mut figure.x.ticks, &mut figure.y.ticks] {
            let none = *ticks == Some(Ticks::Word(TicksWord::None));
            match self.labels {
                Some(false) => *ticks = Some(Ticks::Word(TicksWord::None)),
                Some(true) if none => *ticks = Some(Ticks::Word(TicksWord::Auto)),
                _ => {}
            }
        }
        if let Some(square) = self.square {
            figure.square = Some(if square { Toggle::On } else { Toggle::Off });
        }
    }
}

/// Whether a limit of the figure's own has a place under the norm that was chosen.
fn suits(look: &ScaleLook, center: Option<f64>, limit: f64, low: bool) -> bool {
    match look.norm.as_deref().map(|t| Norm::parse(t, center.or(Some(0.0)))) {
        Some(Ok(Norm::Log)) => limit > 0.0,
        Some(Ok(Norm::TwoSlope { center })) => (limit < center) == low && limit != center,
        _ => true,
    }
}

/// Whether the norm that was chosen wants a centre, which a figure that centres on zero need not name.
fn wants_center(look: &ScaleLook) -> bool {
    look.norm
        .as_deref()
        .is_some_and(|t| Norm::parse(t, None).is_err() && Norm::parse(t, Some(0.0)).is_ok())
}

/// The centre of a scale: that of its first panel.
fn center(figure: &Figure, scale: usize, panels: &[(String, usize)]) -> Option<f64> {
    let first = panels
        .iter()
        .find(|p| p.1 == scale)
        .and_then(|p| figure.panels.get(&p.0));
    first.and_then(|p| p.center).or(figure.color.center)
}

/// One scale for all panels: it speaks for each, so what it sets stands above their own words.
fn the_only_one(look: &ScaleLook, figure: &mut Figure, panels: &[(String, usize)]) {
    let center = center(figure, 0, panels);
    let c = &mut figure.color;
    if wants_center(look) && center.is_none() {
        c.center = Some(0.0);
    }
    c.vmin = c.vmin.filter(|v| suits(look, center, *v, true));
    c.vmax = c.vmax.filter(|v| suits(look, center, *v, false));
    c.norm = look.norm.clone().or(c.norm.take());
    c.cmap = look.cmap.clone().or(c.cmap.take());
    if look.auto {
        (c.vmin, c.vmax) = (None, None);
    }
    if let Some((low, high)) = look.limits {
        (c.vmin, c.vmax) = (Some(low), Some(high));
    }
    let own = look.limits.is_none() && !look.auto;
    for p in figure.panels.values_mut() {
        p.norm = p.norm.take().filter(|_| look.norm.is_none());
        p.cmap = p.cmap.take().filter(|_| look.cmap.is_none());
        p.vmin = p.vmin.filter(|v| own && suits(look, center, *v, true));
        p.vmax = p.vmax.filter(|v| own && suits(look, center, *v, false));
    }
}

/// One of several scales: its panels say it.
fn one_of_several(look: &ScaleLook, figure: &mut Figure, scale: usize, panels: &[(String, usize)]) {
    if *look == ScaleLook::default() {
        return;
    }
    let center = center(figure, scale, panels);
    let bad_low = figure
        .color
        .vmin
        .filter(|v| look.auto || !suits(look, center, *v, true));
    let bad_high = figure
        .color
        .vmax
        .filter(|v| look.auto || !suits(look, center, *v, false));
    for (name, of) in panels {
        if *of != scale {
            if bad_low.is_some() || bad_high.is_some() {
                // A limit that stood for all goes on to stand for the others.
                let p = figure.panels.entry(name.clone()).or_default();
                (p.vmin, p.vmax) = (p.vmin.or(bad_low), p.vmax.or(bad_high));
            }
            continue;
        }
        let p = figure.panels.entry(name.clone()).or_default();
        if wants_center(look) && center.is_none() {
            p.center = Some(0.0);
        }
        p.vmin = p.vmin.filter(|v| !look.auto && suits(look, center, *v, true));
        p.vmax = p.vmax.filter(|v| !look.auto && suits(look, center, *v, false));
        p.norm = look.norm.clone().or(p.norm.take());
        p.cmap = look.cmap.clone().or(p.cmap.take());
        if let Some((low, high)) = look.limits {
            (p.vmin, p.vmax) = (Some(low), Some(high));
        }
    }
    figure.color.vmin = figure.color.vmin.filter(|_| bad_low.is_none());
    figure.color.vmax = figure.color.vmax.filter(|_| bad_high.is_none());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{PanelSpec, Reduce};

    fn scale(cmap: Option<&str>, norm: Option<&str>, limits: Option<(f64, f64)>) -> ScaleLook {
        ScaleLook {
            cmap: cmap.map(str::to_owned),
            norm: norm.map(str::to_owned),
            limits,
            auto: false,
        }
    }

    fn panels(scales: &[usize]) -> Vec<(String, usize)> {
        scales
            .iter()
            .enumerate()
            .map(|(i, s)| (format!("p{i}"), *s))
            .collect()
    }

    #[test]
    fn nothing_changes_a_figure_by_itself() {
        let mut figure = Figure::default();
        Look {
            scales: vec![ScaleLook::default(); 2],
            ..Look::default()
        }
        .onto(&mut figure, &panels(&[0, 1]));
        assert_eq!(figure, Figure::default());
    }

    #[test]
    fn a_lone_scale_speaks_for_every_panel() {
        let mut figure = Figure::default();
        figure.color.vmin = Some(3.0);
        let own = PanelSpec {
            cmap: Some("mako".to_owned()),
            vmin: Some(1.0),
            title: Some("T".to_owned()),
            ..PanelSpec::default()
        };
        figure.panels.insert("p1".to_owned(), own);
        let look = Look {
            scales: vec![scale(Some("magma"), None, Some((2.0, 5.0)))],
            ..Look::default()
        };
        look.onto(&mut figure, &panels(&[0, 0]));
        assert_eq!(
            (figure.color.cmap.as_deref(), figure.color.vmin, figure.color.vmax),
            (Some("magma"), Some(2.0), Some(5.0))
        );
        assert_eq!(
            figure.panels["p1"],
            PanelSpec {
                title: Some("T".to_owned()),
                ..PanelSpec::default()
            }
        );
        assert!(!figure.panels.contains_key("p0"));
    }

    #[test]
    fn several_scales_are_their_panels() {
        let mut figure = Figure::default();
        figure.color.cmap = Some("viridis".to_owned());
        let look = Look {
            scales: vec![
                ScaleLook::default(),
                scale(Some("magma"), Some("log"), Some((2.0, 5.0))),
            ],
            ..Look::default()
        };
        look.onto(&mut figure, &panels(&[0, 1, 1]));
        assert_eq!(figure.color.cmap.as_deref(), Some("viridis"));
        let said = PanelSpec {
            cmap: Some("magma".to_owned()),
            norm: Some("log".to_owned()),
            vmin: Some(2.0),
            vmax: Some(5.0),
            ..PanelSpec::default()
        };
        assert_eq!(
            (figure.panels.len(), &figure.panels["p1"], &figure.panels["p2"]),
            (2, &said, &said)
        );
    }

    #[test]
    fn limits_that_a_new_norm_forbids_go() {
        let mut figure = Figure::default();
        (figure.color.vmin, figure.color.vmax) = (Some(0.0), Some(9.0));
        let log = scale(None, Some("log"), None);
        let mut one = figure.clone();
        Look {
            scales: vec![log.clone()],
            ..Look::default()
        }
        .onto(&mut one, &panels(&[0]));
        assert_eq!(
            (one.color.vmin, one.color.vmax, one.color.norm.as_deref()),
            (None, Some(9.0), Some("log"))
        );
        Look {
            scales: vec![ScaleLook::default(), log],
            ..Look::default()
        }
        .onto(&mut figure, &panels(&[0, 1]));
        assert_eq!(
            (
                figure.color.vmin,
                figure.panels["p0"].vmin,
                figure.panels["p1"].vmin
            ),
            (None, Some(0.0), None)
        );
        // A norm about a centre that its figure did not name.
        let mut centred = Figure::default();
        (centred.color.norm, centred.color.vmin) = (Some("centered".to_owned()), Some(2.0));
        Look {
            scales: vec![scale(None, Some("twoslope"), None)],
            ..Look::default()
        }
        .onto(&mut centred, &panels(&[0]));
        assert_eq!((centred.color.center, centred.color.vmin), (Some(0.0), None));
    }

    #[test]
    fn words_of_the_whole_figure() {
        let on = |b| Look {
            annotations: Some(b),
            borders: Some(b),
            labels: Some(b),
            square: Some(b),
            ..Look::default()
        };
        let mut figure = Figure::default();
        Look {
            reduce: Some(Reduce::Max),
            ..on(true)
        }
        .onto(&mut figure, &[]);
        assert_eq!(
            (figure.annotations.show.as_deref(), figure.linewidths.clone()),
            (Some("on"), Some(Length("0.5pt".to_owned())))
        );
        assert_eq!(
            (figure.x.ticks.clone(), figure.square, figure.reduce.by),
            (None, Some(Toggle::On), Some(Reduce::Max))
        );
        on(false).onto(&mut figure, &[]);
        assert_eq!(
            (figure.annotations.show.as_deref(), figure.linewidths.clone()),
            (Some("off"), Some(Length("0pt".to_owned())))
        );
        let none = Some(Ticks::Word(TicksWord::None));
        assert_eq!(
            (&figure.x.ticks, &figure.y.ticks, figure.square, figure.reduce.by),
            (&none, &none, Some(Toggle::Off), Some(Reduce::Max))
        );
        figure.annotations.show = Some("{mean:.1f}".to_owned());
        figure.linewidths = Some(Length("2px".to_owned()));
        on(true).onto(&mut figure, &[]);
        assert_eq!(
            (figure.annotations.show.as_deref(), figure.linewidths.clone()),
            (Some("{mean:.1f}"), Some(Length("2px".to_owned())))
        );
        assert_eq!(figure.y.ticks, Some(Ticks::Word(TicksWord::Auto)));
    }
}
