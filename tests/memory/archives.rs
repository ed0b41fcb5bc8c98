//! Archives of arrays.

use crate::support::npy::head;
use crate::support::place::Place;
use std::fs;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// An archive of arrays of zeros, of 1,000 x this many bytes each.
fn zipped(sizes: &[usize], method: CompressionMethod) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (i, side) in sizes.iter().enumerate() {
        zip.start_file(format!("a{i}.npy"), SimpleFileOptions::default().compression_method(method)).unwrap();
        zip.write_all(&head(&format!(
            "{{'descr': '|u1', 'fortran_order': False, 'shape': (1000, {side}), }}\n"
        )))
        .unwrap();
        zip.write_all(&vec![0; 1000 * side]).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn archives_do_not_become_more_than_the_limit() {
    let p = Place::empty();
    fs::write(p.path("bomb.npz"), zipped(&[60_000], CompressionMethod::Deflated)).unwrap();
    // A limit below the default does not lift the check of ratios.
    p.fits(&[7], 100, "info bomb.npz", "over 1000 times");
    fs::write(p.path("three.npz"), zipped(&[3000, 3000, 3000], CompressionMethod::Stored)).unwrap();
    p.fits(&[0], 60, "info three.npz --key a0", "1000 rows x 3000 columns");
    p.fits(&[7], 60, "info three.npz --key a*", "memory limit");
    p.fits(&[7], 60, "info three.npz three.npz three.npz --key a0", "memory limit");
    p.fits_reading(&[7], 40, "info - --key a0", "memory limit", "three.npz");
}
