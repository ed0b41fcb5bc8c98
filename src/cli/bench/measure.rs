//! The timing loop over the frames of a case.

use super::super::diagnostics::Failure;
use super::super::write::hex;
use super::renderer::Renderer;
use super::statistics::{Spread, median};
use super::views::View;
use crate::color::Color;
use crate::error::Error;
use crate::figure::{Figure, Origin, Reduce};
use crate::geom::{PxRect, PxSize};
use crate::grid::{Ask, Grid};
use crate::image::Image;
use crate::resolve::bare_scale;
use crate::scale::ColorScale;
use crate::scene::{Cells, Item, Scene};
use crate::timing::Phases;
use crate::view::EdgeTable;
use sha2::{Digest, Sha256};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// A grid that is ready to be drawn.
pub(super) struct Subject {
    grids: [Grid; 1],
    scale: Arc<ColorScale>,
    centre: f64,
    lower: bool,
    /// Milliseconds that the renderer took to hold it.
    pub upload_ms: f64,
}

/// The settings of a case.
#[derive(Clone, Copy)]
pub(super) struct CaseSettings {
    pub size: PxSize,
    pub reduce: Reduce,
    /// How often all views are drawn.
    pub rounds: u32,
    /// Frames before the timed ones.
    pub warmup: u32,
}

/// The measurements of a case.
pub(super) struct Measured {
    pub times: Spread,
    /// The number of timed frames.
    pub frames: usize,
    /// The cells that a frame shows, on average.
    pub cells: f64,
    /// The median of each phase in ms, in the order they run.
    pub phases: Vec<(&'static str, f64)>,
    /// The median of each view over all rounds in ms.
    pub frame_ms: Vec<f64>,
    /// SHA-256 of the first view's pixels, to compare pictures by.
    pub sha256: String,
}

struct Frame {
    ms: f64,
    phases: Phases,
    image: Image,
    cells: u64,
}

impl Subject {
    /// Finds the limits of the colours, and has the renderer hold the grid, which may take `limit` bytes of memory.
    ///
    /// # Errors
    /// When the norm does not allow the values, or the device cannot hold the grid.
    pub fn new(
        grid: Grid,
        figure: &Figure,
        limit: u64,
        renderer: &mut dyn Renderer,
    ) -> Result<Self, Failure> {
        // Frames are drawn from memory.
        crate::input::hold(&grid, "", &crate::input::Budget::new(limit)).map_err(Error::from)?;
        let stats = grid.digest(&Ask::default()).map_err(Error::from)?.stats;
        let (scale, centre) = bare_scale(figure, &grid, &stats, None).map_err(Error::from)?;
        let grids = [grid];
        let start = Instant::now();
        renderer.hold(&grids)?;
        let upload_ms = start.elapsed().as_secs_f64() * 1e3;
        Ok(Self {
            grids,
            scale: Arc::new(scale),
            centre,
            lower: figure.origin == Some(Origin::Lower),
            upload_ms,
        })
    }

    fn tables(&self, view: &View, size: PxSize) -> (EdgeTable, EdgeTable) {
        let grid = &self.grids[0];
        let (columns, rows) = view.tables(grid.width() as u32, grid.height() as u32, size);
        (columns, if self.lower { rows.reversed() } else { rows })
    }

    /// A scene of the cells of a view and nothing else.
    fn scene(&self, view: &View, settings: CaseSettings, counts: Option<&Arc<ColorScale>>) -> Scene {
        let (columns, rows) = self.tables(view, settings.size);
        let scale = counts
            .filter(|_| columns.reduces() || rows.reduces())
            .unwrap_or(&self.scale)
            .clone();
        let PxSize { w, h } = settings.size;
        let (body, reduce, centre) = (PxRect { x: 0, y: 0, w, h }, settings.reduce, self.centre);
        let cells = Cells {
            grid: 0,
            body,
            columns,
            rows,
            summaries: None,
            scale,
            reduce,
            centre,
            background: Color::CLEAR,
            unit: 1,
        };
        Scene::new(settings.size, None, vec![Item::Cells(cells)])
    }

    /// Draws and times one frame, from a changed view to its pixels in memory.
    fn frame(
        &self,
        view: &View,
        settings: CaseSettings,
        counts: Option<&Arc<ColorScale>>,
        renderer: &mut dyn Renderer,
    ) -> Result<Frame, Failure> {
        let start = Instant::now();
        let mut phases = Phases::new();
        let mut scene = self.scene(view, settings, counts);
        phases.done("tables");
        let image = black_box(renderer.draw(&mut scene, &self.grids, &mut phases)?);
        let ms = start.elapsed().as_secs_f64() * 1e3;
        renderer
            .device_times()
            .into_iter()
            .for_each(|(name, ms)| phases.record(name, ms));
        Ok(Frame {
            ms,
            phases,
            image,
            cells: shown(&scene),
        })
    }

    /// Measures a case: first warm-up frames spread over its views, then every view in each round.
    ///
    /// # Errors
    /// When the device fails.
    pub fn measure(
        &self,
        views: &[View],
        settings: CaseSettings,
        figure: &Figure,
        renderer: &mut dyn Renderer,
    ) -> Result<Measured, Failure> {
        let counts = if settings.reduce == Reduce::Count {
            Some(self.counts(views, settings.size, figure)?)
        } else {
            None
        };
        for i in 0..u64::from(settings.warmup) {
            let at = i * views.len() as u64 / u64::from(settings.warmup);
            self.frame(&views[at as usize], settings, counts.as_ref(), renderer)?;
        }
        let mut per_view: Vec<Vec<f64>> = vec![Vec::new(); views.len()];
        let mut phases: Vec<Phases> = Vec::new();
        let (mut cells, mut sha256) = (0u64, String::new());
        for _ in 0..settings.rounds {
            for (view, times) in views.iter().zip(&mut per_view) {
                let frame = self.frame(view, settings, counts.as_ref(), renderer)?;
                if phases.is_empty() {
                    sha256 = hex(&Sha256::digest(&frame.image.pixels));
                }
                times.push(frame.ms);
                phases.push(frame.phases);
                cells += frame.cells;
            }
        }
        let all: Vec<f64> = per_view.concat();
        Ok(Measured {
            times: Spread::of(&all),
            frames: all.len(),
            cells: cells as f64 / all.len() as f64,
            phases: phase_medians(&phases),
            frame_ms: per_view.iter().map(|t| median(t)).collect(),
            sha256,
        })
    }

    /// The scale of counts: from 0 to the most cells that a pixel of any view covers.
    fn counts(&self, views: &[View], size: PxSize, figure: &Figure) -> Result<Arc<ColorScale>, Failure> {
        let most = views.iter().map(|v| {
            let (columns, rows) = self.tables(v, size);
            widest(&columns) * widest(&rows)
        });
        // The limits of counts do not depend on values, so the values of a large grid need not be read.
        let any = Grid::from_rows(1, 1, vec![0.0]).map_err(Error::Grid)?;
        let (scale, _) = bare_scale(figure, &any, &any.stats(), Some(most.max().unwrap_or(1).max(1)))
            .map_err(Error::from)?;
        Ok(Arc::new(scale))
    }
}

/// The most cells that a pixel covers along one side.
fn widest(table: &EdgeTable) -> u64 {
    table
        .spans()
        .iter()
        .map(|s| u64::from(s[1] - s[0]))
        .max()
        .unwrap_or(0)
}

/// The number of cells that a scene shows.
fn shown(scene: &Scene) -> u64 {
    let side = |table: &EdgeTable| {
        let covered = || table.spans().iter().filter(|s| s[0] < s[1]);
        let (first, end) = (covered().map(|s| s[0]).min(), covered().map(|s| s[1]).max());
        u64::from(end.unwrap_or(0) - first.unwrap_or(0))
    };
    let of = |item: &Item| {
        if let Item::Cells(c) = item {
            side(&c.columns) * side(&c.rows)
        } else {
            0
        }
    };
    scene.all().map(of).sum()
}

/// The median of each phase in ms; a frame without the phase counts as 0.
fn phase_medians(frames: &[Phases]) -> Vec<(&'static str, f64)> {
    let mut names: Vec<&'static str> = Vec::new();
    for (name, _) in frames.iter().flat_map(|f| f.list()) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    let of = |name: &str, f: &Phases| {
        f.list()
            .iter()
            .find(|(n, _)| *n == name)
            .map_or(0.0, |(_, ms)| *ms)
    };
    names
        .into_iter()
        .map(|name| {
            (
                name,
                median(&frames.iter().map(|f| of(name, f)).collect::<Vec<_>>()),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::renderer::Cpu;
    use super::super::views::standard;
    use super::*;
    use crate::render::{Capacity, bare};
    use crate::text::Fonts;

    const SIZE: PxSize = PxSize { w: 30, h: 20 };

    fn grid() -> Grid {
        let value = |i: i32| {
            if i % 17 == 0 {
                f64::NAN
            } else {
                f64::from(i * 7919 % 1000)
            }
        };
        Grid::from_rows(80, 90, (0..7200).map(value).collect()).unwrap()
    }

    #[test]
    fn a_whole_view_is_the_bare_picture() {
        let mut renderer = Cpu::new(4096);
        for reduce in [
            Reduce::Mean,
            Reduce::Min,
            Reduce::Max,
            Reduce::Extreme,
            Reduce::Count,
        ] {
            for origin in [None, Some(Origin::Lower)] {
                let mut figure = Figure {
                    origin,
                    ..Figure::default()
                };
                figure.reduce.by = Some(reduce);
                let subject = Subject::new(grid(), &figure, 1 << 30, &mut renderer)
                    .ok()
                    .unwrap();
                let settings = CaseSettings {
                    size: SIZE,
                    reduce,
                    rounds: 2,
                    warmup: 1,
                };
                let views = &standard(90, 80, SIZE, 3)[0].1;
                let m = subject
                    .measure(views, settings, &figure, &mut renderer)
                    .ok()
                    .unwrap();
                let picture = crate::raster::draw(
                    &bare(&figure, &grid(), SIZE, Capacity::default()).unwrap().scene,
                    &[grid()],
                    &mut Fonts::new(),
                );
                // A pixel covers 3 x 4 values without a NaN, so that both scales of counts end at 12.
                let expected = hex(&Sha256::digest(&picture.pixels));
                assert_eq!(m.sha256, expected, "{reduce:?} {origin:?}");
                assert_eq!((m.frames, m.cells, m.frame_ms.len()), (2, 7200.0, 1));
            }
        }
    }

    #[test]
    fn every_view_has_a_median_and_every_frame_its_phases() {
        let mut renderer = Cpu::new(4096);
        let figure = Figure::default();
        let subject = Subject::new(grid(), &figure, 1 << 30, &mut renderer)
            .ok()
            .unwrap();
        let settings = CaseSettings {
            size: SIZE,
            reduce: Reduce::Mean,
            rounds: 3,
            warmup: 0,
        };
        let pan = &standard(90, 80, SIZE, 5)[3].1;
        let m = subject
            .measure(pan, settings, &figure, &mut renderer)
            .ok()
            .unwrap();
        assert_eq!((m.frames, m.frame_ms.len()), (15, 5));
        assert!(m.times.min <= m.times.median && m.times.median <= m.times.p95 && m.times.p95 <= m.times.p99);
        assert_eq!(
            m.phases.iter().map(|(n, _)| *n).collect::<Vec<_>>(),
            ["tables", "draw"]
        );
        assert!(
            m.cells > 22.0 * 20.0 && m.cells < 24.0 * 21.0 + 1.0,
            "{}",
            m.cells
        );
    }

    #[test]
    fn only_shown_cells_count() {
        let figure = Figure::default();
        let mut renderer = Cpu::new(4096);
        let subject = Subject::new(grid(), &figure, 1 << 30, &mut renderer)
            .ok()
            .unwrap();
        let settings = CaseSettings {
            size: SIZE,
            reduce: Reduce::Mean,
            rounds: 1,
            warmup: 0,
        };
        let cells = |x0: f64, x1: f64, y0: f64, y1: f64| {
            subject
                .measure(&[View { x0, x1, y0, y1 }], settings, &figure, &mut Cpu::new(4096))
                .ok()
                .unwrap()
                .cells
        };
        assert_eq!(
            [cells(-50.0, 40.0, 0.0, 80.0), cells(2.5, 4.5, 79.0, 85.0)],
            [3200.0, 3.0]
        );
    }

    #[test]
    fn a_missing_phase_counts_as_zero() {
        let (mut a, b) = (Phases::new(), Phases::new());
        a.done("fold");
        let medians = phase_medians(&[a, b.clone(), b]);
        assert_eq!(medians, [("fold", 0.0)]);
    }
}
