//! Rows that an engine has grouped: what each row of its answer stands for.

use gridscope_core::grid::Number;

/// The rows of a table, each of which stands for those of equal keys. They are read once and in order.
#[derive(Debug, Default)]
pub(crate) struct Grouping {
    /// The number of rows that each stands for.
    pub rows: Vec<u64>,
    /// By column of values the parts of each row, whose own value is the least of them.
    pub values: Vec<(String, Vec<GroupValues>)>,
}

/// What is known of the values of a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupValues {
    /// Rows with a value.
    pub count: u64,
    pub greatest: Number,
    pub sum: Number,
    /// The sum of squared distances from the mean; 0 where no spread is asked for.
    pub squares: f64,
}

impl Grouping {
    /// The parts of a column of values.
    pub(crate) fn of(&self, column: &str) -> Option<&[GroupValues]> {
        self.values.iter().find(|(name, _)| name == column).map(|(_, parts)| parts.as_slice())
    }
}
