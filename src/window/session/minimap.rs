//! The minimap and the thumbnails: pictures of whole grids, folded once.

use super::Session;
use crate::geometry::{Hit, PanelAt, StripAt, ThumbAt};
use crate::shades::{NOT_QUITE, clear};
use gridscope_core::figure::Reduce;
use gridscope_core::geom::PxRect;
use gridscope_core::grid::{Grid, Summaries};
use gridscope_core::view::{EdgeTable, View};
use gridscope_draw::coarse::Sample;
use gridscope_draw::error::Error;
use gridscope_draw::scene::{Cells, Item};
use std::collections::HashMap;
use std::sync::{Arc, Weak};

/// The longest side, the shortest one and the distance from the edges of the body, in logical pixels.
const LONGEST: f64 = 160.0;
const SHORTEST: f64 = 16.0;
const MARGIN: f64 = 8.0;
/// The minimap takes at most this share of a side of the body.
const SHARE: f64 = 0.35;
/// Bodies with a shorter side, in logical pixels, have none.
const LEAST: f64 = 100.0;

/// All cells of a grid, folded for the pixels of its minimap.
#[derive(Clone)]
pub(super) struct Overview {
    panel: usize,
    columns: EdgeTable,
    rows: EdgeTable,
    /// `None` where no pixel covers several cells, and the cells are in memory.
    summaries: Option<Arc<Summaries>>,
}

impl Session {
    /// Places the minimap, and returns its cells. They are folded once, from the levels of a huge grid or from a few of its
    /// cells: no frame reads the grid.
    pub(super) fn minimap(&mut self) -> Option<Cells> {
        let panel = self.panel_of_minimap();
        self.geometry.minimap = panel.and_then(|p| Some((p, self.place_of_minimap(p)?)));
        let (panel, place) = self.geometry.minimap?;
        let Some(cells) = self.cells_of_minimap(panel, place) else {
            // A source that cannot be read has no minimap, and is reported where its values are needed.
            self.geometry.minimap = None;
            return None;
        };
        Some(cells)
    }

    /// The panel under the pointer, else the one that the minimap was of last.
    fn panel_of_minimap(&self) -> Option<usize> {
        if !self.state.minimap || self.trouble.is_some() {
            return None;
        }
        let under = self.state.pointer.and_then(|at| match self.geometry.hit(at) {
            Hit::Minimap(panel) => Some(panel),
            hit => hit.panel(),
        });
        // Beside a divider both sides show the same part, and the large one has the cells.
        let other = self.geometry.swipe.as_ref().map(|s| s.other);
        let under = under.map(|p| self.geometry.large.filter(|_| other == Some(p)).unwrap_or(p));
        let last = self.geometry.minimap.map(|m| m.0).or(self.overview.as_ref().map(|o| o.panel));
        let all = 0..self.geometry.panels.len();
        let is_seen = |p: &usize| all.contains(p) && self.geometry.large.is_none_or(|large| large == *p);
        [under, last, self.geometry.large, Some(0)].into_iter().flatten().find(is_seen)
    }

    fn place_of_minimap(&self, panel: usize) -> Option<PxRect> {
        let (at, view) = (&self.geometry.panels[panel], self.state.views.get(panel)?);
        let unit = self.geometry.logical_pixel();
        let (w, h) = (f64::from(at.body.w), f64::from(at.body.h));
        if is_whole(at, view) || w.min(h) < LEAST * unit {
            return None;
        }
        // Square cells stay square in it; others fill the shape of their body.
        let (across, down) = match self.geometry.square {
            true => (at.x.length(), at.y.length()),
            false => (w, h),
        };
        let scale = ((SHARE * w).min(LONGEST * unit) / across).min((SHARE * h).min(LONGEST * unit) / down);
        let side = |length: f64, body: f64| (length * scale).max(SHORTEST * unit).min(SHARE * body).round();
        let (wide, tall) = (side(across, w), side(down, h));
        let margin = (MARGIN * unit).round();
        Some(PxRect {
            x: at.body.x + (w - wide - margin) as i32,
            y: at.body.y + (h - tall - margin) as i32,
            w: wide as u32,
            h: tall as u32,
        })
    }

    fn cells_of_minimap(&mut self, panel: usize, place: PxRect) -> Option<Cells> {
        let at = &self.geometry.panels[panel];
        let columns = at.x.table(at.x.whole(), place.w);
        let rows = at.y.table(at.y.whole(), place.h);
        let columns = if at.leftward { columns.reversed() } else { columns };
        let rows = if at.lower { rows.reversed() } else { rows };
        let is_known = |o: &Overview| o.panel == panel && o.columns == columns && o.rows == rows;
        if !self.overview.as_ref().is_some_and(is_known) {
            let summaries = self.overview_of(panel, &columns, &rows).ok()?;
            self.overview = Some(Overview { panel, columns, rows, summaries: summaries.map(Arc::new) });
        }
        let overview = self.overview.as_ref()?;
        let of_panel = |item: &Item| match item {
            Item::Cells(c) if c.grid == panel => Some(c.clone()),
            _ => None,
        };
        let own = self.scene.base.iter().find_map(of_panel)?;
        // Painters copy opaque bodies before everything else; this one lies over the texts of the figure.
        let background = crate::shades::clear(own.background, 0.99);
        Some(Cells {
            body: place,
            columns: overview.columns.clone(),
            rows: overview.rows.clone(),
            summaries: overview.summaries.clone(),
            before: None,
            background,
            ..*own
        })
    }

    /// Folds all cells of a grid, from Summaries in memory where these are enough.
    fn overview_of(
        &self,
        panel: usize,
        columns: &EdgeTable,
        rows: &EdgeTable,
    ) -> Result<Option<Summaries>, Error> {
        let grid: &Grid = &self.geometry.grids[panel];
        let reduces = columns.reduces() || rows.reduces();
        if let Some(sample) = &self.sample {
            return Ok(Some(sample.fold(panel, columns, rows)?));
        }
        if !reduces && grid.is_loaded() {
            return Ok(None);
        }
        if let Some(level) = self.levels[panel].as_ref().and_then(|l| l.of(columns, rows)) {
            return Ok(Some(level.fold(columns.spans(), rows.spans())));
        }
        if grid.is_loaded() || self.levels[panel].is_none() {
            return Ok(Some(grid.fold(columns.spans(), rows.spans())?));
        }
        // A grid that is long and narrow has no level for such pixels.
        let grids = std::slice::from_ref(grid);
        Ok(Some(Sample::new(grids)?.fold(0, columns, rows)?))
    }
}

/// Whether a view shows all of its panel.
fn is_whole(at: &PanelAt, view: &View) -> bool {
    let whole = |from: f64, to: f64, length: f64| from <= 1e-9 * length && to >= length * (1.0 - 1e-9);
    whole(view.x.from, view.x.to, at.x.length()) && whole(view.y.from, view.y.to, at.y.length())
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Data;
    use crate::state::{Action, Command};
    use gridscope_core::figure::Figure;
    use gridscope_core::geom::PxSize;
    use gridscope_core::text::Fonts;

    fn session(rows: usize, columns: usize) -> Session {
        let cells = (0..rows * columns).map(|i| (i * 37 % 101) as f64).collect();
        let grids = vec![Grid::from_rows(rows, columns, cells).unwrap()];
        let mut session = Session::new(Figure::default(), Data::new(grids).unwrap(), Fonts::new()).unwrap();
        session.resize(PxSize { w: 900, h: 700 }, 1.0);
        session.draw(None).unwrap();
        session
    }

    fn cells(session: &mut Session) -> Option<(PxRect, usize)> {
        let frame = session.draw(None).unwrap();
        frame.items.iter().find_map(|item| match item {
            Item::Cells(c) => Some((c.body, c.summaries.as_ref().map_or(0, |s| s.len()))),
            _ => None,
        })
    }

    #[test]
    fn it_is_there_while_the_view_is_part_of_the_data() {
        let mut s = session(300, 400);
        s.apply(&Command::Do(Action::Minimap));
        assert_eq!(cells(&mut s), None);
        s.apply(&Command::Nearer(3.0));
        let (place, pixels) = cells(&mut s).unwrap();
        let body = s.geometry.panels[0].body.rect();
        assert!(body.contains(&place.rect(), 0.0) && place.w * place.h == pixels as u32, "{place:?}");
        assert_eq!(s.geometry.hit(place.rect().center()), Hit::Minimap(0));
        // It is never in what is saved, and moves nothing.
        let (saved, _) = s.picture().unwrap();
        assert_eq!(saved.all().filter(|i| matches!(i, Item::Cells(_))).count(), 1);
        s.apply(&Command::Do(Action::Home));
        assert_eq!((cells(&mut s), s.geometry.minimap), (None, None));
    }

    #[test]
    fn it_counts_every_cell_once_and_folds_once() {
        let mut s = session(301, 407);
        s.apply(&Command::Do(Action::Minimap));
        s.apply(&Command::Nearer(3.0));
        cells(&mut s).unwrap();
        let folded = |s: &Session| s.overview.as_ref().unwrap().summaries.clone().unwrap();
        let first = folded(&s);
        let counted: u64 = match &*first {
            Summaries::Stored(list) => list.iter().map(gridscope_core::grid::Summary::count).sum(),
            Summaries::Wide(list) => list.iter().map(gridscope_core::grid::WideSummary::count).sum(),
        };
        assert_eq!(counted, 301 * 407);
        s.apply(&Command::Nearer(1.5));
        cells(&mut s).unwrap();
        assert!(Arc::ptr_eq(&first, &folded(&s)));
    }

    #[test]
    fn grids_of_any_shape_have_one_or_none() {
        for (rows, columns) in [(1, 1), (1, 5000), (5000, 1), (2, 3), (40, 3000)] {
            for (w, h) in [(900, 700), (130, 240), (2600, 300)] {
                let mut s = session(rows, columns);
                s.resize(PxSize { w, h }, 1.5);
                s.apply(&Command::Do(Action::Minimap));
                s.apply(&Command::Nearer(4.0));
                if let Some((place, _)) = cells(&mut s) {
                    let body = s.geometry.panels[0].body.rect();
                    assert!(body.contains(&place.rect(), 0.0), "{rows} x {columns} in {w} x {h}: {place:?}");
                }
            }
        }
    }
}
