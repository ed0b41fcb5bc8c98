//! Panels painted as they are laid out: what their pixels cover, their colours, and the scene of both.

use super::Session;
use crate::device_folds::DeviceFolds;
use gridscope_core::figure::{Figure, Reduce};
use gridscope_core::grid::{Grid, Stats, Summaries};
use gridscope_draw::coarse::Sample;
use gridscope_draw::error::Error;
use gridscope_draw::layout::Layout;
use gridscope_draw::marking::{MarkingRequest, PanelMarking, marking};
use gridscope_draw::resolve::{Colours, Folded, Frame, notes, rings, scales};
use gridscope_draw::scene::{Content, Scene, compose};
use std::sync::Arc;

/// The panels that a frame draws, painted.
pub(super) struct Painted {
    pub scene: Scene,
    /// The colours of all panels.
    pub colours: Colours,
    /// Reductions under the pixels of each panel, as far as they are in memory.
    pub known: Vec<Option<Arc<Summaries>>>,
    /// Summaries that the CPU needs are still on the device.
    pub awaits: bool,
}

impl Session {
    /// Paints the panels that `frame` draws where `layout` has them, in colours that are known already or are decided now.
    /// While the view moves, bodies may be coarser, and what takes long is left out.
    ///
    /// # Errors
    /// When a source cannot be read.
    pub(super) fn paint_panels(
        &mut self,
        (figure, frame): (&Figure, &Frame),
        layout: &Layout,
        known: Option<Colours>,
        moves: bool,
        device: &mut Option<&mut (dyn DeviceFolds + '_)>,
    ) -> Result<Painted, Error> {
        let grids = self.geometry.grids.clone();
        let counts = frame.reduce == Reduce::Count;
        let bodies = self.frame_bodies(frame, layout, moves, device)?;
        let sample = self.sample.as_ref();
        let drawn = frame.drawn_panels();
        let folded: Vec<Folded<'_>> = self
            .scans
            .iter()
            .zip(&bodies.known)
            .enumerate()
            .map(|(i, (scan, known))| {
                let p = i.checked_sub(drawn.start).and_then(|i| layout.panels.get(i));
                Folded {
                    scan,
                    summaries: known.as_deref(),
                    body: p.filter(|p| p.reduces()).map(|p| (&p.columns, &p.rows)),
                    strips: None,
                }
            })
            .collect();
        let mut colours = match known.filter(|_| !counts) {
            Some(colours) => colours,
            None => scales(figure, frame, sample.map_or(grids.as_slice(), Sample::grids), &folded)?,
        };
        colours.panels.iter_mut().for_each(|p| p.rings.clear());
        if !moves && sample.is_none() {
            rings(figure, &folded, &mut colours)?;
        }
        let (drawn_frame, drawn_grids) = (frame.drawn(), &grids[drawn.clone()]);
        colours.notes = notes(frame, &grids, &folded, &colours);
        if sample.is_some() {
            // Notes about counts and reductions would be wrong for a few cells; only the user's own note
            // stays.
            colours.notes.truncate(usize::from(!frame.note.is_empty()));
            colours.bars.iter_mut().for_each(|bar| (bar.below, bar.above) = (0, 0));
        }
        let drawn_colours = colours.drawn(frame);
        let painted: Vec<_> = bodies.painted.iter().map(|b| b.summaries().cloned()).collect();
        let stats: Vec<&Stats> = self.geometry.stats[drawn.clone()].iter().collect();
        // While the view moves, only what needs no reading is marked.
        let is_ready = sample.is_none() && (!moves || drawn_grids.iter().all(Grid::is_loaded));
        let marking = match is_ready {
            true => marking(&MarkingRequest {
                frame: &drawn_frame,
                layout,
                colours: &drawn_colours,
                grids: drawn_grids,
                stats: &stats,
                folded: &folded[drawn.clone()],
                counts: false,
            })?,
            false => vec![PanelMarking::default(); drawn_grids.len()],
        };
        let (mut scene, _) = compose(
            &drawn_frame,
            layout,
            &drawn_colours,
            &Content {
                first: drawn.start,
                grids: drawn_grids,
                stats: &self.geometry.stats[drawn.clone()],
                summaries: &painted[drawn.clone()],
                marking: &marking,
            },
            &mut self.fonts,
        );
        drop(drawn_colours);
        if sample.is_none() {
            self.remember_counts(&colours);
        }
        bodies.relate(&mut scene);
        Ok(Painted { scene, colours, known: bodies.known, awaits: bodies.awaits })
    }
}
