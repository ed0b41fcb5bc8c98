//! The end of reading.

use super::*;
use gridscope_core::grid::{Buffer, CellSource, SourceError};
use std::ops::Range;

/// A huge grid whose reader has a bug.
#[derive(Debug)]
struct Broken;

impl CellSource for Broken {
    fn rows(&self) -> usize {
        1 << 12
    }

    fn columns(&self) -> usize {
        1 << 12
    }

    fn buffer(&self) -> Buffer {
        Buffer::F64(Vec::new())
    }

    fn read(&self, _: Range<usize>, _: Range<usize>, _: &mut Buffer) -> Result<(), SourceError> {
        panic!("a bug while cells are read")
    }
}

#[test]
fn a_panic_while_a_huge_grid_is_read_ends_the_reading() {
    let (send, end) = channel();
    std::thread::spawn(move || {
        for limit in [0, u64::MAX] {
            let grids = vec![Grid::stored(Arc::new(Broken), None).unwrap()];
            assert!(is_worth_it(&grids));
            let ended = end_of(|| data_of(grids, &Figure::default(), limit, |_| ()).map(drop));
            let panicked = matches!(ended, Some(End::Panicked(_)));
            send.send(panicked).unwrap();
        }
    });
    for loaded in [false, true] {
        let panicked = end.recv_timeout(Duration::from_mins(1));
        assert_eq!(panicked, Ok(true), "loaded first: {loaded}");
    }
}

#[test]
fn success_is_no_end_and_a_failure_is_reported() {
    assert!(end_of(|| Ok(())).is_none());
    let failed = end_of(|| Err(Failure::usage("a flag")));
    assert!(matches!(failed, Some(End::Failed(failure)) if matches!(*failure, Failure::Usage(..))));
}
