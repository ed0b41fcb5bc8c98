//! Every struct that Rust and WGSL share, and the shaders in one piece each.

use bytemuck::{Pod, Zeroable};

/// The shader of bodies.
pub const CELLS_WGSL: &str = concat!(
    include_str!("../../shaders/frame.wgsl"),
    include_str!("../../shaders/value.wgsl"),
    include_str!("../../shaders/shade.wgsl"),
    include_str!("../../shaders/cells.wgsl"),
);

/// The shader of rectangles, lines and polygons.
pub const SHAPES_WGSL: &str = concat!(include_str!("../../shaders/frame.wgsl"), include_str!("../../shaders/shapes.wgsl"));

/// What a pixel column or row shows where no cell lies under it.
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
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Body {
    /// Left top corner on the canvas.
    pub origin: [i32; 2],
    /// Pixels a row.
    pub width: u32,
    /// First pixel row.
    pub top: u32,
    /// End of the pixel rows.
    pub bottom: u32,
    /// Table of the cell column of each pixel column.
    pub columns: u32,
    /// Table of the cell row of each pixel row.
    pub rows: u32,
    /// Where the band's first cell stands in its buffer.
    pub start: u32,
    /// The band's first row.
    pub first_row: u32,
    /// Cells a row.
    pub stride: u32,
    /// Table of thresholds.
    pub thresholds: u32,
    /// How many thresholds.
    pub count: u32,
    /// First colour among the texels, one more than thresholds.
    pub lut: u32,
    /// Table of fills: colour, ink, pattern of each state.
    pub fills: u32,
    /// Colour of gaps.
    pub background: u32,
    /// Pixels of one step in a pattern.
    pub unit: u32,
    /// Where the guess is 0.
    pub low: f32,
    /// Levels a unit of value, or 0 for no guess.
    pub per: f32,
}

/// A convex polygon; its edges stand in a buffer of their own.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Shape {
    /// First column and row of pixels that it may touch.
    pub low: [f32; 2],
    /// End of those columns and rows.
    pub high: [f32; 2],
    /// Straight RGBA, red in the lowest byte.
    pub color: u32,
    /// Its first edge.
    pub first: u32,
    /// How many edges; without any it covers all its pixels.
    pub count: u32,
    /// Fills the last 4 bytes.
    pub pad: u32,
}
