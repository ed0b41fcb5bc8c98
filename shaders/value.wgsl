// Stored bit patterns. WGSL may assume that no NaN exists, so states are recognized by their bits alone.

const BACKGROUND: u32 = 0x7fc000ffu;
const VALUE: u32 = 6u;

// Index of the state's fill, or VALUE. Any other NaN is the state "no value".
fn state_of(bits: u32) -> u32 {
    if (bits & 0x7fffffffu) <= 0x7f800000u {
        return VALUE;
    }
    switch bits {
        case 0x7fc00002u: { return 1u; }
        case 0x7fc00003u: { return 2u; }
        case 0x7fc00004u: { return 3u; }
        case 0x7fc00005u: { return 4u; }
        case 0x7fc00001u: { return 5u; }
        default: { return 0u; }
    }
}

// An integer that sorts as the value does; -0 equals +0.
fn ordered_key(bits: u32) -> i32 {
    let magnitude = i32(bits & 0x7fffffffu);
    return select(magnitude, -magnitude, bits >= 0x80000000u);
}
