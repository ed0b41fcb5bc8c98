//! Typed changes over a figure, by a window, and their writing into a figure to be saved.

use super::error::ResolveError;
use super::limits::Limit;
use gridscope_core::figure::{
    Annotate, BarPlace, ColorSpec, Compare, Figure, Length, PanelSpec, Reduce, Theme, TickLabels, Ticks,
    TicksWord, Toggle,
};
use gridscope_core::geom::PxSize;
use gridscope_core::grid::{Change, Grid};
use gridscope_core::notation::Literal;
use gridscope_core::scale::{Colormap, Norm, NormSpec, ValueRule};
use gridscope_core::view::View;

/// Limits that a picture showed, by the names of its panels: pictures of growing data must not jump between them.
pub type Seen = Vec<(String, (f64, f64))>;

/// Changes over a figure; the default changes nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// The canvas, in place of the figure's size.
    pub canvas: Option<Canvas>,
    /// The part of its grid that each panel shows; panels beyond the list show what the first one does. An empty list: parts
    /// will be shown, and until they are known the figure's own.
    pub views: Option<Vec<View>>,
    /// One per colour scale, in the order of [`Frame::bars`](super::Frame::bars); scales beyond the list are unchanged.
    pub scales: Vec<ScaleOverrides>,
    /// The reduction.
    pub reduce: Option<Reduce>,
    /// Values in cells.
    pub annotations: Option<bool>,
    /// Lines between cells.
    pub borders: Option<bool>,
    /// Tick labels.
    pub labels: Option<bool>,
    /// Square cells.
    pub square: Option<bool>,
    /// Light or dark.
    pub theme: Option<Theme>,
    /// The page is a window, which is opaque.
    pub opaque: bool,
    /// The panel that alone is drawn, in place of the figure's; within: all are drawn where it is `None`.
    pub only: Option<Option<usize>>,
    /// The limits of the pictures before: automatic limits are no narrower.
    pub seen: Seen,
}

/// A canvas of whole pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Canvas {
    /// Width and height in pixels.
    pub size: PxSize,
    /// Pixels per inch.
    pub dpi: f64,
}

/// Changes of one colour scale.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScaleOverrides {
    /// The colormap.
    pub colormap: Option<Colormap>,
    /// The norm; its centre gives way to `center`, then to the figure's.
    pub norm: Option<Norm>,
    /// The value at the middle of the map.
    pub center: Option<f64>,
    /// vmin and vmax.
    pub limits: Option<(f64, f64)>,
    /// Limits of the data where `limits` is `None`, whatever the figure says.
    pub auto: bool,
    /// Values below the first and above the second are not shown, in place of those that the figure hides.
    pub hide: Option<[Option<f64>; 2]>,
    /// Limits that earlier data gave and the current data would not, in place of `seen`. A limit that the figure names goes
    /// before them.
    pub earlier: Option<(Option<f64>, Option<f64>)>,
    /// Range in [`Overrides::seen`] of the panels of this scale.
    pub seen: Option<(f64, f64)>,
}

impl Overrides {
    /// The changes of a scale.
    pub fn scale(&self, index: usize) -> ScaleOverrides {
        self.scales.get(index).cloned().unwrap_or_default()
    }

    /// The limits that panels had before, by their names.
    pub(super) fn seen_by(&self, is_member: impl Fn(&str) -> bool) -> Option<(f64, f64)> {
        let members = self.seen.iter().filter(|(name, _)| is_member(name));
        members.map(|(_, limits)| *limits).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    /// The view of a panel, where one is known.
    pub fn view(&self, panel: usize) -> Option<View> {
        let views = self.views.as_ref()?;
        views.get(panel).or(views.first()).copied()
    }

    /// Whether all panels show the same part.
    pub fn is_linked(&self) -> bool {
        let views = self.views.as_deref().unwrap_or_default();
        views.windows(2).all(|pair| pair[0] == pair[1])
    }
}

impl ScaleOverrides {
    /// The norm about the figure's centre, about 0 where a norm needs a centre and the figure has none.
    pub fn norm_about(&self, center: Option<f64>) -> Option<Norm> {
        let norm = self.norm.as_ref()?;
        norm.about(center).or_else(|| norm.about(Some(0.0)))
    }

    /// Whether a limit that the figure names stays in force: limits are not automatic, and it is valid under the norm that was
    /// chosen.
    pub fn keeps(&self, center: Option<f64>, limit: f64, low: bool) -> bool {
        let is_valid = match self.norm_about(center).map(|norm| norm.traits().values) {
            Some(ValueRule::Positive) => limit > 0.0,
            Some(ValueRule::BothSides(center)) => (limit < center) == low && limit != center,
            Some(ValueRule::Any) | None => true,
        };
        !self.auto && is_valid
    }

    /// The centre that the norm needs and the figure does not name.
    pub fn missing_center(&self, center: Option<f64>) -> Option<f64> {
        let needs_one = |norm: &Norm| norm.about(None).is_none();
        (center.is_none() && self.norm.as_ref().is_some_and(needs_one)).then_some(0.0)
    }
}

/// Whether each difference is beside the values that it is of.
pub(super) fn shows_sides(figure: &Figure) -> bool {
    figure.data.comparisons().any(|(how, _)| how == Compare::Against)
}

/// Settings of one colour scale by a figure and its overrides; the first of its panels speaks for all of them.
#[derive(Clone, Copy)]
pub(super) struct ScaleChoice<'a> {
    /// Settings of all scales; none for a difference beside the values that it is of.
    all: Option<&'a ColorSpec>,
    own: Option<&'a PanelSpec>,
    changes: &'a ScaleOverrides,
    /// Last change of the values.
    last: Option<&'a Change>,
    /// The values are a matrix of correlations.
    correlates: bool,
}

impl<'a> ScaleChoice<'a> {
    /// The choice for a scale whose first panel is this one.
    pub(super) fn new(figure: &'a Figure, panel: &'a Grid, changes: &'a ScaleOverrides) -> Self {
        let is_apart = shows_sides(figure) && !panel.changes().is_empty();
        Self {
            all: (!is_apart).then_some(&figure.color),
            own: figure.panels.get(panel.name()),
            changes,
            last: panel.changes().last(),
            correlates: panel.are_correlations(),
        }
    }

    /// Whether the values are ratios and no norm is chosen: then their scale suits ratios.
    pub(super) fn shows_ratios(&self) -> bool {
        let own = self.own.and_then(|p| p.norm.as_ref());
        let has_norm =
            own.or(self.all.and_then(|c| c.norm.as_ref())).is_some() || self.changes.norm.is_some();
        matches!(self.last, Some(Change::Ratio(_))) && !has_norm && self.given_center().is_none()
    }

    /// The panel's own words.
    pub(super) fn panel(&self) -> Option<&'a PanelSpec> {
        self.own
    }

    /// The value at the middle of the map.
    pub(super) fn center(&self) -> Option<f64> {
        let named = self.named_center();
        named.or(self.changes.missing_center(named))
    }

    fn given_center(&self) -> Option<f64> {
        self.changes
            .center
            .or_else(|| self.own.and_then(|p| p.center))
            .or_else(|| self.all.and_then(|c| c.center))
    }

    /// Whether the centre is that of a change of the values.
    pub(super) fn is_centered(&self) -> bool {
        self.given_center().is_none() && self.own_center().is_some()
    }

    /// The centre that the figure names, or that of differences and scores.
    fn named_center(&self) -> Option<f64> {
        self.given_center().or_else(|| self.own_center())
    }

    /// The centre of values that have one by themselves: differences, scores, and correlations where no map is chosen.
    fn own_center(&self) -> Option<f64> {
        let of_correlations = || (self.correlates && self.colormap().is_none()).then_some(0.0);
        self.last.and_then(Change::center).or_else(of_correlations)
    }

    /// The norm, where one is chosen.
    ///
    /// # Errors
    /// A norm of the figure that needs a centre, where there is none.
    pub(super) fn norm(&self) -> Result<Option<Norm>, ResolveError> {
        if let Some(norm) = self.changes.norm_about(self.named_center()) {
            return Ok(Some(norm));
        }
        let own = self.own.and_then(|p| p.norm.as_deref());
        let norm = own.or(self.all.and_then(|c| c.norm.as_deref()));
        norm.map(|norm| norm.about(self.center()).ok_or(ResolveError::NoCenter)).transpose()
    }

    /// The norm of the values, which are `ratios` or not.
    ///
    /// # Errors
    /// As [`ScaleChoice::norm`].
    pub(super) fn norm_of(&self, ratios: bool) -> Result<Norm, ResolveError> {
        if ratios {
            return Ok(Norm::Log);
        }
        let about = self.center().map(|center| Norm::CenterLinear { center });
        Ok(self.norm()?.or(about).unwrap_or(Norm::Linear))
    }

    /// The thresholds below and above which values are not shown.
    pub(super) fn hides(&self) -> [Option<f64>; 2] {
        let own = self.own.map_or([None; 2], |p| [p.hide_below, p.hide_above]);
        let all = self.all.map_or([None; 2], |c| [c.hide_below, c.hide_above]);
        let named = [own[0].or(all[0]), own[1].or(all[1])];
        self.changes.hide.unwrap_or(named)
    }

    /// The colormap, where one is chosen.
    pub(super) fn colormap(&self) -> Option<&Colormap> {
        let own = || self.own.and_then(|p| p.cmap.as_deref());
        let chosen = self.changes.colormap.as_ref().or_else(own);
        chosen.or_else(|| self.all.and_then(|c| c.cmap.as_deref()))
    }

    /// The low and the high limit, where they are given: by a change, by the figure, or by earlier data.
    pub(super) fn given(&self) -> [Option<Limit>; 2] {
        let own = self.own.map(|p| [p.vmin, p.vmax]);
        let named = [own, self.all.map(|c| [c.vmin, c.vmax])];
        let (center, changes) = (self.named_center(), self.changes);
        [0, 1].map(|side| {
            let chosen = changes.limits.map(|l| [l.0, l.1][side]);
            let mut named = named.iter().flatten().filter_map(|limits| limits[side]);
            let named = || named.find(|limit| changes.keeps(center, *limit, side == 0));
            let earlier = changes.earlier.and_then(|e| [e.0, e.1][side]);
            let given = chosen.or_else(named).map(Limit::Given);
            given.or(earlier.map(Limit::Earlier))
        })
    }

    /// Whether the limits are percentiles.
    pub(super) fn is_robust(&self) -> bool {
        let own = self.own.and_then(|p| p.robust);
        own.or(self.all.and_then(|c| c.robust)).unwrap_or(false)
    }

    /// Whether cells can lie beyond the limits.
    pub(super) fn clips(&self) -> bool {
        let robust = |r: Option<bool>| r == Some(true);
        self.given() != [None; 2]
            || robust(self.all.and_then(|c| c.robust))
            || robust(self.own.and_then(|p| p.robust))
            || self.changes.norm.is_some()
            || self.all.is_some_and(|c| c.norm.is_some())
            || self.own.is_some_and(|p| p.norm.is_some())
    }
}

impl Overrides {
    /// Writes the changes into a figure; `panels` are the name and the scale of each grid.
    pub fn apply_to(&self, figure: &mut Figure, panels: &[(String, usize)]) {
        self.apply_scales(figure, panels);
        if self.reduce.is_some() {
            figure.reduce.by = self.reduce;
        }
        match self.annotations {
            Some(true) if figure.annotations.show.as_deref().is_some_and(Annotate::is_own) => {}
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
            // A window shows panels whatever else.
            if figure.color.bar == Some(BarPlace::Only) {
                figure.color.bar = Some(BarPlace::Right);
            }
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
        figure.view.steady = Some(true);
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
mod written_tests;
