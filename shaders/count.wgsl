// Counts cells: by the thresholds that their keys have reached, or by the next digit of keys that share their high bits.

// Whether digits are counted instead of thresholds.
override DIGITS: bool = false;

// Counters of keys, then of states.
const STATES: u32 = 2048u;
const COUNTERS: u32 = 2056u;
const NOWHERE: u32 = 0xffffffffu;

var<workgroup> own: array<atomic<u32>, COUNTERS>;

// How many thresholds are not above a key.
fn reached(key: vec2<u32>) -> u32 {
    var low = 0u;
    var high = count.entries;
    while low < high {
        let middle = (low + high) / 2u;
        if is_below(key, table[middle]) {
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
    let cell = cell_at(i);
    if cell.state != VALUE {
        return STATES + cell.state;
    }
    if DIGITS {
        return digit_of(cell.key);
    }
    return reached(cell.key);
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
