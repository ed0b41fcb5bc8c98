//! A device with the textures of a window's surface.

use super::display::FairMutex;
use gridscope_core::geom::PxSize;
use gridscope_core::grid::Grid;
use gridscope_core::output::cache_folder;
use gridscope_core::text::Fonts;
use gridscope_draw::scene::Scene;
use gridscope_gpu::{
    AdapterPreference, Context, DeviceWork, GpuError, Painter, PainterOptions, Worker, instance,
};
use std::sync::Arc;
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

/// Purpose of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// A person: no tearing, and the least delay that allows.
    Person,
    /// A script: frames do not wait for the display.
    Script,
}

/// Terms on which a surface is opened.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    /// Which device to open.
    pub preference: AdapterPreference,
    /// Purpose of frames.
    pub pace: Pace,
    /// Bytes that grids may take on the device.
    pub memory: u64,
    /// Who folds and paints bodies; `None`: whoever is faster.
    pub worker: Option<Worker>,
}

/// A device with the surface configured for it.
pub(super) struct Swapchain {
    /// Draws scenes.
    pub painter: Painter,
    /// Whether frames are drawn from uploaded grids.
    pub resident: bool,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    /// The format of views, which stores sRGB bytes unchanged.
    view: wgpu::TextureFormat,
    /// Whether the surface is configured for its size.
    pub configured: bool,
    /// The device.
    pub context: Context,
    /// Locked while work is submitted that must not coincide with a configuration of the surface.
    pub turns: Arc<FairMutex>,
}

impl Swapchain {
    /// Opens the best device that draws to the window.
    ///
    /// # Errors
    /// When no device draws to it.
    pub(super) fn open(
        window: &Arc<Window>,
        display: &OwnedDisplayHandle,
        terms: &Terms,
    ) -> Result<Self, GpuError> {
        let instance = instance(Some(Box::new(display.clone())))?;
        // Without any driver there is no surface either: then the missing driver is the error to report.
        let none = |e| {
            Context::open(&terms.preference)
                .err()
                .unwrap_or_else(|| GpuError::Device(format!("no surface for the window: {e}")))
        };
        let surface = instance.create_surface(window.clone()).map_err(none)?;
        let (context, can) = Context::open_for(&instance, &surface, &terms.preference)?;
        let context = match cache_folder() {
            Some(folder) => context.with_compiled(&folder),
            None => context,
        };
        let refused = || {
            GpuError::Device(format!(
                "{}: the window does not support 8-bit colours",
                context.adapter_info().name
            ))
        };
        let (format, view) = formats(&can.formats).ok_or_else(refused)?;
        let config = wgpu::SurfaceConfiguration {
            // Bodies that the CPU paints are copied into it where that is allowed.
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | (can.usages & wgpu::TextureUsages::COPY_DST),
            format,
            color_space: wgpu::SurfaceColorSpace::Auto,
            width: 1,
            height: 1,
            present_mode: present_mode(&can.present_modes, terms.pace),
            desired_maximum_frame_latency: 1,
            alpha_mode: wgpu::CompositeAlphaMode::Auto,
            view_formats: if view == format { Vec::new() } else { vec![view] },
        };
        let options = PainterOptions { memory: Some(terms.memory), ..PainterOptions::default() };
        let painter = Painter::with_options(&context, options)?;
        Ok(Self {
            painter,
            resident: false,
            surface,
            config,
            view,
            configured: false,
            context,
            turns: Arc::default(),
        })
    }

    /// Whether the device may fold and paint bodies of any size, so that grids are worth an upload.
    pub(super) fn may_work(&self, wanted: Option<Worker>) -> bool {
        match wanted {
            Some(worker) => worker == Worker::Device,
            None => DeviceWork::of(self.context.adapter_info().kind).is_some(),
        }
    }

    /// Chooses who folds and paints the bodies of frames of this size, of grids with this many cells, unless one is wanted.
    pub(super) fn assign(&mut self, wanted: Option<Worker>, size: PxSize, cells: u64) {
        let kind = self.context.adapter_info().kind;
        let pixels = u64::from(size.w) * u64::from(size.h);
        let faster = || Worker::faster(kind, pixels, cells);
        self.painter.set_worker(wanted.unwrap_or_else(faster));
    }

    /// Configures the surface for a size, unless it already is.
    ///
    /// # Errors
    /// When the device is lost.
    pub(super) fn fit(&mut self, size: PxSize) -> Result<(), GpuError> {
        if self.configured && (self.config.width, self.config.height) == (size.w, size.h) {
            return Ok(());
        }
        (self.config.width, self.config.height) = (size.w, size.h);
        let Self { surface, config, context, turns, .. } = self;
        let _turn = turns.lock();
        context.guarded(|| {
            surface.configure(context.device(), config);
            Ok(())
        })?;
        self.configured = true;
        Ok(())
    }

    /// The next texture of the surface.
    ///
    /// # Errors
    /// When the device is lost.
    pub(super) fn next(&self) -> Result<wgpu::CurrentSurfaceTexture, GpuError> {
        self.context.guarded(|| Ok(self.surface.get_current_texture()))
    }

    /// Draws a scene into a texture of the surface.
    ///
    /// # Errors
    /// When the device fails.
    pub(super) fn paint(
        &mut self,
        texture: &wgpu::SurfaceTexture,
        scene: &Scene,
        grids: &[Grid],
        fonts: &mut Fonts,
    ) -> Result<(), GpuError> {
        let wanted = wgpu::TextureViewDescriptor { format: Some(self.view), ..Default::default() };
        let view = self.context.guarded(|| Ok(texture.texture.create_view(&wanted)))?;
        self.painter.draw_into(scene, grids, fonts, &view, self.view, scene.size)
    }
}

/// The first 8-bit format that stores bytes unchanged, else one with such a view; and the view's format.
fn formats(can: &[wgpu::TextureFormat]) -> Option<(wgpu::TextureFormat, wgpu::TextureFormat)> {
    let plain = |f: &wgpu::TextureFormat| {
        matches!(f, wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Rgba8Unorm)
    };
    let found =
        can.iter().find(|f| plain(f)).or_else(|| can.iter().find(|f| plain(&f.remove_srgb_suffix())))?;
    Some((*found, found.remove_srgb_suffix()))
}

fn present_mode(can: &[wgpu::PresentMode], pace: Pace) -> wgpu::PresentMode {
    let wanted: &[wgpu::PresentMode] = match pace {
        Pace::Person => &[wgpu::PresentMode::Mailbox],
        Pace::Script => &[wgpu::PresentMode::Immediate, wgpu::PresentMode::Mailbox],
    };
    wanted.iter().find(|m| can.contains(m)).copied().unwrap_or(wgpu::PresentMode::Fifo)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu::{PresentMode as P, TextureFormat as F};

    #[test]
    fn bytes_pass_as_they_are_in_every_format() {
        assert_eq!(
            formats(&[F::Bgra8UnormSrgb, F::Rgba16Float, F::Bgra8Unorm]),
            Some((F::Bgra8Unorm, F::Bgra8Unorm))
        );
        assert_eq!(formats(&[F::Rgba16Float, F::Rgba8UnormSrgb]), Some((F::Rgba8UnormSrgb, F::Rgba8Unorm)));
        assert_eq!(formats(&[F::Rgba16Float]), None);
    }

    #[test]
    fn people_see_no_tearing_and_scripts_do_not_wait() {
        let all = [P::Fifo, P::Immediate, P::Mailbox];
        assert_eq!(
            (present_mode(&all, Pace::Person), present_mode(&all, Pace::Script)),
            (P::Mailbox, P::Immediate)
        );
        assert_eq!(
            (present_mode(&all[..2], Pace::Person), present_mode(&all[..1], Pace::Script)),
            (P::Fifo, P::Fifo)
        );
    }
}
