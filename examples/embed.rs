//! Draws a figure into a texture of the caller's own wgpu device.

use gridscope::figure::Figure;
use gridscope::gpu::{Context, Painter};
use gridscope::{Fonts, Grid, PxSize, scene, wgpu};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The caller's device and texture: any format that stores sRGB bytes as they are.
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))?;
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default()))?;

    let values = (0..200).map(|i| (f64::from(i % 20) / 6.0).cos() * f64::from(i / 20)).collect();
    let grids = [Grid::from_rows(10, 20, values)?];
    let mut fonts = Fonts::new();
    let drawing = scene(&Figure::default(), &grids, &mut fonts)?;
    let PxSize { w, h } = drawing.picture.size;
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("figure"),
        size: wgpu::Extent3d { width: w, height: h, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });

    let mut painter = Painter::new(&Context::from_parts(device, queue))?;
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    painter.draw_into(&drawing.picture, &grids, &mut fonts, &view, texture.format(), drawing.picture.size)?;
    println!("drew {w} x {h} pixels");
    Ok(())
}
