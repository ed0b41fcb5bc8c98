// The result of a fold for a pixel or block. All zeros is the empty summary, so a cleared buffer needs no
// pass of its own.

struct Summary {
    // How far the least value is below +inf and the greatest above -inf, in steps of f32: both grow as values
    // are added.
    low: u32,
    high: u32,
    // The sum of the finite values * 2^-exponent is hi + lo.
    hi: f32,
    lo: f32,
    count: u32,
    // One bit per state, in the order of state_of.
    states: u32,
}

const INFINITY: u32 = 0x7f800000u;
const NEGATIVE_INFINITY: u32 = 0xff800000u;
const SIGN: u32 = 0x80000000u;
// The positions of +inf and -inf in the order of all f32.
const TOP: u32 = 0xff800000u;
const BOTTOM: u32 = 0x007fffffu;

// The position of a value in the order of all f32, -0 before +0.
fn place_of(bits: u32) -> u32 {
    return bits ^ select(SIGN, 0xffffffffu, bits >= SIGN);
}

fn bits_at(place: u32) -> u32 {
    return place ^ select(0xffffffffu, SIGN, place >= SIGN);
}

fn least(s: Summary) -> u32 {
    return bits_at(TOP - s.low);
}

fn greatest(s: Summary) -> u32 {
    return bits_at(BOTTOM + s.high);
}

// A finite value * 2^-exponent: `scale` is that power, `tiny` is that times 2^-126. Devices may read
// subnormal numbers as 0, so these are handled as integers.
fn scaled(bits: u32, scale: f32, tiny: f32) -> f32 {
    let magnitude = bits & ~SIGN;
    if magnitude >= 0x00800000u {
        return bitcast<f32>(bits) * scale;
    }
    let small = f32(magnitude) * 1.1920928955078125e-7 * tiny;
    return select(small, -small, bits >= SIGN);
}

// The same number at run time, but opaque to the compiler, which must not simplify error terms away.
fn opaque(x: f32, zero: u32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ zero);
}

// The rounded sum, and what rounding removed from it.
fn two_sum(a: f32, b: f32, zero: u32) -> vec2<f32> {
    let s = opaque(a + b, zero);
    let t = opaque(s - a, zero);
    return vec2(s, (a - opaque(s - t, zero)) + (b - t));
}

// The same for a magnitude of `a` that is not below that of `b`.
fn fast_sum(a: f32, b: f32, zero: u32) -> vec2<f32> {
    let s = opaque(a + b, zero);
    return vec2(s, b - opaque(s - a, zero));
}

fn merged(a: Summary, b: Summary, zero: u32) -> Summary {
    let s = two_sum(a.hi, b.hi, zero);
    let t = fast_sum(s.x, s.y + (a.lo + b.lo), zero);
    return Summary(max(a.low, b.low), max(a.high, b.high), t.x, t.y, a.count + b.count, a.states | b.states);
}
