//! The exact reduction of an array to pixels, as numbers of the array's own type.

use crate::errors::Failure;
use crate::grids::code;
use crate::held::budget;
use crate::link::Link;
use crate::numpy::{plain, typestr};
use crate::work::Stage;
use gridscope::embedding::{FoldRequest, Folded};
use gridscope::figure::Reduce;
use gridscope::grid::Number;
use gridscope::input::InputError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// Folds an array, or a part of it (`view`: its rows from and to, its columns from and to, in cells), to `shape` pixels. `mask` is
/// true where cells are hidden; `center` is what `extreme` measures from.
#[pyfunction]
#[pyo3(signature = (array, shape, reduce="mean", view=None, *, mask=None, center=None, progress=None))]
pub(crate) fn fold<'py>(
    py: Python<'py>,
    array: &Bound<'py, PyAny>,
    shape: (u32, u32),
    reduce: &str,
    view: Option<(f64, f64, f64, f64)>,
    mask: Option<&Bound<'py, PyAny>>,
    center: Option<f64>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let by: Reduce = reduce.parse().map_err(|e| {
        let e = InputError::usage("", format!("reduce: {e}"));
        Failure::from(e).raise(py)
    })?;
    let kind = typestr(array)?;
    let request = FoldRequest { shape, by, view: view.map(|v| [v.0, v.1, v.2, v.3]), center };
    let link = Link::default();
    let grid = plain(array, mask, &link)?;
    let stage = Stage { name: "folding", progress, link: &link, elements: 0 };
    let memory = budget();
    let folded = stage.run(py, move || gridscope::embedding::fold(&grid()?, request, &memory))?;
    reduced(py, &folded, &kind, by)
}

/// Pixels as bytes of numpy: of the type of the array, or f64 of a mean and i64 of a count.
pub(crate) fn reduced<'py>(
    py: Python<'py>,
    folded: &Folded,
    kind: &str,
    by: Reduce,
) -> PyResult<Bound<'py, PyDict>> {
    let kind = match by {
        Reduce::Mean => "=f8",
        Reduce::Count => "=i8",
        _ => kind,
    };
    let states: Vec<u8> = folded.states.iter().map(|state| code(*state)).collect();
    let out = PyDict::new(py);
    out.set_item("values", PyBytes::new(py, &bytes(folded, kind)))?;
    out.set_item("dtype", dtype(kind))?;
    out.set_item("states", PyBytes::new(py, &states))?;
    Ok(out)
}

/// A type of numpy in the order of bytes of this machine.
fn dtype(kind: &str) -> String {
    let order = if cfg!(target_endian = "big") { '>' } else { '<' };
    let plain = kind.trim_start_matches(['<', '>', '|', '=']);
    let order = if plain.ends_with('1') { '|' } else { order };
    format!("{order}{plain}")
}

/// The numbers of pixels as a type of numpy; NaN, or 0 of integers, where there is none.
fn bytes(folded: &Folded, kind: &str) -> Vec<u8> {
    fn all<const N: usize>(folded: &Folded, of: impl Fn(Number) -> [u8; N], none: [u8; N]) -> Vec<u8> {
        folded.values.iter().flat_map(|value| value.map_or(none, &of)).collect()
    }
    /// Integers come back as what they were, so that none is cut.
    fn integer(value: Number) -> i64 {
        match value {
            Number::I64(v) => v,
            Number::U64(v) => v as i64,
            Number::F64(v) => v as i64,
        }
    }
    let single = |v: Number| v.as_f64() as f32;
    match kind.trim_start_matches(['<', '>', '|', '=']) {
        "b1" | "i1" | "u1" => all(folded, |v| [integer(v) as u8], [0]),
        "i2" | "u2" => all(folded, |v| (integer(v) as u16).to_ne_bytes(), [0; 2]),
        "i4" | "u4" => all(folded, |v| (integer(v) as u32).to_ne_bytes(), [0; 4]),
        "i8" | "u8" => all(folded, |v| integer(v).to_ne_bytes(), [0; 8]),
        "f2" => {
            let of = |v: Number| half::f16::from_f32(single(v)).to_ne_bytes();
            all(folded, of, half::f16::NAN.to_ne_bytes())
        }
        "f4" => all(folded, |v| single(v).to_ne_bytes(), f32::NAN.to_ne_bytes()),
        _ => all(folded, |v| v.as_f64().to_ne_bytes(), f64::NAN.to_ne_bytes()),
    }
}
