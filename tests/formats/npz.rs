//! NPZ files through the whole program: keys, panels, axis values, and archives that lie.
#![cfg(feature = "npz")]

use crate::support::archive::zipped;
use crate::support::corpus::{corpus, files};
use crate::support::limited::run;
use crate::support::npy::npy;
use std::fs;
use std::path::Path;

fn exported(folder: &Path, args: &str) -> String {
    let (code, out, err) = run(folder, &format!("export {args} -o - --quiet"), b"");
    assert_eq!(code, 0, "{args}: {err}");
    out
}

#[test]
fn an_array_is_chosen_and_its_values_exact() {
    let dir = tempfile::tempdir().unwrap();
    let z = npy("(2, 3)", &[1.5, 2.0, 3.0, 4.0, 5.0, 1e300]);
    let members =
        [("x.npy", npy("(3,)", &[30.0, 10.0, 20.0])), ("z.npy", z), ("y.npy", npy("(3,)", &[0.0, 1.0, 5.0]))];
    fs::write(dir.path().join("a.npz"), zipped(&members)).unwrap();
    let want = ",0,1,2\n0,1.5,2,3\n1,4,5,1e300\n";
    assert_eq!(exported(dir.path(), "a.npz"), want);
    assert_eq!(exported(dir.path(), "a.npz --key z.npy"), want);
    // Columns by ascending x, rows between edges.
    let placed = exported(dir.path(), "a.npz --x-values x --y-values y --mask upper");
    assert_eq!(placed, "y,10,20,30\n0.5,,,\n3,,,4\n");
    let (code, _, err) = run(dir.path(), "info a.npz", b"");
    assert!(code == 0 && err.is_empty() || err.contains("passed over"), "{err}");
    let (code, out, err) = run(dir.path(), "export - -o - --quiet", &zipped(&members));
    assert_eq!((code, out.as_str()), (0, want), "{err}");
    let (code, _, err) = run(dir.path(), "render a.npz --key zz -o a.png", b"");
    assert!(
        code == 2
            && err.contains(
                "error: a.npz: no array 'zz'\nhint: did you mean 'z'? arrays: x (3, f64), z (2 x 3, f64)"
            ),
        "{err}"
    );
    assert!(!dir.path().join("a.png").exists());
}

#[test]
fn a_pattern_makes_a_panel_each_and_a_figure_file_names_them() {
    let dir = tempfile::tempdir().unwrap();
    let of = |v: f64| npy("(1, 2)", &[v, v + 1.0]);
    fs::write(
        dir.path().join("h.npz"),
        zipped(&[("head_10.npy", of(10.0)), ("head_2.npy", of(2.0)), ("b.npy", of(0.0))]),
    )
    .unwrap();
    fs::write(
        dir.path().join("f.toml"),
        "[data]\nfile = \"h.npz\"\nkey = \"head_*\"\n[panels.head_10]\ntitle = \"last\"\n",
    )
    .unwrap();
    for args in ["h.npz --key head_*", "f.toml"] {
        let (code, out, err) = run(dir.path(), &format!("render {args} -o a.png --json"), b"");
        assert_eq!(code, 0, "{err}");
        let json: serde_json::Value = serde_json::from_str(&out).unwrap();
        let panels: Vec<_> = json["panels"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| (p["name"].as_str().unwrap(), p["max"]["value"].as_f64()))
            .collect();
        assert_eq!(panels, [("head_2", Some(3.0)), ("head_10", Some(11.0))]);
    }
    let (code, _, err) = run(dir.path(), "check h.npz", b"");
    assert!(code == 2 && err.ends_with("hint: --key head_10\n"), "{err}");
}

#[test]
fn archives_that_lie_leave_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let zeros = [npy("(20000, 1000)", &[]), vec![0; 160_000_000]].concat();
    let mut bomb = zipped(&[("z.npy", zeros)]);
    fs::write(dir.path().join("bomb.npz"), &bomb).unwrap();
    let header = npy("(1099511627776, 1)", &[0.0; 8]);
    fs::write(dir.path().join("header.npz"), zipped(&[("z.npy", header)])).unwrap();
    fs::write(dir.path().join("out.npz"), zipped(&[("../evil.npy", npy("(1, 1)", &[1.0]))])).unwrap();
    fs::write(dir.path().join("t.docx"), zipped(&[("word/document.xml", b"<x/>".to_vec())])).unwrap();
    bomb.truncate(bomb.len() / 2);
    fs::write(dir.path().join("half.npz"), bomb).unwrap();
    for (file, code, word) in [
        ("bomb.npz", 7, "over 1000 times"),
        ("header.npz", 3, "declares 8796093022208 bytes"),
        ("out.npz", 3, "would lie outside it"),
        ("t.docx", 3, "is a zip archive, which is not read"),
        ("half.npz", 3, "a zip archive that cannot be read"),
    ] {
        let (got, _, err) = run(dir.path(), &format!("render {file} -o p.png"), b"");
        assert!(
            got == code && err.starts_with(&format!("error: {file}: ")) && err.contains(word),
            "{file}: {got} {err}"
        );
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 5);
    assert!(!dir.path().parent().unwrap().join("evil.npy").exists());
}

#[test]
fn a_damaged_array_is_refused_by_name_and_leaves_the_others_to_a_key() {
    let dir = tempfile::tempdir().unwrap();
    let of = |v: f64| npy("(2, 2)", &[v, v + 1.0, v + 2.0, v + 3.0]);
    let good = zipped(&[("acc.npy", of(0.0)), ("loss.npy", of(5.0))]);
    // The lengths of the name and of what is behind it, the name's first and last byte, the first words of the array.
    for at in [26, 28, 30, 36, 40] {
        let mut bytes = good.clone();
        bytes[at] ^= 0x21;
        fs::write(dir.path().join("c.npz"), bytes).unwrap();
        for command in
            ["export c.npz -o -", "info c.npz", "render c.npz -o c.png", "export c.npz --key acc -o -"]
        {
            let (code, out, err) = run(dir.path(), command, b"");
            assert!(
                code == 3 && out.is_empty() && err.starts_with("error: c.npz: array 'acc'"),
                "{at} {command}: {code} {err}"
            );
        }
        assert_eq!(exported(dir.path(), "c.npz --key loss"), ",0,1\n0,5,6\n1,7,8\n");
        let (code, out, err) = run(dir.path(), "info c.npz --key loss", b"");
        assert!(
            code == 0 && out.contains("array loss (2 x 2, f64); passed over: acc (unreadable: "),
            "{at}: {out}{err}"
        );
    }
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn outside_archives_hold_the_array_that_npy_files_hold() {
    let corpus = corpus();
    let dir = tempfile::tempdir().unwrap();
    let mut count = 0;
    for path in files(&corpus.join("npz/good")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        fs::copy(&path, dir.path().join("a.npz")).unwrap();
        let (code, out, err) = run(dir.path(), "export a.npz -o - --quiet", b"");
        let several = ["deflated.npz", "three_arrays.npz"].contains(&name.as_str());
        assert_eq!(code, if several { 2 } else { 0 }, "{name}: {err}");
        let out = if several {
            assert!(
                err.contains("say which: acc (12 x 9, f32), loss (12 x 9, f64)")
                    && err.ends_with("hint: --key acc\n"),
                "{err}"
            );
            exported(dir.path(), "a.npz --key acc")
        } else {
            out
        };
        let plain = exported(dir.path(), corpus.join("npy/good/grid_le_f4.npy").to_str().unwrap());
        assert!(out == plain, "{name}: {}\n{}", &out[..200], &plain[..200]);
        count += 1;
    }
    assert!(count > 0);
}
