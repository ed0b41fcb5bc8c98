//! The timing loop over the frames of a case, and the comparison of a frame with the CPU's picture.

use super::super::diagnostics::Failure;
use super::super::write::hex;
use super::renderer::{DeviceCounts, Renderer};
use super::views;
use super::views::View;
use gridscope_core::color::Color;
use gridscope_core::figure::{Figure, Origin, Reduce};
use gridscope_core::geom::{PxRect, PxSize};
use gridscope_core::grid::{Grid, ScanRequest};
use gridscope_core::image::Image;
use gridscope_core::scale::{ColorScale, percentiles};
use gridscope_core::text::Fonts;
use gridscope_core::timing::Phases;
use gridscope_core::view::EdgeTable;
use gridscope_draw::error::Error;
use gridscope_draw::raster;
use gridscope_draw::resolve::bare_scale;
use gridscope_draw::scene::{Cells, Item, Scene};
use gridscope_draw::tiling::fold_missing;
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
    /// Milliseconds that it took to copy it to a device, if it was.
    pub upload_ms: Option<f64>,
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
    /// The number of labels to draw in place of cells.
    pub labels: Option<u32>,
    /// Whether the first frame is compared with the CPU's.
    pub check: bool,
}

/// The measurements of a case.
pub(super) struct Measured {
    pub times: Spread,
    /// The number of timed frames.
    pub frames: usize,
    /// The cells that a frame shows, on average.
    pub cells: f64,
    /// The median time in ms until the picture can be presented: without the way back to memory.
    pub presentable_ms: f64,
    /// How the first frame differs from the CPU's, if that was asked.
    pub check: Option<Check>,
    /// The median of each phase in ms, in the order they run.
    pub phases: Vec<(&'static str, f64)>,
    /// The median of each view over all rounds in ms.
    pub frame_ms: Vec<f64>,
    /// Who folded and painted: `device` or `cpu`.
    pub work: &'static str,
    /// Work of a device for the timed frames; its longest submission is that of a frame of each view after them.
    pub device: Option<DeviceCounts>,
    /// SHA-256 of the first view's pixels, to compare pictures by.
    pub sha256: String,
}

struct Frame {
    ms: f64,
    presentable_ms: f64,
    phases: Phases,
    image: Image,
    cells: u64,
}

impl Subject {
    /// Finds the limits of the colours, and has the renderer hold the grid, which may take `limit` bytes of memory; `None`: it
    /// stays in its source.
    ///
    /// # Errors
    /// When the norm does not allow the values, or the device cannot hold the grid.
    pub(super) fn new(
        grid: Grid,
        figure: &Figure,
        limit: Option<u64>,
        renderer: &mut dyn Renderer,
    ) -> Result<Self, Failure> {
        // Frames are drawn from memory.
        if let Some(limit) = limit {
            gridscope_read::load(&grid, "", &gridscope_read::Budget::new(limit)).map_err(Error::from)?;
        }
        let stats = grid.scan(&ScanRequest::default()).map_err(Error::from)?.stats;
        let (scale, centre) = bare_scale(figure, &grid, &stats, None, None).map_err(Error::from)?;
        let grids = [grid];
        let start = Instant::now();
        let copied = renderer.hold(&grids)?;
        let upload_ms = copied.then(|| start.elapsed().as_secs_f64() * 1e3);
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

    /// A scene of the cells of a view and nothing else, or of labels alone.
    fn scene(&self, view: &View, settings: CaseSettings, counts: Option<&Arc<ColorScale>>) -> Scene {
        if let Some(count) = settings.labels {
            return views::label_scene(count, settings.size);
        }
        let (columns, rows) = self.tables(view, settings.size);
        let counts = counts.filter(|_| columns.reduces() || rows.reduces());
        let scale = counts.unwrap_or(&self.scale).clone();
        let reduce = match settings.reduce {
            Reduce::Count if counts.is_none() => Reduce::Mean,
            reduce => reduce,
        };
        let PxSize { w, h } = settings.size;
        let (body, centre) = (PxRect { x: 0, y: 0, w, h }, self.centre);
        let cells = Cells {
            grid: 0,
            body,
            columns,
            rows,
            summaries: None,
            before: None,
            scale,
            reduce,
            centre,
            background: Color::CLEAR,
            unit: 1,
        };
        Scene::new(settings.size, None, vec![Item::Cells(Box::new(cells))])
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
        renderer.device_times().into_iter().for_each(|(name, ms)| phases.record(name, ms));
        Ok(Frame {
            ms,
            presentable_ms: ms
                - phases.list().iter().find(|(n, _)| *n == "readback").map_or(0.0, |(_, ms)| *ms),
            phases,
            image,
            cells: shown(&scene),
        })
    }

    /// Measures a case: first warm-up frames spread over its views, then every view in each round.
    ///
    /// # Errors
    /// When the device fails.
    pub(super) fn measure(
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
        let (mut cells, mut sha256, mut check) = (0u64, String::new(), None);
        let mut presentable = Vec::new();
        renderer.take_counts();
        for _ in 0..settings.rounds {
            for (view, times) in views.iter().zip(&mut per_view) {
                let frame = self.frame(view, settings, counts.as_ref(), renderer)?;
                if phases.is_empty() {
                    sha256 = hex(&Sha256::digest(&frame.image.pixels));
                    if settings.check {
                        let scene = self.scene(view, settings, counts.as_ref());
                        check = Some(Check::of(scene, &self.grids, &frame.image)?);
                    }
                }
                presentable.push(frame.presentable_ms);
                times.push(frame.ms);
                phases.push(frame.phases);
                cells += frame.cells;
            }
        }
        let mut device = renderer.take_counts();
        if let Some(device) = &mut device {
            // Frames of their own, for to wait for each submission takes time.
            renderer.time_submissions(true);
            for view in views {
                self.frame(view, settings, counts.as_ref(), renderer)?;
            }
            renderer.time_submissions(false);
            device.longest_ms = renderer.take_counts().unwrap_or_default().longest_ms;
        }
        let all: Vec<f64> = per_view.concat();
        Ok(Measured {
            times: Spread::of(&all),
            frames: all.len(),
            cells: cells as f64 / all.len() as f64,
            presentable_ms: median(&presentable),
            check,
            phases: phase_medians(&phases),
            frame_ms: per_view.iter().map(|t| median(t)).collect(),
            work: renderer.worker(),
            device,
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
        let any = Grid::from_rows(1, 1, vec![0.0]).map_err(Error::from)?;
        let (scale, _) = bare_scale(figure, &any, &any.stats(), Some(most.max().unwrap_or(1).max(1)), None)
            .map_err(Error::from)?;
        Ok(Arc::new(scale))
    }
}

/// The most cells that a pixel covers along one side.
fn widest(table: &EdgeTable) -> u64 {
    table.spans().iter().map(|s| u64::from(s[1] - s[0])).max().unwrap_or(0)
}

/// The number of cells that a scene shows.
fn shown(scene: &Scene) -> u64 {
    let side = |table: &EdgeTable| {
        let covered = || table.spans().iter().filter(|s| s[0] < s[1]);
        let (first, end) = (covered().map(|s| s[0]).min(), covered().map(|s| s[1]).max());
        u64::from(end.unwrap_or(0) - first.unwrap_or(0))
    };
    let of = |item: &Item| {
        if let Item::Cells(c) = item { side(&c.columns) * side(&c.rows) } else { 0 }
    };
    scene.all().map(of).sum()
}

/// The median of each phase in ms; a frame without the phase counts as 0.
fn phase_medians(frames: &[Phases]) -> Vec<(&'static str, f64)> {
    let mut names: Vec<&'static str> = Vec::new();
    for (name, _) in frames.iter().flat_map(gridscope_core::timing::Phases::list) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    let of = |name: &str, f: &Phases| f.list().iter().find(|(n, _)| *n == name).map_or(0.0, |(_, ms)| *ms);
    names
        .into_iter()
        .map(|name| (name, median(&frames.iter().map(|f| of(name, f)).collect::<Vec<_>>())))
        .collect()
}

/// Quantiles of times in ms by numpy's linear rule; NaN of an empty list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spread {
    pub median: f64,
    pub p95: f64,
    pub p99: f64,
    pub min: f64,
}

impl Spread {
    pub(super) fn of(samples: &[f64]) -> Self {
        let at = percentiles(&mut samples.to_vec(), &[0.0, 50.0, 95.0, 99.0]);
        let [min, median, p95, p99] = at[..] else {
            return Self { median: f64::NAN, p95: f64::NAN, p99: f64::NAN, min: f64::NAN };
        };
        Self { median, p95, p99, min }
    }
}

/// The median; NaN of an empty list.
pub(super) fn median(samples: &[f64]) -> f64 {
    Spread::of(samples).median
}

/// How a frame differs from the CPU's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Check {
    /// Pixels of another colour.
    pub pixels: u64,
    /// The most entries of the colormap between two colours of a pixel; `None` if a colour is not an entry.
    pub apart: Option<u32>,
}

impl Check {
    /// Compares an image with the CPU's of the same scene without Summaries.
    ///
    /// # Errors
    /// When a source does not give its cells.
    pub(super) fn of(mut scene: Scene, grids: &[Grid], image: &Image) -> Result<Self, Failure> {
        fold_missing(&mut scene, grids).map_err(Error::from)?;
        let wanted = raster::draw(&scene, grids, &mut Fonts::new());
        let entries = scene.all().find_map(|item| match item {
            Item::Cells(c) => Some(c.scale.spec().map.entries.as_slice()),
            _ => None,
        });
        Ok(Self::between(&wanted, image, entries.unwrap_or_default()))
    }

    fn between(wanted: &Image, image: &Image, entries: &[Color]) -> Self {
        let mut check = Self { pixels: 0, apart: Some(0) };
        let at = |pixel: &[u8]| entries.iter().position(|e| e.rgba() == pixel);
        let pixels = wanted.pixels.chunks_exact(4).zip(image.pixels.chunks_exact(4));
        for (a, b) in pixels.filter(|(a, b)| a != b) {
            check.pixels += 1;
            let apart = at(a).zip(at(b)).map(|(a, b)| a.abs_diff(b) as u32);
            check.apart = check.apart.zip(apart).map(|(most, this)| most.max(this));
        }
        check
    }

    /// Whether the frame is right: a mean may be one colour off, everything else is exact.
    pub(super) fn passes(&self, reduce: Reduce) -> bool {
        self.pixels == 0 || reduce == Reduce::Mean && self.apart.is_some_and(|n| n <= 1)
    }

    /// Description of the fault.
    pub(super) fn text(&self) -> String {
        let apart = match self.apart {
            Some(n) => format!("up to {n} colours apart"),
            None => "some in colours that are not in the colormap".to_owned(),
        };
        format!("{} pixels are not the CPU's, {apart}", self.pixels)
    }
}

#[cfg(test)]
mod check_tests {
    use super::*;

    #[test]
    fn only_a_mean_may_be_one_colour_off() {
        let entries: Vec<Color> = (0..4).map(|i| Color::rgb(i * 10, 0, 0)).collect();
        let image = |indices: &[usize]| Image {
            width: indices.len() as u32,
            height: 1,
            pixels: indices
                .iter()
                .flat_map(|i| entries.get(*i).map_or([9; 4], gridscope_core::color::Color::rgba))
                .collect(),
        };
        let of = |a: &[usize], b: &[usize]| Check::between(&image(a), &image(b), &entries);
        let check = |pixels, apart| Check { pixels, apart };
        assert_eq!(of(&[0, 1, 2], &[0, 1, 2]), check(0, Some(0)));
        assert_eq!(of(&[0, 1, 2], &[1, 3, 2]), check(2, Some(2)));
        assert_eq!(of(&[0, 1], &[1, 99]), check(2, None));
        let passes = |c: Check| [Reduce::Mean, Reduce::Max].map(|r| c.passes(r));
        assert_eq!(passes(check(0, Some(0))), [true, true]);
        assert_eq!(passes(check(5, Some(1))), [true, false]);
        assert_eq!(passes(check(1, Some(2))), [false, false]);
        assert_eq!(passes(check(1, None)), [false, false]);
    }
}

#[cfg(test)]
mod tests;
