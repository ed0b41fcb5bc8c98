//! Who folds and paints bodies, the device or the CPU: by the adapter, the pixels of a picture and the cells of its grids.

use super::adapter::AdapterKind;

/// Who folds and paints the bodies of a picture; the device draws everything else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Worker {
    /// The device.
    #[default]
    Device,
    /// The CPU, whose pixels are copied to the device's picture.
    Cpu,
}

/// From which size on adapters of a kind do the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceWork {
    /// Pixels of a picture.
    pub pixels: u64,
    /// Cells of its grids: small pictures of many cells are work, too.
    pub cells: u64,
}

/// The adapters that do the work. A row that is not listed leaves it to the CPU.
///
/// A software adapter is measured: it runs shaders on the same cores as the CPU back end, only slower, at every size. The rows
/// of hardware are estimates, because none has been measured yet: submitting a fold and a picture is assumed to take 0.5 ms,
/// for which the CPU paints about 100,000 pixels or folds two million cells; an integrated GPU shares the CPU's memory, and
/// a virtual one adds the way to its host. `benches/RESULTS.md` says what has been measured.
const TABLE: [(AdapterKind, DeviceWork); 4] = [
    (AdapterKind::Discrete, from(100_000, 2_000_000)),
    (AdapterKind::Integrated, from(200_000, 4_000_000)),
    (AdapterKind::Virtual, from(400_000, 8_000_000)),
    (AdapterKind::Other, from(400_000, 8_000_000)),
];

/// The fewest pixels of a single picture for which a driver is opened: that is assumed to take 100 to 300 ms, the CPU about
/// 5 ns per pixel. An estimate, because no hardware has been measured yet.
pub const OPENING_PAYS_FROM: u64 = 40_000_000;

const fn from(pixels: u64, cells: u64) -> DeviceWork {
    DeviceWork { pixels, cells }
}

impl DeviceWork {
    /// The row of a kind of adapters; `None` for those that never do the work.
    pub fn of(kind: AdapterKind) -> Option<Self> {
        TABLE.iter().find(|(k, _)| *k == kind).map(|(_, row)| *row)
    }
}

impl Worker {
    /// Who is faster, by the table.
    pub fn faster(kind: AdapterKind, pixels: u64, cells: u64) -> Self {
        match DeviceWork::of(kind) {
            Some(row) if pixels >= row.pixels || cells >= row.cells => Worker::Device,
            _ => Worker::Cpu,
        }
    }

    /// `device` or `cpu`.
    pub fn word(self) -> &'static str {
        match self {
            Worker::Device => "device",
            Worker::Cpu => "cpu",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [AdapterKind; 5] = [
        AdapterKind::Discrete,
        AdapterKind::Integrated,
        AdapterKind::Virtual,
        AdapterKind::Other,
        AdapterKind::Software,
    ];

    #[test]
    fn a_software_adapter_leaves_the_work_to_the_cpu_at_every_size() {
        for size in [0, 1, 1 << 20, 1 << 40, u64::MAX] {
            assert_eq!(Worker::faster(AdapterKind::Software, size, size), Worker::Cpu);
        }
        assert_eq!(DeviceWork::of(AdapterKind::Software), None);
    }

    #[test]
    fn hardware_takes_over_at_pixels_or_cells_and_never_gives_back() {
        for kind in KINDS.into_iter().filter(|k| *k != AdapterKind::Software) {
            let row = DeviceWork::of(kind).unwrap();
            assert_eq!(Worker::faster(kind, row.pixels - 1, row.cells - 1), Worker::Cpu);
            for (pixels, cells) in [(row.pixels, 0), (0, row.cells), (u64::MAX, u64::MAX)] {
                assert_eq!(Worker::faster(kind, pixels, cells), Worker::Device, "{kind:?}");
            }
        }
    }

    /// A window of any usual size is the device's, and the swatches of a small figure are not.
    #[test]
    fn usual_windows_belong_to_hardware() {
        for kind in KINDS {
            let of = |w: u64, h: u64, cells| Worker::faster(kind, w * h, cells);
            let hardware = kind != AdapterKind::Software;
            assert_eq!(of(1280, 800, 100) == Worker::Device, hardware);
            assert_eq!(of(200, 100, 1 << 30) == Worker::Device, hardware);
            assert_eq!(of(200, 100, 100), Worker::Cpu);
        }
    }
}
