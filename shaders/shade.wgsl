// Stored bits to colours. Norms do not appear here, only the thresholds computed from them.

struct Body {
    // The left top corner on the canvas.
    origin: vec2<i32>,
    // The pixels drawn by one call.
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
    // Index in `tables` of the cell of each pixel column and row.
    columns: u32,
    rows: u32,
    // Cell (or Summary) (x, y) of the band is at base + y * stride + x, in wrapping arithmetic.
    base: u32,
    stride: u32,
    // Indices in `tables` of the thresholds, and in `colors` of the colours and of the fills of the states.
    thresholds: u32,
    count: u32,
    lut: u32,
    fills: u32,
    // The pattern of each state, four bits each.
    patterns: u32,
    background: u32,
    // Pixels of one step in a pattern.
    unit: u32,
    // The guess (value - low) * per, at most one level off; no guess where `per` is 0.
    low: f32,
    per: f32,
    // Of a folded body: the bits of the f32 nearest to the value that `extreme` measures from, and the rest
    // of that value.
    centre: u32,
    rest: f32,
    // The high word of states, where cells have two words.
    mark: u32,
    // The exponent of its sums, 2^-exponent, and that * 2^-126.
    exponent: i32,
    scale: f32,
    tiny: f32,
    // Always 0 at run time; opaque to the compiler, so it cannot reassociate the compensated sums.
    zero: u32,
}

const HATCH: u32 = 1u;
const DOTS: u32 = 2u;

@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<uniform> body: Body;
// The colormaps: under, the entries, over, then colour and ink of each state; one map after the other.
@group(0) @binding(3) var colors: texture_2d<f32>;

const COLORS_A_ROW: u32 = 1024u;
// The low word of the mark of the first state.
const MARK_LOW: u32 = 0xfffffff8u;

fn threshold(i: u32) -> i32 {
    return bitcast<i32>(tables[body.thresholds + i]);
}

// The number of thresholds that are not above the value.
fn level(bits: u32) -> u32 {
    let key = ordered_key(bits);
    if body.per > 0.0 {
        // The level is the guess or a neighbour of it; two thresholds decide.
        let guess = clamp((bitcast<f32>(bits) - body.low) * body.per, 1.0, f32(body.count - 1u));
        let n = u32(guess) - 1u;
        return n + select(0u, 1u, threshold(n) <= key) + select(0u, 1u, threshold(n + 1u) <= key);
    }
    var low = 0u;
    var high = body.count;
    while low < high {
        let middle = (low + high) / 2u;
        if threshold(middle) <= key {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

// n % p for n below 2^20. Integer divisions are slow on CPUs, and a CPU executes this branch for every pixel.
fn modulo(n: u32, p: u32) -> u32 {
    return n - p * u32((f32(n) + 0.5) / f32(p));
}

// The texel of a state at a pixel of the body: its colour, or the ink of its pattern.
fn fill(state: u32, pixel: vec2<u32>) -> u32 {
    let pattern = (body.patterns >> (4u * state)) & 0xfu;
    let unit = body.unit;
    let hatched = pattern == HATCH && modulo(pixel.x + pixel.y, 6u * unit) < unit;
    let dotted = pattern == DOTS && modulo(pixel.x, 4u * unit) < unit && modulo(pixel.y, 4u * unit) < unit;
    return body.fills + 2u * state + select(0u, 1u, hatched || dotted);
}

// The colour of a level, or of a state.
// One look-up for values and states: a CPU would execute both branches for every pixel.
fn color_at(state: u32, level: u32, pixel: vec2<u32>) -> vec4<f32> {
    let texel = select(fill(min(state, VALUE - 1u), pixel), body.lut + level, state == VALUE);
    return textureLoad(colors, vec2(texel % COLORS_A_ROW, texel / COLORS_A_ROW), 0);
}

fn shade(bits: u32, pixel: vec2<u32>) -> vec4<f32> {
    let state = state_of(bits);
    let color = color_at(state, level(select(0u, bits, state == VALUE)), pixel);
    return select(color, color_of(body.background), bits == BACKGROUND);
}

// The number of thresholds of two words that are not above a key, whose order is that of signed integers.
fn level_of_key(low_word: u32, high_word: u32) -> u32 {
    var low = 0u;
    var high = body.count;
    while low < high {
        let middle = (low + high) / 2u;
        let at = body.thresholds + 2u * middle;
        let t = tables[at + 1u];
        let above = bitcast<i32>(t) > bitcast<i32>(high_word);
        if above || (t == high_word && tables[at] > low_word) {
            high = middle;
        } else {
            low = middle + 1u;
        }
    }
    return low;
}

// The colour of a cell of two words: the key of a number, or a mark and the index of a state.
fn shade_key(low_word: u32, high_word: u32, pixel: vec2<u32>) -> vec4<f32> {
    let marked = high_word == body.mark && low_word >= MARK_LOW;
    return color_at(select(VALUE, low_word & 7u, marked), level_of_key(low_word, high_word), pixel);
}
