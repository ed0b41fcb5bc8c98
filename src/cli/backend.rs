//! Which back end draws, and what happens when a device fails.

use super::args::{BackendArgs, BackendWish};
#[cfg(feature = "gpu")]
use super::device::{Device, why_cpu};
use super::progress::Progress;
use super::say::Failure;
use crate::error::Error;
use crate::geom::PxSize;
use crate::grid::{Grid, Summary};
use crate::image::Image;
use crate::lint::Lints;
use crate::scene::Scene;
use crate::text::Fonts;
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
        Way { name: "cpu", adapter: String::new(), driver: String::new(), fold: "cpu", why: why.into() }
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
    /// A device was lost already.
    #[cfg(feature = "gpu")]
    lost: bool,
}

#[cfg(not(feature = "gpu"))]
impl<'a> Artist<'a> {
    /// As with a device.
    pub fn asked(wanted: &'a BackendArgs, _: u64, _: &mut Phases) -> Result<Self, Failure> {
        let what = "this build has no GPU back end (cargo feature gpu)";
        match wanted.backend {
            BackendWish::Gpu => Err(Error::Device(what.to_owned(), None).into()),
            BackendWish::Cpu => Ok(Self { way: Way::cpu("asked for"), wanted }),
            BackendWish::Auto => Ok(Self { way: Way::cpu(what), wanted }),
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
    ) -> Result<Vec<Summary>, Error> {
        Ok(grids[grid].fold(columns.spans(), rows.spans())?)
    }

    /// As with a device.
    pub fn draw(&mut self, scene: &Scene, grids: &[Grid], fonts: &mut Fonts, phases: &mut Phases, _: &mut Lints) -> Result<Image, Failure> {
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
        let why = if wanted.backend == BackendWish::Cpu { "asked for" } else { "" };
        let mut artist = Self { way: Way::cpu(why), wanted, memory, device: None, software: false, lost: false };
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

    fn open(&mut self, phases: &mut Phases) -> Result<(), Failure> {
        use crate::gpu::GpuError;
        let opened = Device::open(self.wanted.device.as_deref(), self.memory);
        phases.done("device");
        match opened {
            Ok(device) => {
                let (adapter, driver, software) = device.info();
                let why = if self.is_asked() { "asked for" } else { "a hardware device" };
                self.way = Way { name: "gpu", adapter, driver, fold: "cpu", why: why.to_owned() };
                (self.device, self.software) = (Some(device), software);
                Ok(())
            }
            Err(e @ GpuError::NoAdapter { .. }) if self.is_asked() => {
                let hint = e.hint().map(str::to_owned);
                Err(Error::Device(e.to_string(), hint).into())
            }
            Err(e) => {
                self.fall(&e);
                Ok(())
            }
        }
    }

    /// The CPU draws from now on.
    fn fall(&mut self, e: &crate::gpu::GpuError) {
        if self.is_asked() {
            eprintln!("note: {e}; drawn on the CPU");
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

    /// Folds a body on the device, or on the CPU where that fails.
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
    ) -> Result<Vec<Summary>, Error> {
        use crate::gpu::GpuError;
        let mut sent = |done: u64, all: u64| progress.stage(&format!("uploading, {} %", done * 100 / all.max(1)));
        if let Some(device) = self.device.as_mut() {
            match device.fold(grids, grid, (columns, rows), &mut sent) {
                Ok(summaries) => {
                    self.way.fold = "gpu";
                    return Ok(summaries);
                }
                Err(e @ GpuError::Limit { .. }) => return Err(Error::Limit(format!("{e}; hint: --backend cpu"))),
                Err(e) => self.fall(&e),
            }
        }
        Ok(grids[grid].fold(columns.spans(), rows.spans())?)
    }

    /// Draws a scene; a lost device is opened once more, then the CPU draws.
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
        use crate::gpu::GpuError;
        use crate::lint::LintName;
        while let Some(device) = self.device.as_mut() {
            match device.draw(scene, grids, fonts, phases) {
                Ok(image) => {
                    if self.software && lints.0.iter().all(|l| l.name != LintName::SoftwareAdapter) {
                        lints.add(LintName::SoftwareAdapter, 1, format!("{} draws on the CPU", self.way.adapter));
                    }
                    return Ok(image);
                }
                Err(GpuError::Lost(_)) if !self.lost => {
                    self.lost = true;
                    self.open(phases)?;
                }
                Err(e @ GpuError::Limit { .. }) if self.is_asked() => {
                    return Err(Error::Limit(format!("{e}; hint: --backend cpu")).into());
                }
                Err(e) => self.fall(&e),
            }
        }
        let image = crate::raster::draw(scene, grids, fonts);
        phases.done("draw");
        Ok(image)
    }
}
