//! Drawn part of a resolved figure: all panels, or one of them with its own bar.

use super::bars::BarFrame;
use super::facets::Facets;
use super::frame::{AxisFrame, Frame};
use super::scheme::Colours;
use gridscope_core::lint::Lints;
use std::borrow::Cow;
use std::ops::Range;

impl Frame {
    /// The panels that are drawn.
    pub fn drawn_panels(&self) -> Range<usize> {
        match self.only {
            Some(panel) => panel..panel + 1,
            None => 0..self.panels.len(),
        }
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
