//! The same files read again with other flags: what is seen stays where their axes do.

use super::Session;
use crate::geometry::WindowGeometry;
use gridscope_core::grid::{Axis, Grid, SlicedAxis};

/// The flag that chooses a slice.
const SLICE: &str = "--slice";

impl Session {
    /// Shows the part and the slice that another session shows of the same files, where its axes are the same. What `flags`, with
    /// which the files were read again, say about either goes first.
    pub(crate) fn see_as(&mut self, before: &Session, flags: &[String]) {
        let (was, state) = (&before.geometry, &before.state);
        self.state.slice_as(state, &was.slices, &self.geometry.slices, |axis| !slices(flags, axis));
        let specs = [&before.figure, &self.figure].map(|f| (&f.view, f.square));
        if specs[0] != specs[1] || !has_same_axes(was, &self.geometry) {
            return;
        }
        // Views are fitted to the bodies of this window.
        self.adopt(before);
        self.furnish();
        if self.resolve().is_ok() && self.lay_out(true).is_some() {
            self.state.see_as(state, was, &self.geometry);
        }
        self.damage.layout = true;
    }
}

/// Whether all panels have the rows and the columns of the panel of the same name before, or of the first one.
fn has_same_axes(before: &WindowGeometry, now: &WindowGeometry) -> bool {
    let labels = |axis: &Axis| (axis.len(), axis.start, axis.levels.clone());
    let axes = |grid: &Grid| [grid.rows(), grid.columns()].map(labels);
    let earlier = |grid: &Grid| {
        let named = before.grids.iter().find(|g| g.name() == grid.name());
        named.or(before.grids.first())
    };
    now.grids.iter().all(|grid| earlier(grid).is_some_and(|before| axes(before) == axes(grid)))
}

/// Whether flags slice an axis.
fn slices(flags: &[String], axis: &SlicedAxis) -> bool {
    let values = flags.iter().enumerate().filter_map(|(i, flag)| match flag.strip_prefix(SLICE)? {
        "" => flags.get(i + 1).map(String::as_str),
        value => value.strip_prefix('='),
    });
    let names = |value: &str| {
        let name = value.split('=').next().unwrap_or_default().trim().trim_start_matches("axis:");
        name.parse() == Ok(axis.axis) || name == axis.name()
    };
    values.into_iter().any(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Data;
    use crate::state::{Action, Command, Slicing};
    use gridscope_core::figure::Figure;
    use gridscope_core::geom::{Point, PxSize};
    use gridscope_core::text::Fonts;

    /// A figure of panels with as many rows and columns, and with one sliced axis of 9 indexes.
    fn session(text: &str, names: &[&str], (rows, columns): (usize, usize), index: usize) -> Session {
        let grid = |name: &&str| {
            let values = (0..rows * columns).map(|i| (i * 7919 % 1000) as f64).collect();
            let mut grid = Grid::from_rows(rows, columns, values).unwrap().with_name(*name);
            grid.set_slices([SlicedAxis::new(0, index, Axis::index("time", 9), false)].into());
            grid
        };
        let data = Data::new(names.iter().map(grid).collect()).unwrap();
        let figure: Figure = toml::from_str(text).unwrap();
        Session::new(figure, data, Fonts::new()).unwrap().with_slices()
    }

    /// A session that was zoomed, and shows slice 5.
    fn zoomed(names: &[&str]) -> Session {
        let mut s = session("", names, (60, 80), 5);
        s.resize(PxSize { w: 900, h: 700 }, 1.0);
        s.draw(None).unwrap();
        let at = Point { x: 300.0, y: 300.0 };
        s.apply(&Command::Zoom { at, factor: 4.0, alone: false });
        s.draw(None).unwrap();
        s
    }

    fn read_again(before: &Session, mut now: Session, flags: &[&str]) -> Session {
        let flags: Vec<String> = flags.iter().map(|f| (*f).to_owned()).collect();
        now.see_as(before, &flags);
        now.resize(before.geometry.size, 1.0);
        now.draw(None).unwrap();
        now
    }

    #[test]
    fn view_and_slice_stay_where_the_axes_are_the_same() {
        let before = zoomed(&["a"]);
        let now = read_again(
            &before,
            session("[color]\ncmap = 'magma'", &["a"], (60, 80), 0),
            &["--cmap", "magma"],
        );
        assert_eq!(
            (&now.state.views, now.geometry.panels[0].body),
            (&before.state.views, before.geometry.panels[0].body)
        );
        assert_eq!((now.state.slices.wanted.clone(), now.awaits_slice()), (vec![5], true));
        // Of more panels all show the part.
        let three = read_again(&before, session("", &["x", "y", "z"], (60, 80), 0), &[]);
        let views = &three.state.views;
        assert!(views.iter().all(|v| *v == views[0]) && views[0].x.len() < 40.0, "{views:?}");
        // A session of all data shows all data.
        let mut whole = zoomed(&["a"]);
        whole.apply(&Command::Do(Action::Home));
        whole.draw(None).unwrap();
        let now = read_again(&whole, session("", &["a"], (60, 80), 0), &[]);
        assert_eq!(now.state.views, whole.state.views);
    }

    #[test]
    fn other_axes_and_flags_go_first() {
        let before = zoomed(&["a"]);
        let other = read_again(&before, session("", &["a"], (60, 81), 0), &[]);
        assert_eq!(other.state.views[0].x.len(), 81.0);
        let own = session("[view]\nx = '20:40'\ny = '15:30'", &["a"], (60, 80), 0);
        let own = read_again(&before, own, &["--view-x", "20:40", "--view-y", "15:30"]);
        let shown = own.state.views[0].x;
        let is_near = |at: f64, wanted: f64| (at - wanted).abs() < 2.0;
        assert!(is_near(shown.from, 20.0) && is_near(shown.to, 40.0), "{shown:?}");
        for flags in [&["--slice", "0=2"][..], &["--slice=time=2"], &["--x", "lr", "--slice", "axis:0=2"]] {
            let now = read_again(&before, session("", &["a"], (60, 80), 2), flags);
            assert_eq!((now.state.slices.wanted.clone(), now.awaits_slice()), (vec![2], false), "{flags:?}");
        }
        let now =
            read_again(&before, session("", &["a"], (60, 80), 0), &["--slice", "1=2", "--slice-by", "x"]);
        assert_eq!(now.state.slices.wanted, [5]);
        let mut gone = before;
        gone.apply(&Command::Slice(Slicing::To { axis: 0, index: 7 }));
        let now = read_again(&gone, session("", &["a"], (60, 80), 0), &[]);
        assert_eq!(now.state.slices.wanted, [7]);
    }
}
