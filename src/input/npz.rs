//! NPZ files: which of their arrays are drawn, a panel each.

use super::archive::{Archive, Member};
use super::array::{array_grids, copied};
use super::axis_values::{OwnValues, range};
use super::budget::Budget;
use super::error::InputError;
use super::keys::natural;
use super::schema::{listed, nearest};
use crate::figure::Figure;
use crate::grid::Grid;
use std::io::{Read, Seek};
use std::path::Path;
use std::sync::Arc;

/// What an NPZ gives.
pub(super) struct Npz {
    /// A grid each array, or more where an axis makes panels.
    pub grids: Vec<Grid>,
    /// How it was read, in words.
    pub told: String,
    /// Coordinates that stand beside the grids.
    pub own: OwnValues,
}

/// Reads the arrays that `key` names, else the only one with two dimensions.
///
/// # Errors
/// A damaged archive, too little memory, no such array, or several and no word which.
pub(super) fn read_npz(from: impl Read + Seek, file: &str, figure: &Figure, budget: &Arc<Budget>) -> Result<Npz, InputError> {
    let mut archive = Archive::open(from, file, budget)?;
    let (members, others) = archive.members()?;
    let axes = [(&figure.x.values, "x"), (&figure.y.values, "y")].map(|(spec, side)| (own_axis(spec.as_deref(), &members), side));
    let chosen = match &figure.data.key {
        Some(key) => named(key, &members, file)?,
        None => vec![only(&members, figure, axes[0].0, axes[1].0, file)?],
    };
    let mut figure = figure.clone();
    figure.data.key = None;
    let mut grids = Vec::new();
    for &i in &chosen {
        let member = &members[i];
        let array = archive.read(member)?;
        let _copied = copied(&array.shape, &figure, file, budget)?;
        let mut of = array_grids(array, file, &figure).map_err(|mut e| {
            e.place = [&format!("array '{}'", member.name), &e.place]
                .into_iter()
                .filter(|p| !p.is_empty())
                .cloned()
                .collect::<Vec<_>>()
                .join(", ");
            e
        })?;
        if chosen.len() > 1 {
            of.iter_mut().for_each(|g| {
                g.name = [&member.name, &g.name].into_iter().filter(|n| !n.is_empty()).cloned().collect::<Vec<_>>().join(", ")
            });
        }
        grids.append(&mut of);
    }
    let mut own = [None, None];
    for (values, (member, side)) in own.iter_mut().zip(axes) {
        let Some(member) = member.map(|i| &members[i]) else { continue };
        let array = archive.read(member)?;
        if array.shape.iter().filter(|&&d| d != 1).count() > 1 {
            let what = format!("{side}-values {}: shape {:?}, but axis values are one row of numbers", member.name, array.shape);
            return Err(InputError::usage(file, what));
        }
        *values = Some((0..array.data.len()).map(|i| array.data.get(i).as_f64()).collect());
    }
    let told = told(&members, &chosen, &axes.map(|a| a.0), others);
    let [x, y] = own;
    Ok(Npz { grids, told, own: OwnValues { x, y } })
}

/// The array that an axis takes its values from, unless the text is a range or a file's name.
fn own_axis(spec: Option<&str>, members: &[Member]) -> Option<usize> {
    let spec = spec.filter(|s| range(s).is_none())?;
    // A figure file's folder stands before what might be a path.
    let last = Path::new(spec).file_name().and_then(|n| n.to_str()).filter(|_| !Path::new(spec).exists());
    position(spec, members).or_else(|| position(last?, members))
}

/// The array of that name, with or without `.npy`.
fn position(name: &str, members: &[Member]) -> Option<usize> {
    let of = |name: &str| members.iter().position(|m| m.name == name);
    of(name).or_else(|| of(name.strip_suffix(".npy")?))
}

/// The arrays that a key names: one, several with commas between, or all that fit `*` and `?`, in natural order.
fn named(key: &str, members: &[Member], file: &str) -> Result<Vec<usize>, InputError> {
    if let Some(i) = position(key, members) {
        return Ok(vec![i]);
    }
    let mut out: Vec<usize> = Vec::new();
    for part in key.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        let mut fit = position(part, members).map_or_else(Vec::new, |i| vec![i]);
        if fit.is_empty() && part.contains(['*', '?']) {
            fit = (0..members.len()).filter(|&i| glob(part, &members[i].name)).collect();
            fit.sort_by(|&a, &b| natural(&members[a].name, &members[b].name));
        }
        if fit.is_empty() {
            let names: Vec<String> = members.iter().map(|m| m.name.clone()).collect();
            let near = nearest(part, &names).map_or_else(String::new, |n| format!("did you mean '{n}'? "));
            let e = InputError::usage(file, format!("no array '{part}'"));
            return Err(e.with_hint(format!("{near}arrays: {}", list(members.iter()))));
        }
        fit.retain(|i| !out.contains(i));
        out.append(&mut fit);
    }
    if out.is_empty() {
        Err(InputError::usage(file, "key names no array").with_hint(format!("arrays: {}", list(members.iter()))))
    } else {
        Ok(out)
    }
}

/// Whether a name fits a pattern, in which `*` stands for any text and `?` for one character.
fn glob(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => (p, n) = (p + 1, n + 1),
            _ => {
                // The last star takes one character more.
                let Some((at, taken)) = star else { return false };
                star = Some((at, taken + 1));
                (p, n) = (at + 1, taken + 1);
            }
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

/// The only array there is, or the only one with as many dimensions as the options need.
fn only(members: &[Member], figure: &Figure, x: Option<usize>, y: Option<usize>, file: &str) -> Result<usize, InputError> {
    let left: Vec<usize> = (0..members.len()).filter(|i| Some(*i) != x && Some(*i) != y).collect();
    if let [one] = left[..] {
        return Ok(one);
    }
    let deep = figure.data.slice.is_some() || figure.data.panel.is_some();
    let fits = |i: &usize| members[*i].header.as_ref().is_ok_and(|h| if deep { h.shape.len() > 2 } else { h.shape.len() == 2 });
    let fit: Vec<usize> = left.iter().copied().filter(fits).collect();
    if let [one] = fit[..] {
        return Ok(one);
    }
    let first = fit.first().or_else(|| left.iter().find(|i| members[**i].header.is_ok())).or(left.first()).copied().unwrap_or(0);
    let why = if fit.is_empty() { "none of them with two dimensions" } else { "say which" };
    let what = format!("holds {} arrays, {why}: {}", members.len(), list(members.iter()));
    Err(InputError::usage(file, what).with_hint(format!("--key {}", quoted(&members[first].name))))
}

/// A name that a shell takes as one word.
fn quoted(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "._-/".contains(c));
    if plain { name.to_owned() } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

/// Names, shapes and types.
fn list<'a>(members: impl Iterator<Item = &'a Member>) -> String {
    let one = |m: &Member| match &m.header {
        Ok(h) => format!("{} ({}, {})", m.name, shape(&h.shape), format!("{:?}", h.dtype).to_lowercase()),
        Err(e) => format!("{} ({})", m.name, e.what.chars().take(40).collect::<String>()),
    };
    listed(&members.map(one).collect::<Vec<_>>())
}

fn shape(shape: &[usize]) -> String {
    if shape.is_empty() { "one number".to_owned() } else { shape.iter().map(usize::to_string).collect::<Vec<_>>().join(" x ") }
}

/// What was read and what was passed over; rows of numbers that fit the axes are offered as their values.
fn told(members: &[Member], chosen: &[usize], axes: &[Option<usize>; 2], others: usize) -> String {
    let mut out = list(chosen.iter().map(|&i| &members[i]));
    out.insert_str(0, if chosen.len() > 1 { "arrays " } else { "array " });
    let passed: Vec<usize> = (0..members.len()).filter(|i| !chosen.contains(i) && !axes.contains(&Some(*i))).collect();
    if !passed.is_empty() {
        out.push_str(&format!("; passed over: {}", list(passed.iter().map(|&i| &members[i]))));
    }
    if others > 0 {
        out.push_str(&format!("; {others} members that are no arrays"));
    }
    let sides = chosen.first().and_then(|&i| members[i].header.as_ref().ok()).map(|h| h.shape.as_slice());
    if let (Some(&[rows, columns]), [None, None]) = (sides, axes) {
        let of = |n: usize| passed.iter().map(|&i| &members[i]).find(|m| m.header.as_ref().is_ok_and(|h| h.shape == [n]));
        // Centres before edges, unless the edges of one side are the centres of the other.
        let fit = |n: usize, other: usize| of(n).or_else(|| of(n + 1).filter(|_| n + 1 != other));
        let word = |side, m: Option<&Member>| m.map(|m| format!("--{side}-values {}", quoted(&m.name)));
        // Where rows and columns are as many, their names alone would have to tell them apart.
        let words: Vec<String> = [word("x", fit(columns, rows)), word("y", fit(rows, columns))].into_iter().flatten().collect();
        if !words.is_empty() && rows != columns {
            out.push_str(&format!("; its axes may be {}", words.join(" ")));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::ErrorKind;
    use super::*;
    use crate::grid::Number;
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
        read_npz(Cursor::new(bytes), "a.npz", &f, &Budget::new(64 << 20))
    }

    fn keyed(bytes: &[u8], key: &str) -> Result<Vec<String>, InputError> {
        let npz = read(bytes, |f| f.data.key = Some(key.to_owned()))?;
        Ok(npz.grids.into_iter().map(|g| format!("{}:{}x{}", g.name, g.height(), g.width())).collect())
    }

    fn heads() -> Vec<u8> {
        zipped(&[("head_10.npy", npy("(2, 3)", 6)), ("head_2.npy", npy("(3, 2)", 6)), ("x.npy", npy("(3,)", 3)), ("n.txt", b"hi".to_vec())])
    }

    #[test]
    fn the_only_array_of_two_dimensions_is_drawn() {
        for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
            let members = [("x.npy", npy("(3,)", 3)), ("z.npy", npy("(2, 3)", 6)), ("y.npy", npy("(2,)", 2)), ("n", b"hi".to_vec())];
            let npz = read(&packed(&members, method), |_| {}).unwrap();
            let g = &npz.grids[0];
            assert_eq!((g.height(), g.width(), g.at(1, 2)), (2, 3, Ok(Number::I64(5))));
            let told = "array z (2 x 3, u8); passed over: x (3, u8), y (2, u8); 1 members that are no arrays; its axes may be --x-values x --y-values y";
            assert_eq!(npz.told, told);
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
        assert!(e.kind == ErrorKind::Usage && e.hint.unwrap().starts_with("did you mean 'head_2'? arrays: head_10 (2 x 3"));
        assert_eq!(keyed(&all, ",").unwrap_err().kind, ErrorKind::Usage);
        assert_eq!(keyed(&zipped(&[("a,b.npy", npy("(1, 1)", 1)), ("a.npy", npy("(2, 1)", 2))]), "a,b").unwrap(), [":1x1"]);
    }

    #[test]
    fn patterns() {
        for (p, n, want) in [
            ("*", "", true),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxbyy", false),
            ("?", "é", true),
            ("??", "a", false),
            ("*a", "bba", true),
            ("a", "ab", false),
        ] {
            assert_eq!(glob(p, n), want, "{p} {n}");
        }
    }

    #[test]
    fn rows_of_numbers_are_axis_values_by_their_name() {
        let bytes = zipped(&[("x.npy", npy("(3,)", 3)), ("z.npy", npy("(2, 3)", 6)), ("w.npy", npy("(2, 3)", 6))]);
        let with = |key: &str| read(&bytes, |f| (f.x.values, f.data.key) = (Some(key.into()), Some("z".into())));
        assert_eq!(with("x").unwrap().own, OwnValues { x: Some(vec![0.0, 1.0, 2.0]), y: None });
        assert_eq!((with("0:1").unwrap().own, with("none").unwrap().own), Default::default());
        assert_eq!(with("folder/x").unwrap().own.x.unwrap().len(), 3);
        assert!(with("w").err().unwrap().what.contains("one row of numbers"));
        let two = read(&zipped(&[("x.npy", npy("(2, 1)", 2)), ("z.npy", npy("(2, 1)", 2))]), |f| f.y.values = Some("x".into())).unwrap();
        assert_eq!((two.grids.len(), two.own.y), (1, Some(vec![0.0, 1.0])));
    }

    #[test]
    fn objects_are_refused_where_they_are_asked_for() {
        let object = b"\x93NUMPY\x01\x00\x3b\x00{'descr': '|O', 'fortran_order': False, 'shape': (2, 2), }\n\x80\x04".to_vec();
        let bytes = zipped(&[("o.npy", object.clone()), ("z.npy", npy("(2, 3)", 6))]);
        assert!(read(&bytes, |_| {}).unwrap().told.contains("passed over: o (dtype '|O' (object)"));
        let e = keyed(&bytes, "o").unwrap_err();
        assert_eq!((e.kind, e.place.as_str()), (ErrorKind::Refused, "array 'o', header"));
        assert!(read(&zipped(&[("o.npy", object)]), |_| {}).err().unwrap().what.contains("pickles are never loaded"));
    }

    #[test]
    fn archives_that_lie_are_refused() {
        let refused = |bytes: &[u8]| read(bytes, |_| {}).err().unwrap();
        let good = packed(&[("z.npy", npy("(20, 30)", 600))], CompressionMethod::Stored);
        let mut wrong = good.clone();
        wrong[300] ^= 1;
        assert_eq!(refused(&wrong).to_string(), "a.npz: array 'z': cannot be read: Invalid checksum");
        for n in 0..good.len() {
            assert!(read(&good[..n], |_| {}).is_err(), "{n} bytes");
        }
        for name in ["../z.npy", "/z.npy", "a/../../z.npy", "c:\\z.npy", "..\\z.npy"] {
            assert!(refused(&zipped(&[(name, npy("(1, 1)", 1))])).what.contains("outside it"), "{name}");
        }
        assert!(refused(&zipped(&[("a.csv", b"1,2".to_vec())])).what.contains("is a zip archive, which is not read"));
        let huge = refused(&zipped(&[("z.npy", npy("(1048576, 1048576, 8)", 9))]));
        assert!(huge.to_string().contains("array 'z', data: shape [1048576, 1048576, 8] declares"), "{huge}");
        let mut twice = zipped(&[("a.npy", npy("(1, 1)", 1)), ("b.npy", npy("(1, 1)", 1))]);
        (0..twice.len() - 5).filter(|&i| twice[i..].starts_with(b"b.npy")).collect::<Vec<_>>().into_iter().for_each(|i| twice[i] = b'a');
        assert!(refused(&twice).what.contains("stands twice"));
    }

    #[test]
    fn bombs_are_told_by_their_ratio_and_their_declared_size() {
        let zeros = [npy("(60000, 1000)", 0), vec![0; 60_000_000]].concat();
        let bytes = zipped(&[("z.npy", zeros)]);
        let with = |budget| read_npz(Cursor::new(&bytes), "a.npz", &Figure::default(), &budget).err().unwrap();
        let e = with(Budget::new(u64::MAX));
        assert!(e.kind == ErrorKind::Limit && e.what.contains("over 1000 times"), "{e}");
        // Who raises the limit is held to it alone; a lower one does not raise it.
        let e = with(Budget::lifted(100 << 20));
        assert!(e.kind == ErrorKind::Limit && e.what.contains("60000000 elements: 743 MiB more would be needed, 99 MiB of"), "{e}");
        assert!(with(Budget::given(100 << 20)).what.contains("over 1000 times"));
        // Declares 560 bytes, and goes on.
        let mut liar = zipped(&[("z.npy", [npy("(20, 20)", 400), vec![0; 100_000]].concat())]);
        let size = (100_000 + npy("(20, 20)", 400).len()) as u32;
        let places: Vec<usize> = (0..liar.len() - 4).filter(|&i| liar[i..].starts_with(&size.to_le_bytes())).collect();
        places.iter().for_each(|&i| liar[i..i + 4].copy_from_slice(&560u32.to_le_bytes()));
        assert!(places.len() >= 2 && read(&liar, |_| {}).err().unwrap().what.contains("declared uncompressed size"));
    }

    #[test]
    fn too_many_members_are_refused_before_they_are_listed() {
        let names: Vec<String> = (0..10_001).map(|i| format!("{i}.npy")).collect();
        let bytes = packed(&names.iter().map(|n| (n.as_str(), Vec::new())).collect::<Vec<_>>(), CompressionMethod::Stored);
        let e = read(&bytes, |_| {}).err().unwrap();
        assert!(e.kind == ErrorKind::Limit && e.what.contains("10001 members"), "{e}");
    }

    #[test]
    fn changed_and_cut_archives_never_panic() {
        let mut seed = 3u64;
        let mut next = |n: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % n
        };
        for good in [heads(), packed(&[("z.npy", npy("(5, 7)", 35))], CompressionMethod::Stored)] {
            for _ in 0..3000 {
                let mut bytes = good.clone();
                for _ in 0..=next(3) {
                    let at = next(bytes.len());
                    bytes[at] = if next(2) == 0 { bytes[at] ^ 1 << next(8) } else { [0, 255][next(2)] };
                }
                bytes.truncate(good.len() - if next(4) == 0 { next(good.len()) } else { 0 });
                if let Ok(npz) = read(&bytes, |f| f.data.key = Some("*".into())) {
                    assert!(npz.grids.iter().all(|g| g.len() < 1000));
                }
            }
        }
    }
}
