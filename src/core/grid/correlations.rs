//! Whether the values of a grid are a matrix of correlations.

use super::Grid;

/// A matrix of more rows is not looked at.
const MOST: usize = 5_000;
/// As far as rounded coefficients may be off.
const OFF: f64 = 1e-6;

impl Grid {
    /// Looks whether the values are correlations: as many rows as columns, with the same labels; 1 on the diagonal, the same on
    /// both sides of it, and from -1 to 1. A grid that is not in memory is not looked at. What was one stays one, though a mask
    /// hides its diagonal.
    pub fn find_correlations(&mut self) {
        let is_as_read = self.is_loaded() && self.changes.is_empty();
        self.correlates = is_as_read && (self.correlates || self.looks_like_correlations());
    }

    /// Whether [`Grid::find_correlations`] found them.
    pub fn are_correlations(&self) -> bool {
        self.correlates
    }

    fn looks_like_correlations(&self) -> bool {
        let n = self.height();
        if n != self.width() || !(2..=MOST).contains(&n) || self.rows.levels.is_empty() {
            return false;
        }
        if self.rows.levels != self.columns.levels {
            return false;
        }
        let at = |row: usize, column: usize| self.at(row, column).value().map(super::Number::as_f64);
        let mut is_any = false;
        for row in 0..n {
            if at(row, row).is_some_and(|v| (v - 1.0).abs() > OFF) {
                return false;
            }
            for column in 0..row {
                let (below, above) = (at(row, column), at(column, row));
                let differs = below.zip(above).is_some_and(|(a, b)| (a - b).abs() > OFF);
                if differs || [below, above].into_iter().flatten().any(|v| v.is_nan() || v.abs() > 1.0 + OFF)
                {
                    return false;
                }
                is_any |= [below, above].into_iter().flatten().any(|v| v != 0.0);
            }
        }
        is_any && (0..n).any(|i| at(i, i).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Axis;
    use super::*;

    #[test]
    fn a_matrix_of_correlations_is_told_from_others() {
        let of = |labels: [&str; 3], values: [f64; 9]| {
            let mut grid = Grid::from_rows(3, 3, values.to_vec()).unwrap();
            let names = ["a", "b", "c"].map(str::to_owned).to_vec();
            grid.set_rows(Axis::category("", names)).unwrap();
            grid.set_columns(Axis::category("", labels.map(str::to_owned).to_vec())).unwrap();
            grid.find_correlations();
            grid.are_correlations()
        };
        let nan = f64::NAN;
        let good = [1.0, 0.5, -0.2, 0.5, 1.0, 0.1, -0.2, 0.1, 1.0];
        assert!(of(["a", "b", "c"], good));
        assert!(of(["a", "b", "c"], [1.0, nan, nan, 0.5, 1.0, nan, -0.2, 0.1, 1.0]));
        assert!(!of(["a", "b", "d"], good));
        let mut masked = Grid::from_rows(3, 3, good.to_vec()).unwrap();
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        masked.set_rows(Axis::category("", names.clone())).unwrap();
        masked.set_columns(Axis::category("", names)).unwrap();
        masked.find_correlations();
        masked.hide(crate::grid::HiddenCells::Upper(0));
        masked.find_correlations();
        assert!(masked.are_correlations());
        for wrong in [
            [1.0, 0.5, -0.2, 0.4, 1.0, 0.1, -0.2, 0.1, 1.0],
            [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            [1.0, 1.5, 0.0, 1.5, 1.0, 0.0, 0.0, 0.0, 1.0],
            [0.0, 0.5, 0.2, 0.5, 0.0, 0.1, 0.2, 0.1, 0.0],
        ] {
            assert!(!of(["a", "b", "c"], wrong), "{wrong:?}");
        }
    }
}
