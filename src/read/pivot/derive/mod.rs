//! Columns that are computed from others are added to a table before anything else is read of it: a text that names one is then the
//! name of a column like any other.

mod calendar;
mod value;
mod bins;
mod made;
mod derived_table;
mod named;
mod numbers;
mod spreads;
mod add;

pub(super) use add::with_derived;

use crate::table::TableSource;
use gridscope_core::lint::Lints;

/// A table, and what was noticed when it was opened.
pub(crate) type Opened = (Box<dyn TableSource>, Lints);
