//! Sessions whose bodies a device folds: their requests, their pictures meanwhile, and the pictures that they save.

use super::*;
use crate::device_folds::DeviceFolds;
use crate::state::{Action, Colors};
use gridscope_core::figure::Reduce;
use gridscope_core::grid::{Axis, Summaries, Summary, Values};
use gridscope_core::image::Image;
use gridscope_core::view::{EdgeTable, Part, View};
use gridscope_draw::raster;
use gridscope_draw::rendered::render;
use gridscope_draw::scene::Item;

/// A device that has Summaries only after they were asked for, and counts how often.
struct Device {
    grids: Vec<Grid>,
    there: bool,
    asked: usize,
    folded: usize,
    /// Change of each Summary.
    change: fn(&Summary) -> Summary,
}

impl Device {
    fn new(grids: &[Grid]) -> Self {
        Self { grids: grids.to_vec(), there: false, asked: 0, folded: 0, change: |s| *s }
    }

    fn of(&self, grid: usize, columns: &EdgeTable, rows: &EdgeTable) -> Arc<Summaries> {
        let Ok(Summaries::Stored(list)) = self.grids[grid].fold(columns.spans(), rows.spans()) else {
            panic!("f32 in memory")
        };
        Arc::new(list.iter().map(self.change).collect::<Vec<_>>().into())
    }
}

impl DeviceFolds for Device {
    fn known(&mut self, grid: usize, columns: &EdgeTable, rows: &EdgeTable) -> Option<Arc<Summaries>> {
        self.asked += 1;
        self.there.then(|| self.of(grid, columns, rows))
    }

    fn fold(&mut self, grid: usize, columns: &EdgeTable, rows: &EdgeTable) -> Result<Arc<Summaries>, Error> {
        self.folded += 1;
        Ok(self.of(grid, columns, rows))
    }
}

/// Noise with some extremes that a mean hides, and states.
fn grids() -> Vec<Grid> {
    let value = |i: usize| match i {
        _ if i % 90_001 == 70 => 900.0,
        _ if i % 1013 == 5 => f32::NAN,
        _ => (i * 7919 % 1000) as f32 / 7.0,
    };
    let values = Values::F32 { data: (0..480_000).map(value).collect(), integer: false };
    vec![Grid::new(Axis::index("", 600), Axis::index("", 800), values, &[]).unwrap()]
}

fn session(text: &str, grids: &[Grid]) -> Session {
    let figure: Figure = toml::from_str(text).unwrap();
    let mut session = Session::new(figure, Data::new(grids.to_vec()).unwrap(), Fonts::new()).unwrap();
    session.resize(PxSize { w: 500, h: 400 }, 1.0);
    session
}

/// The figure of the last frame as the CPU draws it, and whether the Summaries of its body are left to a device.
fn shown(session: &mut Session) -> (Image, bool) {
    let scene = session.scene.clone();
    let left = scene.all().any(|i| matches!(i, Item::Cells(c) if c.unfolded()));
    (raster::draw(&scene, &session.geometry.grids, &mut session.fonts), left)
}

/// Picture that `render` draws of the session's own description.
fn rendered(session: &Session, grids: &[Grid]) -> Image {
    render(&session.figure(), grids).unwrap().picture
}

#[test]
fn the_first_frame_does_not_wait_and_the_next_one_is_whole() {
    let grids = grids();
    let (mut session, mut device) = (session("", &grids), Device::new(&grids));
    session.draw(Some(&mut device)).unwrap();
    let (first, left) = shown(&mut session);
    let whole = rendered(&session, &grids);
    assert!(left && device.asked == 1);
    assert!(first != whole, "the rings of hidden extremes have yet to come");
    assert!(!session.is_damaged() && !session.is_moving());
    assert!(session.readings.folded().is_empty());
    device.there = true;
    session.summaries_arrived();
    assert!(session.is_damaged());
    session.draw(Some(&mut device)).unwrap();
    assert!(shown(&mut session) == (whole, true) && device.asked == 2);
    assert!(!session.is_moving() && session.readings.folded().iter().all(Option::is_some));
    // Overlays ask for nothing.
    session.apply(&Command::Do(Action::Keys));
    session.draw(Some(&mut device)).unwrap();
    assert_eq!((device.asked, device.folded), (2, 0));
}

#[test]
fn what_arrives_while_the_view_moves_is_not_shown() {
    let grids = grids();
    let (mut session, mut device) = (session("", &grids), Device::new(&grids));
    session.draw(Some(&mut device)).unwrap();
    session.apply(&Command::Nearer(1.5));
    session.draw(Some(&mut device)).unwrap();
    assert!(session.is_moving() && device.asked == 1);
    session.summaries_arrived();
    assert!(!session.is_damaged());
    session.rest();
    device.there = true;
    session.draw(Some(&mut device)).unwrap();
    assert!(shown(&mut session) == (rendered(&session, &grids), true) && device.asked == 2);
}

#[test]
fn a_device_that_is_gone_or_new_paints_the_resting_view_again() {
    let grids = grids();
    let (mut session, mut device) = (session("", &grids), Device::new(&grids));
    device.there = true;
    for (folds, what) in [(false, "cpu"), (true, "device"), (true, "same"), (false, "lost"), (true, "again")]
    {
        let frame = if folds { session.draw(Some(&mut device)) } else { session.draw(None) };
        frame.unwrap();
        assert!(shown(&mut session) == (rendered(&session, &grids), folds), "{what}");
        assert!(!session.is_damaged() && !session.is_moving(), "{what}");
    }
    assert_eq!(device.asked, 2);
}

#[test]
fn what_nothing_is_made_of_is_not_read_back() {
    let grids = grids();
    let text = "[color]\nbar = 'none'\n[reduce]\nrings = 'off'";
    let (mut session, mut device) = (session(text, &grids), Device::new(&grids));
    device.there = true;
    for factor in [1.0, 1.4, 0.7] {
        session.apply(&Command::Nearer(factor));
        session.draw(Some(&mut device)).unwrap();
        session.rest();
        session.draw(Some(&mut device)).unwrap();
        let (picture, left) = shown(&mut session);
        assert!(left && picture == rendered(&session, &grids));
    }
    assert_eq!(device.asked, 0);
    // Profiles are.
    session.apply(&Command::Do(Action::Profiles));
    session.draw(Some(&mut device)).unwrap();
    assert_eq!(device.asked, 1);
    session.draw(Some(&mut device)).unwrap();
    assert_eq!(device.asked, 1);
}

#[test]
fn counts_have_their_limits_before_they_are_shown() {
    let grids = grids();
    let (mut session, mut device) = (session("[reduce]\nby = 'count'", &grids), Device::new(&grids));
    session.draw(Some(&mut device)).unwrap();
    assert!(shown(&mut session) == (rendered(&session, &grids), true));
    assert_eq!((device.folded, device.asked), (1, 0));
}

/// A mean of a device may be one colour off: a picture takes the CPU's. Extremes are the same bytes, and not folded again.
#[test]
fn pictures_have_the_bytes_of_the_cpu() {
    let grids = grids();
    for by in [Reduce::Mean, Reduce::Max, Reduce::Min, Reduce::Extreme, Reduce::Count] {
        let text = format!("[reduce]\nby = '{}'", by.word());
        let (mut session, mut device) = (session(&text, &grids), Device::new(&grids));
        device.there = true;
        device.change = |s| Summary::new(s.min, s.max, s.sum * 1.5 + 1.0, s.count(), s.states());
        for limits in [(0.0, 100.0), (10.0, 60.0)] {
            session.apply(&Command::Colors(Colors::Limits(limits.0, limits.1)));
            session.draw(Some(&mut device)).unwrap();
            session.rest();
            session.draw(Some(&mut device)).unwrap();
            let (scene, _) = session.picture().unwrap();
            let picture = raster::draw(&scene, &grids, &mut session.fonts);
            assert!(picture == rendered(&session, &grids), "{by:?}");
            // Afterwards the device paints again.
            session.draw(Some(&mut device)).unwrap();
            assert!(shown(&mut session).1 && !session.is_moving(), "{by:?}");
        }
    }
    // That the device's are taken at all shows where they are not the CPU's.
    let (mut session, mut device) = (session("[reduce]\nby = 'max'", &grids), Device::new(&grids));
    device.there = true;
    device.change = |_| Summary::new(0.0, 1.0, 0.0, 1, 0);
    session.draw(Some(&mut device)).unwrap();
    let drawn = |session: &mut Session| {
        let (scene, _) = session.picture().unwrap();
        raster::draw(&scene, &grids, &mut session.fonts)
    };
    let lent = drawn(&mut session);
    assert!(lent != rendered(&session, &grids));
    // Those of another view are not.
    session.draw(Some(&mut device)).unwrap();
    let part = |from: f64, to: f64| Part { from, to };
    session.apply(&Command::Show(View { x: part(100.0, 700.0), y: part(50.0, 600.0) }));
    assert!(drawn(&mut session) == rendered(&session, &grids));
}
