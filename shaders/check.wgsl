// Checks what arrived on the device: extremes and a sum of bits, to compare with what was sent.

struct Check {
    // Elements of the buffer, and the index of their result.
    first: u32,
    count: u32,
    result: u32,
}

struct CheckSum {
    // As in Summary.
    low: atomic<u32>,
    high: atomic<u32>,
    // Of all bit patterns, wrapping.
    sum: atomic<u32>,
}

const LANES: u32 = 64u;

@group(0) @binding(0) var<uniform> check: Check;
@group(1) @binding(0) var<storage, read> cells: array<u32>;
@group(2) @binding(0) var<storage, read_write> found: array<CheckSum>;

@compute @workgroup_size(LANES)
fn inspect(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    var low = 0u;
    var high = 0u;
    var sum = 0u;
    for (var i = id.x; i < check.count; i += groups.x * LANES) {
        let bits = cells[check.first + i];
        let place = place_of(bits);
        let value = (bits & ~SIGN) <= INFINITY;
        low = max(low, select(0u, TOP - place, value));
        high = max(high, select(0u, place - BOTTOM, value));
        sum += bits;
    }
    atomicMax(&found[check.result].low, low);
    atomicMax(&found[check.result].high, high);
    atomicAdd(&found[check.result].sum, sum);
}
