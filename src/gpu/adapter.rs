//! The choice of a graphics device, and the list of all.

use super::error::GpuError;

/// Which adapter to open; the default takes the best one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdapterPreference {
    /// Part of the adapter's name in any case, or its index among [`devices`].
    pub name: Option<String>,
}

impl AdapterPreference {
    /// An adapter by part of its name in any case, or by its index among [`devices`].
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: Some(name.into()) }
    }
}

/// Kind of an adapter, as its driver reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AdapterKind {
    /// A GPU with memory of its own.
    Discrete,
    /// A GPU that shares the CPU's memory.
    Integrated,
    /// A GPU behind a virtual machine's driver.
    Virtual,
    /// The CPU itself.
    Software,
    /// Not reported.
    Other,
}

impl AdapterKind {
    fn of(kind: wgpu::DeviceType) -> Self {
        match kind {
            wgpu::DeviceType::DiscreteGpu => AdapterKind::Discrete,
            wgpu::DeviceType::IntegratedGpu => AdapterKind::Integrated,
            wgpu::DeviceType::VirtualGpu => AdapterKind::Virtual,
            wgpu::DeviceType::Cpu => AdapterKind::Software,
            wgpu::DeviceType::Other => AdapterKind::Other,
        }
    }

    /// `discrete`, `integrated`, `virtual`, `software` or `other`.
    pub fn word(self) -> &'static str {
        match self {
            AdapterKind::Discrete => "discrete",
            AdapterKind::Integrated => "integrated",
            AdapterKind::Virtual => "virtual",
            AdapterKind::Software => "software",
            AdapterKind::Other => "other",
        }
    }
}

/// An adapter by the names that people know.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AdapterSummary {
    /// The device's name.
    pub name: String,
    /// The driver and its version.
    pub driver: String,
    /// `vulkan`, `metal` or `dx12`.
    pub backend: String,
    /// Kind.
    pub kind: AdapterKind,
    /// Whether the CPU does its work.
    pub software: bool,
    /// Whether its shaders have subgroup operations, which are used then.
    pub subgroups: bool,
}

impl AdapterSummary {
    /// The summary of wgpu's report.
    pub fn of(info: &wgpu::AdapterInfo, features: wgpu::Features) -> Self {
        let driver =
            [info.driver.as_str(), info.driver_info.as_str()].map(str::trim).join(" ").trim().to_owned();
        let kind = AdapterKind::of(info.device_type);
        Self {
            name: info.name.trim().to_owned(),
            driver,
            backend: info.backend.to_str().to_owned(),
            kind,
            software: kind == AdapterKind::Software,
            subgroups: features.contains(wgpu::Features::SUBGROUP),
        }
    }
}

/// The words that `WGPU_BACKEND` takes.
const BACKENDS: [(&[&str], wgpu::Backends); 3] = [
    (&["vulkan", "vk"], wgpu::Backends::VULKAN),
    (&["metal", "mtl"], wgpu::Backends::METAL),
    (&["dx12", "d3d12"], wgpu::Backends::DX12),
];

/// The backends to probe; without words, all.
fn backends(words: Option<&str>) -> Result<wgpu::Backends, GpuError> {
    let Some(words) = words.filter(|w| !w.trim().is_empty()) else {
        return Ok(wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12);
    };
    let mut out = wgpu::Backends::empty();
    for word in words.split(',').map(|w| w.trim().to_ascii_lowercase()) {
        let known = BACKENDS.iter().find(|(names, _)| names.contains(&word.as_str()));
        let Some((_, backend)) = known else {
            let hint =
                format!("WGPU_BACKEND is '{words}'; it takes vulkan, metal, dx12, separated by commas");
            return Err(GpuError::NoAdapter { found: Vec::new(), hint });
        };
        out |= *backend;
    }
    Ok(out)
}

/// A wgpu instance. Surfaces are made from it; on some systems it needs the display for that.
///
/// # Errors
/// When `WGPU_BACKEND` cannot be read.
pub fn instance(
    display: Option<Box<dyn wgpu::wgt::WgpuHasDisplayHandle>>,
) -> Result<wgpu::Instance, GpuError> {
    Ok(wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: backends_asked()?,
        flags: wgpu::InstanceFlags::empty().with_env(),
        // Past 90 % of the budget a resource is refused; without it the whole device may be lost.
        memory_budget_thresholds: wgpu::MemoryBudgetThresholds {
            for_resource_creation: Some(90),
            for_device_loss: None,
        },
        display,
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    }))
}

fn backends_asked() -> Result<wgpu::Backends, GpuError> {
    backends(std::env::var("WGPU_BACKEND").ok().as_deref())
}

/// All adapters of an instance, in the driver's order.
pub(super) fn adapters(instance: &wgpu::Instance) -> Result<Vec<wgpu::Adapter>, GpuError> {
    Ok(pollster::block_on(instance.enumerate_adapters(backends_asked()?)))
}

/// Adapters that `gridscope devices` lists.
///
/// # Errors
/// When `WGPU_BACKEND` cannot be read.
pub fn devices() -> Result<Vec<AdapterSummary>, GpuError> {
    Ok(adapters(&instance(None)?)?.iter().map(|a| AdapterSummary::of(&a.get_info(), a.features())).collect())
}

/// Indices of the adapters that fit a preference, the best first.
pub(super) fn candidates(
    found: &[AdapterSummary],
    preference: &AdapterPreference,
) -> Result<Vec<usize>, GpuError> {
    let index = preference.name.as_ref().and_then(|n| n.parse::<usize>().ok()).filter(|i| *i < found.len());
    let part = preference.name.as_deref().unwrap_or("").to_lowercase();
    let mut out: Vec<usize> = match index {
        Some(i) => vec![i],
        None => (0..found.len()).filter(|i| found[*i].name.to_lowercase().contains(&part)).collect(),
    };
    out.sort_by_key(|i| found[*i].software);
    if !out.is_empty() {
        return Ok(out);
    }
    let hint = match &preference.name {
        Some(n) if !found.is_empty() => format!("--device {n} takes part of a name or an index from 0"),
        _ => "install a Vulkan driver (mesa-vulkan-drivers contains a software one)".to_owned(),
    };
    Err(GpuError::NoAdapter { found: found.iter().map(|s| s.name.clone()).collect(), hint })
}

/// Whether the machine may have a hardware device, found out without opening a driver; always true where only a driver knows.
pub fn hardware_present() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let any = |folder: &str, fits: fn(&str) -> bool| {
        std::fs::read_dir(folder)
            .is_ok_and(|list| list.flatten().any(|e| e.file_name().to_str().is_some_and(fits)))
    };
    any("/dev/dri", |n| n.starts_with("renderD"))
        || any("/dev", |n| {
            n == "dxg"
                || n.strip_prefix("nvidia").is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found() -> Vec<AdapterSummary> {
        let make = |name: &str, software| AdapterSummary {
            name: name.to_owned(),
            driver: String::new(),
            backend: String::new(),
            kind: if software { AdapterKind::Software } else { AdapterKind::Discrete },
            software,
            subgroups: true,
        };
        vec![make("llvmpipe (LLVM 15)", true), make("Fast GPU 1", false), make("Fast GPU 2", false)]
    }

    #[test]
    fn hardware_goes_before_software_and_names_decide() {
        let pick = |name: Option<&str>| {
            let preference = name.map_or_else(AdapterPreference::default, AdapterPreference::named);
            candidates(&found(), &preference)
        };
        assert_eq!(pick(None).unwrap(), [1, 2, 0]);
        assert_eq!(pick(Some("LLVM")).unwrap(), [0]);
        assert_eq!(pick(Some("gpu 2")).unwrap(), [2]);
        assert_eq!(pick(Some("2")).unwrap(), [2]);
        let Err(GpuError::NoAdapter { found, hint }) = pick(Some("amd")) else { panic!("no such device") };
        assert!(found.len() == 3 && hint.contains("amd"));
    }

    #[test]
    fn wrong_backends_are_named() {
        assert_eq!(backends(Some("vulkan, DX12")).unwrap(), wgpu::Backends::VULKAN | wgpu::Backends::DX12);
        assert!(backends(Some("vulcan")).unwrap_err().hint().unwrap().contains("'vulcan'"));
    }
}
