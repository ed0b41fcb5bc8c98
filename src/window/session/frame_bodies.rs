//! Where the pixels of each body come from in a frame: cells, a device that folds as it paints, or Summaries of the CPU.

use super::Session;
use crate::device_folds::DeviceFolds;
use crate::scroll::Scroll;
use gridscope_core::figure::{Reduce, Toggle};
use gridscope_core::grid::Summaries;
use gridscope_draw::body::Body;
use gridscope_draw::error::Error;
use gridscope_draw::layout::{Layout, PanelLayout};
use gridscope_draw::resolve::Frame;
use gridscope_draw::scene::{Item, Scene};
use std::sync::{Arc, Weak};

/// A pixel of a moving view that covers at most this many cells is folded as it is painted.
const FEW: usize = 6;

/// Share of a device in the frames of a session.
#[derive(Debug, Default)]
pub(super) struct DeviceShare {
    /// It folds bodies as it paints them.
    pub folds: bool,
    /// The last frame at rest did without some of its Summaries.
    spares: bool,
    /// Its Summaries for a picture, which takes those that are the same bytes as the CPU's.
    pub lent: Vec<Option<Arc<Summaries>>>,
}

/// The bodies of a frame, one per grid.
pub(super) struct FrameBodies {
    /// Bodies that they are painted from.
    pub painted: Vec<Body>,
    /// Reductions under their pixels, as far as they are in memory.
    pub known: Vec<Option<Arc<Summaries>>>,
    /// Summaries that the CPU needs are still on the device.
    pub awaits: bool,
    /// Those of an earlier frame, from which pixels that show the same were taken.
    before: Vec<Option<Weak<Summaries>>>,
}

/// Whether pixels cover few cells.
fn is_fine(panel: &PanelLayout) -> bool {
    let cells = panel.columns.shown().len().saturating_mul(panel.rows.shown().len());
    let pixels = panel.columns.pixels() as usize * panel.rows.pixels() as usize;
    cells <= pixels.saturating_mul(FEW)
}

impl Session {
    /// The Summaries that a device has read back for a frame are there: a full frame is due, unless the view moves.
    pub fn summaries_arrived(&mut self) {
        if !self.unrest {
            self.repaint();
        }
    }

    /// Paints the figure again as it is, at rest if it rests.
    fn repaint(&mut self) {
        self.rests |= !self.unrest;
        self.damage.view = true;
    }

    /// Paints again what another painter cannot use: the device takes over from the CPU, or the reverse.
    pub(super) fn change_device(&mut self, folds: bool) {
        let changed = std::mem::replace(&mut self.device.folds, folds) != folds;
        // Profiles are made of Summaries that nothing else may have needed.
        let lacks = folds && self.device.spares && self.state.profiles && !self.unrest;
        if self.shown.is_some() && (changed || lacks) {
            self.repaint();
        }
    }

    /// Whether something at rest is made of the Summaries of bodies: rings, marks, contours, histograms, profiles.
    fn needs_summaries(&self, frame: &Frame, layout: &Layout) -> bool {
        let rings = frame.reduce == Reduce::Mean && self.figure.reduce.rings != Some(Toggle::Off);
        rings || self.marks_summaries(frame) || layout.bars.iter().any(Option::is_some)
    }

    /// Whether something that a moving view shows, too, is made of the Summaries of bodies: marks, contours, profiles.
    fn marks_summaries(&self, frame: &Frame) -> bool {
        let marks = frame.contours.is_some() || frame.panels.iter().any(|p| !p.marks.is_empty());
        marks || self.state.profiles
    }

    /// The bodies of the panels that `frame` draws where `layout` has them. While the view moves, they may be coarser, and what only a view at rest shows is not known.
    ///
    /// # Errors
    /// When a source cannot be read.
    pub(super) fn frame_bodies(
        &mut self,
        frame: &Frame,
        layout: &Layout,
        moves: bool,
        device: &mut Option<&mut (dyn DeviceFolds + '_)>,
    ) -> Result<FrameBodies, Error> {
        let grids = self.geometry.grids.clone();
        let mut out = FrameBodies {
            painted: Vec::with_capacity(grids.len()),
            known: Vec::with_capacity(grids.len()),
            awaits: false,
            before: vec![None; grids.len()],
        };
        let (drawn, by) = (frame.drawn_panels(), frame.reduce);
        let needs = self.needs_summaries(frame, layout);
        let marks = self.marks_summaries(frame);
        let (sample, counts) = (self.sample.as_ref(), by == Reduce::Count);
        for (i, g) in grids.iter().enumerate() {
            let Some(p) = i.checked_sub(drawn.start).and_then(|i| layout.panels.get(i)) else {
                out.push(Body::Cells, None);
                continue;
            };
            let reduces = p.reduces();
            let narrow = !g.kind().is_wide();
            let own = device.as_deref_mut().filter(|_| narrow && sample.is_none());
            if let Some(device) = own.filter(|_| reduces || moves && !counts) {
                let known = match (counts, moves) {
                    (true, _) => Some(device.fold(i, &p.columns, &p.rows)?),
                    (_, false) if needs => device.known(i, &p.columns, &p.rows),
                    _ => None,
                };
                out.awaits |= needs && !moves && known.is_none();
                out.push(Body::Cells, known);
                continue;
            }
            let lent = self.device.lent.get(i).cloned().flatten();
            // A mean of the device may be one colour off.
            let pixels = p.columns.spans().len() * p.rows.spans().len();
            let lent = lent.filter(|l| by != Reduce::Mean && reduces && l.len() == pixels);
            let level = self.levels[i].as_ref().filter(|_| moves && !counts);
            let level = level.and_then(|l| l.of(&p.columns, &p.rows));
            let summaries = match (sample, lent) {
                (Some(sample), _) => Arc::new(sample.fold(i, &p.columns, &p.rows)?),
                (_, Some(lent)) => lent,
                // What a moving view shares with the frame before is not even folded again.
                _ if level.is_none()
                    && g.is_loaded()
                    && (!reduces || moves && !counts && (!marks || is_fine(p))) =>
                {
                    out.push(Body::Cells, None);
                    continue;
                }
                _ => {
                    let scrolled = Scroll::fold(&mut self.scrolls[i], g, level, (&p.columns, &p.rows))?;
                    out.before[i] = scrolled.before;
                    scrolled.summaries
                }
            };
            out.push(Body::Summaries(summaries.clone()), Some(summaries));
        }
        self.device.spares = !moves && !needs;
        Ok(out)
    }
}

impl FrameBodies {
    /// Lets a back end keep the pixels that a body has in common with an earlier frame.
    pub(super) fn relate(&self, scene: &mut Scene) {
        for item in &mut scene.items {
            if let Item::Cells(c) = item {
                let own = self.painted.get(c.grid).and_then(Body::summaries);
                let is_own = own.zip(c.summaries.as_ref()).is_some_and(|(a, b)| Arc::ptr_eq(a, b));
                c.before = self.before.get(c.grid).cloned().flatten().filter(|_| is_own);
            }
        }
    }

    fn push(&mut self, body: Body, known: Option<Arc<Summaries>>) {
        self.painted.push(body);
        self.known.push(known);
    }
}
