//! Common parts of all pipelines: layouts, bind groups, buffers, programs, and compiled pipelines in a file.

use super::context::Context;
use super::error::Moment;
use bytemuck::Pod;
use gridscope_core::output::{read_cached, write_cached};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use wgpu::util::DeviceExt;

/// A resource that shaders read or write.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Binding {
    /// A uniform.
    Uniform,
    /// A uniform whose offset is set by the draw call.
    Record(u64),
    /// An array.
    Array,
    /// An array that a compute shader writes.
    Target,
    /// A texture of colours, read texel by texel.
    Colors,
}

/// A layout of bindings, in order.
pub(super) fn layout(context: &Context, label: &str, bindings: &[Binding]) -> wgpu::BindGroupLayout {
    let entry = |(i, b): (usize, &Binding)| wgpu::BindGroupLayoutEntry {
        binding: i as u32,
        visibility: match b {
            Binding::Target => wgpu::ShaderStages::COMPUTE,
            _ => wgpu::ShaderStages::VERTEX_FRAGMENT | wgpu::ShaderStages::COMPUTE,
        },
        ty: match b {
            Binding::Colors => wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: false },
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
            Binding::Target => buffer_type(wgpu::BufferBindingType::Storage { read_only: false }, None),
            Binding::Array => buffer_type(wgpu::BufferBindingType::Storage { read_only: true }, None),
            Binding::Uniform => buffer_type(wgpu::BufferBindingType::Uniform, None),
            Binding::Record(size) => buffer_type(wgpu::BufferBindingType::Uniform, Some(*size)),
        },
        count: None,
    };
    let entries: Vec<_> = bindings.iter().enumerate().map(entry).collect();
    context.at(Moment::Layout);
    context
        .device()
        .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
}

/// The binding of a buffer; `record`: the size of a [`Binding::Record`].
fn buffer_type(ty: wgpu::BufferBindingType, record: Option<u64>) -> wgpu::BindingType {
    let min_binding_size = record.and_then(std::num::NonZeroU64::new);
    wgpu::BindingType::Buffer { ty, has_dynamic_offset: record.is_some(), min_binding_size }
}

/// A bind group of buffers in the order of their layout, then of colours; `record`: index and size of a
/// [`Binding::Record`].
pub(super) fn group(
    context: &Context,
    layout: &wgpu::BindGroupLayout,
    buffers: &[&wgpu::Buffer],
    record: Option<(usize, u64)>,
    colors: Option<&wgpu::TextureView>,
) -> wgpu::BindGroup {
    let size = |i| record.filter(|r| r.0 == i).and_then(|r| std::num::NonZeroU64::new(r.1));
    let binding =
        |i, buffer| wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size: size(i) });
    let resources = buffers
        .iter()
        .enumerate()
        .map(|(i, b)| binding(i, *b))
        .chain(colors.map(wgpu::BindingResource::TextureView));
    let entries: Vec<_> = resources
        .enumerate()
        .map(|(i, resource)| wgpu::BindGroupEntry { binding: i as u32, resource })
        .collect();
    context.device().create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
}

/// A buffer with `contents`, never empty.
pub(super) fn buffer(
    context: &Context,
    label: &str,
    contents: &[u8],
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    // A binding must contain a record, or an element of its array, none of which has more bytes.
    let contents = if contents.is_empty() { &[0u8; 128] } else { contents };
    let size = (contents.len() as u64).next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT);
    let buffer =
        context.buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: true });
    // A lost device maps nothing; the reason is reported elsewhere.
    if let Ok(mut mapped) = buffer.get_mapped_range_mut(..) {
        mapped.slice(..contents.len()).copy_from_slice(contents);
    }
    buffer.unmap();
    buffer
}

/// Records of one type, each at an offset that a [`Binding::Record`] can have.
pub(super) struct Records {
    pub bytes: Vec<u8>,
    stride: usize,
}

impl Records {
    /// No records of a type yet.
    pub(super) fn of<T: Pod>(context: &Context) -> Self {
        let alignment = context.device().limits().min_uniform_buffer_offset_alignment;
        Self { bytes: Vec::new(), stride: size_of::<T>().next_multiple_of(alignment as usize) }
    }

    /// Adds a record, and returns its offset in bytes.
    pub(super) fn push<T: Pod>(&mut self, record: &T) -> u32 {
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(bytemuck::bytes_of(record));
        self.bytes.resize(offset + self.stride, 0);
        offset as u32
    }
}

/// A texture of colours, [`COLORS_A_ROW`] per row, never empty.
pub(super) fn colors(context: &Context, list: &[[u8; 4]]) -> wgpu::TextureView {
    let rows = list.len().div_ceil(COLORS_A_ROW as usize).max(1) as u32;
    let mut texels = list.to_vec();
    texels.resize(rows as usize * COLORS_A_ROW as usize, [0; 4]);
    let descriptor = wgpu::TextureDescriptor {
        label: Some("colormaps"),
        size: wgpu::Extent3d { width: COLORS_A_ROW, height: rows, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        // Not sRGB, so that a map's bytes reach the target unchanged.
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    };
    context.at(Moment::Texture);
    let order = wgpu::util::TextureDataOrder::LayerMajor;
    let texture =
        context.device().create_texture_with_data(context.queue(), &descriptor, order, texels.as_flattened());
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// Texels per row of the texture of colours, as in shade.wgsl.
pub(super) const COLORS_A_ROW: u32 = 1024;

/// A shader with the layout of everything that it reads and writes.
#[derive(Debug)]
pub(super) struct Program {
    module: wgpu::ShaderModule,
    layout: wgpu::PipelineLayout,
}

impl Program {
    pub(super) fn new(
        context: &Context,
        label: &str,
        wgsl: &str,
        layouts: &[&wgpu::BindGroupLayout],
    ) -> Self {
        let device = context.device();
        context.at(Moment::Pipeline);
        let source = wgpu::ShaderSource::Wgsl(wgsl.into());
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(label), source });
        let layouts: Vec<_> = layouts.iter().map(|l| Some(*l)).collect();
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(label),
            bind_group_layouts: &layouts,
            ..Default::default()
        });
        Self { module, layout }
    }

    /// The pipeline of a compute shader's entry point, with values for its overrides.
    pub(super) fn compute(
        &self,
        context: &Context,
        entry: &str,
        overrides: &[(&str, f64)],
    ) -> wgpu::ComputePipeline {
        context.at(Moment::Pipeline);
        context.device().create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: Some(&self.layout),
            module: &self.module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: overrides,
                ..Default::default()
            },
            cache: context.compiled(),
        })
    }
}

/// A fragment shader's entry point, with values for its overrides.
#[derive(Clone, Copy)]
pub(super) struct Fragment<'a> {
    pub entry: &'a str,
    pub overrides: &'a [(&'a str, f64)],
}

/// A pipeline that draws strips of two triangles; the shader's vertex entry point is `place`.
pub(super) fn pipeline(
    context: &Context,
    label: &str,
    program: &Program,
    paint: Fragment<'_>,
    format: wgpu::TextureFormat,
    blend: Option<wgpu::BlendState>,
) -> wgpu::RenderPipeline {
    let Program { module, layout } = program;
    context.at(Moment::Pipeline);
    context.device().create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(label),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("place"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            ..Default::default()
        },
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(paint.entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: paint.overrides,
                ..Default::default()
            },
            targets: &[Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })],
        }),
        multiview_mask: None,
        cache: context.compiled(),
    })
}

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
