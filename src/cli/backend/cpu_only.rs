//! The back end of a build without the feature `gpu`: the CPU.

use super::choice::BackendChoice;
use crate::args::{BackendArgs, RequestedBackend};
use crate::diagnostics::Failure;
use crate::progress::Progress;
use gridscope_core::geom::PxSize;
use gridscope_core::grid::{Grid, Summaries};
use gridscope_core::image::Image;
use gridscope_core::lint::Lints;
use gridscope_core::text::Fonts;
use gridscope_core::timing::Phases;
use gridscope_core::view::EdgeTable;
use gridscope_draw::error::Error;
use gridscope_draw::scene::Scene;
use std::marker::PhantomData;

/// Draws pictures on the CPU: the counterpart of the selector of builds with devices.
pub(crate) struct BackendSelector<'a> {
    pub choice: BackendChoice,
    args: PhantomData<&'a BackendArgs>,
}

impl<'a> BackendSelector<'a> {
    /// Chooses the CPU.
    ///
    /// # Errors
    /// When a device is requested.
    pub(crate) fn new(args: &'a BackendArgs, _: u64, _: &mut Phases) -> Result<Self, Failure> {
        let what = "this build has no GPU back end (cargo feature gpu)";
        let why = match args.backend {
            RequestedBackend::Cpu => "requested",
            RequestedBackend::Auto if args.device.is_none() => what,
            _ => return Err(Error::device(what).into()),
        };
        Ok(Self { choice: BackendChoice::cpu(why), args: PhantomData })
    }

    /// Does nothing: the CPU draws pictures of every size.
    ///
    /// # Errors
    /// Never.
    pub(crate) fn for_size(&mut self, _: PxSize, _: &mut Phases) -> Result<(), Failure> {
        Ok(())
    }

    /// The longest side in pixels that is drawn at once.
    pub(crate) fn side(&self) -> u32 {
        u32::MAX
    }

    /// Whether bodies are folded on the device: never.
    pub(crate) fn folds(&self) -> bool {
        false
    }

    /// Folds a body.
    ///
    /// # Errors
    /// When the cells of a source cannot be read.
    pub(crate) fn fold(
        &mut self,
        grids: &[Grid],
        grid: usize,
        columns: &EdgeTable,
        rows: &EdgeTable,
        _: &Progress,
    ) -> Result<Summaries, Error> {
        Ok(grids[grid].fold(columns.spans(), rows.spans())?)
    }

    /// Draws a scene.
    ///
    /// # Errors
    /// Never.
    pub(crate) fn draw(
        &mut self,
        scene: &Scene,
        grids: &[Grid],
        fonts: &mut Fonts,
        phases: &mut Phases,
        _: &mut Lints,
    ) -> Result<Image, Failure> {
        let image = gridscope_draw::raster::draw(scene, grids, fonts);
        phases.done("draw");
        Ok(image)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_requested_device_is_an_error() {
        let refused = |backend, device: Option<&str>| {
            let device = device.map(str::to_owned);
            BackendSelector::new(&BackendArgs { backend, device }, 0, &mut Phases::new()).is_err()
        };
        assert!(refused(RequestedBackend::Gpu, None) && refused(RequestedBackend::Auto, Some("Card")));
        assert!(!refused(RequestedBackend::Auto, None) && !refused(RequestedBackend::Cpu, None));
    }
}
