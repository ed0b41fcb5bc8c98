//! Arrays, and the pictures and exports made from them.

use crate::support::npy::{head, zeros};
use crate::support::place::Place;
use std::fs::File;

#[test]
fn planes_are_read_from_their_place_in_the_file() {
    let p = Place::empty();
    zeros(p.path("picture.npy"), "|u1", false, &[3000, 3000, 3]);
    p.fits(&[0], 20, "info picture.npy --slice 2=0", "3000 rows x 3000 columns");
    p.fits(&[0], 20, "render picture.npy --panel axis:2 --scale panel --vmin 0 --vmax 1 -o a.png", "");
    zeros(p.path("fortran.npy"), "<f8", true, &[4, 1000, 1000]);
    p.fits(&[0], 20, "info fortran.npy --slice 0=3", "1000 rows x 1000 columns");
    zeros(p.path("deep.npy"), "<i4", false, &[300, 300, 4000]);
    p.fits(&[0], 20, "info deep.npy --slice 2=77", "300 rows x 300 columns");
}

#[test]
fn grids_that_do_not_fit_memory_are_not_loaded() {
    let p = Place::empty();
    zeros(p.path("c.npy"), "<f4", false, &[2000, 2000]);
    p.fits(&[7], 30, "info c.npy --mask upper", "4000000 cells in memory");
    p.fits(&[7], 60, "export c.npy -o a.csv", "limit");
    p.fits_reading(&[7], 50, "info -", "memory limit", "c.npy");
    File::create(p.path("row.raw")).unwrap().set_len(1_000_000).unwrap();
    p.fits(&[7], 50, "info row.raw --raw u8 1000000x1 --x-values 0:1", "x-values of 1000000 cells");
    File::create(p.path("square.raw")).unwrap().set_len(3000 * 3000).unwrap();
    p.fits(&[0], 20, "render square.raw --raw u8 3000x3000 --bare --cell 1 -o a.png", "");
    p.fits(&[0], 20, "render square.raw --raw u8 3000x3000 --width 2500 --height 2500 -o b.png", "");
}

#[test]
fn percentiles_take_no_more_than_the_rest() {
    let p = Place::empty();
    let value = |i: u32| (i.wrapping_mul(2_654_435_761) >> 8) as f32 / 1000.0;
    let values: Vec<u8> = (0..4_000_000).flat_map(|i| value(i).to_le_bytes()).collect();
    let mut bytes = head("{'descr': '<f4', 'fortran_order': False, 'shape': (2000, 2000), }\n");
    bytes.extend(values);
    p.write("c.npy", bytes);
    p.fits(&[0], 10, "render c.npy --norm quantile --width 400 -o a.png", "");
    p.fits(&[0], 10, "render c.npy --robust --width 400 -o b.png", "");
}

#[test]
fn summaries_of_wide_numbers_stay_within_the_limit() {
    let p = Place::empty();
    // Most pixels of these pictures cover several cells, and take a Summary of 48 bytes.
    zeros(p.path("f.npy"), "<f8", false, &[3000, 3000]);
    zeros(p.path("i.npy"), "<i8", false, &[1500, 1500]);
    p.fits(&[0], 10, "render f.npy -o a.png", "");
    p.fits(&[0], 10, "render i.npy -o b.png", "");
    p.fits(&[0], 10, "render f.npy --norm quantile -o c.png", "");
    p.fits(&[0], 60, "render f.npy --robust -o d.png", "");
    p.fits(&[0], 10, "render f.npy --bare --width 1400 --height 1400 -o e.png", "");
}
