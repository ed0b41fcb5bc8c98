//! Grids that stay on the device, with the levels of their reduction pyramids.

use super::bands::{Packer, Placement};
use super::context::Context;
use super::device_summary::exponent;
use super::encoding::Encoding;
use super::error::GpuError;
use super::folder::{Folder, Pass};
use super::layer::{Layer, cell_buffers, groups, most_elements};
use super::pyramid::{Shape, bytes, shapes, spans, top};
use super::spans::Spans;
use super::stopwatch::Stopwatch;
use super::upload::send;
use super::upload_check::Checker;
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
                let sent = send(context, &resident.cells, (grid, Encoding::Bits), &mut |n| {
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
            let mut sent = send(context, &cells, (grid, encoding), progress)?;
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
                sent = send(context, &cells, (grid, encoding), &mut |_| progress(all))?;
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
