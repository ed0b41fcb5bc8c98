// Statistics of cells: counts, the least and the greatest finite value with their ties, and exact sums of values and of their
// squares. And the cells that hold a value.

const INFINITY: u32 = 0x7f800000u;
// Its high word.
const DOUBLE_INFINITY: u32 = 0x7ff00000u;
const FLOAT: u32 = 0u;
const SIGNED: u32 = 1u;
const UNSIGNED: u32 = 2u;

// A finite number is an integer of at most 64 bits, times 2^(8 * place), times a power of two of its kind. Its digits of 16
// bits are added at place, place + 2 and so on, and those of its square, which counts as 2^(16 * place), at place, place + 1.
const PLACES: u32 = 264u;
// Counters: digits of positive values, of negative ones, of squares; states; infinities, -inf first.
const NEGATIVE: u32 = PLACES;
const SQUARES: u32 = 2u * PLACES;
const STATES: u32 = 3u * PLACES;
const INFINITIES: u32 = STATES + 6u;
const COUNTERS: u32 = STATES + 8u;
// Counters of all workgroups have their low halves here, then their high ones, then a record of each workgroup.
const RECORDS: u32 = 2u * COUNTERS;
const WORDS: u32 = 6u;
// Digits of an integer.
override DIGITS: u32 = select(2u, 4u, KEYS);

// The least and the greatest finite value, and how many cells hold them.
struct Extremes {
    least: vec2<u32>,
    least_ties: u32,
    greatest_ties: u32,
    greatest: vec2<u32>,
}

var<workgroup> own: array<atomic<u32>, COUNTERS>;
var<workgroup> partial: array<Extremes, LANES>;
// What a lane has found, its digits all at one place: neighbours are often alike.
var<private> extremes: Extremes;
var<private> place: u32;
var<private> sums: array<i32, 4>;
var<private> squares: array<u32, 8>;
var<private> others: array<u32, 8>;

// Adds the digits to those of the workgroup.
fn flush() {
    for (var k = 0u; k < DIGITS; k += 1u) {
        let digit = sums[k];
        if digit != 0 {
            atomicAdd(&own[place + 2u * k + select(0u, NEGATIVE, digit < 0)], u32(abs(digit)));
        }
        sums[k] = 0;
    }
    for (var k = 0u; k < 2u * DIGITS; k += 1u) {
        if squares[k] > 0u {
            atomicAdd(&own[SQUARES + place + k], squares[k]);
        }
        squares[k] = 0u;
    }
}

// Adds an integer and its square, the integer at a bit of all places.
fn add(negative: bool, whole: vec2<u32>, bit: u32) {
    if bit >> 3u != place {
        flush();
        place = bit >> 3u;
    }
    let shift = bit & 7u;
    // A shift by 32 would be one by 0.
    let carried = select(whole.x >> (32u - shift), 0u, shift == 0u);
    let low = whole.x << shift;
    let high = (whole.y << shift) | carried;
    var digits = array(low & 0xffffu, low >> 16u, high & 0xffffu, high >> 16u);
    var columns = array(0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u);
    for (var i = 0u; i < DIGITS; i += 1u) {
        sums[i] += select(i32(digits[i]), -i32(digits[i]), negative);
        for (var j = 0u; j < DIGITS; j += 1u) {
            let product = digits[i] * digits[j];
            columns[i + j] += product & 0xffffu;
            columns[i + j + 1u] += product >> 16u;
        }
    }
    var carry = 0u;
    for (var k = 0u; k < 2u * DIGITS; k += 1u) {
        carry += columns[k];
        squares[k] += carry & 0xffffu;
        carry >>= 16u;
    }
}

// The magnitude of a signed integer of two words.
fn magnitude(key: vec2<u32>, negative: bool) -> vec2<u32> {
    let low = ~key.x + 1u;
    return select(key, vec2(low, ~key.y + select(0u, 1u, low == 0u)), negative);
}

fn take(i: u32) {
    let cell = cell_at(i);
    if cell.state != VALUE {
        others[cell.state] += 1u;
        return;
    }
    let negative = cell.key.y < TOP_BIT;
    let signed = vec2(cell.key.x, cell.key.y ^ TOP_BIT);
    var whole: vec2<u32>;
    var bit = 0u;
    if !KEYS || count.kind == FLOAT {
        var high = magnitude(signed, negative);
        if !KEYS {
            high = vec2(0u, u32(abs(bitcast<i32>(signed.y))));
        }
        if high.y == select(INFINITY, DOUBLE_INFINITY, KEYS) {
            others[select(7u, 6u, negative)] += 1u;
            return;
        }
        let digits = select(23u, 20u, KEYS);
        let exponent = high.y >> digits;
        let first = (high.y & ((1u << digits) - 1u)) | select(0u, 1u << digits, exponent > 0u);
        whole = select(vec2(first, 0u), vec2(high.x, first), KEYS);
        bit = max(exponent, 1u) - 1u;
    } else if count.kind == SIGNED {
        whole = magnitude(signed, negative);
    } else {
        whole = cell.key;
    }
    add(negative && count.kind != UNSIGNED, whole, bit);
    extremes = joined(extremes, Extremes(cell.key, 1u, 1u, cell.key));
}

fn joined(a: Extremes, b: Extremes) -> Extremes {
    var out = a;
    if all(a.least == b.least) {
        out.least_ties += b.least_ties;
    } else if is_below(b.least, a.least) {
        out.least = b.least;
        out.least_ties = b.least_ties;
    }
    if all(a.greatest == b.greatest) {
        out.greatest_ties += b.greatest_ties;
    } else if is_below(a.greatest, b.greatest) {
        out.greatest = b.greatest;
        out.greatest_ties = b.greatest_ties;
    }
    return out;
}

@compute @workgroup_size(LANES)
fn sum_cells(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    // No value has no tie, and any value or none beats it.
    extremes = Extremes(vec2(0xffffffffu, 0xffffffffu), 0u, 0u, vec2(0u, 0u));
    for (var y = id.x >> count.bits; y < count.height; y += 1u << (count.lanes - count.bits)) {
        let row = count.first + y * count.stride;
        for (var x = id.x & ((1u << count.bits) - 1u); x < count.width; x += 1u << count.bits) {
            take(row + x);
        }
    }
    flush();
    for (var k = 0u; k < 8u; k += 1u) {
        if others[k] > 0u {
            atomicAdd(&own[STATES + k], others[k]);
        }
    }
    partial[lane] = extremes;
    for (var half = LANES / 2u; half > 0u; half >>= 1u) {
        workgroupBarrier();
        if lane < half {
            extremes = joined(extremes, partial[lane + half]);
            partial[lane] = extremes;
        }
    }
    for (var i = lane; i < COUNTERS; i += LANES) {
        let n = atomicLoad(&own[i]);
        if n > 0u {
            atomicAdd(&counters[i], n & 0xffffu);
            atomicAdd(&counters[COUNTERS + i], n >> 16u);
        }
    }
    if lane == 0u {
        let at = RECORDS + WORDS * (count.slot + group.x);
        atomicStore(&counters[at], extremes.least.x);
        atomicStore(&counters[at + 1u], extremes.least.y);
        atomicStore(&counters[at + 2u], extremes.least_ties);
        atomicStore(&counters[at + 3u], extremes.greatest_ties);
        atomicStore(&counters[at + 4u], extremes.greatest.x);
        atomicStore(&counters[at + 5u], extremes.greatest.y);
    }
}

// Lists the cells that hold the value of the table's first key: how many there are, then for as many as there is room the number
// of the dispatch and the cell in its order.
@compute @workgroup_size(LANES)
fn find_cells(@builtin(global_invocation_id) id: vec3<u32>) {
    let key = table[0];
    for (var y = id.x >> count.bits; y < count.height; y += 1u << (count.lanes - count.bits)) {
        let row = count.first + y * count.stride;
        for (var x = id.x & ((1u << count.bits) - 1u); x < count.width; x += 1u << count.bits) {
            let cell = cell_at(row + x);
            if cell.state != VALUE || any(cell.key != key) {
                continue;
            }
            let before = atomicAdd(&counters[0], 1u);
            if before < (arrayLength(&counters) - 1u) / 2u {
                let at = 1u + 2u * before;
                atomicStore(&counters[at], count.slot);
                atomicStore(&counters[at + 1u], y * count.width + x);
            }
        }
    }
}
