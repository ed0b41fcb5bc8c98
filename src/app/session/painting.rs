//! Panels painted as they are laid out: what their pixels cover, their colours, and the scene of both.

use super::Session;
use crate::app::scroll::Scroll;
use crate::body::Body;
use crate::coarse::Sample;
use crate::error::Error;
use crate::figure::{Figure, Reduce};
use crate::grid::{Grid, Stats, Summaries};
use crate::layout::{Layout, PanelLayout};
use crate::marking::{MarkingRequest, PanelMarking, marking};
use crate::render::FoldBy;
use crate::resolve::{Colours, Folded, Frame, notes, rings, scales};
use crate::scene::{Content, Scene, compose};
use std::sync::Arc;

/// A pixel of a moving view that covers at most this many cells is folded as it is painted.
const FEW: usize = 6;

/// Whether pixels cover few cells.
fn is_fine(panel: &PanelLayout) -> bool {
    let cells = panel
        .columns
        .shown()
        .len()
        .saturating_mul(panel.rows.shown().len());
    let pixels = panel.columns.pixels() as usize * panel.rows.pixels() as usize;
    cells <= pixels.saturating_mul(FEW)
}

/// The panels that a frame draws, painted.
pub(super) struct Painted {
    pub scene: Scene,
    /// The colours of all panels.
    pub colours: Colours,
    /// What the pixels of each panel cover, where these were folded.
    pub summaries: Vec<Option<Arc<Summaries>>>,
}

impl Session {
    /// Paints the panels that `frame` draws where `layout` has them, in colours that are known already or are decided now.
    /// While the view moves, levels and the device may fold, and what takes long is left out.
    ///
    /// # Errors
    /// When a source cannot be read, or `fold` fails.
    pub(super) fn paint_panels(
        &mut self,
        (figure, frame): (&Figure, &Frame),
        layout: &Layout,
        known: Option<Colours>,
        moves: bool,
        fold: &mut Option<&mut FoldBy<'_>>,
    ) -> Result<Painted, Error> {
        let grids = self.geometry.grids.clone();
        let sample = self.sample.as_ref();
        let counts = frame.reduce == Reduce::Count;
        let mut bodies = Vec::with_capacity(grids.len());
        let drawn = frame.drawn_panels();
        for (i, g) in grids.iter().enumerate() {
            let Some(p) = i.checked_sub(drawn.start).and_then(|i| layout.panels.get(i)) else {
                bodies.push(Body::Cells);
                continue;
            };
            let reduces = p.reduces();
            // While the view moves, the device folds as it paints.
            let on_cpu = fold.is_none() || g.kind().is_wide();
            let level = self.levels[i].as_ref().filter(|_| moves && !counts && on_cpu);
            let level = level.and_then(|l| l.of(&p.columns, &p.rows));
            let spans = (p.columns.spans(), p.rows.spans());
            let narrow = !g.kind().is_wide();
            let on_device = moves && !counts && fold.is_some() && narrow;
            let summaries = match (sample, level, fold.as_deref_mut()) {
                (Some(sample), ..) => Arc::new(sample.fold(i, &p.columns, &p.rows)?),
                (_, Some(_), _) => Scroll::fold(&mut self.scrolls[i], g, level, spans)?,
                _ if on_device || g.is_loaded() && (!reduces || moves && !counts && is_fine(p)) => {
                    bodies.push(Body::Cells);
                    continue;
                }
                (.., Some(fold)) if reduces && narrow => Arc::new(fold(i, &p.columns, &p.rows)?),
                _ if reduces => Scroll::fold(&mut self.scrolls[i], g, None, spans)?,
                _ => Arc::new(g.fold(spans.0, spans.1)?),
            };
            bodies.push(Body::Summaries(summaries));
        }
        let folded: Vec<Folded<'_>> = self
            .scans
            .iter()
            .zip(&bodies)
            .enumerate()
            .map(|(i, (scan, body))| {
                let p = i.checked_sub(drawn.start).and_then(|i| layout.panels.get(i));
                Folded {
                    scan,
                    summaries: body.summaries().map(|all| &**all),
                    body: p.filter(|p| p.reduces()).map(|p| (&p.columns, &p.rows)),
                    strips: None,
                }
            })
            .collect();
        let mut colours = match known.filter(|_| !counts) {
            Some(colours) => colours,
            None => scales(
                figure,
                frame,
                sample.map_or(grids.as_slice(), Sample::grids),
                &folded,
            )?,
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
            colours
                .bars
                .iter_mut()
                .for_each(|bar| (bar.below, bar.above) = (0, 0));
        }
        let drawn_colours = colours.drawn(frame);
        let summaries: Vec<_> = bodies.iter().map(|b| b.summaries().cloned()).collect();
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
        let (scene, _) = compose(
            &drawn_frame,
            layout,
            &drawn_colours,
            &Content {
                first: drawn.start,
                grids: drawn_grids,
                stats: &self.geometry.stats[drawn.clone()],
                summaries: &summaries[drawn.clone()],
                marking: &marking,
            },
            &mut self.fonts,
        );
        drop(drawn_colours);
        Ok(Painted {
            scene,
            colours,
            summaries,
        })
    }
}
