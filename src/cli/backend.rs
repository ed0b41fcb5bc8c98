//! Which back end draws, and what happens when a device fails.

use super::args::{BackendWish, RenderArgs};
use super::say::Failure;
use crate::error::Error;
use crate::grid::Grid;
use crate::image::Image;
use crate::lint::Lints;
use crate::scene::Scene;
use crate::text::Fonts;
use crate::timing::Phases;

/// Which way a picture took, for `--json`.
pub(super) struct Way {
    /// `cpu` or `gpu`.
    pub name: &'static str,
    /// The device.
    pub adapter: String,
    /// Its driver.
    pub driver: String,
    /// Why this way.
    pub why: String,
}

impl Way {
    pub fn cpu(why: impl Into<String>) -> Self {
        Way { name: "cpu", adapter: String::new(), driver: String::new(), why: why.into() }
    }
}

/// Draws by the way that the user asked for, or by the faster one.
pub(super) fn draw(
    args: &RenderArgs,
    scene: &Scene,
    grids: &[Grid],
    fonts: &mut Fonts,
    phases: &mut Phases,
    lints: &mut Lints,
) -> Result<(Image, Way), Failure> {
    let why = match args.backend {
        BackendWish::Cpu => "asked for".to_owned(),
        wish => match on_device(args, wish, scene, grids, fonts, phases, lints)? {
            Ok(drawn) => return Ok(drawn),
            Err(why) => why,
        },
    };
    let image = crate::raster::draw(scene, grids, fonts);
    phases.done("draw");
    Ok((image, Way::cpu(why)))
}

/// A picture by a device, or why the CPU should draw it.
type OnDevice = Result<(Image, Way), String>;

#[cfg(not(feature = "gpu"))]
fn on_device(
    _: &RenderArgs,
    wish: BackendWish,
    _: &Scene,
    _: &[Grid],
    _: &mut Fonts,
    _: &mut Phases,
    _: &mut Lints,
) -> Result<OnDevice, Failure> {
    let what = "this build has no GPU back end (cargo feature gpu)";
    if wish == BackendWish::Gpu { Err(Error::Device(what.to_owned(), None).into()) } else { Ok(Err(what.to_owned())) }
}

/// Below so many pixels the CPU has drawn a picture before a hardware driver is even open (100 to 300 ms against about
/// 5 ns a pixel).
#[cfg(feature = "gpu")]
const DEVICE_PAYS_FROM: u64 = 40_000_000;

#[cfg(feature = "gpu")]
fn on_device(
    args: &RenderArgs,
    wish: BackendWish,
    scene: &Scene,
    grids: &[Grid],
    fonts: &mut Fonts,
    phases: &mut Phases,
    lints: &mut Lints,
) -> Result<OnDevice, Failure> {
    use crate::gpu::{Context, GpuError, Painter, Wish, hardware_present};
    use crate::lint::LintName;
    let asked = wish == BackendWish::Gpu || args.device.is_some();
    if !asked && !hardware_present() {
        return Ok(Err("no hardware device".to_owned()));
    }
    if !asked && u64::from(scene.size.w) * u64::from(scene.size.h) < DEVICE_PAYS_FROM {
        return Ok(Err("a picture of this size is done before a driver is open".to_owned()));
    }
    let attempt = |fonts: &mut Fonts, phases: &mut Phases| -> Result<(Image, Way, bool), GpuError> {
        let context = Context::open(&Wish { name: args.device.clone() })?;
        phases.done("device");
        let mut painter = Painter::new(&context)?;
        let image = painter.draw(scene, grids, fonts)?;
        phases.done("draw");
        phases.adopt("draw", painter.phases());
        let info = context.adapter_info();
        let why = if asked { "asked for" } else { "a hardware device" };
        let way = Way { name: "gpu", adapter: info.name.clone(), driver: info.driver.clone(), why: why.to_owned() };
        Ok((image, way, info.software))
    };
    let mut result = attempt(fonts, phases);
    if matches!(result, Err(GpuError::Lost(_))) {
        result = attempt(fonts, phases);
    }
    match result {
        Ok((image, way, software)) => {
            if software {
                lints.add(LintName::SoftwareAdapter, 1, format!("{} draws on the CPU", way.adapter));
            }
            Ok(Ok((image, way)))
        }
        Err(e @ GpuError::NoAdapter { .. }) if asked => {
            let hint = e.hint().map(str::to_owned);
            Err(Error::Device(e.to_string(), hint).into())
        }
        Err(e @ GpuError::Limit { .. }) if asked => Err(Error::Limit(format!("{e}; hint: --backend cpu")).into()),
        Err(e) => {
            if asked {
                eprintln!("note: {e}; drawn on the CPU");
            }
            Ok(Err(e.to_string()))
        }
    }
}
