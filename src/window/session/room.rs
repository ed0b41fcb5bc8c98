//! The parts of the window, and how panels and bars are mapped into them.

use super::Session;
use crate::geometry::{BarAt, PanelAt, StripAt, distribution_height, strip_height, thumbnails_height};
use crate::hud::{menu_at, status_height, toolbar_height};
use crate::state::places;
use gridscope_core::geom::{PxRect, PxSize, Rect};
use gridscope_core::view::EdgeTable;
use gridscope_draw::layout::{BodyRange, Layout, PanelLayout, track};
use gridscope_draw::resolve::{Colours, Frame};
use gridscope_draw::scene::{Item, Scene};
use std::sync::Arc;

impl Session {
    /// The part of the window that the figure has.
    pub(super) fn room(&self) -> PxRect {
        let (size, unit) = (self.geometry.size, self.geometry.unit);
        let top = match self.state.without_toolbar {
            true => 0,
            false => toolbar_height(size, unit),
        };
        let below = top + self.thumbnails_height() + self.below_figure();
        let room = size.h.saturating_sub(below).max(1);
        PxRect { x: 0, y: top as i32, w: size.w, h: room - self.distribution_height(room) }
    }

    /// The height that a distribution takes from the figure; 0 where it lies over the figure, or is not shown.
    fn distribution_height(&self, room: u32) -> u32 {
        let (size, unit) = (self.geometry.size, self.geometry.unit);
        let scale = self.state.distribution;
        let shown = scale.is_some_and(|s| self.geometry.place_distribution(s, None).is_some());
        if shown && self.geometry.gives_room() { distribution_height(size.h, room, unit) } else { 0 }
    }

    /// Where the thumbnails are.
    pub(super) fn strip(&self) -> Option<StripAt> {
        let large = self.geometry.large.filter(|_| self.thumbnails_height() > 0)?;
        let (unit, panels) = (self.geometry.logical_pixel(), self.geometry.grids.len());
        StripAt::new(self.above_sliders(), unit, panels, large, self.state.strip)
    }

    /// The height of the thumbnails; 0 where they are not wanted or have no room.
    fn thumbnails_height(&self) -> u32 {
        if self.state.large.is_none() || self.state.no_strip {
            return 0;
        }
        thumbnails_height(self.above_sliders(), self.geometry.logical_pixel())
    }

    /// The window without sliders and status line.
    fn above_sliders(&self) -> PxSize {
        let size = self.geometry.size;
        PxSize { w: size.w, h: size.h.saturating_sub(self.below_figure()).max(1) }
    }

    /// The height of sliders and status line.
    fn below_figure(&self) -> u32 {
        let (size, unit) = (self.geometry.size, self.geometry.unit);
        let (_, sliders) = strip_height(self.geometry.slices.len(), size.h, unit);
        status_height(unit) + sliders
    }

    /// The size of the figure.
    pub(super) fn canvas(&self) -> PxSize {
        let room = self.room();
        PxSize { w: room.w, h: room.h }
    }

    /// Places the buttons of the toolbar.
    pub(super) fn furnish(&mut self) {
        let (size, unit) = (self.geometry.size, self.geometry.unit);
        self.geometry.toolbar = self.room().y as u32;
        self.geometry.tools = match self.geometry.toolbar {
            0 => Vec::new(),
            _ => places(size, unit, self.geometry.grids.len()),
        };
    }

    /// Places the menu that is open.
    pub(super) fn furnish_menu(&mut self) {
        self.geometry.menu = match &self.state.menu {
            Some(menu) => menu_at(menu, &self.geometry, &mut self.fonts),
            None => None,
        };
    }

    /// The items of the figure where the window has them.
    pub(super) fn hung(&self, items: &Arc<Vec<Item>>) -> Arc<Vec<Item>> {
        let (x, y) = (self.room().x, self.room().y);
        match (x, y) {
            (0, 0) => items.clone(),
            _ => Arc::new(items.iter().map(|item| item.moved(x, y)).collect()),
        }
    }
}

/// The panels; those that are not drawn are as large as the one that is, without pixels, so that views move alike on all.
pub(super) fn panels(frame: &Frame, layout: &Layout, room: PxRect) -> Vec<PanelAt> {
    let drawn = frame.drawn_panels();
    let none = || EdgeTable::placed(Vec::new(), 0);
    let at = |(i, panel)| {
        let panel: &gridscope_draw::resolve::PanelFrame = panel;
        let at: Option<&PanelLayout> = drawn.contains(&i).then(|| &layout.panels[i - drawn.start]);
        let (x, y) = (track(&panel.columns, frame.x.true_spacing), track(&panel.rows, frame.y.true_spacing));
        let cells = (x.length(), y.length());
        let shown = at.or(layout.panels.first());
        let range = shown.map(|p| BodyRange { cells, ..p.range });
        PanelAt {
            body: shown.map_or(PxRect::default(), |p| p.body.moved(room.x, room.y)),
            columns: at.map_or_else(none, |at| at.columns.clone()),
            rows: at.map_or_else(none, |at| at.rows.clone()),
            x,
            y,
            lower: frame.lower,
            leftward: frame.leftward,
            range: range.filter(|range| range.base != range.most),
        }
    };
    frame.panels.iter().enumerate().map(at).collect()
}

/// Where the titles of panels are; none in a figure of one panel.
pub(super) fn titles(frame: &Frame, layout: &Layout, room: PxRect) -> Vec<Option<Rect>> {
    let (right, down) = (f64::from(room.x), f64::from(room.y));
    let mut out = vec![None; frame.panels.len()];
    if out.len() > 1 {
        let drawn = frame.drawn_panels();
        out[drawn]
            .iter_mut()
            .zip(&layout.panels)
            .for_each(|(out, at)| *out = at.title.map(|r| r.moved(right, down)));
    }
    out
}

/// The bars, where their ramps are painted; `colours` and `scene` are those of the panels that are drawn.
pub(super) fn bars(
    frame: &Frame,
    layout: &Layout,
    colours: &Colours,
    scene: &Scene,
    room: PxRect,
) -> Vec<Option<BarAt>> {
    let mut ramps = scene.items.iter().filter_map(|i| match i {
        Item::Ramp { rect, horizontal, .. } => {
            Some(BarAt { ramp: rect.moved(room.x, room.y), horizontal: *horizontal })
        }
        _ => None,
    });
    let mut out = vec![None; frame.bars.len()];
    // A bar without any value has no ramp.
    let drawn = layout.bars.iter().zip(&colours.bars);
    out[frame.drawn_bars()].iter_mut().zip(drawn).for_each(|(out, (at, bar))| {
        *out = at.as_ref().filter(|_| !bar.empty).and_then(|_| ramps.next());
    });
    out
}

#[cfg(test)]
mod tests {
    use crate::geometry::Hit;
    use crate::session::{Data, Session};
    use crate::state::{Action, Command, Menuing};
    use gridscope_core::figure::{Figure, Theme};
    use gridscope_core::geom::PxSize;
    use gridscope_core::grid::Grid;
    use gridscope_core::text::Fonts;
    use gridscope_draw::raster;
    use gridscope_draw::scene::Item;

    #[test]
    fn a_histogram_covers_no_cell_where_there_is_room_for_both() {
        let cells = (0..1800).map(|i| f64::from(i * 37 % 101)).collect();
        let data = Data::new(vec![Grid::from_rows(30, 60, cells).unwrap()]).unwrap();
        let mut session = Session::new(Figure::default(), data, Fonts::new()).unwrap();
        session.resize(PxSize { w: 1000, h: 700 }, 1.0);
        session.draw(None).unwrap();
        let whole = session.geometry().panels[0].body;
        session.apply(&Command::Do(Action::Distribution));
        session.draw(None).unwrap();
        let (body, d) = (session.geometry().panels[0].body, session.geometry().distribution.clone());
        let d = d.unwrap().rect;
        assert!(!d.overlaps(&body.rect()) && body.h > 200, "{d:?} {body:?}");
        // A low window has it over the figure; it goes as it came.
        session.resize(PxSize { w: 1000, h: 330 }, 1.0);
        session.draw(None).unwrap();
        let low = session.geometry().distribution.clone();
        assert!(low.is_some_and(|d| d.rect.overlaps(&session.geometry().panels[0].body.rect())));
        session.resize(PxSize { w: 1000, h: 700 }, 1.0);
        session.apply(&Command::Do(Action::Cancel));
        session.draw(None).unwrap();
        assert_eq!(session.geometry().panels[0].body, whole);
    }

    #[test]
    fn the_window_shows_below_its_toolbar_what_it_saves() {
        let cells = (0..1800).map(|i| f64::from(i * 37 % 101)).collect();
        let grids = vec![Grid::from_rows(30, 60, cells).unwrap()];
        let data = Data::new(grids.clone()).unwrap();
        let mut session = Session::new(Figure::default(), data, Fonts::new()).unwrap();
        for (unit, toolbar) in [(1.0, 30), (1.5, 45), (2.0, 60), (1.0, 0)] {
            let size = PxSize { w: 1200, h: 900 };
            session.resize(size, unit);
            if toolbar == 0 {
                session.apply(&Command::Do(Action::Toolbar));
            }
            session.draw(None).unwrap();
            session.rest();
            let frame = session.draw(None).unwrap();
            let (saved, _) = session.picture().unwrap();
            assert_eq!(
                (session.geometry.toolbar, saved.size.h),
                (toolbar, 900 - toolbar - (24.0 * unit) as u32)
            );
            let bare = gridscope_draw::scene::Scene { items: Vec::new(), ..frame };
            let shown = raster::draw(&bare, &grids, &mut Fonts::new());
            let saved = raster::draw(&saved, &grids, &mut Fonts::new());
            let from = (toolbar * size.w * 4) as usize;
            assert!(shown.pixels[from..][..saved.pixels.len()] == saved.pixels[..], "{unit}");
            // Places of the geometry are places of the window.
            let body = session.geometry.panels[0].body;
            assert!(body.y as u32 > toolbar, "{body:?}");
        }
    }

    #[test]
    fn the_toolbar_has_the_theme_and_says_what_a_button_does() {
        let grid = Grid::from_rows(20, 30, (0..600).map(f64::from).collect()).unwrap();
        let data = Data::new(vec![grid]).unwrap();
        let mut session = Session::new(Figure::default(), data, Fonts::new()).unwrap();
        session.resize(PxSize { w: 900, h: 700 }, 1.0);
        let drawn = |session: &mut Session| {
            let scene = session.draw(None).unwrap();
            let image = raster::draw(&scene, &session.geometry().grids, &mut Fonts::new());
            let says = |text: &str| {
                let is_it = |item: &Item| matches!(item, Item::Text { text: t, .. } if t == text);
                scene.items.iter().any(is_it)
            };
            let light = image.at(899, 1).rgba()[0];
            (light, says("Show all (Home, h, r, 0)"))
        };
        let (light, says) = drawn(&mut session);
        assert!(light > 200 && !says, "{light}");
        for (dark, theme) in [(true, Some(Theme::Dark)), (false, Some(Theme::Light))] {
            session.apply(&Command::Do(Action::Theme));
            let (light, _) = drawn(&mut session);
            assert_eq!((light < 60, session.figure().theme), (dark, theme), "{light}");
        }
        let button = session.geometry().tools[0].1.rect().center();
        session.apply(&Command::Point(button));
        assert!(drawn(&mut session).1);
        session.apply(&Command::Leave);
        assert!(!drawn(&mut session).1);
    }

    #[test]
    fn a_menu_is_about_the_place_below_it() {
        let grid = Grid::from_rows(20, 30, (0..600).map(f64::from).collect()).unwrap();
        let data = Data::new(vec![grid]).unwrap();
        let mut session = Session::new(Figure::default(), data, Fonts::new()).unwrap();
        session.resize(PxSize { w: 900, h: 700 }, 1.0);
        session.draw(None).unwrap();
        let at = session.geometry.panels[0].body.rect().center();
        session.apply(&Command::Menu(Menuing::At(at)));
        session.draw(None).unwrap();
        let entry = session.geometry.menu.clone().unwrap().entries[0].rect().center();
        assert_eq!(session.geometry.hit(entry), Hit::Entry(0));
        for command in session.state.menu.clone().unwrap().commands(0) {
            session.apply(&command);
        }
        let cell = session.geometry.panels[0].cell(at).unwrap();
        let selected = session.state.selection.as_ref().map(|s| (s.rows.start, s.columns.start));
        assert_eq!((selected, session.state.menu.is_none()), (Some(cell), true));
    }
}
