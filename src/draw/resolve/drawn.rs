//! The drawn part of a figure: all panels, or one of them, whose limits, labels, names and order stay those of all.

use super::bars::BarFrame;
use super::colour::Colours;
use super::error::ResolveError;
use super::frame::{AUTOMATIC_WIDTH, AxisFrame, Facets, Frame};
use super::overrides::Overrides;
use gridscope_core::figure::Figure;
use gridscope_core::grid::Grid;
use gridscope_core::lint::Lints;
use gridscope_core::text::{did_you_mean, nearest};
use std::borrow::Cow;
use std::ops::Range;

impl Frame {
    /// The panels that are drawn.
    pub fn drawn_panels(&self) -> Range<usize> {
        match self.only {
            _ if self.bar_alone.is_some() => 0..0,
            Some(panel) => panel..panel + 1,
            None => 0..self.panels.len(),
        }
    }

    /// The frame with panels, in the usual size, of one whose bars are alone.
    pub fn usual_sized(&self) -> Frame {
        let [width, widest] = AUTOMATIC_WIDTH.map(|inches| (inches * self.dpi).round());
        Frame { bar_alone: None, width, widest, height: None, ..self.clone() }
    }

    /// The bars that are drawn.
    pub fn drawn_bars(&self) -> Range<usize> {
        match self.only {
            Some(panel) => {
                let bar = self.panels[panel].scale;
                bar..bar + 1
            }
            None => 0..self.bars.len(),
        }
    }

    /// The frame of the panels that are drawn: itself, or that of its only panel, which is then the first one.
    pub fn drawn(&self) -> Cow<'_, Frame> {
        match self.only {
            Some(panel) => Cow::Owned(self.alone(panel)),
            None => Cow::Borrowed(self),
        }
    }

    /// The frame of one of its panels, which is then the first one.
    pub fn alone(&self, panel: usize) -> Frame {
        let mut alone = self.panels[panel].clone();
        let bar = &self.bars[alone.scale];
        alone.scale = 0;
        let axis = |axis: &AxisFrame| AxisFrame {
            title: axis.title.clone(),
            titles_of_panels: axis.titles_of_panels,
            ticks: axis.ticks.clone(),
            key_ticks: axis.key_ticks.get(panel).cloned().into_iter().collect(),
            rotate: axis.rotate,
            true_spacing: axis.true_spacing,
            coordinates: axis.coordinates,
            format: axis.format.clone(),
        };
        // Every field is named, so that the other panels are not copied.
        Frame {
            bar_alone: self.bar_alone,
            width: self.width,
            widest: self.widest,
            height: self.height,
            dpi: self.dpi,
            font_size: self.font_size,
            asked_font: self.asked_font,
            least_font: self.least_font,
            least_value_font: self.least_value_font,
            value_font: self.value_font,
            palette: self.palette,
            page: self.page,
            simulate: self.simulate,
            title: self.title.clone(),
            note: self.note.clone(),
            notes: self.notes,
            columns: None,
            only: None,
            panels: vec![alone],
            facets: self.facets.as_ref().map(|all| all.alone(panel)),
            x: axis(&self.x),
            y: axis(&self.y),
            labels_on_each: self.labels_on_each,
            lower: self.lower,
            leftward: self.leftward,
            square: self.square,
            aspect: self.aspect,
            cell_lines: self.cell_lines,
            bars: vec![BarFrame { panels: vec![0], among: vec![0], ..bar.clone() }],
            reduce: self.reduce,
            annotate: self.annotate.clone(),
            strips: self.strips.clone(),
            tracks: self.tracks.clone(),
            marks: self.marks.clone(),
            contours: self.contours.clone(),
            states: self.states.clone(),
            states_of_all: self.states_of_all.clone(),
            masked: self.masked.clone(),
            hidden: self.hidden.clone(),
            min_count: self.min_count,
            hides: self.hides,
            viewed: self.viewed,
        }
    }
}

impl Facets {
    /// The row and the column of one panel.
    fn alone(&self, panel: usize) -> Self {
        let (row, column) = self.places[panel];
        Self {
            rows: vec![self.rows[row].clone()],
            columns: vec![self.columns[column].clone()],
            places: vec![(0, 0)],
        }
    }
}

impl Colours {
    /// The colours of the panels that `frame` draws.
    pub fn drawn(&self, frame: &Frame) -> Cow<'_, Colours> {
        if frame.only.is_none() {
            return Cow::Borrowed(self);
        }
        let panels = frame.drawn_panels();
        Cow::Owned(Colours {
            bars: self.bars[frame.drawn_bars()].to_vec(),
            panels: self.panels[panels.clone()].to_vec(),
            margins: self.margins[panels].to_vec(),
            reduce: self.reduce,
            notes: self.notes.clone(),
            lints: Lints::default(),
        })
    }
}

/// Names that a message lists.
const LISTED: usize = 12;

/// Which panel alone is drawn; `None`: all of them. A figure of one panel draws all.
///
/// # Errors
/// A name that no panel has.
pub(super) fn only_panel(
    figure: &Figure,
    overrides: &Overrides,
    grids: &[Grid],
) -> Result<Option<usize>, ResolveError> {
    let several = |panel: &usize| grids.len() > 1 && *panel < grids.len();
    if let Some(only) = overrides.only {
        return Ok(only.filter(several));
    }
    let Some(name) = &figure.only_panel else {
        return Ok(None);
    };
    let at = grids.iter().position(|g| g.name() == name);
    match at {
        Some(at) => Ok(Some(at).filter(several)),
        None => Err(ResolveError::key("only_panel", unknown(name, grids))),
    }
}

/// The message that no panel has a name, with the names that there are.
fn unknown(name: &str, grids: &[Grid]) -> String {
    let names = || grids.iter().map(Grid::name).filter(|n| !n.is_empty());
    let near = did_you_mean(nearest(name, names()));
    let mut listed: Vec<&str> = names().take(LISTED).collect();
    if listed.is_empty() {
        return format!("no panel '{name}': the data have one panel without a name");
    }
    if names().count() > LISTED {
        listed.push("…");
    }
    format!("no panel '{name}'{near}; the panels are: {}", listed.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grids(names: &[&str]) -> Vec<Grid> {
        let grid = |name: &&str| {
            let mut grid = Grid::from_rows(1, 2, vec![0.0, 1.0]).unwrap();
            grid.set_name(*name);
            grid
        };
        names.iter().map(grid).collect()
    }

    fn named(name: &str) -> Figure {
        Figure { only_panel: Some(name.to_owned()), ..Figure::default() }
    }

    #[test]
    fn a_panel_is_named_and_the_window_goes_before_the_figure() {
        let (all, figure) = (grids(&["a", "b", "c"]), named("b"));
        let of = |only| {
            let overrides = Overrides { only, ..Overrides::default() };
            only_panel(&figure, &overrides, &all).unwrap()
        };
        assert_eq!(
            [of(None), of(Some(None)), of(Some(Some(2))), of(Some(Some(3)))],
            [Some(1), None, Some(2), None]
        );
        assert_eq!(only_panel(&named("a"), &Overrides::default(), &all[..1]), Ok(None));
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_right_ones() {
        let message = |name: &str, all: &[Grid]| {
            let e = only_panel(&named(name), &Overrides::default(), all).unwrap_err();
            (e.keys().join(" "), e.to_string())
        };
        let (key, text) = message("layer4", &grids(&["layer3", "base"]));
        assert_eq!(key, "only_panel");
        assert_eq!(
            text,
            "only_panel: no panel 'layer4'; did you mean 'layer3'?; the panels are: layer3, base"
        );
        let (_, text) = message("x", &grids(&[""]));
        assert_eq!(text, "only_panel: no panel 'x': the data have one panel without a name");
        let many: Vec<String> = (0..20).map(|i| format!("p{i}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(message("zzz", &grids(&many)).1.ends_with("p10, p11, …"));
    }
}
