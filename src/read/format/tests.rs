//! Which format a file is taken for.

use super::reader::HEAD;
use super::sniff::{refuse, unbuilt};
use super::*;

fn name(bytes: &[u8]) -> &'static str {
    Format::of_file(bytes, "file").name
}

#[test]
fn formats_are_recognised_by_their_first_bytes() {
    for (bytes, wanted) in [
        (&b"FEA1\0"[..], "Feather file of version 1"),
        (b"BZh9", "bzip2 archive"),
        (b"GRIB\0\0\0\x02", "GRIB file"),
        (b"version https://git-lfs.github.com/spec/v1\noid", "pointer of Git LFS instead of the file"),
        (b"\x80\x04\x95", "Python pickle"),
        (b"\n <!doctype html>", "HTML page"),
        (b"<HTML>", "HTML page"),
    ] {
        assert_eq!(super::sniff::foreign_name(&Head { bytes, file: "" }), Some(wanted));
        assert_eq!(name(bytes), "file of another format");
    }
    assert_eq!(name(b"\x93NUMPY\x01\0"), "NPY file");
    assert_eq!(name(b"PK\x03\x04rest"), "NPZ archive");
    let part = |name: &str| [b"PK\x03\x04".as_slice(), &[0; 26], name.as_bytes(), &[0; 60]].concat();
    assert_eq!(name(&part("[Content_Types].xml")), "workbook");
    assert_eq!(name(&part("arr_0.npy")), "NPZ archive");
    assert_eq!(name(b"#1.2\n3\t4\n"), "GCT table");
    assert_eq!(name(b" 2\na 0 1\nb 1 0\n"), "PHYLIP matrix");
    assert_eq!(name(b"| a | b |\n|---|---|\n| 1 | 2 |\n"), "Markdown table");
    for json in [&b"{\n \"a\": 1}"[..], b"[1, 2]", b"[NaN,1]", b"[ null]", b"\xef\xbb\xbf[{"] {
        assert_eq!(name(json), "JSON text");
    }
    for bytes in [&b"PAR1"[..], b"PAR1\x15\0more bytes", b"PARE\0\0and more"] {
        assert_eq!(name(bytes), "Parquet file", "{bytes:?}");
    }
    for bytes in [
        &b"ARROW1\0\0"[..],
        b"\xff\xff\xff\xff\x38\0\0\0\x10\0\0\0",
        b"\x38\x01\0\0\x10\0\0\0",
        b"\xff\xff\xff\xff\0\0\0\0",
    ] {
        assert_eq!(name(bytes), "Arrow file", "{bytes:?}");
    }
    for text in [
        &b"a,b\n1,2"[..],
        b"",
        b"PAR1,PAR2\n1,2\n",
        b"ARROW1,b\n1,2\n",
        b"[table],b\n",
        b"\xef\xbb\xbfid,name",
        b"{x},y\n1,2",
        b"[Name],y",
        b"[nulls],y",
    ] {
        assert_eq!(name(text), "table of text");
    }
    // A fault in a file that is JSON by its name is reported as one; other formats are what they are by any name.
    for file in ["a.json", "b.JSONL", "c.ndjson"] {
        assert_eq!(Format::of_file(b"a,b\n1,2", file).name, "JSON text");
        assert_eq!(Format::of_file(b"\x93NUMPY\x01\0", file).name, "NPY file");
    }
}

/// A beginning may end within a line, and within a character.
#[test]
fn texts_longer_than_their_beginning_are_recognised() {
    let square = |rows: usize, line: &dyn Fn(usize) -> String| (0..rows).map(line).collect::<String>();
    let markdown =
        |i: usize| if i == 0 { "| n | v |\n|--|--|\n".into() } else { format!("| é{i} | {i} |\n") };
    let aligned = |i: usize| if i == 0 { "name  v\n".into() } else { format!("un été {i}  {i}\n") };
    let wrapped = |i: usize| format!("a{i}\n{}", "  0.1 0.2 0.3 0.4 0.5\n".repeat(400));
    let phylip = format!("2000\n{}", square(40, &wrapped));
    let wide = format!("20000\nname {}\n", "0.25 ".repeat(20_000));
    let triangle = square(600, &|i| format!("{}{}\n", "1,".repeat(i), ",".repeat(599 - i)));
    for (text, wanted) in [
        (square(9000, &markdown), "Markdown table"),
        (square(9000, &aligned), "aligned text"),
        (phylip, "PHYLIP matrix"),
        (wide, "PHYLIP matrix"),
        (triangle, "triangle"),
    ] {
        let most = text.len().min(HEAD as usize);
        assert!(most == HEAD as usize, "{wanted}");
        for less in 0..40 {
            // The length of a beginning is fixed: what stands before it moves the cut.
            let moved =
                format!("{}{text}", if wanted == "triangle" { String::new() } else { "\n".repeat(less) });
            assert_eq!(name(&moved.as_bytes()[..most]), wanted, "{less}");
        }
    }
}

#[test]
fn other_formats_are_refused_by_name() {
    let of = |e: InputError| e.to_string();
    assert!(of(refuse("t.csv", "zip archive")).starts_with("t.csv: is a zip archive, which is not read"));
    assert!(of(refuse("t", "HDF5 file")).starts_with("t: is an HDF5 file, which is not read"));
    let e = unbuilt("f", "Arrow file", "arrow");
    assert!(of(e.clone()).starts_with("f: is an Arrow file, which this build does not read"));
    assert_eq!(e.hint.as_deref(), Some("cargo build --features arrow"));
}
