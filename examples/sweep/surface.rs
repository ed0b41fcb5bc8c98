//! A synthetic sweep: accuracy by ratio and window size, with single-cell optima and failed runs.

/// Single-cell optima as (row, column, value) in a sweep of 4,000 x 3,000.
pub const OPTIMA: [(usize, usize, f32); 6] = [
    (3480, 310, 0.93),
    (3050, 2720, 0.97),
    (2210, 150, 0.91),
    (1490, 2390, 0.94),
    (840, 1130, 0.92),
    (420, 2050, 0.9),
];

/// The block of runs that failed as a whole: rows, columns.
pub const FAILED: [std::ops::Range<usize>; 2] = [2500..2800, 1050..1400];

/// One run in this many failed on its own.
const LONE_FAILURES: u64 = 400;

/// The accuracy of every run, `rows` window sizes x `columns` ratios in row-major order; NaN where a run failed.
///
/// Optima and the failed block have the same relative places at every size.
pub fn surface(rows: usize, columns: usize) -> Vec<f32> {
    let mut out = Vec::with_capacity(rows * columns);
    for r in 0..rows {
        let window = r as f32 / rows.max(1) as f32;
        // The best ratio falls as the window grows: the ridge bends.
        let best = 0.16 + 0.62 * (-2.8 * window).exp();
        let height = 0.42 + 0.2 * window;
        for c in 0..columns {
            let ratio = c as f32 / columns.max(1) as f32;
            let noise = random(r, c);
            if noise.is_multiple_of(LONE_FAILURES)
                || FAILED[0].contains(&(r * 4000 / rows)) && FAILED[1].contains(&(c * 3000 / columns))
            {
                out.push(f32::NAN);
                continue;
            }
            let off = (ratio - best) / (0.07 + 0.06 * window);
            let ridge = height / (1.0 + off * off);
            let corner = ((1.0 - ratio) / 0.42).hypot((1.0 - window) / 0.5);
            let plateau = 0.38 * step((1.1 - corner) / 0.25);
            let jitter = (noise >> 40) as f32 / (1u64 << 24) as f32 - 0.5;
            out.push(0.08 + ridge.max(plateau) + 0.01 * jitter);
        }
    }
    for (r, c, v) in OPTIMA {
        if let Some(cell) = out.get_mut(r * rows / 4000 * columns + c * columns / 3000) {
            *cell = v;
        }
    }
    out
}

/// 0 below 0, 1 above 1, smooth between.
fn step(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// 64 bits that depend only on the cell: the last step of `SplitMix64`.
fn random(row: usize, column: usize) -> u64 {
    let mut z = ((row as u64) << 32 | column as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The values as an NPY file of little-endian f32 in C order.
pub fn npy(rows: usize, columns: usize, values: &[f32]) -> Vec<u8> {
    let dict = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    // Header and dictionary together fill a multiple of 64 bytes.
    let length = (10 + dict.len() + 1).next_multiple_of(64) - 10;
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((length as u16).to_le_bytes());
    out.extend(format!("{dict:<0$}\n", length - 1).bytes());
    out.extend(values.iter().flat_map(|v| v.to_le_bytes()));
    out
}
