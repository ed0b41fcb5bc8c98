//! The choice between a device and the CPU, and the recovery from a device that fails.

use super::choice::BackendChoice;
use crate::args::{BackendArgs, RequestedBackend};
use crate::device::{Device, why_cpu};
use crate::diagnostics::{Failure, line};
use crate::progress::Progress;
use gridscope_core::geom::PxSize;
use gridscope_core::grid::{Grid, Summaries};
use gridscope_core::image::Image;
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::text::{Fonts, one_line};
use gridscope_core::timing::Phases;
use gridscope_core::view::EdgeTable;
use gridscope_draw::error::Error;
use gridscope_draw::scene::Scene;
use gridscope_gpu::{FaultPlan, GpuError};

/// Draws pictures on the back end that the user requested, or on the faster one.
pub(crate) struct BackendSelector<'a> {
    /// The back end that draws now.
    pub choice: BackendChoice,
    wanted: &'a BackendArgs,
    /// Bytes that grids may take on a device.
    memory: u64,
    device: Option<Device>,
    software: bool,
    /// A device has been lost or out of memory once.
    failed: bool,
    /// The faults to inject in tests.
    plan: FaultPlan,
}

impl<'a> BackendSelector<'a> {
    /// Opens a device if one was requested, on which grids may take `memory` bytes; otherwise the CPU draws until
    /// [`BackendSelector::for_size`].
    ///
    /// # Errors
    /// When no device fits.
    pub(crate) fn new(wanted: &'a BackendArgs, memory: u64, phases: &mut Phases) -> Result<Self, Failure> {
        Self::with_faults(wanted, memory, phases, FaultPlan::default())
    }

    fn with_faults(
        wanted: &'a BackendArgs,
        memory: u64,
        phases: &mut Phases,
        plan: FaultPlan,
    ) -> Result<Self, Failure> {
        let why = if wanted.backend == RequestedBackend::Cpu { "requested" } else { "" };
        let mut backend = Self {
            choice: BackendChoice::cpu(why),
            wanted,
            memory,
            device: None,
            software: false,
            failed: false,
            plan,
        };
        if backend.wanted.backend != RequestedBackend::Cpu && backend.is_explicit() {
            backend.open(phases)?;
        }
        Ok(backend)
    }

    /// Chooses the back end for a picture of this size, unless one was requested.
    ///
    /// # Errors
    /// When a requested device is missing.
    pub(crate) fn for_size(&mut self, size: PxSize, phases: &mut Phases) -> Result<(), Failure> {
        if self.wanted.backend != RequestedBackend::Auto || self.is_explicit() {
            return Ok(());
        }
        match why_cpu(size) {
            Some(why) => self.choice = BackendChoice::cpu(why),
            None => self.open(phases)?,
        }
        Ok(())
    }

    /// Whether a device was requested, by `--backend` or by name.
    fn is_explicit(&self) -> bool {
        self.wanted.backend == RequestedBackend::Gpu || self.wanted.device.is_some()
    }

    /// # Errors
    /// When a device that was requested does not open.
    fn open(&mut self, phases: &mut Phases) -> Result<(), Failure> {
        let opened = self.try_open();
        phases.done("device");
        opened.or_else(|e| {
            if self.is_explicit() {
                let hint = e.hint().map(str::to_owned);
                let what = e.to_string();
                return Err(Error::Device { what, hint }.into());
            }
            self.fall_back(&e);
            Ok(())
        })
    }

    fn try_open(&mut self) -> Result<(), GpuError> {
        let device = Device::open(self.wanted.device.as_deref(), self.memory, &self.plan)?;
        let (adapter, driver, software) = device.info();
        let why = if self.is_explicit() { "requested" } else { "a hardware device" };
        self.choice =
            BackendChoice { name: "gpu", adapter, driver, fold: self.choice.fold, why: why.to_owned() };
        (self.device, self.software) = (Some(device), software);
        Ok(())
    }

    /// Recovers from a failure. A device that is lost or out of memory is opened a second time, once; otherwise the CPU
    /// draws.
    fn recover(&mut self, e: &GpuError) {
        // Frees its memory before the next device is opened.
        self.device = None;
        let again = matches!(e, GpuError::Lost(_) | GpuError::OutOfMemory(_))
            && !std::mem::replace(&mut self.failed, true);
        let opened = if again { self.try_open() } else { Err(e.clone()) };
        opened.unwrap_or_else(|e| self.fall_back(&e));
    }

    /// Lets the CPU draw from now on.
    fn fall_back(&mut self, e: &GpuError) {
        if self.is_explicit() {
            line(&format!("note: {}; drawn on the CPU", one_line(&e.to_string())));
        }
        self.device = None;
        self.choice = BackendChoice::cpu(e.to_string());
    }

    /// The longest side in pixels that is drawn at once.
    pub(crate) fn side(&self) -> u32 {
        self.device.as_ref().map_or(u32::MAX, Device::side)
    }

    /// Whether bodies are folded on the device.
    pub(crate) fn folds(&self) -> bool {
        self.device.is_some() && self.wanted.backend == RequestedBackend::Gpu
    }

    /// Folds a body on the device, or on the CPU if the device fails.
    ///
    /// # Errors
    /// When the grids are larger than the device allows, or the cells of a source cannot be read.
    pub(crate) fn fold(
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
                    self.choice.fold = "gpu";
                    return Ok(summaries.into());
                }
                Err(e @ GpuError::Limit { .. }) => {
                    return Err(Error::limit(e.to_string()).with_hint("--backend cpu"));
                }
                Err(e) => self.recover(&e),
            }
        }
        self.choice.fold = "cpu";
        Ok(grids[grid].fold(columns.spans(), rows.spans())?)
    }

    /// Draws a scene on the device, or on the CPU if the device fails.
    ///
    /// # Errors
    /// When the scene is larger than the requested device allows.
    pub(crate) fn draw(
        &mut self,
        scene: &Scene,
        grids: &[Grid],
        fonts: &mut Fonts,
        phases: &mut Phases,
        lints: &mut Lints,
    ) -> Result<Image, Failure> {
        while let Some(device) = self.device.as_mut() {
            match device.draw(scene, grids, fonts, phases) {
                Ok(image) => {
                    if self.software && lints.0.iter().all(|l| l.name != LintName::SoftwareAdapter) {
                        lints.add(
                            LintName::SoftwareAdapter,
                            1,
                            format!("{} draws on the CPU", self.choice.adapter),
                        );
                    }
                    return Ok(image);
                }
                Err(e @ GpuError::Limit { .. }) if self.is_explicit() => {
                    return Err(Error::limit(e.to_string()).with_hint("--backend cpu").into());
                }
                Err(e) => self.recover(&e),
            }
        }
        let image = gridscope_draw::raster::draw(scene, grids, fonts);
        phases.done("draw");
        Ok(image)
    }
}

#[cfg(test)]
mod tests;
