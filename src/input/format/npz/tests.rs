//! Archives of arrays: which are drawn, and what a damaged one gives.

use super::*;
use crate::grid::Number;
use crate::input::ErrorKind;
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
        zip.start_file(*name, SimpleFileOptions::default().compression_method(method))
            .unwrap();
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
    read_npz(Cursor::new(bytes), "a.npz", &f, &Budget::new(64 << 20))
}

fn keyed(bytes: &[u8], key: &str) -> Result<Vec<String>, InputError> {
    let npz = read(bytes, |f| f.data.key = Some(key.to_owned()))?;
    Ok(npz
        .grids
        .into_iter()
        .map(|g| format!("{}:{}x{}", g.name, g.height(), g.width()))
        .collect())
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
        assert_eq!((g.height(), g.width(), g.at(1, 2)), (2, 3, Ok(Number::I64(5))));
        let summary = "array z (2 x 3, u8); passed over: x (3, u8), y (2, u8); 1 members that are no arrays; its axes may be --x-values x --y-values y";
        assert_eq!(npz.summary, summary);
    }
    let npz = read(&zipped(&[("v.npy", npy("(4,)", 4))]), |_| {}).unwrap();
    assert_eq!((npz.grids[0].height(), npz.grids[0].width()), (1, 4));
    let cube = zipped(&[("a.npy", npy("(2, 2)", 4)), ("c.npy", npy("(2, 2, 3)", 12))]);
    assert_eq!(
        read(&cube, |f| f.data.panel = Some("axis:0".into()))
            .unwrap()
            .grids
            .len(),
        2
    );
}

#[test]
fn several_are_asked_about_with_a_line_to_copy() {
    let e = read(&heads(), |_| {}).err().unwrap();
    assert_eq!(
        (e.kind, e.hint.as_deref()),
        (ErrorKind::Usage, Some("--key head_10"))
    );
    assert_eq!(
        e.what,
        "holds 3 arrays, say which: head_10 (2 x 3, u8), head_2 (3 x 2, u8), x (3, u8)"
    );
    let e = read(
        &zipped(&[("a b.npy", npy("(3,)", 3)), ("c.npy", npy("()", 1))]),
        |_| {},
    )
    .err()
    .unwrap();
    assert_eq!(
        (e.hint.as_deref(), e.what.contains("c (one number, u8)")),
        (Some("--key 'a b'"), true)
    );
}

#[test]
fn keys_name_one_several_or_all_that_fit() {
    let all = heads();
    assert_eq!(keyed(&all, "x").unwrap(), [":1x3"]);
    assert_eq!(keyed(&all, "head_2.npy").unwrap(), [":3x2"]);
    assert_eq!(keyed(&all, "head_*").unwrap(), ["head_2:3x2", "head_10:2x3"]);
    assert_eq!(
        keyed(&all, "x, head_?, *").unwrap(),
        ["x:1x3", "head_2:3x2", "head_10:2x3"]
    );
    let e = keyed(&all, "haed_2").unwrap_err();
    assert!(
        e.kind == ErrorKind::Usage
            && e.hint
                .unwrap()
                .starts_with("did you mean 'head_2'? arrays: head_10 (2 x 3")
    );
    assert_eq!(keyed(&all, ",").unwrap_err().kind, ErrorKind::Usage);
    assert_eq!(
        keyed(
            &zipped(&[("a,b.npy", npy("(1, 1)", 1)), ("a.npy", npy("(2, 1)", 2))]),
            "a,b"
        )
        .unwrap(),
        [":1x1"]
    );
}

#[test]
fn rows_of_numbers_are_axis_values_by_their_name() {
    let bytes = zipped(&[
        ("x.npy", npy("(3,)", 3)),
        ("z.npy", npy("(2, 3)", 6)),
        ("w.npy", npy("(2, 3)", 6)),
    ]);
    let with = |key: &str| {
        read(&bytes, |f| {
            (f.x.values, f.data.key) = (Some(key.into()), Some("z".into()))
        })
    };
    assert_eq!(
        with("x").unwrap().axis_values,
        AxisValues {
            x: Some(vec![0.0, 1.0, 2.0]),
            y: None
        }
    );
    assert_eq!(
        (
            with("0:1").unwrap().axis_values,
            with("none").unwrap().axis_values
        ),
        Default::default()
    );
    assert_eq!(with("folder/x").unwrap().axis_values.x.unwrap().len(), 3);
    assert!(with("w").err().unwrap().what.contains("one row of numbers"));
    let two = read(
        &zipped(&[("x.npy", npy("(2, 1)", 2)), ("z.npy", npy("(2, 1)", 2))]),
        |f| f.y.values = Some("x".into()),
    )
    .unwrap();
    assert_eq!((two.grids.len(), two.axis_values.y), (1, Some(vec![0.0, 1.0])));
}

#[test]
fn objects_are_refused_where_they_are_asked_for() {
    let object =
        b"\x93NUMPY\x01\x00\x3b\x00{'descr': '|O', 'fortran_order': False, 'shape': (2, 2), }\n\x80\x04"
            .to_vec();
    let bytes = zipped(&[("o.npy", object.clone()), ("z.npy", npy("(2, 3)", 6))]);
    assert!(
        read(&bytes, |_| {})
            .unwrap()
            .summary
            .contains("passed over: o (dtype '|O' (object)")
    );
    let e = keyed(&bytes, "o").unwrap_err();
    assert_eq!(
        (e.kind, e.place.as_str()),
        (ErrorKind::Refused, "array 'o', header")
    );
    assert!(
        read(&zipped(&[("o.npy", object)]), |_| {})
            .err()
            .unwrap()
            .what
            .contains("pickles are never loaded")
    );
}

/// What is drawn, in words that only the same values share.
fn drawn(bytes: &[u8], key: Option<&str>) -> Result<Vec<String>, InputError> {
    let npz = read(bytes, |f| f.data.key = key.map(str::to_owned))?;
    let row = |g: &Grid, r: usize| format!("{:?}", (0..g.width()).map(|c| g.at(r, c)).collect::<Vec<_>>());
    let all = |g: &Grid| (0..g.height()).map(|r| row(g, r)).collect::<Vec<_>>().join("\n");
    Ok(npz
        .grids
        .iter()
        .map(|g| format!("{}: {}", g.name, all(g)))
        .collect())
}

#[test]
fn a_damaged_member_is_never_passed_over() {
    // Beside an array of two dimensions, one that a single byte can give others.
    let archives = [
        vec![
            ("accuracy.npy", npy("(2, 3)", 6)),
            ("losses.npy", npy("(6, 1)", 6)),
        ],
        vec![
            ("across.npy", npy("(3,)", 3)),
            ("notes.txt", b"hi".to_vec()),
            ("field.npy", npy("(2, 3)", 6)),
            ("down.npy", npy("(2,)", 2)),
        ],
        vec![("field.npy", npy("(2, 2)", 4)), ("cube.npy", npy("(2, 2, 1)", 4))],
    ];
    let rounds = std::env::var("GRIDSCOPE_CASES")
        .ok()
        .and_then(|n| n.parse::<usize>().ok())
        .unwrap_or(400)
        / 400;
    let mut seed = 11u64;
    let mut next = |n: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    let (mut refused, mut drawn_by_key) = (0, 0);
    for (members, key) in archives.iter().zip(["losses", "field", "field"]) {
        for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
            let good = packed(members, method);
            let wanted = [None, Some(key)].map(|key| drawn(&good, key).map_err(|e| e.kind));
            // 0x11 and 0x13 make a blank of the digits 1 and 3.
            let masks = |random: usize| [1u8 << (random % 8), 1 + (random % 255) as u8, 0x11, 0x13];
            for (at, mask) in (0..good.len() * rounds.max(1))
                .flat_map(|i| masks(next(1 << 20)).map(|m| (i % good.len(), m)))
            {
                let mut bad = good.clone();
                bad[at] ^= mask;
                let got = [None, Some(key)].map(|key| drawn(&bad, key));
                drawn_by_key += usize::from(got[0].is_err() && got[1].is_ok());
                for (got, wanted) in got.into_iter().zip(&wanted) {
                    match got {
                        Ok(got) => assert_eq!(Ok(&got), wanted.as_ref(), "byte {at}, {mask:#x}"),
                        Err(e) => {
                            let summary =
                                format!("{e} {}", e.hint.as_deref().unwrap_or_default()).to_lowercase();
                            let named = members
                                .iter()
                                .any(|m| told.contains(m.0.trim_end_matches(".npy")));
                            assert!(
                                named || told.contains("zip archive"),
                                "byte {at}, {mask:#x}: {told}"
                            );
                            refused += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(refused > 0 && drawn_by_key > 0, "{refused}, {drawn_by_key}");
}

#[test]
fn a_member_with_a_damaged_name_is_named() {
    let good = packed(
        &[("acc.npy", npy("(2, 3)", 6)), ("loss.npy", npy("(2, 3)", 6))],
        CompressionMethod::Stored,
    );
    let places: Vec<usize> = (0..good.len() - 7)
        .filter(|&i| good[i..].starts_with(b"acc.npy"))
        .collect();
    assert_eq!(places.len(), 2);
    let renamed = |which: &[usize], at: usize, byte: u8| {
        let mut bytes = good.clone();
        which.iter().for_each(|&w| bytes[places[w] + at] = byte);
        bytes
    };
    for (bytes, word) in [
        (
            renamed(&[0], 0, b'x'),
            "array 'acc': is called 'xcc.npy' before its data",
        ),
        (
            renamed(&[1], 0, b'x'),
            "array 'xcc': is called 'acc.npy' before its data",
        ),
        (
            renamed(&[1], 5, b'q'),
            "array 'acc.nqy': is called 'acc.npy' before its data",
        ),
    ] {
        let e = read(&bytes, |_| {}).err().unwrap();
        assert!(
            e.kind == ErrorKind::Refused && e.to_string().contains(word),
            "{e}"
        );
        assert_eq!(e.hint.as_deref(), Some("--key draws another: loss (2 x 3, u8)"));
        let npz = read(&bytes, |f| f.data.key = Some("loss".into())).unwrap();
        assert!(
            npz.summary.contains("; passed over: ") && npz.summary.contains(" (unreadable: is called '"),
            "{}",
            npz.summary
        );
        // Whoever asks for it by its right name, or by a pattern, gets no other array.
        for key in ["acc", "a*", "*"] {
            assert!(
                keyed(&bytes, key).unwrap_err().to_string().contains(word),
                "{key}"
            );
        }
    }
    // An array is one by what it holds, too.
    let e = read(&renamed(&[0, 1], 5, b'q'), |_| {}).err().unwrap();
    assert_eq!(
        e.what,
        "holds 2 arrays, say which: acc.nqy (2 x 3, u8), loss (2 x 3, u8)"
    );
}

#[test]
fn archives_that_lie_are_refused() {
    let refused = |bytes: &[u8]| read(bytes, |_| {}).err().unwrap();
    let good = packed(&[("z.npy", npy("(20, 30)", 600))], CompressionMethod::Stored);
    let mut wrong = good.clone();
    wrong[300] ^= 1;
    assert_eq!(
        refused(&wrong).to_string(),
        "a.npz: array 'z': cannot be read: Invalid checksum"
    );
    for n in 0..good.len() {
        assert!(read(&good[..n], |_| {}).is_err(), "{n} bytes");
    }
    for name in ["../z.npy", "/z.npy", "a/../../z.npy", "c:\\z.npy", "..\\z.npy"] {
        assert!(
            refused(&zipped(&[(name, npy("(1, 1)", 1))]))
                .what
                .contains("outside it"),
            "{name}"
        );
    }
    assert!(
        refused(&zipped(&[("a.csv", b"1,2".to_vec())]))
            .what
            .contains("is a zip archive, which is not read")
    );
    let huge = refused(&zipped(&[("z.npy", npy("(1048576, 1048576, 8)", 9))]));
    assert!(
        huge.to_string()
            .contains("array 'z', data: shape [1048576, 1048576, 8] declares"),
        "{huge}"
    );
    let mut twice = zipped(&[("a.npy", npy("(1, 1)", 1)), ("b.npy", npy("(1, 1)", 1))]);
    (0..twice.len() - 5)
        .filter(|&i| twice[i..].starts_with(b"b.npy"))
        .collect::<Vec<_>>()
        .into_iter()
        .for_each(|i| twice[i] = b'a');
    assert!(refused(&twice).what.contains("stands twice"));
}

#[test]
fn bombs_are_told_by_their_ratio_and_their_declared_size() {
    let zeros = [npy("(60000, 1000)", 0), vec![0; 60_000_000]].concat();
    let bytes = zipped(&[("z.npy", zeros)]);
    let with = |budget| {
        read_npz(Cursor::new(&bytes), "a.npz", &Figure::default(), &budget)
            .err()
            .unwrap()
    };
    let e = with(Budget::new(u64::MAX));
    assert!(
        e.kind == ErrorKind::Limit && e.what.contains("over 1000 times"),
        "{e}"
    );
    // Who raises the limit is held to it alone; a lower one does not raise it.
    let e = with(Budget::lifted(100 << 20));
    assert!(
        e.kind == ErrorKind::Limit
            && e.what
                .contains("60000000 elements: 743 MiB more would be needed, 99 MiB of"),
        "{e}"
    );
    assert!(with(Budget::given(100 << 20)).what.contains("over 1000 times"));
    // Declares 560 bytes, and goes on.
    let mut liar = zipped(&[("z.npy", [npy("(20, 20)", 400), vec![0; 100_000]].concat())]);
    let size = (100_000 + npy("(20, 20)", 400).len()) as u32;
    let places: Vec<usize> = (0..liar.len() - 4)
        .filter(|&i| liar[i..].starts_with(&size.to_le_bytes()))
        .collect();
    places
        .iter()
        .for_each(|&i| liar[i..i + 4].copy_from_slice(&560u32.to_le_bytes()));
    assert!(
        places.len() >= 2
            && read(&liar, |_| {})
                .err()
                .unwrap()
                .what
                .contains("declared uncompressed size")
    );
}

#[test]
fn too_many_members_are_refused_before_they_are_listed() {
    let names: Vec<String> = (0..10_001).map(|i| format!("{i}.npy")).collect();
    let bytes = packed(
        &names.iter().map(|n| (n.as_str(), Vec::new())).collect::<Vec<_>>(),
        CompressionMethod::Stored,
    );
    let e = read(&bytes, |_| {}).err().unwrap();
    assert!(
        e.kind == ErrorKind::Limit && e.what.contains("10001 members"),
        "{e}"
    );
}

#[test]
fn changed_and_cut_archives_never_panic() {
    let mut seed = 3u64;
    let mut next = |n: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    for good in [
        heads(),
        packed(&[("z.npy", npy("(5, 7)", 35))], CompressionMethod::Stored),
    ] {
        for _ in 0..3000 {
            let mut bytes = good.clone();
            for _ in 0..=next(3) {
                let at = next(bytes.len());
                bytes[at] = if next(2) == 0 {
                    bytes[at] ^ 1 << next(8)
                } else {
                    [0, 255][next(2)]
                };
            }
            bytes.truncate(good.len() - if next(4) == 0 { next(good.len()) } else { 0 });
            if let Ok(npz) = read(&bytes, |f| f.data.key = Some("*".into())) {
                assert!(npz.grids.iter().all(|g| g.len() < 1000));
            }
        }
    }
}
