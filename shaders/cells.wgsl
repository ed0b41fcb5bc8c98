// A panel's body: each pixel looks up its column and row, then the cell's stored bits.

// No cell lies under this column or row of pixels.
const GAP: u32 = 0xffffffffu;

@group(1) @binding(0) var<storage, read> cells: array<u32>;

@vertex
fn place(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4<f32> {
    let low = vec2<f32>(body.origin + vec2(0, i32(body.top)));
    let high = vec2<f32>(body.origin + vec2(i32(body.width), i32(body.bottom)));
    return clip(corner(vertex, low, high));
}

@fragment
fn paint(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<u32>(vec2<i32>(floor(at.xy)) - body.origin);
    let column = tables[body.columns + pixel.x];
    let row = tables[body.rows + pixel.y];
    if column == GAP || row == GAP {
        return color_of(body.background);
    }
    let bits = cells[body.start + (row - body.first_row) * body.stride + column];
    return shade(bits, pixel);
}
