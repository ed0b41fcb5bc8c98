//! Grids that stay on the device, and the levels of their reduction pyramids.

use super::bands::{Layer, Packer, Placement, SUMMARY_BYTES, cell_buffers, groups, most_elements};
use super::context::Context;
use super::error::GpuError;
use super::folder::{BLOCK_COST, Folder, PIXEL_COST, Pass, exponent};
use super::spans::Spans;
use super::submission::Stopwatch;
use super::upload::{Checker, send};
use super::wire::Encoding;
use gridscope_core::grid::{Grid, Held};
use gridscope_core::view::EdgeTable;

/// How grids are laid out on the device.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room<'a> {
    pub layout: &'a wgpu::BindGroupLayout,
    pub band_bytes: u64,
    /// Bytes that all grids and their pyramids may take.
    pub memory: Option<u64>,
    pub pyramid: bool,
    pub wide: bool,
}

/// A grid on the device.
#[derive(Debug)]
pub(super) struct ResidentGrid {
    pub cells: Layer,
    pub encoding: Encoding,
    size: [u32; 2],
    /// Sums are of values * 2^-exponent.
    pub exponent: i32,
    shapes: Vec<Shape>,
    levels: Vec<Layer>,
}

impl ResidentGrid {
    /// Uploads the grids whose numbers are f32, then the others for which there is room, where those are wanted; `None` stands in
    /// place of each that is not on the device. `progress` is called with the number of cells sent so far and of all cells.
    pub(super) fn upload(
        context: &Context,
        folder: &Folder,
        room: Room<'_>,
        grids: &[Grid],
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Vec<Option<Self>>, GpuError> {
        let mut all = Vec::with_capacity(grids.len());
        let sent: Vec<&Grid> = grids.iter().filter(|g| !g.kind().is_wide()).collect();
        for g in &sent {
            for side in [g.width(), g.height()] {
                Context::within("cells a side", side as u64, i32::MAX as u64)?;
            }
            let size = [g.width() as u32, g.height() as u32];
            all.push((size, if room.pyramid { shapes(size) } else { Vec::new() }));
        }
        let cells: u64 = all.iter().map(|(size, _)| u64::from(size[0]) * u64::from(size[1])).sum();
        let need = cells * 4 + all.iter().map(|(_, shapes)| bytes(shapes)).sum::<u64>();
        if let Some(memory) = room.memory {
            Context::within("bytes of grids", need, memory)?;
        }
        let wide = wide_grids(room, grids, need);
        let cells = cells + wide.iter().map(|i| grids[*i].len() as u64).sum::<u64>();
        let mut out = context.guarded(|| Ok(allocated(context, room, &all)))?;
        let checker = context.guarded(|| Ok(Checker::new(context, room.layout)))?;
        let mut done = 0;
        for (resident, grid) in out.iter_mut().zip(&sent) {
            context.guarded(|| {
                let sent = send(context, &resident.cells, grid, Encoding::Bits, &mut |n| {
                    progress(done + n, cells);
                })?;
                checker.compare(context, (&resident.cells, 1), &sent, grid.name())?;
                resident.exponent = exponent(sent.iter().map(|s| s.largest).max().unwrap_or(0));
                resident.build(context, folder)?;
                context.wait()
            })?;
            done += u64::from(resident.size[0]) * u64::from(resident.size[1]);
        }
        let mut out = out.into_iter();
        let mut out: Vec<Option<Self>> =
            grids.iter().map(|g| if g.kind().is_wide() { None } else { out.next() }).collect();
        for i in wide {
            let grid = &grids[i];
            out[i] = Self::keys(context, &checker, room, grid, &mut |n| progress(done + n, cells))?;
            done += grid.len() as u64;
        }
        Ok(out)
    }

    /// Uploads a grid of a wide kind; `None` where the device has no memory for it, or its integers leave no mark to states.
    fn keys(
        context: &Context,
        checker: &Checker,
        room: Room<'_>,
        grid: &Grid,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Option<Self>, GpuError> {
        let size = [grid.width() as u32, grid.height() as u32];
        let mut encoding = Encoding::of(grid);
        let sent = context.guarded(|| {
            let cells = Layer::cells(context, room.layout, size, (room.band_bytes, encoding.bytes()));
            context.wait()?;
            let mut sent = send(context, &cells, grid, encoding, progress)?;
            let held = sent.iter().fold(Held::default(), |mut all, s| {
                all.merge(s.held);
                all
            });
            let Some(other) = encoding.that_holds(held) else {
                return Ok(None);
            };
            if other != encoding {
                encoding = other;
                // Nothing is added to what was sent; whoever shares the device has its turns all the same.
                let all = grid.len() as u64;
                sent = send(context, &cells, grid, encoding, &mut |_| progress(all))?;
            }
            checker.compare(context, (&cells, encoding.words() as u32), &sent, grid.name())?;
            Ok(Some(cells))
        });
        let cells = match sent {
            // What is not on the device is drawn from memory.
            Err(GpuError::OutOfMemory(_)) => None,
            sent => sent?,
        };
        Ok(cells.map(|cells| Self {
            cells,
            encoding,
            size,
            exponent: 0,
            shapes: Vec::new(),
            levels: Vec::new(),
        }))
    }

    /// Whether the device folds it: it has Summaries of f32 alone.
    pub(super) fn folds(&self) -> bool {
        self.encoding == Encoding::Bits
    }

    /// Folds each level from the one below.
    fn build(&self, context: &Context, folder: &Folder) -> Result<(), GpuError> {
        for (i, (shape, level)) in self.shapes.iter().zip(&self.levels).enumerate() {
            let [columns, rows] = shape.step.map(|step| Spans::Regular { step });
            let pass = Pass { source: self.level(i), blocks: i > 0, columns, rows };
            folder.run(context, &[pass], self.exponent, level, None)?;
        }
        Ok(())
    }

    /// Cells, or the blocks of a level.
    fn level(&self, i: usize) -> &Layer {
        if i == 0 { &self.cells } else { &self.levels[i - 1] }
    }

    /// Folds the cells under each pixel into an empty target.
    pub(super) fn fold(
        &self,
        context: &Context,
        folder: &Folder,
        columns: &EdgeTable,
        rows: &EdgeTable,
        target: &Layer,
        watch: Option<&mut Stopwatch>,
    ) -> Result<(), GpuError> {
        for (axis, table) in [columns, rows].into_iter().enumerate() {
            let end = table.spans().iter().map(|s| s[1]).max().unwrap_or(0);
            if end > self.size[axis] {
                return Err(GpuError::Misuse(format!(
                    "an edge table of {end} cells for a side of {}",
                    self.size[axis]
                )));
            }
        }
        let most = |t: &EdgeTable| t.spans().iter().map(|s| u64::from(s[1] - s[0])).max().unwrap_or(0);
        Context::within("cells under a pixel", most(columns) * most(rows), u64::from(u32::MAX))?;
        let (c, r) = (columns.spans(), rows.spans());
        let top = top(c, r, self.size, &self.shapes);
        let (c, r) = (spans(c, 0, self.size, &self.shapes, top), spans(r, 1, self.size, &self.shapes, top));
        let level = |i: usize| Pass {
            source: self.level(i),
            blocks: i > 0,
            columns: Spans::Table(&c[i]),
            rows: Spans::Table(&r[i]),
        };
        let passes: Vec<Pass<'_>> = (0..=top).map(level).collect();
        context.counter().fold();
        folder.run(context, &passes, self.exponent, target, watch)
    }
}

/// The grids of wide kinds for which there is room beside `taken` bytes. Of those whose cells stay in a file, Summaries are drawn.
fn wide_grids(room: Room<'_>, grids: &[Grid], mut taken: u64) -> Vec<usize> {
    let most = i32::MAX as usize;
    let mut fits = |g: &Grid| {
        let bytes = (g.len() as u64).saturating_mul(Encoding::of(g).bytes());
        let fits =
            g.width().max(g.height()) <= most && room.memory.is_none_or(|m| taken.saturating_add(bytes) <= m);
        taken += if fits { bytes } else { 0 };
        fits
    };
    let wide = grids.iter().enumerate().filter(|(_, g)| room.wide && g.kind().is_wide() && g.is_loaded());
    wide.filter(|(_, g)| fits(g)).map(|(i, _)| i).collect()
}

/// Empty buffers for grids of these sizes and levels; small grids share them.
fn allocated(context: &Context, room: Room<'_>, grids: &[([u32; 2], Vec<Shape>)]) -> Vec<ResidentGrid> {
    let mut packer = Packer::new(most_elements(context, room.band_bytes, 4));
    let placements: Vec<Placement> =
        grids.iter().map(|(size, _)| packer.place(size[0], 0..size[1])).collect();
    let buffers = cell_buffers(context, &packer, 4);
    let groups = groups(context, room.layout, &buffers);
    let of = |(placement, (size, shapes)): (Placement, &([u32; 2], Vec<Shape>))| ResidentGrid {
        cells: Layer { placement, buffers: buffers.clone(), groups: groups.clone() },
        encoding: Encoding::Bits,
        size: *size,
        exponent: 0,
        shapes: shapes.clone(),
        levels: shapes
            .iter()
            .map(|s| Layer::summaries(context, room.layout, s.size, room.band_bytes))
            .collect(),
    };
    placements.into_iter().zip(grids).map(of).collect()
}

/// One level: blocks of `step` elements of the level below.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape {
    pub size: [u32; 2],
    pub step: [u32; 2],
}

/// The levels above cells of a size: 4 x 4 elements per block, or 16 x 1 where there is only one row or
/// column.
pub(super) fn shapes(cells: [u32; 2]) -> Vec<Shape> {
    let mut out = Vec::new();
    let mut size = cells;
    while size != [1, 1] {
        let step = match size {
            [_, 1] => [16, 1],
            [1, _] => [1, 16],
            _ => [4, 4],
        };
        size = [size[0].div_ceil(step[0]), size[1].div_ceil(step[1])];
        out.push(Shape { size, step });
    }
    out
}

/// Bytes of all levels.
pub(super) fn bytes(shapes: &[Shape]) -> u64 {
    shapes.iter().map(|s| u64::from(s.size[0]) * u64::from(s.size[1]) * SUMMARY_BYTES).sum()
}

/// The spans of one axis on every level up to `top`: elements of the level, and the hole that the next one fills.
pub(super) fn spans(
    cells: &[[u32; 2]],
    axis: usize,
    size: [u32; 2],
    shapes: &[Shape],
    top: usize,
) -> Vec<Vec<[u32; 4]>> {
    let mut own: Vec<[u32; 2]> = cells.to_vec();
    let mut end = size[axis];
    let mut out = Vec::with_capacity(top + 1);
    for shape in &shapes[..top] {
        let step = shape.step[axis];
        let mut level = Vec::with_capacity(own.len());
        for span in &mut own {
            let [a, b] = *span;
            // The last block may be smaller; it is complete if the span reaches the end of the axis.
            let (first, last) = (a.div_ceil(step), if b == end { b.div_ceil(step) } else { b / step });
            *span = if a < b && first < last { [first, last] } else { [0, 0] };
            let hole = [span[0] * step, (span[1].saturating_mul(step)).min(end)];
            level.push([a, b, hole[0], hole[1]]);
        }
        out.push(level);
        end = shape.size[axis];
    }
    out.push(own.iter().map(|s| [s[0], s[1], 0, 0]).collect());
    out
}

/// The highest level of the cheapest fold of these spans; 0: cells only.
pub(super) fn top(columns: &[[u32; 2]], rows: &[[u32; 2]], size: [u32; 2], shapes: &[Shape]) -> usize {
    let pixels = [columns.len() as u32, rows.len() as u32];
    let cost = |top: usize| {
        let (c, r) = (spans(columns, 0, size, shapes, top), spans(rows, 1, size, shapes, top));
        let sizes = std::iter::once(size).chain(shapes.iter().map(|s| s.size));
        let read = c.iter().zip(&r).zip(sizes).enumerate().map(|(level, ((c, r), size))| {
            let work = Spans::work(&Spans::Table(c), &Spans::Table(r), pixels, size);
            work.saturating_mul(if level > 0 { BLOCK_COST } else { 1 })
        });
        let each = u64::from(pixels[0]) * u64::from(pixels[1]) * PIXEL_COST * (top as u64 + 1);
        read.fold(each, u64::saturating_add)
    };
    // Costs fall, then rise again: the first level that costs more ends the search.
    let mut best = (0, cost(0));
    for level in 1..=shapes.len() {
        let next = cost(level);
        if next >= best.1 {
            break;
        }
        best = (level, next);
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_end_in_one_block() {
        let sizes = |cells| shapes(cells).iter().map(|s| s.size).collect::<Vec<_>>();
        assert_eq!(sizes([100, 37]), [[25, 10], [7, 3], [2, 1], [1, 1]]);
        assert_eq!(sizes([100_000_000, 1]).first(), Some(&[6_250_000, 1]));
        assert_eq!((sizes([1, 17]), sizes([1, 1])), (vec![[1, 2], [1, 1]], vec![]));
        assert_eq!(bytes(&shapes([8, 4])), 24 * 3);
    }

    /// Blocks and the remainders around them cover each span, every cell once.
    #[test]
    fn blocks_and_their_frame_cover_each_span_once() {
        let size = [203, 1];
        let shapes = shapes([203, 90]);
        for table in [
            EdgeTable::fit(203, 5),
            EdgeTable::part(203, 1.0, 150.5, 2),
            EdgeTable::fit(203, 1),
            EdgeTable::fit(3, 9),
        ] {
            for top in 0..=shapes.len() {
                let levels = spans(table.spans(), 0, size, &shapes, top);
                for (pixel, want) in table.spans().iter().enumerate() {
                    let mut seen = vec![0; 203];
                    let mut width = 1;
                    for (level, spans) in levels.iter().enumerate() {
                        let [a, b, c, d] = spans[pixel];
                        assert!(c == d || (a <= c && d <= b));
                        for e in (a..b).filter(|e| !(c..d).contains(e)) {
                            seen[(e * width) as usize..((e + 1) * width).min(203) as usize]
                                .iter_mut()
                                .for_each(|n| *n += 1);
                        }
                        width *= shapes.get(level).map_or(1, |s| s.step[0]);
                    }
                    let want: Vec<i32> = (0..203).map(|i| i32::from(want[0] <= i && i < want[1])).collect();
                    assert_eq!(seen, want, "pixel {pixel}, top {top}");
                }
            }
        }
    }

    #[test]
    fn levels_are_read_where_pixels_cover_whole_blocks() {
        let top_of = |n: u32, w: u32| {
            let t = EdgeTable::fit(n, w);
            top(t.spans(), t.spans(), [n, n], &shapes([n, n]))
        };
        assert_eq!((top_of(1000, 1000), top_of(3000, 1000)), (0, 0));
        assert!(top_of(30_000, 1000) >= 1 && top_of(30_000, 10) >= 3);
        let line = EdgeTable::fit(1_000_000, 10);
        let one = EdgeTable::fit(1, 1);
        assert!(top(line.spans(), one.spans(), [1_000_000, 1], &shapes([1_000_000, 1])) >= 2);
    }
}
