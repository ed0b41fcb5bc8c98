//! Values as shares of the sum of their row, column, panel, or of all panels.

use super::group::Group;
use super::{Step, TransformError};
use crate::figure::Figure;
use crate::grid::{Change, Grid, State, Total, Values};
use crate::lint::{LintName, Lints};

pub(super) const STEP: Step = Step { is_asked: |figure| figure.data.normalize.is_some(), run };

/// Sum of the values of one group.
#[derive(Clone, Copy, Default)]
struct Whole {
    total: Total,
    has_infinity: bool,
    /// Whether there is a negative value, and a positive one.
    signs: (bool, bool),
}

impl Whole {
    fn push(&mut self, v: f64) {
        self.total.add(v, 0.0);
        self.has_infinity |= v.is_infinite();
        self.signs.0 |= v < 0.0;
        self.signs.1 |= v > 0.0;
    }

    /// Why there are no shares.
    fn fault(&self) -> Option<&'static str> {
        if self.has_infinity {
            Some("holds an infinity")
        } else {
            self.total.is_zero().then_some("adds up to 0")
        }
    }
}

fn run(grids: Vec<Grid>, figure: &Figure, lints: &mut Lints) -> Result<Vec<Grid>, TransformError> {
    let Some(word) = figure.data.normalize else {
        return Ok(grids);
    };
    let group = Group::from(word);
    let (count, first) = group.count(&grids);
    let mut wholes = vec![Whole::default(); count];
    for (grid, first) in grids.iter().zip(&first) {
        for (row, column, v) in numbers(grid) {
            wholes[first + group.of(row, column)].push(v);
        }
    }
    let mixed = wholes.iter().filter(|w| w.signs == (true, true)).count() as u64;
    if mixed > 0 {
        let of = match (group, mixed) {
            (Group::All, _) => "all panels".to_owned(),
            (_, 1) => format!("1 {}", group.word()),
            _ => format!("{mixed} {}s", group.word()),
        };
        let text = format!("values of both signs in {of}: their shares are not parts of a whole");
        lints.add(LintName::MixedSigns, mixed, text).hint("--z-score row");
    }
    grids.iter().zip(first).map(|(grid, first)| shares(grid, group, first, &wholes, lints)).collect()
}

/// One panel as shares.
fn shares(
    grid: &Grid,
    group: Group,
    first: usize,
    wholes: &[Whole],
    lints: &mut Lints,
) -> Result<Grid, TransformError> {
    let (mut values, mut states) = (vec![0.0; grid.len()], states(grid));
    let (mut lost, mut faulty) = (0, vec![false; group.within(first, grid).len()]);
    for (row, column, v) in numbers(grid) {
        let (i, of) = (row * grid.width() + column, group.of(row, column));
        let whole = &wholes[first + of];
        if whole.fault().is_some() {
            states[i] = Some(State::Nan);
            faulty[of] = true;
            lost += 1;
        } else {
            values[i] = whole.total.share(v);
        }
    }
    let reasons = faulty
        .iter()
        .enumerate()
        .filter(|f| *f.1)
        .filter_map(|(of, _)| Some((of, wholes[first + of].fault()?)));
    group.report(grid, lost, reasons, lints);
    Ok(grid.changed(Values::F64(values), &states, Change::Share(group.word()))?)
}

/// The places of all cells.
pub(super) fn places(grid: &Grid) -> impl Iterator<Item = (usize, usize)> + use<> {
    let (height, width) = (grid.height(), grid.width());
    (0..height).flat_map(move |row| (0..width).map(move |column| (row, column)))
}

/// The values of a grid with their places.
fn numbers(grid: &Grid) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
    places(grid).filter_map(|(row, column)| Some((row, column, grid.at(row, column).value()?.as_f64())))
}

/// The states of a grid's cells.
pub(super) fn states(grid: &Grid) -> Vec<Option<State>> {
    grid.cells().iter().map(|bits| State::of_bits(*bits)).collect()
}
