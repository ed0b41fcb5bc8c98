// Filled convex polygons. A pixel's coverage is the distance of its centre behind the nearest edge, plus a
// half.

struct Shape {
    // The pixels that it may touch.
    low: vec2<f32>,
    high: vec2<f32>,
    color: u32,
    // Its edges; a shape without any covers all its pixels.
    first: u32,
    count: u32,
}

@group(0) @binding(1) var<storage, read> shapes: array<Shape>;
// Unit normal and offset of each edge, positive inside.
@group(0) @binding(2) var<storage, read> edges: array<vec4<f32>>;

struct Vertex {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) shape: u32,
}

@vertex
fn place(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> Vertex {
    let s = shapes[instance];
    return Vertex(clip(corner(vertex, s.low, s.high)), instance);
}

@fragment
fn paint(in: Vertex) -> @location(0) vec4<f32> {
    let s = shapes[in.shape];
    let at = floor(in.position.xy) + 0.5;
    var depth = 1.0;
    for (var i = s.first; i < s.first + s.count; i += 1u) {
        let e = edges[i];
        depth = min(depth, e.x * at.x + e.y * at.y + e.z);
    }
    // In steps of 1/255, as in the masks of text.
    let coverage = floor(clamp(depth + 0.5, 0.0, 1.0) * 255.0 + 0.5) / 255.0;
    let color = color_of(s.color);
    return vec4(color.rgb, color.a * coverage);
}
