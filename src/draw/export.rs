//! A grid's own values, or its reduction, as CSV or NPY bytes.

use crate::error::Error;
use gridscope_core::figure::Reduce;
use gridscope_core::geom::PxSize;
use gridscope_core::grid::{Axis, Cell, Coords, Exact, Grid, Number, State, Values};
use gridscope_core::view::EdgeTable;
use std::borrow::Cow;
use std::io::Write;

/// The reduction of a grid on `size` pixels as a grid of its own, labelled by each pixel's first cell.
///
/// Where a pixel covers one cell or less it holds that cell. Least, greatest and `extreme` keep the source's type, means
/// are f64, counts integers; a pixel of states only keeps the first of them. `extreme` measures from `centre`.
///
/// # Errors
/// When the source does not give its cells, or a side is 0.
pub fn reduced(grid: &Grid, size: PxSize, by: Reduce, centre: f64) -> Result<Grid, Error> {
    reduced_by(grid, size, by, centre, |columns, rows| Ok(grid.exact(columns.spans(), rows.spans())?))
}

/// As [`reduced`]; `fold` gives what the cells under each pixel hold.
///
/// # Errors
/// As [`reduced`], and the error of `fold`.
pub fn reduced_by(
    grid: &Grid,
    size: PxSize,
    by: Reduce,
    centre: f64,
    fold: impl FnOnce(&EdgeTable, &EdgeTable) -> Result<Vec<Exact>, Error>,
) -> Result<Grid, Error> {
    if size.w == 0 || size.h == 0 {
        return Err(Error::limit(format!("{} x {} is not a size", size.w, size.h)));
    }
    let (columns, rows) =
        (EdgeTable::fit(grid.width() as u32, size.w), EdgeTable::fit(grid.height() as u32, size.h));
    let pixels = fold(&columns, &rows)?;
    let firsts = |t: &EdgeTable| t.spans().iter().map(|s| s[0] as usize).collect::<Vec<_>>();
    let states: Vec<Option<State>> = match by {
        Reduce::Count => Vec::new(),
        _ => {
            pixels.iter().map(|p| if p.count == 0 { p.state().or(Some(State::Nan)) } else { None }).collect()
        }
    };
    let number = |p: &Exact| match by {
        Reduce::Min => p.min,
        Reduce::Extreme => {
            p.min.zip(p.max).map(|(a, b)| if centre - a.as_f64() > b.as_f64() - centre { a } else { b })
        }
        _ => p.max,
    };
    let kept: Vec<Option<Number>> = pixels.iter().map(number).collect();
    let float = |v: &Option<Number>| v.map_or(f64::NAN, Number::as_f64);
    let kind = kept.iter().flatten().next();
    let values = match (by, kind) {
        (Reduce::Count, _) => Values::I64(pixels.iter().map(|p| p.count as i64).collect()),
        (Reduce::Mean, _) => Values::F64(pixels.iter().map(Exact::mean).collect()),
        (_, Some(Number::I64(_))) => {
            Values::I64(kept.iter().map(|v| if let Some(Number::I64(v)) = v { *v } else { 0 }).collect())
        }
        (_, Some(Number::U64(_))) => {
            Values::U64(kept.iter().map(|v| if let Some(Number::U64(v)) = v { *v } else { 0 }).collect())
        }
        _ if grid.is_f32().is_some() => {
            Values::F32 { data: kept.iter().map(|v| float(v) as f32).collect(), integer: false }
        }
        _ => Values::F64(kept.iter().map(float).collect()),
    };
    let (rows, columns) = (grid.rows().permuted(&firsts(&rows)), grid.columns().permuted(&firsts(&columns)));
    let mut out = Grid::new(rows, columns, values, &states)?;
    out.set_name(grid.name());
    Ok(out)
}

/// The grid as CSV: column labels above, row labels in front, the y axis's name in the corner, row 0 first.
///
/// Absent, masked and pending cells are empty, NaN is `NaN`; numbers read back the same.
pub fn csv_bytes(grid: &Grid) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend(quoted(&grid.rows().name).as_bytes());
    for c in 0..grid.width() {
        out.push(b',');
        out.extend(quoted(&exact_label(grid.columns(), c)).as_bytes());
    }
    out.push(b'\n');
    for r in 0..grid.height() {
        out.extend(quoted(&exact_label(grid.rows(), r)).as_bytes());
        for c in 0..grid.width() {
            out.push(b',');
            match grid.at(r, c) {
                Cell::Value(v) => write!(out, "{v}").expect("writing to memory does not fail"),
                Cell::Empty(State::Nan) => out.extend(b"NaN"),
                Cell::Empty(_) => {}
            }
        }
        out.push(b'\n');
    }
    out
}

/// The label of a cell: its coordinate, where the label is that in fewer digits.
fn exact_label(axis: &Axis, i: usize) -> String {
    let label = axis.label(i);
    let exact = axis.center(i).filter(|center| {
        let short = label.parse::<f64>().ok().filter(|_| matches!(axis.coords, Some(Coords::Centers(_))));
        short.is_some_and(|short| {
            let off = (short - center).abs() / center.abs();
            off > 1e-13 && off < 1e-4
        })
    });
    exact.map_or(label, |center| Number::F64(center).to_string())
}

/// A field by RFC 4180: in quotes where it holds a comma, a quote, a line's end, or white space at a side.
fn quoted(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n', '\r']) || text.trim() != text {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}

/// The grid as an NPY file in C order: in the source's type where every cell holds a value, else f64 with NaN.
///
/// Integers are 64 bits wide.
pub fn npy_bytes(grid: &Grid) -> Vec<u8> {
    let (h, w) = (grid.height(), grid.width());
    let full = grid.cells().iter().all(|&c| State::of_bits(c).is_none());
    let descr = match grid.values() {
        Values::F32 { integer: false, .. } if full => "<f4",
        Values::F32 { .. } | Values::I64(_) if full => "<i8",
        Values::U64(_) if full => "<u8",
        _ => "<f8",
    };
    let mut out = npy_header(descr, h, w);
    for r in 0..h {
        for c in 0..w {
            let cell = grid.at(r, c);
            match (descr, cell.value()) {
                ("<f4", Some(v)) => out.extend((v.as_f64() as f32).to_le_bytes()),
                ("<i8", Some(Number::I64(v))) => out.extend(v.to_le_bytes()),
                ("<u8", Some(Number::U64(v))) => out.extend(v.to_le_bytes()),
                _ => out.extend(cell.as_f64().to_le_bytes()),
            }
        }
    }
    out
}

/// A version 1 header, padded so that the elements begin at a multiple of 64.
fn npy_header(descr: &str, rows: usize, columns: usize) -> Vec<u8> {
    let mut dict = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    while (10 + dict.len() + 1) % 64 != 0 {
        dict.push(' ');
    }
    dict.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((dict.len() as u16).to_le_bytes());
    out.extend(dict.as_bytes());
    out
}

/// File systems end a name at 255 bytes; the rest is the stem's and the number's.
const LONGEST_SLUG: usize = 100;

/// A panel's name as part of a file's name.
pub fn slug(name: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '_' }
    };
    if name.is_empty() { "panel".to_owned() } else { name.chars().take(LONGEST_SLUG).map(plain).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_read::read_npy;

    fn grid(values: Values, columns: usize) -> Grid {
        let rows = values.len() / columns;
        Grid::new(Axis::index("", rows), Axis::index("", columns), values, &[]).unwrap()
    }

    #[test]
    fn csv_quotes_and_tells_states_apart() {
        let mut g = grid(Values::F64(vec![0.1, f64::NAN, f64::INFINITY, 1e300, -0.0, f64::NEG_INFINITY]), 3);
        g.set_rows(Axis::category("to,pic", vec!["a \"b\"".into(), "c\nd".into()])).unwrap();
        g.set_columns(Axis::category("model", vec!["x".into(), " y".into(), "z".into()])).unwrap();
        g.set_state(1, 1, State::Absent);
        let text = String::from_utf8(csv_bytes(&g)).unwrap();
        assert_eq!(text, "\"to,pic\",x,\" y\",z\n\"a \"\"b\"\"\",0.1,NaN,inf\n\"c\nd\",1e300,,-inf\n");
    }

    #[test]
    fn coordinates_have_all_their_digits() {
        let mut g = grid(Values::F64(vec![1.0, 2.0, 3.0]), 3);
        let labels = ["0.123457", "0.3", "0.40"].map(str::to_owned).to_vec();
        g.set_columns(Axis::number("", vec![0.123_456_789, 0.1 + 0.2, 0.4], labels)).unwrap();
        assert_eq!(csv_bytes(&g), b",0.123456789,0.3,0.40\n0,1,2,3\n");
    }

    #[test]
    fn npy_keeps_the_type_and_reads_back() {
        let cases = [
            (Values::F32 { data: vec![0.1, -2.5], integer: false }, "<f4"),
            (Values::I64(vec![i64::MIN, (1 << 53) + 1]), "<i8"),
            (Values::U64(vec![u64::MAX, 0]), "<u8"),
            (Values::F64(vec![5e-324, f64::INFINITY]), "<f8"),
        ];
        for (values, descr) in cases {
            let bytes = npy_bytes(&grid(values.clone(), 2));
            assert!(String::from_utf8_lossy(&bytes[..128]).contains(descr));
            let back = read_npy(&bytes, "a").unwrap();
            assert_eq!((back.shape, back.data), (vec![1, 2], values));
        }
        let small = npy_bytes(&grid(Values::F32 { data: vec![3.0, 255.0], integer: true }, 1));
        assert_eq!(read_npy(&small, "a").unwrap().data, Values::I64(vec![3, 255]));
    }

    #[test]
    fn a_state_makes_it_f64_with_nan() {
        let mut g = grid(Values::I64(vec![1, 2]), 2);
        g.set_state(0, 1, State::Masked);
        let Values::F64(v) = read_npy(&npy_bytes(&g), "a").unwrap().data else { panic!("not f64") };
        assert!(v[0] == 1.0 && v[1].is_nan());
    }

    #[test]
    fn slugs_are_file_names() {
        assert_eq!(["R1-Llama 8B", "a/../b", "é", ""].map(slug), ["R1-Llama_8B", "a_.._b", "_", "panel"]);
        assert_eq!(slug(&"é".repeat(1000)).len(), LONGEST_SLUG);
    }
}
