//! The options of a painter: the sizes of its parts, what stays on the device, and who does the work.

use super::folder::FoldBy;
use super::layer::BAND_BYTES;
use super::text::SHEET_MASKS;
use super::work::Worker;

/// How a painter uses its device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PainterOptions {
    /// Bytes of one band of cells or Summaries.
    pub band_bytes: u64,
    /// Glyph masks on one atlas.
    pub sheet_masks: usize,
    /// Bytes that resident grids may take with their pyramids; `None` leaves it to the device.
    pub memory: Option<u64>,
    /// Whether resident grids get pyramids, which take 0.4 of their own memory.
    pub pyramid: bool,
    /// Whether grids of wider numbers than f32 become resident, too: their cells are drawn from there, but never folded.
    pub wide: bool,
    /// How the pixels of a fold are shared among threads.
    pub fold_by: FoldBy,
    /// Whether the threads of a workgroup that share a pixel join their sums by subgroup operations, where the adapter has them,
    /// instead of through memory; the bits are the same.
    pub subgroups: bool,
    /// Who folds and paints large bodies; [`Worker::faster`] knows who should.
    pub worker: Worker,
}

impl Default for PainterOptions {
    fn default() -> Self {
        Self {
            band_bytes: BAND_BYTES,
            sheet_masks: SHEET_MASKS,
            memory: None,
            pyramid: true,
            wide: true,
            fold_by: FoldBy::Size,
            subgroups: true,
            worker: Worker::Device,
        }
    }
}
