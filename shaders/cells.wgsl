// A panel's body: each pixel looks up its column and row, then the cell's stored bits; or its Summary.

// Marks a column or row of pixels without cells.
const GAP: u32 = 0xffffffffu;
// Words of a Summary.
const WORDS: u32 = 6u;

// Cells, or Summaries.
@group(1) @binding(0) var<storage, read> cells: array<u32>;

@vertex
fn place(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4<f32> {
    let low = vec2<f32>(body.origin + vec2(i32(body.left), i32(body.top)));
    let high = vec2<f32>(body.origin + vec2(i32(body.right), i32(body.bottom)));
    return clip(corner(vertex, low, high));
}

fn pixel_at(at: vec4<f32>) -> vec2<u32> {
    return vec2<u32>(vec2<i32>(floor(at.xy)) - body.origin);
}

@fragment
fn paint(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = pixel_at(at);
    let column = tables[body.columns + pixel.x];
    let row = tables[body.rows + pixel.y];
    if column == GAP || row == GAP {
        return color_of(body.background);
    }
    return shade(cells[body.base + row * body.stride + column], pixel);
}

@fragment
fn paint_keys(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = pixel_at(at);
    let column = tables[body.columns + pixel.x];
    let row = tables[body.rows + pixel.y];
    if column == GAP || row == GAP {
        return color_of(body.background);
    }
    let i = 2u * (body.base + row * body.stride + column);
    return shade_key(cells[i], cells[i + 1u], pixel);
}

@fragment
fn paint_folded(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = pixel_at(at);
    let i = (body.base + pixel.y * body.stride + pixel.x) * WORDS;
    let hi = bitcast<f32>(cells[i + 2u]);
    let lo = bitcast<f32>(cells[i + 3u]);
    return shade(reduced(Summary(cells[i], cells[i + 1u], hi, lo, cells[i + 4u], cells[i + 5u])), pixel);
}
