//! Writes overrides into a figure, so that they can be saved.

use super::overrides::{Overrides, ScaleOverrides};
use gridscope_core::figure::{Annotate, Figure, Length, TickLabels, Ticks, TicksWord, Toggle};
use gridscope_core::notation::Literal;
use gridscope_core::scale::NormSpec;

impl Overrides {
    /// Writes the changes into a figure; `panels` are the name and the scale of each grid.
    pub fn apply_to(&self, figure: &mut Figure, panels: &[(String, usize)]) {
        self.apply_scales(figure, panels);
        if self.reduce.is_some() {
            figure.reduce.by = self.reduce;
        }
        let is_template = |show: &Annotate| matches!(show, Annotate::Template(_));
        match self.annotations {
            Some(true) if figure.annotations.show.as_deref().is_some_and(is_template) => {}
            Some(on) => figure.annotations.show = Some(if on { Annotate::On } else { Annotate::Off }.into()),
            None => {}
        }
        match self.borders {
            Some(true) if figure.linewidths.as_ref().is_some_and(|w| !w.is_zero()) => {}
            Some(on) => figure.linewidths = Some(Length::points(if on { 0.5 } else { 0.0 })),
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
        figure.theme = self.theme.or(figure.theme);
        if let Some(only) = self.only {
            let panel = only.and_then(|i| panels.get(i)).filter(|_| panels.len() > 1);
            figure.only_panel = panel.map(|p| p.0.clone());
        }
        if let Some(canvas) = self.canvas {
            figure.size.width = Some(Length::of_pixels(canvas.size.w).into());
            figure.size.height = Some(Length::of_pixels(canvas.size.h).into());
            figure.size.dpi = Some(canvas.dpi);
        }
        self.apply_views(figure, panels);
    }

    fn apply_scales(&self, figure: &mut Figure, panels: &[(String, usize)]) {
        let several = panels.iter().any(|p| p.1 > 0) || self.scales.len() > 1;
        for (i, changes) in self.scales.iter().enumerate() {
            if several {
                one_of_several(changes, figure, i, panels);
            } else {
                the_only_one(changes, figure, panels);
            }
        }
        for (name, scale) in panels {
            let Some((low, high)) = self.scales.get(*scale).and_then(|s| s.earlier) else {
                continue;
            };
            // A limit that the figure sets for all scales takes precedence.
            let low = low.filter(|_| figure.color.vmin.is_none());
            let high = high.filter(|_| figure.color.vmax.is_none());
            if !several {
                let color = &mut figure.color;
                (color.vmin, color.vmax) = (color.vmin.or(low), color.vmax.or(high));
            } else if low.or(high).is_some() {
                let p = figure.panels.entry(name.clone()).or_default();
                (p.vmin, p.vmax) = (p.vmin.or(low), p.vmax.or(high));
            }
        }
    }

    fn apply_views(&self, figure: &mut Figure, panels: &[(String, usize)]) {
        let Some(first) = self.view(0) else { return };
        (figure.view.x, figure.view.y) = (Some(first.x.into()), Some(first.y.into()));
        if !self.is_linked() {
            figure.tick_labels = Some(TickLabels::Each);
        }
        for (i, (name, _)) in panels.iter().enumerate() {
            if let Some(p) = figure.panels.get_mut(name) {
                (p.view_x, p.view_y) = (None, None);
            }
            if let Some(view) = self.view(i).filter(|v| *v != first) {
                let p = figure.panels.entry(name.clone()).or_default();
                (p.view_x, p.view_y) = (Some(view.x.into()), Some(view.y.into()));
            }
        }
    }
}

/// The centre of a scale: that of its first panel.
fn center(figure: &Figure, scale: usize, panels: &[(String, usize)]) -> Option<f64> {
    let first = panels.iter().find(|p| p.1 == scale).and_then(|p| figure.panels.get(&p.0));
    first.and_then(|p| p.center).or(figure.color.center)
}

/// Puts a change in place of the figure's own setting.
fn replace<T: std::fmt::Display>(own: &mut Option<Literal<T>>, change: Option<T>) {
    if let Some(value) = change {
        *own = Some(value.into());
    }
}

/// Writes the changes of a single scale, which replace the panels' own settings.
fn the_only_one(changes: &ScaleOverrides, figure: &mut Figure, panels: &[(String, usize)]) {
    let center = changes.center.or_else(|| center(figure, 0, panels));
    let c = &mut figure.color;
    c.center = changes.center.or(c.center).or(changes.missing_center(center));
    c.vmin = c.vmin.filter(|v| changes.keeps(center, *v, true));
    c.vmax = c.vmax.filter(|v| changes.keeps(center, *v, false));
    replace(&mut c.norm, changes.norm.as_ref().map(NormSpec::from));
    replace(&mut c.cmap, changes.colormap.clone());
    if let Some((low, high)) = changes.limits {
        (c.vmin, c.vmax) = (Some(low), Some(high));
    }
    if let Some(hide) = changes.hide {
        [c.hide_below, c.hide_above] = hide;
        figure.panels.values_mut().for_each(|p| [p.hide_below, p.hide_above] = [None; 2]);
    }
    let own = changes.limits.is_none();
    for p in figure.panels.values_mut() {
        p.center = p.center.filter(|_| changes.center.is_none());
        p.norm = p.norm.take().filter(|_| changes.norm.is_none());
        p.cmap = p.cmap.take().filter(|_| changes.colormap.is_none());
        p.vmin = p.vmin.filter(|v| own && changes.keeps(center, *v, true));
        p.vmax = p.vmax.filter(|v| own && changes.keeps(center, *v, false));
    }
}

/// Writes the changes of one of several scales into its panels.
fn one_of_several(changes: &ScaleOverrides, figure: &mut Figure, scale: usize, panels: &[(String, usize)]) {
    let none = ScaleOverrides { earlier: changes.earlier, ..ScaleOverrides::default() };
    if *changes == none {
        return;
    }
    if let Some(hide) = changes.hide {
        hide_in_one(hide, figure, scale, panels);
    }
    let center = changes.center.or_else(|| center(figure, scale, panels));
    let bad_low = figure.color.vmin.filter(|v| !changes.keeps(center, *v, true));
    let bad_high = figure.color.vmax.filter(|v| !changes.keeps(center, *v, false));
    for (name, of) in panels {
        if *of != scale {
            if bad_low.is_some() || bad_high.is_some() {
                // A limit for all panels becomes a limit of each other panel.
                let p = figure.panels.entry(name.clone()).or_default();
                (p.vmin, p.vmax) = (p.vmin.or(bad_low), p.vmax.or(bad_high));
            }
            continue;
        }
        let p = figure.panels.entry(name.clone()).or_default();
        p.center = changes.center.or(p.center).or(changes.missing_center(center));
        p.vmin = p.vmin.filter(|v| changes.keeps(center, *v, true));
        p.vmax = p.vmax.filter(|v| changes.keeps(center, *v, false));
        replace(&mut p.norm, changes.norm.as_ref().map(NormSpec::from));
        replace(&mut p.cmap, changes.colormap.clone());
        if let Some((low, high)) = changes.limits {
            (p.vmin, p.vmax) = (Some(low), Some(high));
        }
    }
    figure.color.vmin = figure.color.vmin.filter(|_| bad_low.is_none());
    figure.color.vmax = figure.color.vmax.filter(|_| bad_high.is_none());
}

/// Writes which values one of several scales hides; what the figure hides of all becomes that of each other panel.
fn hide_in_one(hide: [Option<f64>; 2], figure: &mut Figure, scale: usize, panels: &[(String, usize)]) {
    let c = &mut figure.color;
    let all = [c.hide_below.take(), c.hide_above.take()];
    for (name, of) in panels {
        let own = figure.panels.get(name).map_or([None; 2], |p| [p.hide_below, p.hide_above]);
        let new = if *of == scale { hide } else { [own[0].or(all[0]), own[1].or(all[1])] };
        if new != own {
            let p = figure.panels.entry(name.clone()).or_default();
            [p.hide_below, p.hide_above] = new;
        }
    }
}

#[cfg(test)]
mod tests;
