//! The bandwidth of the machine's memory, which bounds how fast cells can be read from it.

use gridscope_core::workers::share;
use std::hint::black_box;
use std::time::Instant;

/// The number of copies, of which the fastest counts: other work slowed the rest.
const COPIES: usize = 5;
/// The largest buffer: two of them are larger than caches, and smaller than what frames of large grids take, whose memory is
/// reported.
pub(super) const MOST_BYTES: usize = 64 << 20;

/// Bytes read and written per second when all cores copy between two buffers of up to `bytes`.
pub(super) fn host_copy(bytes: u64) -> f64 {
    let bytes = usize::try_from(bytes)
        .unwrap_or(MOST_BYTES)
        .clamp(4096, MOST_BYTES);
    let from = vec![1u8; bytes];
    let mut to = vec![2u8; bytes];
    let threads = gridscope_core::grid::cores();
    let mut best = f64::INFINITY;
    for _ in 0..COPIES {
        let start = Instant::now();
        copy(&from, &mut to, threads);
        best = best.min(start.elapsed().as_secs_f64());
    }
    2.0 * bytes as f64 / best.max(1e-9)
}

/// Copies a buffer to one of the same length, a part on each thread.
fn copy(from: &[u8], to: &mut [u8], threads: usize) {
    let part = from.len().div_ceil(threads).max(1);
    share(
        threads,
        to.chunks_mut(part).zip(from.chunks(part)),
        |(to, from)| black_box(to).copy_from_slice(from),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_copied_by_any_number_of_threads() {
        let from: Vec<u8> = (0..=250).collect();
        for threads in [1, 2, 3, 16, 300] {
            let mut to = vec![255; from.len()];
            copy(&from, &mut to, threads);
            assert_eq!(to, from, "{threads}");
        }
    }

    #[test]
    fn small_buffers_have_a_rate_too() {
        assert!(
            [0, 1, 10_000]
                .map(host_copy)
                .iter()
                .all(|r| r.is_finite() && *r > 0.0)
        );
    }
}
