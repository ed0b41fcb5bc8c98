//! Outside NPY files: the right values, or a refusal by name. `GRIDSCOPE_CORPUS` names their folder.

use crate::support::corpus::{corpus, files};
use gridscope::figure::Figure;
use gridscope::grid::Number;
use gridscope::input::{grids_of_array, read_npy};
use serde_json::Value;

/// The names and bytes of a folder's files.
fn arrays(folder: &str) -> Vec<(String, Vec<u8>)> {
    files(&corpus().join("npy").join(folder))
        .into_iter()
        .map(|p| (p.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&p).unwrap()))
        .collect()
}

fn same(got: Number, want: &Value) -> bool {
    match (got, want) {
        (Number::F64(v), Value::String(s)) => match s.as_str() {
            "nan" => v.is_nan(),
            s => s.parse::<f64>().is_ok_and(|w| w == v),
        },
        (Number::F64(v), w) => w.as_f64() == Some(v),
        (Number::I64(v), Value::Bool(b)) => v == i64::from(*b),
        (Number::I64(v), w) => w.as_i64() == Some(v),
        (Number::U64(v), w) => w.as_u64() == Some(v),
    }
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn good_files_hold_the_expected_values() {
    let expected: Value =
        serde_json::from_slice(&std::fs::read(corpus().join("npy/expected.json")).unwrap()).unwrap();
    let files = arrays("good");
    assert!(!files.is_empty());
    for (name, bytes) in files {
        let array = read_npy(&bytes, &name).unwrap_or_else(|e| panic!("{e}"));
        let key = name.trim_end_matches(".npy");
        let Some(want) = expected.get(key) else {
            assert!(!array.data.is_empty(), "{name}");
            continue;
        };
        let shape: Vec<usize> =
            want["shape"].as_array().unwrap().iter().map(|v| v.as_u64().unwrap() as usize).collect();
        assert_eq!(array.shape, shape, "{name}");
        let n = array.data.len();
        let (first, last) = (want["first"].as_array().unwrap(), want["last"].as_array().unwrap());
        for (i, w) in first.iter().enumerate() {
            assert!(same(array.data.get(i), w), "{name} [{i}]: {:?}, not {w}", array.data.get(i));
        }
        for (i, w) in last.iter().enumerate() {
            let got = array.data.get(n - last.len() + i);
            assert!(same(got, w), "{name} from the end: {got:?}, not {w}");
        }
        let grid = grids_of_array(array, &name, &Figure::default());
        let drawn = !shape.is_empty() && !shape.contains(&0) && key != "dim3_f4";
        assert_eq!(grid.is_ok(), drawn, "{name}: {:?}", grid.err());
    }
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn other_spellings_hold_the_same_grid() {
    let files = arrays("good");
    let read = |name: &str| files.iter().find(|f| f.0 == name).map(|f| read_npy(&f.1, name).unwrap());
    let plain = read("grid_le_f4.npy").expect("grid_le_f4.npy");
    for name in [
        "grid_f4_fortran",
        "grid_be_f4",
        "v2_header",
        "v3_header",
        "hdr_py2_long_suffix",
        "hdr_unicode_prefix_py2",
    ] {
        assert_eq!(read(&format!("{name}.npy")).as_ref(), Some(&plain), "{name}");
    }
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn no_plain_numbers_is_refused_by_name() {
    for (name, bytes) in arrays("refuse") {
        let e = read_npy(&bytes, &name).expect_err(&name).to_string();
        let word = match name.split_once('.').unwrap().0 {
            "astype_copy" => "pickle",
            "bytes_str" => "byte strings",
            "unicode_str" => "strings",
            "longdouble_f16" => "longdouble",
            "structured_grid" => "structured",
            _ if name.ends_with(".npz") => "not an NPY file",
            n if n.contains("obj") => "(object)",
            n => n,
        };
        assert!(e.contains(word), "{name}: {e}");
    }
    for (name, bytes) in arrays("bad") {
        let got = read_npy(&bytes, &name).and_then(|a| grids_of_array(a, &name, &Figure::default()));
        assert!(got.is_err(), "{name}");
    }
}
