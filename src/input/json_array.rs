//! Lists of numbers as JSON to an array.

use super::array::Array;
use super::budget::Budget;
use super::json_columns::Column;
use super::json_shape::READ_AS_DATA;
use super::json_text::{Fault, Reader, Scalar};
use super::typed::TypedCells;
use crate::grid::Values;
use std::sync::Arc;

/// A column of no table.
pub(super) fn lone(budget: &Arc<Budget>) -> Result<Column, Fault> {
    Column::new("", budget).map_err(|s| Fault::short(0, "a list", s))
}

/// A list of numbers, of lists of numbers, and so on.
pub(super) fn numbers(mut r: Reader<'_>, budget: &Arc<Budget>) -> Result<Array, Fault> {
    let (mut shape, mut cells) = (Vec::new(), lone(budget)?);
    nested(&mut r, 0, &mut shape, &mut cells)?;
    r.end()?;
    array(
        shape.into_iter().map(|n: Option<usize>| n.unwrap_or(0)).collect(),
        cells,
    )
}

fn nested(
    r: &mut Reader<'_>,
    level: usize,
    shape: &mut Vec<Option<usize>>,
    cells: &mut Column,
) -> Result<(), Fault> {
    // Only on the way to the first number are there levels to find.
    if level == shape.len() {
        shape.push(None);
    }
    let (mut n, at) = (0, r.at());
    r.list(&mut |r| {
        n += 1;
        match r.peek() {
            Some(b'[')
                if level + 1 < shape.len() || cells.is_empty() && shape.iter().all(Option::is_none) =>
            {
                nested(r, level + 1, shape, cells)
            }
            Some(b'[') => Err(r.unexpected("a number")),
            _ if level + 1 < shape.len() => Err(r.unexpected("a list of numbers")),
            _ => number(r, cells),
        }
    })?;
    match shape[level] {
        Some(before) if before != n => Err(Fault::new(
            at,
            format!("a list of {n}, {before} expected as in the first"),
        )),
        _ => {
            shape[level] = Some(n);
            Ok(())
        }
    }
}

/// One number, or null.
fn number(r: &mut Reader<'_>, cells: &mut Column) -> Result<(), Fault> {
    r.peek();
    let at = r.at();
    let value = match r.scalar()? {
        Scalar::Text(t) => {
            let t: String = t.chars().take(40).collect();
            return Err(Fault {
                hint: Some(READ_AS_DATA),
                ..Fault::new(at, format!("the text '{t}' is no number"))
            });
        }
        Scalar::Bool(b) => Scalar::Number(if b { "1" } else { "0" }),
        Scalar::Null => Scalar::NotFinite(f64::NAN),
        value => value,
    };
    cells.set(cells.len(), &value, at)
}

/// `height` rows of `width` values.
pub(super) fn values(mut r: Reader<'_>, budget: &Arc<Budget>) -> Result<Array, Fault> {
    let (mut sides, mut cells) = ([0usize; 2], lone(budget)?);
    r.object(&mut |r, key, at| {
        let side = ["height", "width"].iter().position(|s| *s == key);
        match (side, &*key) {
            (Some(i), _) => {
                let side = r.scalar()?;
                let Scalar::Number(text) = side else {
                    return Err(Fault::new(at, format!("'{key}' is no number")));
                };
                sides[i] = text
                    .parse()
                    .map_err(|_| Fault::new(at, format!("'{key}' is no number of cells")))?;
                Ok(())
            }
            (None, "values") => r.list(&mut |r| number(r, &mut cells)),
            _ => r.skip(),
        }
    })?;
    r.end()?;
    let [height, width] = sides;
    if height.checked_mul(width) != Some(cells.len()) {
        let what = format!("{} values, but height {height} x width {width}", cells.len());
        return Err(Fault::new(0, what));
    }
    array(vec![height, width], cells)
}

fn array(shape: Vec<usize>, cells: Column) -> Result<Array, Fault> {
    let n = cells.len();
    let data = match cells.typed(n).cells {
        TypedCells::I64(v) => Values::I64(v),
        TypedCells::U64(v) => Values::U64(v),
        TypedCells::F32(data) => Values::F32 { data, integer: false },
        TypedCells::F64(v) => Values::F64(v),
        TypedCells::Texts { .. } => {
            let what =
                "integers over 2^53 beside fractions or nulls: no one type of number holds them exactly";
            return Err(Fault::new(0, what));
        }
    };
    Ok(Array { shape, data })
}
