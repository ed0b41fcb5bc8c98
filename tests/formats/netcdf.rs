//! `NetCDF` and HDF5 through the whole program: names, coordinates, attributes and groups; and damaged files.
#![cfg(feature = "netcdf")]

use crate::support::limited::run;
use crate::support::random::{Random, cases};
use gridscope::figure::Figure;
use gridscope::input::{ErrorKind, ReadOptions, open_bytes};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/netcdf")
}

fn exported(args: &str) -> String {
    let (code, out, err) = run(&folder(), &format!("export {args} -o - --quiet"), b"");
    assert_eq!(code, 0, "{args}: {err}");
    out
}

#[test]
fn variables_have_the_names_and_coordinates_of_their_axes() {
    // Texts of letters, and days since a date.
    assert_eq!(
        exported("classic.nc").lines().take(2).collect::<Vec<_>>(),
        ["time,mill,weir,ford", "2024-02-27,0.10000000149011612,2,3"]
    );
    assert_eq!(exported("classic.nc --transpose").lines().nth(3), Some("ford,3,6,9,3.5"));
    // A calendar without 31st days.
    let dates = "z,2000-02-29,2000-02-30,2000-03-01\n0,0,1,2\n1,3,4,5\n";
    assert_eq!(exported("model.nc --key wind/u"), dates);
    assert_eq!(exported("model.nc --key /wind/v/"), dates);
}

#[test]
fn attributes_say_what_stored_numbers_mean() {
    let values = "lat,0,0.5,1,1.5\n48.1,4.5,4.4,4.3,15\n49.1,6,NaN,8,9\n50.1,5,5.1,5.2,5.3\n";
    assert_eq!(exported("packed.nc"), values);
    assert!(exported("packed.nc --raw-values").contains("49.1,10,-999,30,40\n"));
    let (_, out, _) = run(&folder(), "info packed.nc --json", b"");
    assert!(out.contains("rainfall (mm)"), "{out}");
}

/// Days whose bounds are the only plane, and rain over them, which is deeper.
#[test]
fn bounds_are_no_grid_and_rows_that_fall_grow_upward() {
    assert_eq!(exported("bounds.nc --key rain --slice time=1"), "lat,0,1\n10,6,7\n20,4,5\n");
    let (code, _, err) = run(&folder(), "check bounds.nc", b"");
    assert!(code == 2 && err.contains("hint: --key rain --slice time=0  (2 x 2 x 2 float64)"), "{err}");
    let (_, out, _) = run(&folder(), "info bounds.nc --key rain --slice time=0", b"");
    assert!(out.contains("lat (number, 2): 10, 20"), "{out}");
    // The fill value has the bits of -1, and levels fall.
    assert_eq!(exported("unsigned.nc"), "level,0,1,2\n500,2,32767,3\n1000,0.5,1,NaN\n");
    assert_eq!(exported("vectors.h5 --key p -x x -y y -z z").lines().last(), Some("3,0.25,0.625,1"));
    assert_eq!(exported("frame.h5"), "index,a,b,n\nr1,1.5,4,1\nr2,2,5,2\nr3,3,NaN,3\n");
    // Another variable may give the values of an axis.
    assert_eq!(
        exported("bounds.nc --key rain --slice time=0 --x-values east").lines().next(),
        Some("lat,3,4")
    );
}

#[test]
fn groups_and_slices_are_chosen() {
    assert_eq!(exported("runs.h5 --key model/acc"), ",0,1,2\n0,1,2,3\n1,4,5,6\n");
    // The only plane of the file and of the group.
    assert_eq!(exported("runs.h5"), exported("runs.h5 --key model"));
    let plane = exported("runs.h5 --key model/loss --slice 2=3");
    assert!(plane.starts_with(",0,1,2\n0,0.130434782608695"), "{plane}");
    let (_, out, _) = run(&folder(), "info runs.h5 --key model/loss --panel axis:0 --json", b"");
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&out).unwrap()["panels"].as_array().unwrap().len(),
        2
    );
    let (code, _, err) = run(&folder(), "check runs.h5 --key model/los", b"");
    assert!(code == 2 && err.contains("no array or group 'model/los'"), "{err}");
    assert!(err.contains("--key 'model/loss' --slice 0=0  (2 x 3 x 4 float64)"), "{err}");
    let (code, out, _) =
        run(&folder(), "export - --key model/acc -o - --quiet", &fs::read(folder().join("runs.h5")).unwrap());
    assert_eq!((code, out.as_str()), (0, ",0,1,2\n0,1,2,3\n1,4,5,6\n"));
}

#[test]
fn groups_that_hold_themselves_are_refused() {
    let (code, _, err) = run(&folder(), "export cycle.h5 --key a -o -", b"");
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("a group of it holds itself"), "{err}");
}

#[test]
fn damaged_files_are_read_or_refused() {
    let mut random = Random(32);
    let files =
        ["classic.nc", "packed.nc", "model.nc", "runs.h5"].map(|f| (f, fs::read(folder().join(f)).unwrap()));
    let mut refused = 0;
    for case in 0..cases(400) {
        let (name, whole) = &files[case as usize % files.len()];
        let mut bytes = whole.clone();
        for _ in 0..=random.below(4usize) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes.truncate(at.max(8)),
                1 => bytes[at..].iter_mut().take(8).for_each(|b| *b = 0xff),
                _ => bytes[at] = random.below(256usize) as u8,
            }
        }
        let mut figure = Figure::default();
        figure.data.key = (*name == "model.nc").then(|| "wind/u".to_owned());
        let read = open_bytes(bytes, name, &figure, &ReadOptions::default(), 1 << 28);
        if let Err(e) = read {
            refused += 1;
            let is_known = matches!(e.kind, ErrorKind::Refused | ErrorKind::Usage | ErrorKind::Limit);
            assert!(is_known && e.to_string().starts_with(name), "case {case}: {e}");
        }
    }
    assert!(refused > 20, "{refused}");
}
