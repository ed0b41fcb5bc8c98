// A Summary to the stored bits that a pixel shows, as Summary::reduce does on the CPU.

const MEAN: u32 = 0u;
const MIN: u32 = 1u;
const MAX: u32 = 2u;
const EXTREME: u32 = 3u;
const COUNT: u32 = 4u;
// One pipeline per reduction: a CPU would compute all of them for every pixel.
override REDUCE: u32 = MEAN;

const NO_VALUE: u32 = 0x7fc00000u;

// The bits of v * 2^exponent; exact unless it is a subnormal number, which is rounded to the nearest.
fn unscaled(v: f32, exponent: i32) -> u32 {
    let bits = bitcast<u32>(v);
    let sign = bits & SIGN;
    let field = i32((bits & ~SIGN) >> 23u);
    if field == 0 {
        return sign;
    }
    let now = field + exponent;
    if now >= 255 {
        return sign | INFINITY;
    }
    if now > 0 {
        return (bits & 0x807fffffu) | (u32(now) << 23u);
    }
    let mantissa = (bits & 0x007fffffu) | 0x00800000u;
    let shift = u32(min(1 - now, 31));
    return sign | nearest(mantissa, shift);
}

// n / 2^shift, to the nearest, ties to the even one.
fn nearest(n: u32, shift: u32) -> u32 {
    let whole = n >> shift;
    let rest = n & ((1u << shift) - 1u);
    let half = 1u << (shift - 1u);
    let up = rest > half || (rest == half && (whole & 1u) == 1u);
    return whole + select(0u, 1u, up);
}

// The nearest f32; a device's own conversion may round differently.
fn float_of(n: u32) -> f32 {
    if n < 0x01000000u {
        return f32(n);
    }
    let shift = 8u - countLeadingZeros(n);
    return f32(nearest(n, shift)) * f32(1u << shift);
}

// A factor of 12 bits of v; the rest has 12 bits too.
fn high_half(v: f32) -> f32 {
    let c = opaque(v * 4097.0, body.zero);
    return opaque(c - opaque(c - v, body.zero), body.zero);
}

// (hi + lo) / n in scaled values, to the nearest f32 except for ties; a device's own division is less exact.
fn quotient(s: Summary) -> f32 {
    let n = float_of(s.count);
    let q = opaque(s.hi / n, body.zero);
    let a = high_half(q);
    let b = q - a;
    // The remainder of q * n, from products of 12 bits each, which are exact.
    let parts = array(s.count & 0xff000000u, s.count & 0x00fff000u, s.count & 0x00000fffu);
    var rest = vec2(s.hi, s.lo);
    for (var i = 0u; i < 3u; i += 1u) {
        let part = f32(parts[i]);
        rest = less(less(rest, a * part), b * part);
    }
    return q + (rest.x + rest.y) / n;
}

fn less(sum: vec2<f32>, x: f32) -> vec2<f32> {
    let s = two_sum(sum.x, opaque(-x, body.zero), body.zero);
    return vec2(s.x, sum.y + s.y);
}

// The stored bits of the mean.
fn mean(s: Summary) -> u32 {
    let low = least(s);
    if greatest(s) == INFINITY {
        return select(INFINITY, NO_VALUE, low == NEGATIVE_INFINITY);
    }
    return select(unscaled(quotient(s), body.exponent), NEGATIVE_INFINITY, low == NEGATIVE_INFINITY);
}

// The extreme farther from the centre; in a tie, the greatest value.
fn extreme(s: Summary) -> u32 {
    let low = least(s);
    let high = greatest(s);
    let centre = ordered_key(body.centre);
    if high == INFINITY || centre < ordered_key(low) {
        return high;
    }
    if low == NEGATIVE_INFINITY || centre > ordered_key(high) {
        return low;
    }
    // centre - low > high - centre, exact except for the last bits of the centre.
    let both = two_sum(scaled(low, body.scale, body.tiny), scaled(high, body.scale, body.tiny), body.zero);
    let twice = 2.0 * scaled(body.centre, body.scale, body.tiny);
    let rest = 2.0 * scaled(bitcast<u32>(body.rest), body.scale, body.tiny);
    return select(high, low, twice > both.x || (twice == both.x && rest > both.y));
}

// The stored bits of a state, by its index in the order of state_of.
fn state_bits(place: u32) -> u32 {
    return NO_VALUE | array(0u, 2u, 3u, 4u, 5u, 1u)[place];
}

fn reduced(s: Summary) -> u32 {
    if s.count == 0u {
        if s.states == 0u {
            return BACKGROUND;
        }
        return select(state_bits(countTrailingZeros(s.states)), 0u, REDUCE == COUNT);
    }
    switch REDUCE {
        case MIN: { return least(s); }
        case MAX: { return greatest(s); }
        case EXTREME: { return extreme(s); }
        case COUNT: { return bitcast<u32>(float_of(s.count)); }
        default: { return mean(s); }
    }
}
