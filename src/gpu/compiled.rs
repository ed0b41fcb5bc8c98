//! Compiled pipelines in a file, where the driver offers them, so that the next run need not compile them again.

use gridscope_core::output::{read_cached, write_cached};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// The compiled pipelines of a device; they are written when it is dropped, if there are new ones.
pub(super) struct CompiledPipelines {
    pub cache: wgpu::PipelineCache,
    file: PathBuf,
    /// Bytes that were read.
    before: Vec<u8>,
}

impl fmt::Debug for CompiledPipelines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompiledPipelines").field("file", &self.file).finish_non_exhaustive()
    }
}

impl CompiledPipelines {
    /// Those of the device's adapter in a folder; `None` where the driver offers none.
    pub(super) fn open(device: &wgpu::Device, folder: &Path) -> Option<Self> {
        if !device.features().contains(wgpu::Features::PIPELINE_CACHE) {
            return None;
        }
        let key = wgpu::util::pipeline_cache_key(&device.adapter_info())?;
        let file = folder.join(key);
        let before = read_cached(&file).unwrap_or_default();
        // The bytes are those of an earlier `get_data`, for the file names the adapter and carries a digest; wgpu and the driver
        // check their own headers in them, and start anew where those do not fit.
        #[allow(unsafe_code)]
        let cache = unsafe {
            device.create_pipeline_cache(&wgpu::PipelineCacheDescriptor {
                label: Some("pipelines"),
                data: Some(before.as_slice()).filter(|b| !b.is_empty()),
                fallback: true,
            })
        };
        Some(Self { cache, file, before })
    }
}

impl Drop for CompiledPipelines {
    fn drop(&mut self) {
        // A device that is gone has nothing to say.
        let now = catch_unwind(AssertUnwindSafe(|| self.cache.get_data())).ok().flatten();
        if let Some(now) = now.filter(|now| *now != self.before) {
            write_cached(&self.file, &now);
        }
    }
}
