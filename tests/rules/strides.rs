//! Planes of arrays that stay in their files have the same numbers as in numpy, for any type, order and axis.

use crate::support::npy::array;
use crate::support::random::{Random, cases};
use gridscope::figure::{Figure, List};
use gridscope::grid::{Grid, Number};
use gridscope::input::{ReadOptions, open};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const TYPES: [&str; 12] =
    ["|b1", "|i1", "|u1", "<i2", ">u2", "<i4", ">u4", "<i8", ">u8", "<f2", ">f4", "<f8"];

/// The number of an element, from its indices. Every type represents it, and neighbours along any axis differ.
fn number(descr: &str, at: &[usize]) -> u8 {
    let n = at.iter().enumerate().map(|(axis, i)| i * [1, 7, 31, 53][axis] + i / 10).sum::<usize>();
    if descr == "|b1" { (n % 3 % 2) as u8 } else { (n % 113) as u8 }
}

fn bytes(descr: &str, n: u8) -> Vec<u8> {
    let mut out = match &descr[1..] {
        "f2" => half::f16::from_f64(f64::from(n)).to_le_bytes().to_vec(),
        "f4" => f32::from(n).to_le_bytes().to_vec(),
        "f8" => f64::from(n).to_le_bytes().to_vec(),
        "i2" | "u2" => u16::from(n).to_le_bytes().to_vec(),
        "i4" | "u4" => u32::from(n).to_le_bytes().to_vec(),
        "i8" | "u8" => u64::from(n).to_le_bytes().to_vec(),
        _ => vec![n],
    };
    if descr.starts_with('>') {
        out.reverse();
    }
    out
}

/// The indices of the elements in the order of the file.
fn indexes(shape: &[usize], fortran: bool) -> Vec<Vec<usize>> {
    let count = shape.iter().product::<usize>();
    let of = |mut i: usize| {
        let mut at = vec![0; shape.len()];
        let axes: Vec<usize> =
            if fortran { (0..shape.len()).collect() } else { (0..shape.len()).rev().collect() };
        for axis in axes {
            (at[axis], i) = (i % shape[axis], i / shape[axis]);
        }
        at
    };
    (0..count).map(of).collect()
}

fn written(dir: &TempDir, descr: &str, shape: &[usize], fortran: bool) -> PathBuf {
    let data = indexes(shape, fortran).into_iter().flat_map(|at| bytes(descr, number(descr, &at)));
    let path = dir.path().join("a.npy");
    fs::write(&path, array(descr, fortran, shape, data)).unwrap();
    path
}

fn opened(path: &Path, slices: &[(usize, usize)], panel: Option<usize>) -> Vec<Grid> {
    let mut f = Figure::default();
    f.data.slice =
        (!slices.is_empty()).then(|| List(slices.iter().map(|(axis, i)| format!("{axis}={i}")).collect()));
    f.data.panel = panel.map(|axis| format!("axis:{axis}").into());
    // Less than the file, which must never be in memory as a whole.
    open(&[path.to_str().unwrap().to_owned()], &f, &ReadOptions::default(), 100_000).unwrap().grids
}

/// Whether a window of a grid has the numbers of the plane of the array with these indices.
fn holds(grid: &Grid, descr: &str, fixed: &[Option<usize>], rows: Range<usize>, columns: Range<usize>) {
    let part = grid.window(rows.clone(), columns.clone()).unwrap();
    assert!(!part.is_loaded(), "{descr} {fixed:?}");
    part.load().unwrap();
    let at = |r: usize, c: usize| {
        let mut free = [r, c].into_iter();
        fixed.iter().map(|f| f.unwrap_or_else(|| free.next().unwrap())).collect::<Vec<_>>()
    };
    for r in rows.clone() {
        for c in columns.clone() {
            let found = part.at(r - rows.start, c - columns.start).value().map(Number::as_f64);
            assert_eq!(
                found,
                Some(f64::from(number(descr, &at(r, c)))),
                "{descr} {fixed:?} row {r}, column {c}"
            );
        }
    }
}

#[test]
fn slices_over_each_axis_of_each_type_and_order() {
    let shape = [50, 75, 80];
    let dir = tempfile::tempdir().unwrap();
    for descr in TYPES {
        for fortran in [false, true] {
            let path = written(&dir, descr, &shape, fortran);
            for axis in 0..3 {
                let index = shape[axis] * 2 / 3;
                let grids = opened(&path, &[(axis, index)], None);
                let mut fixed = [None; 3];
                fixed[axis] = Some(index);
                let sides: Vec<usize> = (0..3).filter(|a| *a != axis).map(|a| shape[a]).collect();
                assert_eq!((grids.len(), grids[0].height(), grids[0].width()), (1, sides[0], sides[1]));
                holds(&grids[0], descr, &fixed, 0..sides[0], 0..sides[1]);
            }
        }
    }
}

#[test]
fn panels_and_two_slices_of_four_axes() {
    let shape = [12, 20, 35, 40];
    let dir = tempfile::tempdir().unwrap();
    for (descr, fortran) in [("<f4", false), (">f4", true), ("|u1", true), ("<i4", false)] {
        let path = written(&dir, descr, &shape, fortran);
        for a in 0..4 {
            for b in (0..4).filter(|b| *b != a) {
                let mut fixed = [None; 4];
                fixed[a] = Some(shape[a] / 2);
                let panels = opened(&path, &[(a, shape[a] / 2)], Some(b));
                assert_eq!(panels.len(), shape[b]);
                for i in [0, shape[b] / 3, shape[b] - 1] {
                    fixed[b] = Some(i);
                    let (h, w) = (panels[i].height(), panels[i].width());
                    holds(&panels[i], descr, &fixed, 0..h, 0..w);
                }
            }
        }
    }
}

#[test]
fn windows_of_any_size_are_those_of_the_whole() {
    let cases = cases(400);
    let mut random = Random(11);
    let mut next = |n: usize| random.below(n);
    let dir = tempfile::tempdir().unwrap();
    // Short rows, long rows, a single column, a single row.
    for shape in
        [vec![90_000, 2, 3], vec![3, 30_000, 4], vec![90_000, 1, 3], vec![1, 70_000, 5], vec![600, 600, 2]]
    {
        let (fortran, descr) = (next(2) == 1, TYPES[next(TYPES.len())]);
        let path = written(&dir, descr, &shape, fortran);
        let last = shape[2] - 1;
        let grids = opened(&path, &[(2, last)], None);
        let fixed = [None, None, Some(last)];
        for _ in 0..cases / 5 {
            let (h, w) = (shape[0], shape[1]);
            let (r, c) = (next(h), next(w));
            let (more, right) = (next((h - r).min(50)), next((w - c).min(50)));
            holds(&grids[0], descr, &fixed, r..r + more + 1, c..c + right + 1);
        }
    }
}
