//! Figures that say how a table is read.

use gridscope::figure::{Data, Figure, List};

/// A tidy table by its columns; several of an axis between commas.
pub fn tidy(x: &str, y: &str, value: &str) -> Figure {
    let list = |t: &str| Some(List::from_flag(t));
    Figure {
        data: Data {
            x: list(x),
            y: list(y),
            value: list(value),
            ..Data::default()
        },
        ..Figure::default()
    }
}
