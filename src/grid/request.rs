//! What a pass over a grid is to find.

/// First and end cell of each pixel along a side of a body.
pub type Spans<'a> = &'a [[u32; 2]];

/// What a pass is to find beside the Stats.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScanRequest<'a> {
    /// The pixel columns and pixel rows of a body.
    pub body: Option<(Spans<'a>, Spans<'a>)>,
    /// Count the values below and above these limits.
    pub limits: Option<(f64, f64)>,
    /// Find the least value above zero.
    pub positive: bool,
}
