//! Which back end draws, and what happens when a device fails.

use super::args::{BackendArgs, BackendWish};
#[cfg(feature = "gpu")]
use super::device::{Device, why_cpu};
use super::progress::Progress;
use super::say::Failure;
#[cfg(feature = "gpu")]
use super::say::line;
use crate::error::Error;
use crate::geom::PxSize;
#[cfg(feature = "gpu")]
use crate::gpu::{FaultPlan, GpuError};
use crate::grid::{Grid, Summaries};
use crate::image::Image;
use crate::lint::Lints;
use crate::scene::Scene;
use crate::text::Fonts;
#[cfg(feature = "gpu")]
use crate::text::one_line;
use crate::timing::Phases;
use crate::view::EdgeTable;

/// Which way a picture took, for `--json`.
pub(super) struct Way {
    /// `cpu` or `gpu`.
    pub name: &'static str,
    /// The device.
    pub adapter: String,
    /// Its driver.
    pub driver: String,
    /// Where pixels of several cells were folded: `cpu` or `gpu`.
    pub fold: &'static str,
    /// Why this way.
    pub why: String,
}

impl Way {
    pub fn cpu(why: impl Into<String>) -> Self {
        Way {
            name: "cpu",
            adapter: String::new(),
            driver: String::new(),
            fold: "cpu",
            why: why.into(),
        }
    }
}

/// Draws pictures by the way that the user asked for, or by the faster one.
pub(super) struct Artist<'a> {
    pub way: Way,
    wanted: &'a BackendArgs,
    /// Bytes that grids may take on a device.
    #[cfg(feature = "gpu")]
    memory: u64,
    #[cfg(feature = "gpu")]
    device: Option<Device>,
    #[cfg(feature = "gpu")]
    software: bool,
    /// A device was lost or full already.
    #[cfg(feature = "gpu")]
    failed: bool,
    /// The faults of a test.
    #[cfg(feature = "gpu")]
    plan: FaultPlan,
}

#[cfg(not(feature = "gpu"))]
impl<'a> Artist<'a> {
    /// As with a device.
    pub fn asked(wanted: &'a BackendArgs, _: u64, _: &mut Phases) -> Result<Self, Failure> {
        let what = "this build has no GPU back end (cargo feature gpu)";
        match wanted.backend {
            BackendWish::Gpu => Err(Error::Device(what.to_owned(), None).into()),
            BackendWish::Cpu => Ok(Self {
                way: Way::cpu("asked for"),
                wanted,
            }),
            BackendWish::Auto => Ok(Self {
                way: Way::cpu(what),
                wanted,
            }),
        }
    }

    /// As with a device.
    pub fn for_size(&mut self, _: PxSize, _: &mut Phases) -> Result<(), Failure> {
        Ok(())
    }

    /// As with a device.
    pub fn side(&self) -> u32 {
        u32::MAX
    }

    /// As with a device.
    pub fn folds(&self) -> bool {
        self.wanted.backend == BackendWish::Gpu
    }

    /// As with a device.
    pub fn fold(
        &mut self,
        grids: &[Grid],
        grid: usize,
        columns: &EdgeTable,
        rows: &EdgeTable,
        _: &Progress,
    ) -> Result<Summaries, Error> {
        Ok(grids[grid].fold(columns.spans(), rows.spans())?)
    }

    /// As with a device.
    pub fn draw(
        &mut self,
        scene: &Scene,
        grids: &[Grid],
        fonts: &mut Fonts,
        phases: &mut Phases,
        _: &mut Lints,
    ) -> Result<Image, Failure> {
        let image = crate::raster::draw(scene, grids, fonts);
        phases.done("draw");
        Ok(image)
    }
}

#[cfg(feature = "gpu")]
impl<'a> Artist<'a> {
    /// Opens a device where one was asked for by word, on which grids may take `memory` bytes; until [`Artist::for_size`] the CPU draws otherwise.
    ///
    /// # Errors
    /// When no device fits.
    pub fn asked(wanted: &'a BackendArgs, memory: u64, phases: &mut Phases) -> Result<Self, Failure> {
        Self::faulty(wanted, memory, phases, FaultPlan::default())
    }

    fn faulty(
        wanted: &'a BackendArgs,
        memory: u64,
        phases: &mut Phases,
        plan: FaultPlan,
    ) -> Result<Self, Failure> {
        let why = if wanted.backend == BackendWish::Cpu {
            "asked for"
        } else {
            ""
        };
        let mut artist = Self {
            way: Way::cpu(why),
            wanted,
            memory,
            device: None,
            software: false,
            failed: false,
            plan,
        };
        if artist.wanted.backend != BackendWish::Cpu && artist.is_asked() {
            artist.open(phases)?;
        }
        Ok(artist)
    }

    /// Chooses the way for a picture of this size, where none was asked for.
    ///
    /// # Errors
    /// When a device that was asked for by name is not there.
    pub fn for_size(&mut self, size: PxSize, phases: &mut Phases) -> Result<(), Failure> {
        if self.wanted.backend != BackendWish::Auto || self.is_asked() {
            return Ok(());
        }
        match why_cpu(size) {
            Some(why) => self.way = Way::cpu(why),
            None => self.open(phases)?,
        }
        Ok(())
    }

    /// A device was asked for by word.
    fn is_asked(&self) -> bool {
        self.wanted.backend == BackendWish::Gpu || self.wanted.device.is_some()
    }

    /// # Errors
    /// When a device that was asked for by word does not open.
    fn open(&mut self, phases: &mut Phases) -> Result<(), Failure> {
        let opened = self.try_open();
        phases.done("device");
        opened.or_else(|e| {
            if self.is_asked() {
                let hint = e.hint().map(str::to_owned);
                return Err(Error::Device(e.to_string(), hint).into());
            }
            self.fall(&e);
            Ok(())
        })
    }

    fn try_open(&mut self) -> Result<(), GpuError> {
        let device = Device::open(self.wanted.device.as_deref(), self.memory, &self.plan)?;
        let (adapter, driver, software) = device.info();
        let why = if self.is_asked() {
            "asked for"
        } else {
            "a hardware device"
        };
        self.way = Way {
            name: "gpu",
            adapter,
            driver,
            fold: self.way.fold,
            why: why.to_owned(),
        };
        (self.device, self.software) = (Some(device), software);
        Ok(())
    }

    /// After a failure: a device that is lost or full is opened once more, then the CPU draws.
    fn recover(&mut self, e: &GpuError) {
        // It goes before the next one comes, and its memory with it.
        self.device = None;
        let again = matches!(e, GpuError::Lost(_) | GpuError::OutOfMemory(_))
            && !std::mem::replace(&mut self.failed, true);
        let opened = if again { self.try_open() } else { Err(e.clone()) };
        opened.unwrap_or_else(|e| self.fall(&e));
    }

    /// The CPU draws from now on.
    fn fall(&mut self, e: &GpuError) {
        if self.is_asked() {
            line(&format!("note: {}; drawn on the CPU", one_line(&e.to_string())));
        }
        self.device = None;
        self.way = Way::cpu(e.to_string());
    }

    /// The most pixels a side that are drawn at once.
    pub fn side(&self) -> u32 {
        self.device.as_ref().map_or(u32::MAX, Device::side)
    }

    /// Whether bodies are folded on the device.
    pub fn folds(&self) -> bool {
        self.device.is_some() && self.wanted.backend == BackendWish::Gpu
    }

    /// Folds a body on the device; one that fails is opened once more, then the CPU folds.
    ///
    /// # Errors
    /// When the grids are larger than the device allows, or a source does not give its cells.
    pub fn fold(
        &mut self,
        grids: &[Grid],
        grid: usize,
        columns: &EdgeTable,
        rows: &EdgeTable,
        progress: &Progress,
    ) -> Result<Summaries, Error> {
        let mut sent =
            |done: u64, all: u64| progress.stage(&format!("uploading, {} %", done * 100 / all.max(1)));
        while let Some(device) = self.device.as_mut() {
            match device.fold(grids, grid, (columns, rows), &mut sent) {
                Ok(summaries) => {
                    self.way.fold = "gpu";
                    return Ok(summaries.into());
                }
                Err(e @ GpuError::Limit { .. }) => {
                    return Err(Error::Limit(format!("{e}; hint: --backend cpu")));
                }
                Err(e) => self.recover(&e),
            }
        }
        self.way.fold = "cpu";
        Ok(grids[grid].fold(columns.spans(), rows.spans())?)
    }

    /// Draws a scene; a device that fails is opened once more, then the CPU draws.
    ///
    /// # Errors
    /// When the scene is larger than the device that was asked for allows.
    pub fn draw(
        &mut self,
        scene: &Scene,
        grids: &[Grid],
        fonts: &mut Fonts,
        phases: &mut Phases,
        lints: &mut Lints,
    ) -> Result<Image, Failure> {
        use crate::lint::LintName;
        while let Some(device) = self.device.as_mut() {
            match device.draw(scene, grids, fonts, phases) {
                Ok(image) => {
                    if self.software && lints.0.iter().all(|l| l.name != LintName::SoftwareAdapter) {
                        lints.add(
                            LintName::SoftwareAdapter,
                            1,
                            format!("{} draws on the CPU", self.way.adapter),
                        );
                    }
                    return Ok(image);
                }
                Err(e @ GpuError::Limit { .. }) if self.is_asked() => {
                    return Err(Error::Limit(format!("{e}; hint: --backend cpu")).into());
                }
                Err(e) => self.recover(&e),
            }
        }
        let image = crate::raster::draw(scene, grids, fonts);
        phases.done("draw");
        Ok(image)
    }
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use super::*;
    use crate::cli::args::When;
    use crate::color::Color;
    use crate::geom::PxRect;
    use crate::gpu::{Context, Fault, Moment, Wish};
    use crate::scale::{ColorScale, Colormap, Norm, ScaleSpec, default_fills};
    use crate::scene::{Cells, Item};
    use std::sync::Arc;

    const ASKED: BackendArgs = BackendArgs {
        backend: BackendWish::Gpu,
        device: None,
    };

    fn figure() -> (Scene, Vec<Grid>) {
        let data = (0..1600).map(|i| (i * 7919 % 1009) as f32).collect();
        let axis = || crate::grid::Axis::index("", 40);
        let values = crate::grid::Values::F32 { data, integer: false };
        let grids = vec![Grid::new(axis(), axis(), values, &[]).unwrap()];
        let map = Colormap::named("magma").unwrap();
        let fills = default_fills(Color::WHITE, &map);
        let spec = ScaleSpec {
            norm: Norm::Linear,
            vmin: 0.0,
            vmax: 1009.0,
            map,
            under: None,
            over: None,
            fills,
            exact: None,
        };
        let cells = Cells {
            grid: 0,
            body: PxRect {
                x: 1,
                y: 1,
                w: 20,
                h: 20,
            },
            columns: EdgeTable::fit(40, 20),
            rows: EdgeTable::fit(40, 20),
            summaries: None,
            scale: Arc::new(ColorScale::new(&spec, grids[0].kind())),
            reduce: crate::figure::Reduce::Max,
            centre: 0.0,
            background: Color::WHITE,
            unit: 1,
        };
        let size = PxSize { w: 30, h: 24 };
        (
            Scene::new(size, Some(Color::WHITE), vec![Item::Cells(cells)]),
            grids,
        )
    }

    /// Folds and draws with a fault; gives the way, or the failure's exit code.
    fn way(moment: Moment, fault: Fault, skip: u32, times: u32) -> Result<(&'static str, String), u8> {
        let plan = FaultPlan::default();
        plan.arm(moment, fault, skip, times);
        let phases = &mut Phases::new();
        let mut artist = Artist::faulty(&ASKED, 1 << 30, phases, plan).map_err(|e| match e {
            Failure::Run(e) => e.exit_code(),
            Failure::Usage(..) => 2,
        })?;
        let ((scene, grids), mut fonts, mut lints) = (figure(), Fonts::new(), Lints::default());
        let Item::Cells(c) = &scene.items[0] else {
            unreachable!()
        };
        let folded = artist
            .fold(
                &grids,
                0,
                &c.columns,
                &c.rows,
                &Progress::start(When::Never, true),
            )
            .unwrap();
        let summaries = grids[0].fold(c.columns.spans(), c.rows.spans()).unwrap();
        let (folded, summaries) = (folded.stored().unwrap(), summaries.stored().unwrap());
        assert!(
            folded
                .iter()
                .zip(summaries)
                .all(|(a, b)| (a.min, a.max, a.count()) == (b.min, b.max, b.count()))
        );
        let drawn = artist
            .draw(&scene, &grids, &mut fonts, phases, &mut lints)
            .unwrap_or_else(|_| panic!("no picture"));
        assert!(
            drawn == crate::raster::draw(&scene, &grids, &mut fonts),
            "{fault:?} at {moment:?}"
        );
        Ok((artist.way.name, artist.way.why))
    }

    #[test]
    fn a_device_that_fails_is_opened_once_more_and_then_the_cpu_draws() {
        if Context::open(&Wish::default()).is_err() {
            return;
        }
        for moment in [
            Moment::Buffer,
            Moment::Check,
            Moment::Fold,
            Moment::Paint,
            Moment::Copy,
            Moment::Map,
        ] {
            for fault in [Fault::Lost, Fault::OutOfMemory] {
                let one = way(moment, fault, 0, 1).unwrap();
                assert_eq!(one, ("gpu", "asked for".to_owned()), "{fault:?} at {moment:?}");
                let (name, why) = way(moment, fault, 0, u32::MAX).unwrap();
                let word = if fault == Fault::Lost { "lost" } else { "memory" };
                assert!(
                    name == "cpu" && why.contains(word),
                    "{fault:?} at {moment:?}: {name}, {why}"
                );
            }
            // What is refused once is refused again.
            let (name, why) = way(moment, Fault::Refused, 0, 1).unwrap();
            assert!(
                name == "cpu" && why.starts_with("graphics device: "),
                "{moment:?}: {name}, {why}"
            );
        }
    }

    #[test]
    fn a_device_that_does_not_open_is_exit_5_where_it_was_asked_for() {
        if Context::open(&Wish::default()).is_err() {
            return;
        }
        for fault in [Fault::Lost, Fault::OutOfMemory, Fault::Refused] {
            assert_eq!(way(Moment::Open, fault, 0, u32::MAX), Err(5), "{fault:?}");
        }
        // One that is lost while it opens gets a second chance; one that does not come back leaves the CPU.
        assert_eq!(way(Moment::Open, Fault::Lost, 0, 1).unwrap().0, "gpu");
        let plan = FaultPlan::default();
        let mut artist = Artist::faulty(&ASKED, 1 << 30, &mut Phases::new(), plan.clone())
            .unwrap_or_else(|_| panic!("no device"));
        plan.arm(Moment::Open, Fault::Refused, 0, u32::MAX);
        artist.recover(&GpuError::Lost("gone".to_owned()));
        assert_eq!(
            (artist.way.name, artist.folds(), plan.reached()),
            ("cpu", false, 1)
        );
        // Where none was asked for, the CPU draws without a word.
        let auto = BackendArgs {
            backend: BackendWish::Auto,
            device: None,
        };
        let mut artist =
            Artist::faulty(&auto, 1 << 30, &mut Phases::new(), plan).unwrap_or_else(|_| panic!("refused"));
        artist
            .open(&mut Phases::new())
            .unwrap_or_else(|_| panic!("refused"));
        assert_eq!(
            (artist.way.name, artist.way.why.as_str()),
            ("cpu", "graphics device: made by a test")
        );
    }
}
