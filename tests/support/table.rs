//! Figures for tables.

use gridscope::figure::{Data, Figure, List};

/// A figure of a tidy table by its columns; several columns of an axis are separated by commas.
pub fn tidy(x: &str, y: &str, value: &str) -> Figure {
    let list = |t: &str| Some(List::from_flag(t));
    Figure {
        data: Data { x: list(x), y: list(y), value: list(value), ..Data::default() },
        ..Figure::default()
    }
}
