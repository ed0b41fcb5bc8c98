// The canvas, and its mapping to clip space.

struct Canvas {
    size: vec2<f32>,
}

@group(0) @binding(0) var<uniform> canvas: Canvas;

fn clip(pixel: vec2<f32>) -> vec4<f32> {
    return vec4(2.0 * pixel.x / canvas.size.x - 1.0, 1.0 - 2.0 * pixel.y / canvas.size.y, 0.0, 1.0);
}

// The corner of a rectangle for each vertex of a strip of two triangles.
fn corner(vertex: u32, low: vec2<f32>, high: vec2<f32>) -> vec2<f32> {
    return select(low, high, vec2((vertex & 1u) == 1u, (vertex & 2u) == 2u));
}

// Straight sRGB bytes, red in the lowest one; the target stores them unchanged.
fn color_of(rgba: u32) -> vec4<f32> {
    return unpack4x8unorm(rgba);
}
