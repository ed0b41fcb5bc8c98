//! The grids of a run: one of a file, or generated ones.

use super::super::args::Source;
use super::super::bench_args::BenchArgs;
use super::super::diagnostics::{Failure, limit_time, policy};
use super::super::load::load;
use super::super::origin::Origin;
use super::generator;
use crate::error::Error;
use crate::figure::Figure;
use crate::geom::PxSize;
use crate::grid::Grid;
use crate::lint::{Lints, Policy};
use crate::text::clean;
use std::path::Path;

/// Cells of the generated grids, where the memory allows.
const CELLS: [u64; 2] = [1_000_000, 10_000_000];
/// Bytes of a cell as value, as stored bits, and on a device.
const CELL_BYTES: u64 = 12;
/// Bytes of a pixel as colour and as the Summary of what it covers.
const PIXEL_BYTES: u64 = 28;
/// The sides and the area of a picture end here.
const MOST_SIDE: u32 = 65_535;
const MOST_PIXELS: u64 = 1 << 32;

/// A grid by name and shape.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    /// The file's name, or `generated`.
    pub name: String,
    pub rows: usize,
    pub columns: usize,
}

/// What is drawn.
pub(super) struct Input {
    /// How it is drawn: a figure file's words, or the defaults.
    pub figure: Figure,
    pub policy: Policy,
    /// What the reader noticed.
    pub lints: Lints,
    /// Which file an error is about; generated grids have none.
    pub origin: Option<Origin>,
    grids: Grids,
}

enum Grids {
    Read(Shape, Box<Grid>),
    /// Sides of square grids.
    Generated(Vec<u32>),
}

/// Gives a grid when it is its turn, so that only one is in memory.
type Make = Box<dyn FnOnce() -> Result<Grid, Error>>;

impl Input {
    /// Reads the file, or chooses the grids to generate.
    ///
    /// # Errors
    /// What a file is at fault with, several panels, grids beyond the memory's limit of `limit` bytes.
    pub fn open(args: &BenchArgs, source: &Source, limit: u64) -> Result<Self, Failure> {
        let Some(file) = &args.file else {
            limit_time(&args.run, None)?;
            let figure = Figure::default();
            let policy = policy(&args.run, &figure.lints);
            let grids = Grids::Generated(sides(&args.cells, limit)?);
            return Ok(Input {
                figure,
                policy,
                lints: Lints::default(),
                origin: None,
                grids,
            });
        };
        let job = load(source)?;
        let names: Vec<&str> = job.loaded.grids.iter().map(Grid::name).collect();
        if names.len() != 1 {
            let what = format!(
                "{file}: one panel is measured, the data have {}: {}",
                names.len(),
                names.join(", ")
            );
            return Err(Failure::Usage(
                what,
                Some("a figure file's [data] where = \"COLUMN = VALUE\" keeps one".to_owned()),
            ));
        }
        let mut grids = job.loaded.grids;
        let grid = grids.swap_remove(0);
        let shape = Shape {
            name: file_name(file),
            rows: grid.height(),
            columns: grid.width(),
        };
        let grids = Grids::Read(shape, Box::new(grid));
        Ok(Input {
            figure: job.figure,
            policy: job.policy,
            lints: job.loaded.lints,
            origin: Some(job.origin),
            grids,
        })
    }

    /// Names and shapes of the grids.
    pub fn shapes(&self) -> Vec<Shape> {
        match &self.grids {
            Grids::Read(shape, _) => vec![shape.clone()],
            Grids::Generated(sides) => sides.iter().map(|s| generated(*s)).collect(),
        }
    }

    /// The grids, each made when it is its turn.
    pub fn grids(self) -> Vec<(Shape, Make)> {
        match self.grids {
            Grids::Read(shape, grid) => vec![(shape, Box::new(move || Ok(*grid)))],
            Grids::Generated(sides) => {
                let make =
                    |side: u32| -> Make { Box::new(move || generator::square(side).map_err(Error::from)) };
                sides
                    .into_iter()
                    .map(|side| (generated(side), make(side)))
                    .collect()
            }
        }
    }
}

fn generated(side: u32) -> Shape {
    Shape {
        name: "generated".to_owned(),
        rows: side as usize,
        columns: side as usize,
    }
}

/// The sides of the grids asked for; those of the default that fit where none is.
fn sides(asked: &[u64], limit: u64) -> Result<Vec<u32>, Error> {
    let bytes = |cells: u64| cells.saturating_mul(CELL_BYTES);
    let mut cells = asked.to_vec();
    if cells.is_empty() {
        cells = CELLS.to_vec();
        cells.retain(|c| *c == CELLS[0] || bytes(*c) <= limit);
    }
    if let Some(most) = cells.iter().filter(|c| bytes(**c) > limit).max() {
        let (need, limit) = (bytes(*most) >> 20, limit >> 20);
        return Err(Error::limit(format!(
            "a grid of {most} cells takes {need} MiB, the limit is {limit} MiB (--max-memory)"
        )));
    }
    let sides: Vec<u32> = cells.into_iter().map(generator::side).collect();
    Ok(without_repeats(&sides))
}

/// Refuses pictures larger than any picture may be, or than the memory allows.
pub(super) fn sizes_fit(sizes: &[PxSize], limit: u64) -> Result<(), Error> {
    for PxSize { w, h } in sizes {
        let area = u64::from(*w) * u64::from(*h);
        if *w > MOST_SIDE || *h > MOST_SIDE || area > MOST_PIXELS {
            return Err(Error::limit(format!(
                "{w} x {h} px: sides end at 65,535 px, areas at 2^32 px"
            )));
        }
        if area * PIXEL_BYTES > limit {
            let (need, limit) = ((area * PIXEL_BYTES) >> 20, limit >> 20);
            return Err(Error::limit(format!(
                "{w} x {h} px take {need} MiB, the limit is {limit} MiB (--max-memory)"
            )));
        }
    }
    Ok(())
}

/// The list with each of its members once.
pub(super) fn without_repeats<T: Copy + PartialEq>(list: &[T]) -> Vec<T> {
    let mut out: Vec<T> = Vec::new();
    for item in list {
        if !out.contains(item) {
            out.push(*item);
        }
    }
    out
}

/// What a path is called in a report.
pub(super) fn file_name(path: &str) -> String {
    clean(
        &Path::new(path)
            .file_name()
            .map_or(path.into(), |n| n.to_string_lossy()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_decides_on_the_default_and_refuses_what_was_asked() {
        let of = |asked: &[u64], limit| sides(asked, limit).map_err(|e| e.exit_code());
        assert_eq!(of(&[], 1 << 30), Ok(vec![1000, 3162]));
        assert_eq!(of(&[], 100 << 20), Ok(vec![1000]));
        assert_eq!(of(&[], 10 << 20), Err(7));
        assert_eq!(of(&[100, 10_000_000], 100 << 20), Err(7));
        assert_eq!(
            of(&[1, 2, 100, u64::from(u32::MAX)], u64::MAX),
            Ok(vec![1, 10, 65_536])
        );
        assert_eq!(of(&[1 << 53], u64::MAX), Ok(vec![94_906_266]));
    }

    #[test]
    fn pictures_end_at_sides_areas_and_memory() {
        let of = |w, h, limit| sizes_fit(&[PxSize { w, h }], limit).map_err(|e| e.exit_code());
        assert_eq!(of(65_535, 65_535, u64::MAX), Ok(()));
        assert_eq!(
            [
                of(65_536, 1, u64::MAX),
                of(1, 70_000, u64::MAX),
                of(1000, 1000, 20 << 20)
            ],
            [Err(7); 3]
        );
    }

    #[test]
    fn repeats_are_left_out_and_the_order_stays() {
        assert_eq!(without_repeats(&[3, 1, 3, 2, 1]), [3, 1, 2]);
    }

    #[test]
    fn names_are_the_last_part_of_a_path() {
        assert_eq!(
            ["a/b.npy", "b.npy", "-", "x\ny"].map(file_name),
            ["b.npy", "b.npy", "-", "x y"]
        );
    }
}
