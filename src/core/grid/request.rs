//! Requests to a pass over a grid.

/// First and end cell of each pixel along a side of a body.
pub type Spans<'a> = &'a [[u32; 2]];

/// Which lines a pass is to sum up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MarginRequest {
    /// Each row.
    pub rows: bool,
    /// Each column.
    pub columns: bool,
    /// With what standard deviations need.
    pub spread: bool,
}

impl MarginRequest {
    /// The most rows or columns that are summed up one by one: their sums would take more memory than is good.
    pub const MOST_LINES: usize = 1 << 22;

    /// The request in the order of a source, whose columns may be the grid's rows.
    pub(super) fn in_order_of(self, transposed: bool) -> Self {
        if transposed { Self { rows: self.columns, columns: self.rows, ..self } } else { self }
    }

    /// Whether nothing is requested.
    pub fn is_empty(self) -> bool {
        !self.rows && !self.columns
    }
}

/// Request to a pass beside the Stats.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScanRequest<'a> {
    /// The pixel columns and pixel rows of a body.
    pub body: Option<(Spans<'a>, Spans<'a>)>,
    /// Count the values below the first and above the second limit, as far as they are known before the pass.
    pub limits: [Option<f64>; 2],
    /// Find the least value above zero.
    pub positive: bool,
    /// Find what each row and each column holds.
    pub margins: MarginRequest,
}
