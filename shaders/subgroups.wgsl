// The lanes that share a pixel join their Summaries by subgroup operations, in the order of `by_group`.

fn shuffled(s: Summary, by: u32) -> Summary {
    return Summary(
        subgroupShuffleDown(s.low, by),
        subgroupShuffleDown(s.high, by),
        subgroupShuffleDown(s.hi, by),
        subgroupShuffleDown(s.lo, by),
        subgroupShuffleDown(s.count, by),
        subgroupShuffleDown(s.states, by),
    );
}

@compute @workgroup_size(LANES)
fn by_subgroups(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
    @builtin(subgroup_size) size: u32,
    @builtin(num_subgroups) subgroups: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_invocation_id) invocation: u32,
) {
    // Subgroups need not hold neighbours, nor be full; where they are not, only memory joins lanes.
    let full = size * subgroups == LANES;
    let width = select(1u, size, full);
    let lane = select(index, subgroup * size + invocation, full);
    let pixel = vec2(job.left + group.x, job.top + group.y);
    fold_pixel(pixel, lane, LANE_BITS);
    if width < LANES {
        partial[lane] = sum;
        for (var half = LANES / 2u; half >= width; half >>= 1u) {
            workgroupBarrier();
            if lane < half {
                sum = merged(sum, partial[lane + half], job.zero);
                partial[lane] = sum;
            }
        }
    }
    // Lanes from `half` on are not read again, whatever they get.
    for (var half = width / 2u; half > 0u; half >>= 1u) {
        sum = merged(sum, shuffled(sum, half), job.zero);
    }
    if lane == 0u {
        store(pixel);
    }
}
