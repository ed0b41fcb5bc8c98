//! Colour limits found in the data: one limit by number, percentiles, the limits of the cells in view.

use super::super::geometry::WindowGeometry;
use super::{Damage, ViewState, WHEN_READ};
use gridscope_core::figure::Reduce;
use gridscope_core::geom::Point;
use gridscope_core::grid::{Grid, Number, SourceError, Stats};
use gridscope_core::scale::{ValueRule, short, span};
use gridscope_draw::resolve::{LARGE, SharedPercentiles, knows_percentiles, percentiles_of};
use std::ops::Range;

/// Rows and columns that are read at once in search of positive values.
const ROWS: usize = 64;
const COLUMNS: usize = 4096;

impl ViewState {
    /// Sets one limit; the other one stays as it is now.
    pub(super) fn set_limit(
        &mut self,
        scale: usize,
        value: f64,
        low: bool,
        geometry: &WindowGeometry,
    ) -> Damage {
        if let Some(why) = unknown_limits(geometry) {
            return self.say(why);
        }
        let Some((vmin, vmax)) = self.limits(scale, geometry) else {
            return Damage::NONE;
        };
        let (vmin, vmax) = if low { (value, vmax) } else { (vmin, value) };
        if vmin >= vmax {
            let text = |v: f64| short(v);
            return self.say(if low {
                format!("vmin {} is not below vmax, {}", text(vmin), text(vmax))
            } else {
                format!("vmax {} is not above vmin, {}", text(vmax), text(vmin))
            });
        }
        self.set_limits(scale, vmin, vmax, geometry)
    }

    /// Sets the limits at two percentiles (0 to 100) of all values of a scale.
    pub(super) fn set_percentiles(
        &mut self,
        scale: usize,
        at: [f64; 2],
        geometry: &WindowGeometry,
    ) -> Damage {
        if let Some(why) = unknown_limits(geometry) {
            return self.say(why);
        }
        let stats: Vec<_> = geometry.stats.iter().collect();
        let members: Vec<usize> = members(scale, geometry).collect();
        if geometry.defers && !knows_percentiles(&geometry.grids, &members, &at) {
            self.ask = Some(Ask::Percentiles(vec![SharedPercentiles { panels: members, at: at.to_vec() }]));
            return Damage::NONE;
        }
        match percentiles_of(&geometry.grids, &members, &stats, &at) {
            Ok(found) => {
                let ends = found.first().zip(found.last());
                self.set_found(scale, ends.map(|(low, high)| (low.value, high.value)), geometry)
            }
            Err(e) => self.say(e.to_string()),
        }
    }

    /// Sets the limits of the cells in view in all panels of a scale.
    pub(super) fn set_limits_of_view(&mut self, scale: usize, geometry: &WindowGeometry) -> Damage {
        if let Some(why) = unknown_limits(geometry) {
            return self.say(why);
        }
        let Some(norm) = self.norm(scale, geometry) else {
            return Damage::NONE;
        };
        let positive = norm.traits().values == ValueRule::Positive;
        let in_view = |panel| Some((panel, self.cells_in_view(panel, geometry)?));
        let parts: Vec<InView> = members(scale, geometry).filter_map(in_view).collect();
        let unknown = |(panel, (rows, columns)): &InView| {
            let grid = &geometry.grids[*panel];
            rows.len() * columns.len() >= LARGE
                && grid.recall(&question(grid, rows, columns, positive)).is_none()
        };
        if geometry.defers && parts.iter().any(unknown) {
            self.ask = Some(Ask::Ranges(parts, positive));
            return Damage::NONE;
        }
        let mut range: Option<(f64, f64)> = None;
        for panel in members(scale, geometry) {
            let (Some((rows, columns)), Some(grid)) =
                (self.cells_in_view(panel, geometry), geometry.grids.get(panel))
            else {
                continue;
            };
            match limits_of(grid, rows, columns, positive) {
                Ok(Some(found)) => {
                    range = Some(range.map_or(found, |r| (r.0.min(found.0), r.1.max(found.1))));
                }
                Ok(None) => {}
                Err(e) => return self.say(e.to_string()),
            }
        }
        self.set_found(scale, range, geometry)
    }

    /// The rows and columns of a panel that its view shows, wholly or in part.
    fn cells_in_view(&self, panel: usize, geometry: &WindowGeometry) -> Option<(Range<usize>, Range<usize>)> {
        let (at, view) = (geometry.panels.get(panel)?, self.views.get(panel)?);
        let cells = |table: &gridscope_core::view::EdgeTable, most: usize| {
            let shown = || table.spans().iter().filter(|s| s[0] < s[1]);
            let first = shown().map(|s| s[0]).min()? as usize;
            let end = shown().map(|s| s[1]).max()? as usize;
            Some(first.min(most)..end.min(most))
        };
        let rows = cells(&at.y.table(view.y, at.body.h.max(1)), at.y.cells())?;
        let columns = cells(&at.x.table(view.x, at.body.w.max(1)), at.x.cells())?;
        (!rows.is_empty() && !columns.is_empty()).then_some((rows, columns))
    }

    fn set_found(&mut self, scale: usize, found: Option<(f64, f64)>, geometry: &WindowGeometry) -> Damage {
        match found {
            None => self.say("no value is finite".to_owned()),
            Some((low, high)) if low == high => {
                self.say(format!("all values there are {}", Number::F64(low)))
            }
            Some((low, high)) => {
                let damage = self.set_limits(scale, low, high, geometry);
                if self.message.is_none() {
                    self.say(format!("limits: {}", span(low, high)));
                }
                damage
            }
        }
    }
}

/// Why limits cannot be found now.
fn unknown_limits(geometry: &WindowGeometry) -> Option<String> {
    if geometry.coarse {
        return Some(format!("limits will be known {WHEN_READ}"));
    }
    (geometry.reduce == Reduce::Count).then(|| "counts have limits of their own".to_owned())
}

/// The panels of a scale.
fn members(scale: usize, geometry: &WindowGeometry) -> impl Iterator<Item = usize> {
    let all = geometry.scale_of.iter().enumerate();
    all.filter(move |(_, s)| **s == scale).map(|(panel, _)| panel)
}

/// The least and the greatest finite value of some cells, the least one above zero if only those are wanted.
fn limits_of(
    grid: &Grid,
    rows: Range<usize>,
    columns: Range<usize>,
    positive: bool,
) -> Result<Option<(f64, f64)>, SourceError> {
    let question = question(grid, &rows, &columns, positive);
    if let Some(known) = grid.recall(&question) {
        return Ok(known.first_chunk().map(|[low, high]| (f64::from_bits(*low), f64::from_bits(*high))));
    }
    let is_large = rows.len() * columns.len() >= LARGE;
    let found = find_limits(grid, rows, columns, positive)?;
    if is_large {
        let words = found.map_or_else(Vec::new, |(low, high)| vec![low.to_bits(), high.to_bits()]);
        grid.remember(question, words);
    }
    Ok(found)
}

/// The rows and columns of a panel that are in view.
type InView = (usize, (Range<usize>, Range<usize>));

/// The first word of the question for the limits of some cells.
const RANGE: u64 = 3;

fn question(grid: &Grid, rows: &Range<usize>, columns: &Range<usize>, positive: bool) -> Vec<u64> {
    let places = [rows.start, rows.end, columns.start, columns.end].map(|at| at as u64);
    [RANGE, u64::from(positive), u64::from(grid.is_transposed())].into_iter().chain(places).collect()
}

/// What a command has to know of all cells before it can be done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ask {
    /// Percentiles of some panels together.
    Percentiles(Vec<SharedPercentiles>),
    /// The least and the greatest value of the cells in view, only those above zero if so.
    Ranges(Vec<InView>, bool),
}

impl Ask {
    /// What is looked for.
    pub(crate) fn what(&self) -> &'static str {
        match self {
            Self::Percentiles(_) => "ranks",
            Self::Ranges(..) => "limits",
        }
    }

    /// Finds it; the grids remember it.
    pub(crate) fn answer(&self, grids: &[Grid], stats: &[Stats], goes_on: &dyn Fn() -> bool) {
        // A fault of a source is met again by the command.
        match self {
            Self::Percentiles(list) => {
                let stats: Vec<&Stats> = stats.iter().collect();
                for asked in list.iter().take_while(|_| goes_on()) {
                    let _ = percentiles_of(grids, &asked.panels, &stats, &asked.at);
                }
            }
            Self::Ranges(parts, positive) => {
                for (panel, (rows, columns)) in parts.iter().take_while(|_| goes_on()) {
                    let _ = limits_of(&grids[*panel], rows.clone(), columns.clone(), *positive);
                }
            }
        }
    }
}

/// Where the pointer is, and the scale and the panel that it was over last.
pub(crate) type Pointed = (Option<Point>, Option<usize>, Option<usize>);

impl ViewState {
    /// What commands are pointed at.
    pub(crate) fn pointed(&self) -> Pointed {
        (self.pointer, self.scale_pointed, self.panel_pointed)
    }

    /// Points commands at something else; returns what they were pointed at.
    pub(crate) fn point_as(&mut self, pointed: Pointed) -> Pointed {
        let before = self.pointed();
        (self.pointer, self.scale_pointed, self.panel_pointed) = pointed;
        before
    }

    /// Takes what the last command has to know.
    pub(crate) fn take_ask(&mut self) -> Option<Ask> {
        self.ask.take()
    }
}

fn find_limits(
    grid: &Grid,
    rows: Range<usize>,
    columns: Range<usize>,
    positive: bool,
) -> Result<Option<(f64, f64)>, SourceError> {
    let Some((least, greatest)) = grid.stats_of(rows.clone(), columns.clone())?.range() else {
        return Ok(None);
    };
    if !positive || least > 0.0 {
        return Ok(Some((least, greatest)));
    }
    let mut least = f64::INFINITY;
    for first in rows.clone().step_by(ROWS) {
        let some = first..(first + ROWS).min(rows.end);
        for left in columns.clone().step_by(COLUMNS) {
            let cells = grid.read_numbers(some.clone(), left..(left + COLUMNS).min(columns.end))?;
            let values = cells.into_iter().map(gridscope_core::grid::Cell::as_f64);
            least = values.filter(|v| *v > 0.0).fold(least, f64::min);
        }
    }
    Ok((least <= greatest).then_some((least, greatest)))
}

#[cfg(test)]
mod tests {
    use super::super::command::{Colors, Command};
    use super::super::test_window::{geometry, of, run, scale, view};
    use super::*;
    use gridscope_core::grid::Grid;
    use gridscope_core::scale::Norm;
    use std::sync::Arc;

    fn limits(s: &ViewState) -> Option<(f64, f64)> {
        s.overrides.scales[0].limits
    }

    fn color(s: &mut ViewState, w: &WindowGeometry, c: Colors) -> Damage {
        run(s, w, &Command::Colors(c))
    }

    #[test]
    fn one_limit_moves_and_the_other_stays() {
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        assert!(color(&mut s, &w, Colors::Low(20.0)).colors);
        assert_eq!(limits(&s), Some((20.0, 99.0)));
        color(&mut s, &w, Colors::High(1e3));
        assert_eq!(limits(&s), Some((20.0, 1e3)));
        for (wrong, said) in [
            (Colors::Low(1e3), "vmin 1000 is not below vmax, 1000"),
            (Colors::High(-4.0), "vmax -4 is not above vmin, 20"),
        ] {
            assert!(!color(&mut s, &w, wrong).colors);
            assert_eq!(s.message.as_deref(), Some(said));
        }
        color(&mut s, &w, Colors::Low(f64::NAN));
        assert_eq!(limits(&s), Some((20.0, 1e3)));
        assert!(s.message.is_some());
        let log = WindowGeometry { scales: vec![scale(Norm::Log, 1.0, 100.0)], ..geometry(1, 10, 10) };
        let mut s = ViewState::new(&log);
        color(&mut s, &log, Colors::Low(-1.0));
        assert_eq!(limits(&s), None);
        assert!(s.message.as_ref().is_some_and(|m| m.contains("positive")));
    }

    #[test]
    fn percentiles_are_numpys() {
        // np.percentile(range(101), [2, 98]) and of range(11), [25, 95].
        let row = |n: usize| Grid::from_rows(1, n, (0..n).map(|i| i as f64).collect()).unwrap();
        let w = of(1, vec![row(101)]);
        let mut s = ViewState::new(&w);
        color(&mut s, &w, Colors::Percentiles(2.0, 98.0));
        assert_eq!((limits(&s), s.message.as_deref()), (Some((2.0, 98.0)), Some("limits: 2 to 98")));
        let w = of(1, vec![row(11)]);
        let mut s = ViewState::new(&w);
        color(&mut s, &w, Colors::Percentiles(25.0, 95.0));
        assert_eq!(limits(&s), Some((2.5, 9.5)));
        let none = of(1, vec![Grid::from_rows(1, 2, vec![f64::NAN; 2]).unwrap()]);
        let mut s = ViewState::new(&none);
        color(&mut s, &none, Colors::Percentiles(0.0, 100.0));
        assert_eq!((limits(&s), s.message.as_deref()), (None, Some("no value is finite")));
    }

    #[test]
    fn the_view_gives_limits_of_what_it_shows() {
        let w = geometry(2, 30, 40);
        let mut s = ViewState::new(&w);
        // Rows 3 to 8 and columns 10 to 20, the first and the last in part.
        run(&mut s, &w, &Command::Show(view((10.5, 20.5), (3.5, 8.5))));
        assert_eq!(s.cells_in_view(1, &w), Some((3..9, 10..21)));
        color(&mut s, &w, Colors::InView);
        assert_eq!(limits(&s), Some((130.0, 340.0)));
        let one = of(1, vec![Grid::from_rows(1, 1, vec![5.0]).unwrap()]);
        let mut s = ViewState::new(&one);
        color(&mut s, &one, Colors::InView);
        assert_eq!((limits(&s), s.message.as_deref()), (None, Some("all values there are 5")));
        let mut log = of(1, vec![Grid::from_rows(1, 5, vec![-3.0, 0.0, 2.0, 0.5, f64::INFINITY]).unwrap()]);
        log.scales = vec![scale(Norm::Log, 1.0, 100.0)];
        let mut s = ViewState::new(&log);
        color(&mut s, &log, Colors::InView);
        assert_eq!(limits(&s), Some((0.5, 2.0)));
        log.grids = Arc::new(vec![Grid::from_rows(1, 5, vec![-3.0; 5]).unwrap()]);
        let mut s = ViewState::new(&log);
        color(&mut s, &log, Colors::InView);
        assert_eq!((limits(&s), s.message.as_deref()), (None, Some("no value is finite")));
    }

    #[test]
    fn what_is_not_known_is_refused() {
        let coarse = WindowGeometry { coarse: true, ..geometry(1, 10, 10) };
        let counts = WindowGeometry { reduce: Reduce::Count, ..geometry(1, 10, 10) };
        for (w, said) in [
            (coarse, "limits will be known once all cells are read"),
            (counts, "counts have limits of their own"),
        ] {
            let mut s = ViewState::new(&w);
            let all = [Colors::Low(1.0), Colors::High(2.0), Colors::Percentiles(1.0, 2.0), Colors::InView];
            for c in all {
                color(&mut s, &w, c);
                assert_eq!((limits(&s), s.message.as_deref()), (None, Some(said)));
            }
        }
    }
}
