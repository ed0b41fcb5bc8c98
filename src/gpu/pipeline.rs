//! What the pipelines have in common: layouts, and strips of two triangles onto one colour target.

use super::context::Context;
use wgpu::util::DeviceExt;

/// A buffer that shaders read.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Binding {
    /// A uniform.
    Uniform,
    /// A uniform that starts where the draw call says.
    Record(u64),
    /// An array.
    Array,
}

/// A layout of buffers in order.
pub(super) fn layout(context: &Context, label: &str, bindings: &[Binding]) -> wgpu::BindGroupLayout {
    let entry = |(i, b): (usize, &Binding)| wgpu::BindGroupLayoutEntry {
        binding: i as u32,
        visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
        ty: wgpu::BindingType::Buffer {
            ty: match b {
                Binding::Array => wgpu::BufferBindingType::Storage { read_only: true },
                _ => wgpu::BufferBindingType::Uniform,
            },
            has_dynamic_offset: matches!(b, Binding::Record(_)),
            min_binding_size: match b {
                Binding::Record(size) => std::num::NonZeroU64::new(*size),
                _ => None,
            },
        },
        count: None,
    };
    let entries: Vec<_> = bindings.iter().enumerate().map(entry).collect();
    context.device().create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
}

/// A group of buffers in the order of their layout; `record` is the size of a [`Binding::Record`].
pub(super) fn group(
    context: &Context,
    layout: &wgpu::BindGroupLayout,
    buffers: &[&wgpu::Buffer],
    record: Option<(usize, u64)>,
) -> wgpu::BindGroup {
    let size = |i| record.filter(|r| r.0 == i).and_then(|r| std::num::NonZeroU64::new(r.1));
    let binding = |i, buffer| wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size: size(i) });
    let entries: Vec<_> =
        buffers.iter().enumerate().map(|(i, b)| wgpu::BindGroupEntry { binding: i as u32, resource: binding(i, *b) }).collect();
    context.device().create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
}

/// A buffer that holds `contents`, and is never empty.
pub(super) fn buffer(context: &Context, label: &str, contents: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
    // A binding must hold one element of its array, which are 32 bytes at most.
    let contents = if contents.is_empty() { &[0u8; 32] } else { contents };
    context.device().create_buffer_init(&wgpu::util::BufferInitDescriptor { label: Some(label), contents, usage })
}

/// A pipeline whose shader has the entry points `place` and `paint`.
pub(super) fn pipeline(
    context: &Context,
    label: &str,
    wgsl: &str,
    layouts: &[&wgpu::BindGroupLayout],
    format: wgpu::TextureFormat,
    blend: Option<wgpu::BlendState>,
) -> wgpu::RenderPipeline {
    let device = context.device();
    let module =
        device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(label), source: wgpu::ShaderSource::Wgsl(wgsl.into()) });
    let layouts: Vec<_> = layouts.iter().map(|l| Some(*l)).collect();
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(label),
        bind_group_layouts: &layouts,
        ..Default::default()
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(label),
        layout: Some(&layout),
        vertex: wgpu::VertexState { module: &module, entry_point: Some("place"), compilation_options: Default::default(), buffers: &[] },
        primitive: wgpu::PrimitiveState { topology: wgpu::PrimitiveTopology::TriangleStrip, ..Default::default() },
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("paint"),
            compilation_options: Default::default(),
            targets: &[Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })],
        }),
        multiview_mask: None,
        cache: None,
    })
}
