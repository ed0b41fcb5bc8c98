// Counts cells: by the thresholds that their keys have reached, or by the next digit of keys that share their high bits.

struct Count {
    // The first cell, cells from one row to the next, and the cells of a dispatch.
    first: u32,
    stride: u32,
    width: u32,
    height: u32,
    // 2^bits lanes side by side, of 2^lanes in all.
    bits: u32,
    lanes: u32,
    // Entries of the table: ascending thresholds, or the high bits of keys.
    entries: u32,
    // The high word of states, where cells have two words.
    mark: u32,
    // Which bits of a key the table has, low word first.
    mask: vec2<u32>,
    // Bits of a key below its next digit, and those of the digit.
    shift: u32,
    digit: u32,
}

// Whether cells have two words.
override KEYS: bool = false;
// Whether digits are counted instead of thresholds.
override DIGITS: bool = false;

const LANES: u32 = 64u;
// Counters of keys, then of states.
const STATES: u32 = 2048u;
const COUNTERS: u32 = 2056u;
const NOWHERE: u32 = 0xffffffffu;
const TOP_BIT: u32 = 0x80000000u;
// The low word of the mark of the first state.
const MARK_LOW: u32 = 0xfffffff8u;

@group(0) @binding(0) var<uniform> count: Count;
// Low word and high word of unsigned keys.
@group(0) @binding(1) var<storage, read> table: array<vec2<u32>>;
@group(1) @binding(0) var<storage, read> cells: array<u32>;
@group(2) @binding(0) var<storage, read_write> counters: array<atomic<u32>>;

var<workgroup> own: array<atomic<u32>, COUNTERS>;

// How many thresholds are not above a key.
fn reached(key: vec2<u32>) -> u32 {
    var low = 0u;
    var high = count.entries;
    while low < high {
        let middle = (low + high) / 2u;
        let t = table[middle];
        if t.y > key.y || (t.y == key.y && t.x > key.x) {
            high = middle;
        } else {
            low = middle + 1u;
        }
    }
    return low;
}

// The counter of a key's next digit, behind those of the entries before its own.
fn digit_of(key: vec2<u32>) -> u32 {
    let prefix = key & count.mask;
    var at = NOWHERE;
    for (var i = 0u; i < count.entries; i += 1u) {
        at = select(at, i, all(table[i] == prefix));
    }
    if at == NOWHERE {
        return NOWHERE;
    }
    // A shift by 32 would be one by 0.
    let below = count.shift & 31u;
    let carried = select(key.y << (32u - below), 0u, below == 0u);
    let shifted = select((key.x >> below) | carried, key.y >> below, count.shift >= 32u);
    return (at << count.digit) | (shifted & ((1u << count.digit) - 1u));
}

fn counter_of(i: u32) -> u32 {
    var key: vec2<u32>;
    if KEYS {
        key = vec2(cells[2u * i], cells[2u * i + 1u]);
        if key.y == count.mark && key.x >= MARK_LOW {
            return STATES + (key.x & 7u);
        }
    } else {
        let bits = cells[i];
        let state = state_of(bits);
        if state != VALUE {
            return STATES + state;
        }
        key = vec2(0u, bitcast<u32>(ordered_key(bits)));
    }
    key.y ^= TOP_BIT;
    if DIGITS {
        return digit_of(key);
    }
    return reached(key);
}

@compute @workgroup_size(LANES)
fn count_cells(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    // Neighbours are often alike: a run of them is added at once.
    var at = NOWHERE;
    var run = 0u;
    for (var y = id.x >> count.bits; y < count.height; y += 1u << (count.lanes - count.bits)) {
        let row = count.first + y * count.stride;
        for (var x = id.x & ((1u << count.bits) - 1u); x < count.width; x += 1u << count.bits) {
            let next = counter_of(row + x);
            if next != at {
                if at != NOWHERE {
                    atomicAdd(&own[at], run);
                }
                at = next;
                run = 0u;
            }
            run += 1u;
        }
    }
    if at != NOWHERE {
        atomicAdd(&own[at], run);
    }
    workgroupBarrier();
    for (var i = lane; i < COUNTERS; i += LANES) {
        let n = atomicLoad(&own[i]);
        if n > 0u {
            atomicAdd(&counters[i], n);
        }
    }
}
