//! The table of all bindings. Input handling, the overlay of keys and the book's table of keys are all made
//! from it.

mod row;
mod moving;
mod reading;
mod typing;
mod color;
mod comparing;
mod panels;
mod slices;
mod figure;

use super::binding::Row;

/// The bindings, group by group, as people read them; `rows` has all of them.
static GROUPS: &[&[Row]] = &[
    moving::ROWS,
    reading::ROWS,
    typing::ROWS,
    color::ROWS,
    comparing::ROWS,
    panels::ROWS,
    slices::ROWS,
    figure::ROWS,
];

/// All bindings.
pub(super) fn rows() -> impl Iterator<Item = &'static Row> {
    GROUPS.iter().copied().flatten()
}
