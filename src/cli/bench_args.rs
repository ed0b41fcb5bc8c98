//! The flags of `gridscope bench`.

use super::args::RunArgs;
use clap::{Args, ValueEnum};
use gridscope_core::figure::Reduce;
use gridscope_core::geom::PxSize;

#[derive(Args)]
pub(super) struct BenchArgs {
    /// Data or a figure file of one panel; without it, grids are generated
    #[arg(value_name = "FILE")]
    pub file: Option<String>,
    /// Number of cells of generated square grids [default: 1e6,1e7]
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = cells, conflicts_with = "file")]
    pub cells: Vec<u64>,
    /// Sizes of the picture in pixels
    #[arg(long, value_name = "WxH,WxH", value_delimiter = ',', value_parser = size, default_value = "1920x1080")]
    pub size: Vec<PxSize>,
    /// How to reduce several cells to one pixel: mean, min, max, extreme, count [default: mean]
    #[arg(long, value_name = "WORD,WORD", value_delimiter = ',')]
    pub reduce: Vec<Reduce>,
    /// Which standard views to draw: whole, mid, one, pan [default: all]
    #[arg(long, value_name = "WORD,WORD", value_delimiter = ',', value_enum, conflicts_with = "views")]
    pub view: Vec<BenchView>,
    /// Draw this many labels, as those of an annotated grid, and no cells
    #[arg(long, value_name = "N", conflicts_with_all = ["file", "cells", "views", "view", "reduce"],
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub labels: Option<u32>,
    /// Generate cells whenever they are read instead of in memory: for grids that only a device can hold
    #[arg(long, conflicts_with = "file")]
    pub stream: bool,
    /// JSON array of views [x0, x1, y0, y1] in cells, one frame each; the last line printed has their milliseconds
    #[arg(long, value_name = "FILE")]
    pub views: Option<String>,
    /// Timed frames of each case [default: 20]; with --views, passes over all views [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub runs: Option<u32>,
    /// Frames before the timed ones
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    pub warmup: u32,
    /// Which back end draws
    #[arg(long, value_enum, default_value_t = BenchBackend::Auto)]
    pub backend: BenchBackend,
    /// Who reduces and paints cells where a device draws
    #[arg(long, value_enum, default_value_t = BenchWork::Auto, value_name = "WHO")]
    pub work: BenchWork,
    /// Leave out the reduction pyramid of grids on a device
    #[arg(long)]
    pub no_pyramid: bool,
    /// How threads of a device share the pixels of a reduction
    #[arg(long, value_enum, default_value_t = BenchFold::Size, value_name = "HOW")]
    pub fold_by: BenchFold,
    /// Leave out the subgroup operations of a device
    #[arg(long)]
    pub no_subgroups: bool,
    /// Compare the first frame of each case with the CPU's; another picture ends in exit code 6
    #[arg(long)]
    pub check: bool,
    /// Device to use: part of its name, or its number in `gridscope devices`
    #[arg(long, value_name = "NAME")]
    pub device: Option<String>,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
pub(super) enum BenchBackend {
    /// A hardware device if there is one, otherwise the CPU
    Auto,
    /// Any device, including a software driver
    Gpu,
    /// No device: the CPU
    Cpu,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
pub(super) enum BenchWork {
    /// Whoever is faster by adapter and size, as `gridscope devices` says
    Auto,
    /// The device
    Device,
    /// The CPU, whose pixels are copied to the device
    Cpu,
}

/// The standard views.
#[derive(Clone, Copy, Debug, ValueEnum, PartialEq, Eq)]
pub(super) enum BenchView {
    /// All cells
    Whole,
    /// A quarter of each side
    Mid,
    /// One cell per pixel
    One,
    /// A moving window
    Pan,
}

impl BenchView {
    /// Its name in reports.
    pub(super) fn word(self) -> &'static str {
        match self {
            BenchView::Whole => "whole",
            BenchView::Mid => "mid",
            BenchView::One => "one",
            BenchView::Pan => "pan",
        }
    }
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
pub(super) enum BenchFold {
    /// Whichever is faster by the size of the reduction
    Size,
    /// A thread for each pixel
    Thread,
    /// A workgroup for each pixel
    Group,
}

/// A number of cells: `1e6`, `1000000`.
fn cells(text: &str) -> Result<u64, String> {
    match text.parse::<f64>() {
        Ok(n) if n >= 1.0 && n <= 2f64.powi(53) && n.fract() == 0.0 => Ok(n as u64),
        _ => Err("is not a number of cells: 1e6, 25000000".to_owned()),
    }
}

/// A size in pixels: `1920x1080`.
fn size(text: &str) -> Result<PxSize, String> {
    let side = |t: &str| t.parse::<u32>().ok().filter(|n| *n > 0);
    let sides = text.split_once('x').and_then(|(w, h)| Some(PxSize { w: side(w)?, h: side(h)? }));
    sides.ok_or_else(|| "is not a size in pixels: 1920x1080".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_sizes_are_parsed() {
        assert_eq!((cells("1e6"), cells("25000000")), (Ok(1_000_000), Ok(25_000_000)));
        assert!(["0", "-1", "1.5", "1e99", "x", "", "NaN"].iter().all(|t| cells(t).is_err()));
        assert_eq!(size("1920x1080"), Ok(PxSize { w: 1920, h: 1080 }));
        assert!(
            ["1920", "0x5", "5x0", "x5", "5x", "-1x5", "1.5x2", "5x5x5", "99999999999x1"]
                .iter()
                .all(|t| size(t).is_err())
        );
    }
}
