//! Element types and fill values, by their names in either version of the metadata.

use crate::input::array::{Dtype, Encoding};
use crate::input::format::npy::parse_descr;
use serde_json::Value;

/// What a cell of an absent chunk holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    /// No data: the fill value is NaN, null, or not given.
    Absent,
    /// A number, as its little-endian bytes; as many of them count as an element has.
    Element([u8; 8]),
}

/// The element type of version 3 by its name.
pub(super) fn dtype_of_v3(value: Option<&Value>) -> Result<Dtype, String> {
    let value = value.ok_or("names no data_type")?;
    let name = value
        .as_str()
        .or_else(|| value.get("name")?.as_str())
        .ok_or("data_type is no name")?;
    Ok(match name {
        "bool" => Dtype::Bool,
        "int8" => Dtype::I8,
        "int16" => Dtype::I16,
        "int32" => Dtype::I32,
        "int64" => Dtype::I64,
        "uint8" => Dtype::U8,
        "uint16" => Dtype::U16,
        "uint32" => Dtype::U32,
        "uint64" => Dtype::U64,
        "float16" => Dtype::F16,
        "float32" => Dtype::F32,
        "float64" => Dtype::F64,
        _ => return Err(format!("data_type '{name}' is not read")),
    })
}

/// The element type and byte order of version 2.
pub(super) fn dtype_of_v2(value: Option<&Value>) -> Result<Encoding, String> {
    match value {
        Some(Value::String(descr)) if descr == "|O" || descr == "O" => {
            Err(format!("dtype '{descr}' (object) holds no plain numbers"))
        }
        Some(Value::String(descr)) => parse_descr(descr),
        Some(Value::Array(_)) => Err("a structured dtype holds no plain numbers".to_owned()),
        _ => Err("names no dtype".to_owned()),
    }
}

/// The name that is shown for a type.
pub(super) fn name_of(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::Bool => "bool",
        Dtype::I8 => "int8",
        Dtype::I16 => "int16",
        Dtype::I32 => "int32",
        Dtype::I64 => "int64",
        Dtype::U8 => "uint8",
        Dtype::U16 => "uint16",
        Dtype::U32 => "uint32",
        Dtype::U64 => "uint64",
        Dtype::F16 => "float16",
        Dtype::F32 => "float32",
        Dtype::F64 => "float64",
    }
}

/// A fill value in its type.
pub(super) fn fill_of(value: Option<&Value>, dtype: Dtype) -> Result<Fill, String> {
    let wrong = || {
        format!(
            "fill_value {} is no {}",
            value.map(ToString::to_string).unwrap_or_default(),
            name_of(dtype)
        )
    };
    let Some(value) = value.filter(|v| !v.is_null()) else {
        return Ok(Fill::Absent);
    };
    let mut out = [0; 8];
    let mut put = |bytes: &[u8]| out[..bytes.len()].copy_from_slice(bytes);
    if matches!(dtype, Dtype::F16 | Dtype::F32 | Dtype::F64) {
        let (v, bits) = float(value, dtype.size()).ok_or_else(wrong)?;
        if v.is_nan() {
            return Ok(Fill::Absent);
        }
        match (dtype, bits) {
            (_, Some(bits)) => put(&bits.to_le_bytes()[..dtype.size()]),
            (Dtype::F16, _) => put(&half::f16::from_f64(v).to_le_bytes()),
            (Dtype::F32, _) => put(&(v as f32).to_le_bytes()),
            _ => put(&v.to_le_bytes()),
        }
        return Ok(Fill::Element(out));
    }
    let v: i128 = match value {
        Value::Bool(b) => i128::from(*b),
        Value::Number(n) => match (n.as_u64(), n.as_i64(), n.as_f64()) {
            (Some(u), ..) => i128::from(u),
            (_, Some(i), _) => i128::from(i),
            (.., Some(f)) if f.fract() == 0.0 && f.abs() < 9e15 => f as i128,
            _ => return Err(wrong()),
        },
        _ => return Err(wrong()),
    };
    let bits = 8 * dtype.size() as u32;
    let range = match dtype {
        Dtype::Bool => 0..=1,
        Dtype::U8 | Dtype::U16 | Dtype::U32 | Dtype::U64 => 0..=(1 << bits) - 1,
        _ => -(1 << (bits - 1))..=(1 << (bits - 1)) - 1,
    };
    if !range.contains(&v) {
        return Err(wrong());
    }
    put(&v.to_le_bytes()[..dtype.size()]);
    Ok(Fill::Element(out))
}

/// A float as it is written: a number, a word, or the bits of an element of `size` bytes.
fn float(value: &Value, size: usize) -> Option<(f64, Option<u64>)> {
    let text = match value {
        Value::Number(n) => return n.as_f64().map(|v| (v, None)),
        Value::String(s) => s.as_str(),
        _ => return None,
    };
    match text {
        "NaN" => Some((f64::NAN, None)),
        "Infinity" => Some((f64::INFINITY, None)),
        "-Infinity" => Some((f64::NEG_INFINITY, None)),
        _ => {
            let digits = text.strip_prefix("0x").filter(|d| d.len() == 2 * size)?;
            let bits = u64::from_str_radix(digits, 16).ok()?;
            let v = match size {
                2 => half::f16::from_bits(bits as u16).to_f64(),
                4 => f64::from(f32::from_bits(bits as u32)),
                _ => f64::from_bits(bits),
            };
            Some((v, Some(bits)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn element(value: Value, dtype: Dtype) -> Result<Vec<u8>, String> {
        match fill_of(Some(&value), dtype)? {
            Fill::Element(e) => Ok(e[..dtype.size()].to_vec()),
            Fill::Absent => Err("absent".to_owned()),
        }
    }

    #[test]
    fn numbers_keep_their_bits() {
        assert_eq!(element(json!(7.0), Dtype::F32).unwrap(), 7f32.to_le_bytes());
        assert_eq!(element(json!("-Infinity"), Dtype::F16).unwrap(), [0, 0xfc]);
        assert_eq!(
            element(json!("0x3f800000"), Dtype::F32).unwrap(),
            1f32.to_le_bytes()
        );
        assert_eq!(element(json!(u64::MAX), Dtype::U64).unwrap(), [0xff; 8]);
        assert_eq!(
            element(json!(i64::MIN), Dtype::I64).unwrap(),
            i64::MIN.to_le_bytes()
        );
        assert_eq!(element(json!(true), Dtype::Bool).unwrap(), [1]);
        assert_eq!(element(json!(0.0), Dtype::I16).unwrap(), [0, 0]);
    }

    #[test]
    fn nan_null_and_nothing_are_absent() {
        for value in [
            Some(json!("NaN")),
            Some(Value::Null),
            Some(json!("0x7fc00001")),
            None,
        ] {
            assert_eq!(fill_of(value.as_ref(), Dtype::F32), Ok(Fill::Absent));
        }
        assert_eq!(fill_of(Some(&Value::Null), Dtype::I32), Ok(Fill::Absent));
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        for (value, dtype) in [
            (json!(256), Dtype::U8),
            (json!(-129), Dtype::I8),
            (json!(-1), Dtype::U64),
            (json!(2), Dtype::Bool),
            (json!(1.5), Dtype::I32),
            (json!("NaN"), Dtype::I32),
            (json!("0x3f80"), Dtype::F32),
            (json!("AAAA"), Dtype::F64),
            (json!([1]), Dtype::F64),
        ] {
            assert!(fill_of(Some(&value), dtype).is_err(), "{value}");
        }
        assert_eq!(
            dtype_of_v3(Some(&json!("complex64"))).unwrap_err(),
            "data_type 'complex64' is not read"
        );
        assert!(
            dtype_of_v2(Some(&json!([["a", "<f4"]])))
                .unwrap_err()
                .contains("structured")
        );
        assert!(dtype_of_v2(Some(&json!("|O"))).unwrap_err().contains("object"));
        let encoding = Encoding {
            dtype: Dtype::F64,
            big_endian: true,
        };
        assert_eq!(dtype_of_v2(Some(&json!(">f8"))), Ok(encoding));
    }
}
