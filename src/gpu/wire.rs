//! The structs and words that Rust and WGSL share, and the source of each shader.

use bytemuck::{Pod, Zeroable};
use gridscope_core::grid::{Grid, Held, Kind, MARKS, SourceError};
use std::ops::Range;

/// The shader of bodies.
pub const CELLS_WGSL: &str = concat!(
    include_str!("../../shaders/frame.wgsl"),
    include_str!("../../shaders/value.wgsl"),
    include_str!("../../shaders/summary.wgsl"),
    include_str!("../../shaders/shade.wgsl"),
    include_str!("../../shaders/reduce.wgsl"),
    include_str!("../../shaders/cells.wgsl"),
);

/// The shader of rectangles, lines and polygons.
pub const SHAPES_WGSL: &str =
    concat!(include_str!("../../shaders/frame.wgsl"), include_str!("../../shaders/shapes.wgsl"));

/// The shader that folds cells and blocks.
pub const FOLD_WGSL: &str = concat!(
    include_str!("../../shaders/value.wgsl"),
    include_str!("../../shaders/summary.wgsl"),
    include_str!("../../shaders/fold.wgsl"),
);

/// The same with subgroup operations, which not every adapter has.
pub const SUBGROUPS_WGSL: &str = concat!(
    include_str!("../../shaders/value.wgsl"),
    include_str!("../../shaders/summary.wgsl"),
    include_str!("../../shaders/fold.wgsl"),
    include_str!("../../shaders/subgroups.wgsl"),
);

/// The shader that checks uploads.
pub const CHECK_WGSL: &str = concat!(
    include_str!("../../shaders/value.wgsl"),
    include_str!("../../shaders/summary.wgsl"),
    include_str!("../../shaders/check.wgsl"),
);

/// Marks a pixel column or row without a cell.
pub const GAP: u32 = u32::MAX;

/// The canvas in pixels.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Canvas {
    /// Width and height.
    pub size: [f32; 2],
}

/// The part of a body that one band of cells covers; its fields are explained in shade.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Body {
    /// Left top corner on the canvas.
    pub origin: [i32; 2],
    /// First pixel column.
    pub left: u32,
    /// First pixel row.
    pub top: u32,
    /// End of the pixel columns.
    pub right: u32,
    /// End of the pixel rows.
    pub bottom: u32,
    /// Table of the cell column of each pixel column.
    pub columns: u32,
    /// Table of the cell row of each pixel row.
    pub rows: u32,
    /// Index that cell (0, 0) would have in the buffer, wrapping.
    pub base: u32,
    /// Cells per row of the band.
    pub stride: u32,
    /// Table of thresholds.
    pub thresholds: u32,
    /// Number of thresholds.
    pub count: u32,
    /// First colour among the texels, one more than thresholds.
    pub lut: u32,
    /// First fill among the texels: colour and ink of each state.
    pub fills: u32,
    /// The pattern of each state, four bits each.
    pub patterns: u32,
    /// Colour of gaps.
    pub background: u32,
    /// Pixels of one step in a pattern.
    pub unit: u32,
    /// The value whose guessed level is 0.
    pub low: f32,
    /// Levels per unit of value; 0: no guess.
    pub per: f32,
    /// The bits of the f32 nearest to the value that `extreme` measures from.
    pub centre: u32,
    /// The rest of that value.
    pub rest: f32,
    /// The high word of states, where cells have two words.
    pub mark: u32,
    /// The exponent of sums.
    pub exponent: i32,
    /// 2^-exponent.
    pub scale: f32,
    /// 2^(-126 - exponent), or 0.
    pub tiny: f32,
    /// Always 0 at run time; opaque to the compiler, so it cannot reassociate the compensated sums.
    pub zero: u32,
}

/// One dispatch of the fold; its fields are explained in fold.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Job {
    /// First pixel column.
    pub left: u32,
    /// First pixel row.
    pub top: u32,
    /// Pixel columns.
    pub width: u32,
    /// Pixel rows.
    pub height: u32,
    /// Index of the spans of the pixel columns.
    pub columns: u32,
    /// Index of the spans of the pixel rows.
    pub rows: u32,
    /// Elements per pixel along x and y; 0: the spans decide.
    pub step: [u32; 2],
    /// First and end column read.
    pub x: [u32; 2],
    /// First and end row read.
    pub y: [u32; 2],
    /// Index that element (0, 0) would have in the source, wrapping.
    pub base: u32,
    /// Elements per row of the source.
    pub stride: u32,
    /// Index that pixel (0, 0) would have in the target, wrapping.
    pub target_base: u32,
    /// Pixels per row of the target.
    pub target_stride: u32,
    /// 2^-exponent.
    pub scale: f32,
    /// 2^(-126 - exponent), or 0.
    pub tiny: f32,
    /// A workgroup has 2^bits pixels side by side.
    pub bits: u32,
    /// Always 0 at run time; opaque to the compiler, so it cannot reassociate the compensated sums.
    pub zero: u32,
}

/// A run of elements to check.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Check {
    /// First element in the buffer.
    pub first: u32,
    /// Elements.
    pub count: u32,
    /// Index of the result.
    pub result: u32,
    /// Padding.
    pub pad: u32,
}

/// The result of a check: extremes as in a [`Summed`], and the wrapping sum of all bit patterns.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct CheckSum {
    /// How many steps of f32 the least value is below +inf.
    pub low: u32,
    /// How many steps of f32 the greatest value is above -inf.
    pub high: u32,
    /// Sum of all bit patterns, wrapping.
    pub sum: u32,
}

/// A Summary on the device; all zeros is the empty one.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Summed {
    /// How many steps of f32 the least value is below +inf.
    pub low: u32,
    /// How many steps of f32 the greatest value is above -inf.
    pub high: u32,
    /// Sum of the finite values * 2^-exponent, rounded.
    pub hi: f32,
    /// Its rounding error.
    pub lo: f32,
    /// Cells with a value.
    pub count: u32,
    /// A bit for every state present.
    pub states: u32,
}

/// A convex polygon; its edges are in a buffer of their own.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Shape {
    /// First pixel column and row that it may touch.
    pub low: [f32; 2],
    /// End of those columns and rows.
    pub high: [f32; 2],
    /// Straight RGBA, red in the lowest byte.
    pub color: u32,
    /// Its first edge.
    pub first: u32,
    /// Number of edges; without any it covers all its pixels.
    pub count: u32,
    /// Padding.
    pub pad: u32,
}

/// How cells lie on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// The stored bits.
    Bits,
    /// Two words, the low one first: the key of a number of a wide kind, or a state by the mark of this index.
    Keys(Kind, usize),
}

impl Encoding {
    /// The one for a grid; a mark that one of its numbers has is found out on the way.
    pub(super) fn of(grid: &Grid) -> Self {
        if grid.kind().is_wide() { Encoding::Keys(grid.kind(), 0) } else { Encoding::Bits }
    }

    /// Words of a cell.
    pub(super) fn words(self) -> u64 {
        match self {
            Encoding::Bits => 1,
            Encoding::Keys(..) => 2,
        }
    }

    /// Bytes of a cell.
    pub(super) fn bytes(self) -> u64 {
        self.words() * 4
    }

    /// The kind of numbers and the high word of states, where cells have two words.
    pub(super) fn keys(self) -> Option<(Kind, u32)> {
        match self {
            Encoding::Bits => None,
            Encoding::Keys(kind, mark) => Some((kind, MARKS[mark])),
        }
    }

    /// Reads the words of a window, row after row.
    pub(super) fn read(
        self,
        grid: &Grid,
        rows: Range<usize>,
        columns: Range<usize>,
    ) -> Result<(Vec<u32>, Held), SourceError> {
        let mut words = vec![0; rows.len() * columns.len() * self.words() as usize];
        let held = match self {
            Encoding::Bits => grid.read(rows, columns, &mut words).map(|()| Held::default()),
            Encoding::Keys(_, mark) => grid.read_words(rows, columns, mark, &mut words),
        };
        held.map(|held| (words, held))
    }

    /// The encoding that tells all numbers of a grid from its states, by what it holds; `None` where none does.
    pub(super) fn that_holds(self, held: Held) -> Option<Self> {
        match self {
            Encoding::Bits => Some(self),
            Encoding::Keys(kind, mark) => held.mark(mark).map(|mark| Encoding::Keys(kind, mark)),
        }
    }
}
