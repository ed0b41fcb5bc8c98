// Folding: a Summary of what each pixel of a target covers. A target is a picture's body or the next level.

struct Job {
    // The pixels of this dispatch.
    left: u32,
    top: u32,
    width: u32,
    height: u32,
    // Indices of the spans of pixel column 0 and pixel row 0.
    columns: u32,
    rows: u32,
    // Elements per pixel along x and y; 0: the spans decide.
    step: vec2<u32>,
    // The source's columns and rows that this dispatch reads: first and end.
    x: vec2<u32>,
    y: vec2<u32>,
    // Element (x, y) of the source is at base + y * stride + x, in wrapping arithmetic.
    base: u32,
    stride: u32,
    // The same for pixels of the target.
    target_base: u32,
    target_stride: u32,
    // 2^-exponent, and that * 2^-126.
    scale: f32,
    tiny: f32,
    // A workgroup has 2^bits pixels side by side.
    bits: u32,
    // Always 0 at run time; opaque to the compiler, so it cannot reassociate the compensated sums.
    zero: u32,
}

// Whether the source consists of Summaries instead of cells.
override BLOCKS: bool = false;

const LANE_BITS: u32 = 6u;
const LANES: u32 = 64u;
const WORDS: u32 = 6u;

@group(0) @binding(0) var<uniform> job: Job;
// For each pixel along a side: first and end element, and the first and end of the hole that a higher level
// has folded.
@group(0) @binding(1) var<storage, read> spans: array<vec4<u32>>;
@group(1) @binding(0) var<storage, read> source: array<u32>;
@group(2) @binding(0) var<storage, read_write> pixels: array<Summary>;

var<private> sum: Summary;
var<workgroup> partial: array<Summary, LANES>;

fn add(bits: u32) {
    let magnitude = bits & ~SIGN;
    if magnitude > INFINITY {
        sum.states |= 1u << state_of(bits);
        return;
    }
    let place = place_of(bits);
    sum.low = max(sum.low, TOP - place);
    sum.high = max(sum.high, place - BOTTOM);
    sum.count += 1u;
    // Infinities are known from the extremes; in a sum they would hide everything else.
    if magnitude < INFINITY {
        let s = two_sum(sum.hi, scaled(bits, job.scale, job.tiny), job.zero);
        sum.hi = s.x;
        sum.lo += s.y;
    }
}

fn add_block(i: u32) {
    let at = i * WORDS;
    let hi = bitcast<f32>(source[at + 2u]);
    let lo = bitcast<f32>(source[at + 3u]);
    sum = merged(sum, Summary(source[at], source[at + 1u], hi, lo, source[at + 4u], source[at + 5u]), job.zero);
}

// Folds rows y0..y1 of the `n` columns from x0 on; the columns from `left` on are `gap` further to the right.
// The 2^bits lanes that share the work are side by side as far as the columns reach.
fn fold(x0: u32, n: u32, left: u32, gap: u32, y0: u32, y1: u32, lane: u32, bits: u32) {
    let shift = min(bits, 32u - countLeadingZeros(n - 1u));
    let first = lane & ((1u << shift) - 1u);
    // Without columns, the rows would still be iterated over.
    let end = select(y1, y0, n == 0u);
    for (var y = y0 + (lane >> shift); y < end; y += 1u << (bits - shift)) {
        let row = job.base + y * job.stride + x0;
        for (var i = first; i < n; i += 1u << shift) {
            let at = row + i + select(0u, gap, i >= left);
            if BLOCKS {
                add_block(at);
            } else {
                add(source[at]);
            }
        }
        let s = fast_sum(sum.hi, sum.lo, job.zero);
        sum.hi = s.x;
        sum.lo = s.y;
    }
}

fn span(pixel: u32, table: u32, step: u32) -> vec4<u32> {
    if step == 0u {
        return spans[table + pixel];
    }
    return vec4(pixel * step, (pixel + 1u) * step, 0u, 0u);
}

// Folds what a pixel covers of this dispatch's elements, except the hole that a higher level fills.
fn fold_pixel(pixel: vec2<u32>, lane: u32, bits: u32) {
    let c = span(pixel.x, job.columns, job.step.x);
    let r = span(pixel.y, job.rows, job.step.y);
    // A hole outside the window becomes empty.
    let x = clamp(c, job.x.xxxx, job.x.yyyy);
    let y = clamp(r, job.y.xxxx, job.y.yyyy);
    if x.x >= x.y || y.x >= y.y {
        return;
    }
    let n = x.y - x.x;
    // Above the hole, left and right of it, below it; without a hole all rows are above it. In a loop, since
    // a CPU executes each call that any pixel makes.
    let hole = x.z < x.w && y.z < y.w;
    var part = vec4(y.x, select(y.y, y.z, hole), n, 0u);
    loop {
        fold(x.x, part.z, x.z - x.x, part.w, part.x, part.y, lane, bits);
        if part.y >= y.y {
            break;
        }
        let beside = part.y < y.w;
        let gap = select(0u, x.w - x.z, beside);
        part = vec4(part.y, select(y.y, y.w, beside), n - gap, gap);
    }
}

fn store(pixel: vec2<u32>) {
    let at = job.target_base + pixel.y * job.target_stride + pixel.x;
    pixels[at] = merged(pixels[at], sum, job.zero);
}

@compute @workgroup_size(LANES)
fn by_thread(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let x = (group.x << job.bits) + (lane & ((1u << job.bits) - 1u));
    let y = (group.y << (LANE_BITS - job.bits)) + (lane >> job.bits);
    if x >= job.width || y >= job.height {
        return;
    }
    let pixel = vec2(job.left + x, job.top + y);
    fold_pixel(pixel, 0u, 0u);
    store(pixel);
}

@compute @workgroup_size(LANES)
fn by_group(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let pixel = vec2(job.left + group.x, job.top + group.y);
    fold_pixel(pixel, lane, LANE_BITS);
    partial[lane] = sum;
    for (var half = LANES / 2u; half > 0u; half >>= 1u) {
        workgroupBarrier();
        if lane < half {
            sum = merged(sum, partial[lane + half], job.zero);
            partial[lane] = sum;
        }
    }
    if lane == 0u {
        store(pixel);
    }
}
