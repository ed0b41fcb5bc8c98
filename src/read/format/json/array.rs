//! Lists of numbers as JSON to an array.

use super::column::GrowingColumn;
use super::fault::Fault;
use super::shape::READ_AS_DATA;
use super::tokenizer::{Scalar, Tokenizer};
use crate::array::Array;
use crate::budget::Budget;
use crate::table::ColumnValues;
use gridscope_core::grid::Values;
use std::sync::Arc;

/// A list of numbers, of lists of numbers, and so on.
pub(super) fn numbers(mut r: Tokenizer<'_>, budget: &Arc<Budget>) -> Result<Array, Fault> {
    let (mut shape, mut cells) = (Vec::new(), GrowingColumn::new("", 0, budget)?);
    nested(&mut r, 0, &mut shape, &mut cells)?;
    r.end()?;
    array(shape.into_iter().map(|n: Option<usize>| n.unwrap_or(0)).collect(), cells)
}

fn nested(
    r: &mut Tokenizer<'_>,
    level: usize,
    shape: &mut Vec<Option<usize>>,
    cells: &mut GrowingColumn,
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
                if level + 1 < shape.len() || cells.len() == 0 && shape.iter().all(Option::is_none) =>
            {
                nested(r, level + 1, shape, cells)
            }
            Some(b'[') => Err(r.unexpected("a number")),
            _ if level + 1 < shape.len() => Err(r.unexpected("a list of numbers")),
            _ => number(r, cells),
        }
    })?;
    match shape[level].replace(n) {
        Some(before) if before != n => {
            let what = format!("a list of {n}, {before} expected as in the first");
            Err(Fault::new(at, what))
        }
        _ => Ok(()),
    }
}

/// One number, or null.
fn number(r: &mut Tokenizer<'_>, cells: &mut GrowingColumn) -> Result<(), Fault> {
    r.peek();
    let at = r.at();
    let value = match r.scalar()? {
        Scalar::Text(t) => {
            let t: String = t.chars().take(40).collect();
            let what = format!("the text '{t}' is not a number");
            return Err(Fault::new(at, what).with_hint(READ_AS_DATA));
        }
        Scalar::Bool(b) => Scalar::Integer(if b { "1" } else { "0" }),
        Scalar::Null => Scalar::NotFinite(f64::NAN),
        value => value,
    };
    cells.push(&value, at)
}

/// `height` rows of `width` values.
pub(super) fn values(mut r: Tokenizer<'_>, budget: &Arc<Budget>) -> Result<Array, Fault> {
    let (mut sides, mut cells) = ([0usize; 2], GrowingColumn::new("", 0, budget)?);
    r.object(&mut |r, key, at| {
        let side = match &*key {
            "height" => &mut sides[0],
            "width" => &mut sides[1],
            "values" => return r.list(&mut |r| number(r, &mut cells)),
            _ => return r.skip(),
        };
        let n = match r.scalar()? {
            Scalar::Integer(text) => text.parse().ok(),
            _ => None,
        };
        *side = n.ok_or_else(|| Fault::new(at, format!("'{key}' is not a number of cells")))?;
        Ok(())
    })?;
    r.end()?;
    let [height, width] = sides;
    if height.checked_mul(width) != Some(cells.len()) {
        let what = format!("{} values, but height {height} x width {width}", cells.len());
        return Err(Fault::new(0, what));
    }
    array(vec![height, width], cells)
}

fn array(shape: Vec<usize>, cells: GrowingColumn) -> Result<Array, Fault> {
    let data = match cells.finish()?.cells {
        ColumnValues::I64(v) => Values::I64(v),
        ColumnValues::U64(v) => Values::U64(v),
        ColumnValues::F32(data) => Values::F32 { data, integer: false },
        ColumnValues::F64(v) => Values::F64(v),
        ColumnValues::Texts { .. } => {
            let what =
                "integers over 2^53 beside fractions or nulls: no single type of number holds them exactly";
            return Err(Fault::new(0, what));
        }
    };
    Ok(Array { shape, data })
}
