//! The pictures of the thumbnails: folded once, a few in each frame.

use super::Session;
use crate::geometry::{PanelAt, StripAt, ThumbAt};
use crate::shades::{NOT_QUITE, clear};
use gridscope_core::figure::Reduce;
use gridscope_core::geom::PxRect;
use gridscope_core::grid::{Grid, Summaries};
use gridscope_core::view::EdgeTable;
use gridscope_draw::coarse::Sample;
use gridscope_draw::scene::Cells;
use std::collections::HashMap;
use std::sync::{Arc, Weak};

/// The most pictures that are held.
const HELD: usize = 256;
/// The most cells that are folded for pictures in one frame, unless a single picture has more.
const CELLS_A_FRAME: usize = 4 << 20;
/// A grid of more cells has no picture, unless its levels give one: in memory, and in its file.
const MOST_CELLS: [usize; 2] = [64 << 20, 4 << 20];

/// Pictures of panels that were folded before.
#[derive(Debug, Default)]
pub(super) struct Thumbnails {
    /// The data that they are of.
    grids: Weak<Vec<Grid>>,
    coarse: bool,
    pictures: HashMap<usize, Option<Picture>>,
}

/// A small picture of all of a panel.
#[derive(Clone, Debug)]
struct Picture {
    body: (u32, u32),
    columns: EdgeTable,
    rows: EdgeTable,
    summaries: Arc<Summaries>,
}

impl Session {
    /// The pictures of these thumbnails, as far as they are known, and whether more of them follow in the next frame.
    pub(super) fn thumbnails(&mut self, strip: &StripAt) -> (Vec<Option<Cells>>, bool) {
        let grids = &self.geometry.grids;
        let old = !self.thumbnails.grids.ptr_eq(&Arc::downgrade(grids));
        if old || self.thumbnails.coarse != self.geometry.coarse || self.thumbnails.pictures.len() > HELD {
            self.thumbnails = Thumbnails {
                grids: Arc::downgrade(grids),
                coarse: self.geometry.coarse,
                pictures: HashMap::new(),
            };
        }
        let (mut left, mut waits) = (CELLS_A_FRAME, false);
        let mut out = Vec::with_capacity(strip.thumbs.len());
        for thumb in &strip.thumbs {
            let panel = thumb.panel;
            let is_known = match self.thumbnails.pictures.get(&panel) {
                Some(Some(picture)) => self.box_of(thumb).is_none_or(|b| (b.w, b.h) == picture.body),
                Some(None) => true,
                None => false,
            };
            if !is_known {
                let cells = self.geometry.grids.get(panel).map_or(0, Grid::len);
                if left == 0 {
                    waits = true;
                } else {
                    left = left.saturating_sub(cells.max(1));
                    let picture = self.folded(thumb);
                    self.thumbnails.pictures.insert(panel, picture);
                }
            }
            let picture = self.thumbnails.pictures.get(&panel).and_then(Option::as_ref);
            out.push(picture.and_then(|p| self.painted(thumb, p)));
        }
        (out, waits)
    }

    /// The body of a thumbnail: as wide and high as its room, or of the shape of square cells.
    fn box_of(&self, thumb: &ThumbAt) -> Option<PxRect> {
        let panel: &PanelAt = self.geometry.panels.get(thumb.panel)?;
        let (x, y) = (panel.x.length(), panel.y.length());
        let room = thumb.picture;
        if !(self.geometry.square && x > 0.0 && y > 0.0) {
            return Some(room);
        }
        let scale = (f64::from(room.w) / x).min(f64::from(room.h) / y);
        let side = |cells: f64, most: u32| ((cells * scale).round() as u32).clamp(1, most);
        let (w, h) = (side(x, room.w), side(y, room.h));
        Some(PxRect { x: room.x + (room.w - w) as i32 / 2, y: room.y + (room.h - h) as i32 / 2, w, h })
    }

    /// Folds a panel onto its thumbnail.
    fn folded(&self, thumb: &ThumbAt) -> Option<Picture> {
        let (panel, body) = (self.geometry.panels.get(thumb.panel)?, self.box_of(thumb)?);
        let grid = self.geometry.grids.get(thumb.panel)?;
        if panel.x.cells() == 0 || panel.y.cells() == 0 || body.w == 0 || body.h == 0 {
            return None;
        }
        let turned = |table: EdgeTable, turns: bool| if turns { table.reversed() } else { table };
        let columns = turned(panel.x.table(panel.x.whole(), body.w), panel.leftward);
        let rows = turned(panel.y.table(panel.y.whole(), body.h), panel.lower);
        let level = || {
            let level = self.levels.get(thumb.panel)?.as_ref()?.of(&columns, &rows)?;
            Some(level.fold(columns.spans(), rows.spans()))
        };
        let exact = || {
            let small = grid.len() <= MOST_CELLS[usize::from(!grid.is_loaded())];
            small.then(|| grid.fold(columns.spans(), rows.spans()).ok()).flatten()
        };
        let sampled = |sample: &Sample| sample.fold(thumb.panel, &columns, &rows).ok();
        let summaries = match &self.sample {
            Some(sample) => sampled(sample),
            None => level().or_else(exact),
        };
        Some(Picture { body: (body.w, body.h), summaries: Arc::new(summaries?), columns, rows })
    }

    /// A picture at its place, in the colours of its panel. Counts of cells have limits of the large panel alone: no picture.
    fn painted(&self, thumb: &ThumbAt, picture: &Picture) -> Option<Cells> {
        let shown = self.shown.as_ref()?;
        let colours = shown.colours.as_ref()?;
        let of_panel = colours.panels.get(thumb.panel)?;
        let body = self.box_of(thumb)?;
        (colours.reduce != Reduce::Count && (body.w, body.h) == picture.body).then(|| Cells {
            grid: thumb.panel,
            body,
            columns: picture.columns.clone(),
            rows: picture.rows.clone(),
            summaries: Some(picture.summaries.clone()),
            before: None,
            scale: of_panel.scale.clone(),
            reduce: colours.reduce,
            centre: of_panel.centre,
            // Not quite opaque: opaque bodies may be painted first, under the strip.
            background: clear(shown.frame.palette.background, NOT_QUITE),
            unit: self.geometry.unit.round().max(1.0) as u32,
        })
    }
}
