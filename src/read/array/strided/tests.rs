//! Every type in every order and direction, against the elements one by one.

use super::*;
use crate::array::grids_of_source;
use crate::budget::Budget;
use gridscope_core::figure::Figure;
use gridscope_core::grid::Grid;

fn grid(memory: Vec<u8>, dtype: &str, shape: [usize; 2], strides: [isize; 2], first: usize) -> Grid {
    let array = StridedArray::new(memory, dtype, shape.to_vec(), strides.to_vec(), first, "a").unwrap();
    let figure = Figure::default();
    grids_of_source(Box::new(array), "a", &figure, &Budget::usual()).unwrap().remove(0)
}

fn values(grid: &Grid) -> Vec<f64> {
    let cells = (0..grid.height()).flat_map(|r| (0..grid.width()).map(move |c| (r, c)));
    cells.map(|(r, c)| grid.at(r, c).as_f64()).collect()
}

#[test]
fn elements_are_where_strides_say() {
    let memory: Vec<u8> = (0..24u16).flat_map(u16::to_le_bytes).collect();
    // As rows, as columns, backwards, each second, one for all, and at odd bytes.
    for (shape, strides, first) in [
        ([4, 6], [12, 2], 0usize),
        ([6, 4], [2, 12], 0),
        ([4, 6], [-12, -2], 46),
        ([4, 3], [12, 4], 0),
        ([2, 3], [24, -4], 10),
        ([4, 6], [0, 2], 12),
        ([4, 6], [12, 0], 0),
        ([3, 5], [7, 3], 1),
        ([1, 6], [12, 2], 12),
        ([6, 1], [2, 2], 0),
        ([6, 1], [-2, 2], 10),
    ] {
        let wanted: Vec<f64> = (0..shape[0] as isize)
            .flat_map(|r| (0..shape[1] as isize).map(move |c| (r, c)))
            .map(|(r, c)| (first as isize + r * strides[0] + c * strides[1]) as usize)
            .map(|at| f64::from(u16::from_le_bytes([memory[at], memory[at + 1]])))
            .collect();
        let found = values(&grid(memory.clone(), "<u2", shape, strides, first));
        assert_eq!(found, wanted, "{shape:?} {strides:?} from {first}");
    }
}

#[test]
fn large_arrays_are_read_in_windows() {
    let (h, w) = (600usize, 700usize);
    let memory: Vec<u8> = (0..h * w).flat_map(|i| (i as f64).to_be_bytes()).collect();
    let stored = grid(memory.clone(), ">f8", [h, w], [8 * w as isize, 8], 0);
    let turned = grid(memory, ">f8", [w, h], [8, 8 * w as isize], 0);
    assert!(!stored.is_loaded() && turned.is_transposed());
    let cells = stored.read_numbers(599..600, 3..5).unwrap();
    assert_eq!(cells[1].as_f64(), (599 * 700 + 4) as f64);
    assert_eq!(turned.read_numbers(3..5, 599..600).unwrap()[1].as_f64(), (599 * 700 + 4) as f64);
}

#[test]
fn what_is_outside_or_not_read_is_refused() {
    let refused = |dtype: &str, shape: &[usize], strides: &[isize], first| {
        let array = StridedArray::new([0u8; 16], dtype, shape.to_vec(), strides.to_vec(), first, "a");
        array.map(|_| ()).map_err(|e| e.to_string())
    };
    assert_eq!(refused("<f8", &[1, 2], &[16, 8], 0), Ok(()));
    assert_eq!(refused("<f8", &[0, 9], &[72, 8], 0), Ok(()));
    for (shape, strides, first) in [
        (vec![1, 3], vec![24, 8], 0usize),
        (vec![1, 2], vec![16, -8], 0),
        (vec![1, 2], vec![16, 8], 1),
        (vec![usize::MAX, 2], vec![16, 8], 0),
        (vec![3, 2], vec![isize::MAX, 8], 0),
        (vec![2], vec![8, 8], 0),
    ] {
        assert!(refused("<f8", &shape, &strides, first).is_err(), "{shape:?} {strides:?}");
    }
    assert_eq!(
        refused("<M8[ns]", &[1, 2], &[16, 8], 0).unwrap_err(),
        "a: dates and times as values (M8[ns]) are not read"
    );
    for dtype in ["|O", "<c16", "<U3", "", "f", "é4", "<f16", "|V8"] {
        assert!(refused(dtype, &[1, 1], &[8, 8], 0).is_err(), "{dtype}");
    }
}
