//! Archives of arrays: which are drawn. What damaged ones give is in `damage`.

mod damage;

use super::*;
use crate::ErrorKind;
use gridscope_core::figure::AxisLabels;
use gridscope_core::grid::{Cell, Number};
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// An NPY file of one-byte numbers that count up.
fn npy(shape: &str, count: usize) -> Vec<u8> {
    let dict = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((dict.len() as u16).to_le_bytes());
    out.extend(dict.as_bytes());
    out.extend((0..count).map(|i| i as u8));
    out
}

fn packed(members: &[(&str, Vec<u8>)], method: CompressionMethod) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        zip.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn zipped(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    packed(members, CompressionMethod::Deflated)
}

fn read(bytes: &[u8], edit: impl Fn(&mut Figure)) -> Result<Npz, InputError> {
    let mut f = Figure::default();
    edit(&mut f);
    read_npz(Cursor::new(bytes), "a.npz", &f, &ReadOptions::default(), &Budget::new(64 << 20))
}

fn keyed(bytes: &[u8], key: &str) -> Result<Vec<String>, InputError> {
    let npz = read(bytes, |f| f.data.key = Some(key.to_owned()))?;
    Ok(npz.grids.into_iter().map(|g| format!("{}:{}x{}", g.name(), g.height(), g.width())).collect())
}

fn heads() -> Vec<u8> {
    zipped(&[
        ("head_10.npy", npy("(2, 3)", 6)),
        ("head_2.npy", npy("(3, 2)", 6)),
        ("x.npy", npy("(3,)", 3)),
        ("n.txt", b"hi".to_vec()),
    ])
}

#[test]
fn the_only_array_of_two_dimensions_is_drawn() {
    for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
        let members = [
            ("x.npy", npy("(3,)", 3)),
            ("z.npy", npy("(2, 3)", 6)),
            ("y.npy", npy("(2,)", 2)),
            ("n", b"hi".to_vec()),
        ];
        let npz = read(&packed(&members, method), |_| {}).unwrap();
        let g = &npz.grids[0];
        assert_eq!((g.height(), g.width(), g.at(1, 2)), (2, 3, Cell::Value(Number::I64(5))));
        let summary = "array z (2 x 3, u8); passed over: x (3, u8), y (2, u8); 1 members that are not arrays; its axes may be --x-values x --y-values y";
        assert_eq!(npz.summary, summary);
    }
    let npz = read(&zipped(&[("v.npy", npy("(4,)", 4))]), |_| {}).unwrap();
    assert_eq!((npz.grids[0].height(), npz.grids[0].width()), (1, 4));
    let cube = zipped(&[("a.npy", npy("(2, 2)", 4)), ("c.npy", npy("(2, 2, 3)", 12))]);
    assert_eq!(read(&cube, |f| f.data.panel = Some("axis:0".into())).unwrap().grids.len(), 2);
}

#[test]
fn several_are_asked_about_with_a_line_to_copy() {
    let e = read(&heads(), |_| {}).err().unwrap();
    assert_eq!((e.kind, e.hint.as_deref()), (ErrorKind::Usage, Some("--key head_10")));
    assert_eq!(e.what, "holds 3 arrays, say which: head_10 (2 x 3, u8), head_2 (3 x 2, u8), x (3, u8)");
    let e = read(&zipped(&[("a b.npy", npy("(3,)", 3)), ("c.npy", npy("()", 1))]), |_| {}).err().unwrap();
    assert_eq!((e.hint.as_deref(), e.what.contains("c (one number, u8)")), (Some("--key 'a b'"), true));
}

#[test]
fn keys_name_one_several_or_all_that_fit() {
    let all = heads();
    assert_eq!(keyed(&all, "x").unwrap(), [":1x3"]);
    assert_eq!(keyed(&all, "head_2.npy").unwrap(), [":3x2"]);
    assert_eq!(keyed(&all, "head_*").unwrap(), ["head_2:3x2", "head_10:2x3"]);
    assert_eq!(keyed(&all, "x, head_?, *").unwrap(), ["x:1x3", "head_2:3x2", "head_10:2x3"]);
    let e = keyed(&all, "haed_2").unwrap_err();
    assert!(
        e.kind == ErrorKind::Usage
            && e.hint.unwrap().starts_with("did you mean 'head_2'? arrays: head_10 (2 x 3")
    );
    assert_eq!(keyed(&all, ",").unwrap_err().kind, ErrorKind::Usage);
    assert_eq!(
        keyed(&zipped(&[("a,b.npy", npy("(1, 1)", 1)), ("a.npy", npy("(2, 1)", 2))]), "a,b").unwrap(),
        [":1x1"]
    );
}

#[test]
fn rows_of_numbers_are_axis_values_by_their_name() {
    let bytes =
        zipped(&[("x.npy", npy("(3,)", 3)), ("z.npy", npy("(2, 3)", 6)), ("w.npy", npy("(2, 3)", 6))]);
    let with = |key: &str| {
        read(&bytes, |f| {
            (f.x.values, f.data.key) = (Some(key.into()), Some("z".into()));
        })
    };
    assert_eq!(
        with("x").unwrap().axis_values,
        AxisValues {
            x: Some(vec![0.0, 1.0, 2.0]),
            y: None,
            times: [false; 2],
            names: ["x".to_owned(), String::new()],
            labels: [None, None],
        }
    );
    assert_eq!((with("0:1").unwrap().axis_values, with("none").unwrap().axis_values), Default::default());
    assert_eq!(with("folder/x").unwrap().axis_values.x.unwrap().len(), 3);
    assert!(with("w").err().unwrap().what.contains("one row of numbers"));
    let two = read(&zipped(&[("x.npy", npy("(2, 1)", 2)), ("z.npy", npy("(2, 1)", 2))]), |f| {
        f.y.values = Some("x".into());
    })
    .unwrap();
    assert_eq!((two.grids.len(), two.axis_values.y), (1, Some(vec![0.0, 1.0])));
}

/// An NPY file of times of a unit.
fn times(unit: &str, steps: &[i64]) -> Vec<u8> {
    let dict = format!("{{'descr': '<M8[{unit}]', 'fortran_order': False, 'shape': ({},), }}\n", steps.len());
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((dict.len() as u16).to_le_bytes());
    out.extend(dict.as_bytes());
    steps.iter().for_each(|v| out.extend(v.to_le_bytes()));
    out
}

#[test]
fn times_are_axis_values_and_no_others() {
    let bytes = zipped(&[
        ("t.npy", times("D", &[0, 1, i64::MIN])),
        ("s.npy", times("ns", &[0, 1_500_000_000])),
        ("z.npy", npy("(2, 3)", 6)),
    ]);
    let found = read(&bytes, |f| {
        (f.x.values, f.y.values) = (Some("t".into()), Some("s".into()));
    })
    .unwrap();
    let values = found.axis_values;
    let x = values.x.unwrap();
    assert!(x[..2] == [0.0, 86_400.0] && x[2].is_nan());
    assert_eq!((values.y, values.times), (Some(vec![0.0, 1.5]), [true; 2]));
    let summary = read(&bytes, |_| {}).unwrap().summary;
    assert_eq!(
        summary,
        "array z (2 x 3, u8); passed over: t (3, times), s (2, times); its axes may be --x-values t --y-values s"
    );
    let e = keyed(&bytes, "t").unwrap_err().what;
    assert!(e.contains("datetime64") && e.ends_with("--x-values or --y-values"), "{e}");
}

/// An NPY file of texts in characters of four bytes, least first, or in bytes.
fn texts(texts: &[&str], unicode: bool) -> Vec<u8> {
    let width = texts.iter().map(|t| if unicode { t.chars().count() } else { t.len() }).max().unwrap_or(0);
    let descr = if unicode { format!("<U{width}") } else { format!("|S{width}") };
    let dict = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({},), }}\n", texts.len());
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((dict.len() as u16).to_le_bytes());
    out.extend(dict.as_bytes());
    for text in texts {
        let mut codes: Vec<u32> = if unicode {
            text.chars().map(u32::from).collect()
        } else {
            text.bytes().map(u32::from).collect()
        };
        codes.resize(width, 0);
        codes
            .iter()
            .for_each(|code| if unicode { out.extend(code.to_le_bytes()) } else { out.push(*code as u8) });
    }
    out
}

#[test]
fn rows_of_texts_are_labels_by_their_name() {
    let bytes = zipped(&[
        ("model.npy", texts(&["größer", "", "x y"], true)),
        ("task.npy", texts(&["qa", "ä"], false)),
        ("z.npy", npy("(2, 3)", 6)),
    ]);
    let summary = read(&bytes, |_| {}).unwrap().summary;
    assert_eq!(
        summary,
        "array z (2 x 3, u8); passed over: model (3, texts), task (2, texts); its axes may be --x-labels model --y-labels task"
    );
    let named = read(&bytes, |f| {
        (f.x.labels, f.y.labels) = (AxisLabels::File("model".into()), AxisLabels::File("task".into()));
    });
    let named = named.unwrap();
    assert_eq!(named.summary, "array z (2 x 3, u8)");
    let of = |texts: &[&str]| Some(texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>());
    assert_eq!(named.axis_values.labels, [of(&["größer", "", "x y"]), of(&["qa", "ä"])]);
    let other = read(&bytes, |f| f.x.labels = AxisLabels::File("z".into())).unwrap();
    assert_eq!(other.axis_values.labels, [None, None]);
    let mut surrogate = texts(&["a"], true);
    let at = surrogate.len() - 4;
    surrogate[at..].copy_from_slice(&0xd800u32.to_le_bytes());
    let wrong = zipped(&[("l.npy", surrogate), ("z.npy", npy("(1, 1)", 1))]);
    let e = read(&wrong, |f| f.y.labels = AxisLabels::File("l".into())).err().unwrap().what;
    assert!(e.contains("text 0 is not Unicode"), "{e}");
}

#[test]
fn objects_are_refused_where_they_are_asked_for() {
    let object =
        b"\x93NUMPY\x01\x00\x3b\x00{'descr': '|O', 'fortran_order': False, 'shape': (2, 2), }\n\x80\x04"
            .to_vec();
    let bytes = zipped(&[("o.npy", object.clone()), ("z.npy", npy("(2, 3)", 6))]);
    assert!(read(&bytes, |_| {}).unwrap().summary.contains("passed over: o (dtype '|O' (object)"));
    let e = keyed(&bytes, "o").unwrap_err();
    assert_eq!(
        (e.kind, e.place.part.as_deref().unwrap_or_default()),
        (ErrorKind::Refused, "array 'o', header")
    );
    assert!(
        read(&zipped(&[("o.npy", object)]), |_| {}).err().unwrap().what.contains("pickles are never loaded")
    );
}
