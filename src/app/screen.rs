//! The window's surface and the device behind it: scenes to the display, and a new device where one is lost.

use super::gate::Gate;
use crate::geom::PxSize;
use crate::gpu::{AdapterSummary, Context, GpuError, Painter, Sizes, Wish, instance};
use crate::grid::{Grid, Summaries};
use crate::scene::Scene;
use crate::text::Fonts;
use crate::view::EdgeTable;
use std::sync::Arc;
use winit::dpi::PhysicalSize;
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

/// What became of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// It is on its way to the display.
    Yes,
    /// The window cannot be seen now, or is about to change its size: the next event may bring it back.
    Later,
}

/// Whom frames are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// A person: no tearing, and as little delay as that allows.
    Person,
    /// A script: no frame waits for the display.
    Script,
}

/// What a screen is opened with.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Which device.
    pub wish: Wish,
    /// Whom frames are for.
    pub pace: Pace,
    /// Bytes that grids may take on the device.
    pub memory: u64,
}

/// A window's surface with its device.
pub struct Screen {
    window: Arc<Window>,
    display: OwnedDisplayHandle,
    terms: Terms,
    /// Pixels that the window has; 0 while it is minimised.
    size: PhysicalSize<u32>,
    live: Live,
    /// How many devices and figures there were.
    generation: u32,
}

/// All that goes with a device.
struct Live {
    painter: Painter,
    held: bool,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    /// The format of views: sRGB bytes pass as they are.
    view: wgpu::TextureFormat,
    configured: bool,
    context: Context,
    gate: Arc<Gate>,
}

/// Grids on their way to the device, for a thread of its own.
pub struct Holding {
    painter: Painter,
    generation: u32,
    software: bool,
    gate: Arc<Gate>,
}

impl Holding {
    /// Sends the grids, but not to a software device: there the CPU folds and paints.
    ///
    /// # Errors
    /// As [`Painter::hold`].
    pub fn hold(&mut self, grids: &[Grid]) -> Result<(), GpuError> {
        if self.software {
            return Err(GpuError::Misuse("the CPU paints".to_owned()));
        }
        let mut turn = Some(self.gate.enter());
        self.painter.hold(grids, &mut |_, _| {
            // Left before it is taken again.
            turn = None;
            turn = Some(self.gate.enter());
        })
    }
}

impl Screen {
    /// The surface of a window, and the best device that draws to it.
    ///
    /// # Errors
    /// When no device draws to it.
    pub fn open(window: Arc<Window>, display: OwnedDisplayHandle, terms: Terms) -> Result<Self, GpuError> {
        let live = Live::open(&window, &display, &terms)?;
        let size = window.inner_size();
        Ok(Self {
            window,
            display,
            terms,
            size,
            live,
            generation: 0,
        })
    }

    /// The window has another size. It is told, not asked: a window that another program has closed answers with a panic.
    pub fn resize(&mut self, size: PhysicalSize<u32>) {
        self.size = size;
    }

    /// The pixels that a scene has to have; none while the window is minimised.
    pub fn size(&self) -> Option<PxSize> {
        clamped(
            self.size,
            self.live.context.device().limits().max_texture_dimension_2d,
        )
    }

    /// Shows a scene of the window's size; `grids` are those that its cells name.
    ///
    /// # Errors
    /// When the device fails; [`Screen::recover`] may help.
    pub fn draw(&mut self, scene: &Scene, grids: &[Grid], fonts: &mut Fonts) -> Result<Shown, GpuError> {
        if self.size() != Some(scene.size) {
            return Ok(Shown::Later);
        }
        for _ in 0..TRIES {
            self.live.fit(scene.size)?;
            let texture = match self.live.next()? {
                wgpu::CurrentSurfaceTexture::Success(t) | wgpu::CurrentSurfaceTexture::Suboptimal(t) => t,
                wgpu::CurrentSurfaceTexture::Outdated => {
                    self.live.configured = false;
                    continue;
                }
                wgpu::CurrentSurfaceTexture::Timeout | wgpu::CurrentSurfaceTexture::Occluded => {
                    return Ok(Shown::Later);
                }
                wgpu::CurrentSurfaceTexture::Lost | wgpu::CurrentSurfaceTexture::Validation => {
                    return Err(GpuError::Lost("the window's surface gives no picture".to_owned()));
                }
            };
            self.live.paint(&texture, scene, grids, fonts)?;
            self.window.pre_present_notify();
            let context = &self.live.context;
            context.guarded(|| {
                context.queue().present(texture);
                Ok(())
            })?;
            return Ok(Shown::Yes);
        }
        Ok(Shown::Later)
    }

    /// Waits until the device has drawn all frames.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn wait(&self) -> Result<(), GpuError> {
        self.live.context.guarded(|| self.live.context.wait())
    }

    /// A new device and surface for the same window. No grid lies on it yet.
    ///
    /// # Errors
    /// When no device draws to the window.
    pub fn recover(&mut self) -> Result<(), GpuError> {
        self.live = Live::open(&self.window, &self.display, &self.terms)?;
        self.generation += 1;
        Ok(())
    }

    /// Destroys the device, so that tests see what follows.
    pub fn lose(&self) {
        self.live.context.device().destroy();
    }

    /// What frames are drawn on.
    pub fn adapter(&self) -> &AdapterSummary {
        self.live.context.adapter_info()
    }

    /// A way to send grids to the device while frames go on.
    pub fn holding(&self) -> Holding {
        let (painter, gate) = (self.live.painter.beside(), self.live.gate.clone());
        Holding {
            painter,
            generation: self.generation,
            software: self.adapter().software,
            gate,
        }
    }

    /// Lets go of the grids on the device, and of those on their way: others are drawn from now on.
    pub fn release(&mut self) {
        self.generation += 1;
        self.live.held = false;
        // Without grids nothing is sent, so nothing fails.
        let _ = self.live.painter.hold(&[], &mut |_, _| {});
    }

    /// Whether grids were sent to this device, and are still those that are drawn.
    pub fn is_current(&self, holding: &Holding) -> bool {
        holding.generation == self.generation
    }

    /// Draws from the grids that were sent; those of an older device are let go.
    pub fn adopt(&mut self, holding: Holding) {
        if self.is_current(&holding) {
            self.live.painter.adopt(holding.painter);
            self.live.held = true;
        }
    }

    /// Whether bodies are folded on the device. What a software device does in its shaders, the same cores do faster without.
    pub fn folds(&self) -> bool {
        self.live.held && !self.adapter().software
    }

    /// Folds a grid on the device; on the CPU where that fails.
    ///
    /// # Errors
    /// When a source does not give its cells.
    pub fn fold(
        &mut self,
        grids: &[Grid],
        grid: usize,
        columns: &EdgeTable,
        rows: &EdgeTable,
    ) -> Result<Summaries, crate::grid::SourceError> {
        match self.live.painter.fold(grid, columns, rows) {
            Ok(folded) => Ok(folded.into()),
            // The next frame tells whether the device is lost.
            Err(_) => grids[grid].fold(columns.spans(), rows.spans()),
        }
    }
}

/// How often a frame is tried on a surface that is out of date.
const TRIES: usize = 3;

impl Live {
    fn open(window: &Arc<Window>, display: &OwnedDisplayHandle, terms: &Terms) -> Result<Self, GpuError> {
        let instance = instance(Some(Box::new(display.clone())))?;
        // Without any driver there is no surface either: then the lack of a driver is what a person needs to know.
        let none = |e| {
            Context::open(&terms.wish)
                .err()
                .unwrap_or_else(|| GpuError::Device(format!("no surface for the window: {e}")))
        };
        let surface = instance.create_surface(window.clone()).map_err(none)?;
        let (context, can) = Context::open_for(&instance, &surface, &terms.wish)?;
        let refused = || {
            GpuError::Device(format!(
                "{}: the window takes no 8-bit colours",
                context.adapter_info().name
            ))
        };
        let (format, view) = formats(&can.formats).ok_or_else(refused)?;
        let config = wgpu::SurfaceConfiguration {
            // Bodies that the CPU paints are copied where that is allowed.
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
        let software = context.adapter_info().software;
        let sizes = Sizes {
            memory: Some(terms.memory),
            pyramid: !software,
            cpu_paints: software,
            ..Sizes::default()
        };
        let painter = Painter::with_sizes(&context, sizes)?;
        Ok(Self {
            painter,
            held: false,
            surface,
            config,
            view,
            configured: false,
            context,
            gate: Arc::default(),
        })
    }

    /// Gives the surface a size, unless it has it.
    fn fit(&mut self, size: PxSize) -> Result<(), GpuError> {
        if self.configured && (self.config.width, self.config.height) == (size.w, size.h) {
            return Ok(());
        }
        (self.config.width, self.config.height) = (size.w, size.h);
        let Self {
            surface,
            config,
            context,
            gate,
            ..
        } = self;
        let _turn = gate.enter();
        context.guarded(|| {
            surface.configure(context.device(), config);
            Ok(())
        })?;
        self.configured = true;
        Ok(())
    }

    fn next(&self) -> Result<wgpu::CurrentSurfaceTexture, GpuError> {
        self.context.guarded(|| Ok(self.surface.get_current_texture()))
    }

    fn paint(
        &mut self,
        texture: &wgpu::SurfaceTexture,
        scene: &Scene,
        grids: &[Grid],
        fonts: &mut Fonts,
    ) -> Result<(), GpuError> {
        let wanted = wgpu::TextureViewDescriptor {
            format: Some(self.view),
            ..Default::default()
        };
        let view = self
            .context
            .guarded(|| Ok(texture.texture.create_view(&wanted)))?;
        self.painter
            .draw_into(scene, grids, fonts, &view, self.view, scene.size)
    }
}

/// Pixels that can be drawn of a window's; none of a minimised one's.
fn clamped(size: PhysicalSize<u32>, most: u32) -> Option<PxSize> {
    (size.width > 0 && size.height > 0).then(|| PxSize {
        w: size.width.min(most),
        h: size.height.min(most),
    })
}

/// The first format of 8 bits that stores bytes as they are, else one that has such a view; and the view's.
fn formats(can: &[wgpu::TextureFormat]) -> Option<(wgpu::TextureFormat, wgpu::TextureFormat)> {
    let plain = |f: &wgpu::TextureFormat| {
        matches!(
            f,
            wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Rgba8Unorm
        )
    };
    let found = can
        .iter()
        .find(|f| plain(f))
        .or_else(|| can.iter().find(|f| plain(&f.remove_srgb_suffix())))?;
    Some((*found, found.remove_srgb_suffix()))
}

fn present_mode(can: &[wgpu::PresentMode], pace: Pace) -> wgpu::PresentMode {
    let wanted: &[wgpu::PresentMode] = match pace {
        Pace::Person => &[wgpu::PresentMode::Mailbox],
        Pace::Script => &[wgpu::PresentMode::Immediate, wgpu::PresentMode::Mailbox],
    };
    wanted
        .iter()
        .find(|m| can.contains(m))
        .copied()
        .unwrap_or(wgpu::PresentMode::Fifo)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu::{PresentMode as P, TextureFormat as F};

    #[test]
    fn sizes_end_at_the_limit_and_a_minimised_window_has_none() {
        let of = |w, h| clamped(PhysicalSize::new(w, h), 8192).map(|s| (s.w, s.h));
        assert_eq!(
            (of(800, 600), of(u32::MAX, 1), of(0, 600), of(800, 0)),
            (Some((800, 600)), Some((8192, 1)), None, None)
        );
    }

    #[test]
    fn bytes_pass_as_they_are_in_every_format() {
        assert_eq!(
            formats(&[F::Bgra8UnormSrgb, F::Rgba16Float, F::Bgra8Unorm]),
            Some((F::Bgra8Unorm, F::Bgra8Unorm))
        );
        assert_eq!(
            formats(&[F::Rgba16Float, F::Rgba8UnormSrgb]),
            Some((F::Rgba8UnormSrgb, F::Rgba8Unorm))
        );
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
            (
                present_mode(&all[..2], Pace::Person),
                present_mode(&all[..1], Pace::Script)
            ),
            (P::Fifo, P::Fifo)
        );
    }
}
