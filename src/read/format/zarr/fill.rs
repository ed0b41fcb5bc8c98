//! Element types and fill values, by their names in either version of the metadata.

use crate::array::{Dtype, Encoding, Fault};
use crate::format::npy::parse_descr;
use serde_json::Value;

/// The number in the cells of an absent chunk, as its little-endian bytes, of which as many count as an element has; `None` if
/// there is no data: the fill value is NaN, null, or not given.
pub(super) type FillValue = Option<[u8; 8]>;

/// The element type of version 3 by its name.
pub(super) fn dtype_of_v3(value: &Value) -> Result<Dtype, Fault> {
    if value.is_null() {
        return Err("names no data_type".into());
    }
    let name = value.as_str().or_else(|| value["name"].as_str());
    let name = name.ok_or("data_type is not a name")?;
    Dtype::from_name(name).ok_or_else(|| Fault::unsupported(format!("data_type '{name}' is not read")))
}

/// The element type and byte order of version 2.
pub(super) fn dtype_of_v2(value: &Value) -> Result<Encoding, Fault> {
    match value {
        Value::String(descr) => parse_descr(descr),
        Value::Array(_) => Err(Fault::no_numbers("a structured dtype".to_owned(), "")),
        _ => Err("names no dtype".into()),
    }
}

/// A fill value in its type.
pub(super) fn fill_of(value: &Value, dtype: Dtype) -> Result<FillValue, Fault> {
    if value.is_null() {
        return Ok(None);
    }
    let wrong = || format!("fill_value {value} is not a valid {}", dtype.name());
    let mut out = [0; 8];
    let mut put = |bytes: &[u8]| out[..bytes.len()].copy_from_slice(bytes);
    if matches!(dtype, Dtype::F16 | Dtype::F32 | Dtype::F64) {
        let (v, bits) = float(value, dtype.size()).ok_or_else(wrong)?;
        if v.is_nan() {
            return Ok(None);
        }
        match (dtype, bits) {
            (_, Some(bits)) => put(&bits.to_le_bytes()[..dtype.size()]),
            (Dtype::F16, _) => put(&half::f16::from_f64(v).to_le_bytes()),
            (Dtype::F32, _) => put(&(v as f32).to_le_bytes()),
            _ => put(&v.to_le_bytes()),
        }
        return Ok(Some(out));
    }
    let v = match (value.as_bool(), value.as_u64(), value.as_i64(), value.as_f64()) {
        (Some(b), ..) => i128::from(b),
        (_, Some(u), ..) => i128::from(u),
        (_, _, Some(i), _) => i128::from(i),
        (.., Some(f)) if f.fract() == 0.0 && f.abs() < 9e15 => f as i128,
        _ => return Err(wrong().into()),
    };
    let bits = 8 * dtype.size() as u32;
    let range = match dtype {
        Dtype::Bool => 0..=1,
        Dtype::U8 | Dtype::U16 | Dtype::U32 | Dtype::U64 => 0..=(1 << bits) - 1,
        _ => -(1 << (bits - 1))..=(1 << (bits - 1)) - 1,
    };
    if !range.contains(&v) {
        return Err(wrong().into());
    }
    put(&v.to_le_bytes()[..dtype.size()]);
    Ok(Some(out))
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

    fn element(value: Value, dtype: Dtype) -> Option<Vec<u8>> {
        let bytes = fill_of(&value, dtype).unwrap();
        bytes.map(|e| e[..dtype.size()].to_vec())
    }

    #[test]
    fn numbers_keep_their_bits() {
        assert_eq!(element(json!(7.0), Dtype::F32).unwrap(), 7f32.to_le_bytes());
        assert_eq!(element(json!("-Infinity"), Dtype::F16).unwrap(), [0, 0xfc]);
        assert_eq!(element(json!("0x3f800000"), Dtype::F32).unwrap(), 1f32.to_le_bytes());
        assert_eq!(element(json!(u64::MAX), Dtype::U64).unwrap(), [0xff; 8]);
        assert_eq!(element(json!(i64::MIN), Dtype::I64).unwrap(), i64::MIN.to_le_bytes());
        assert_eq!(element(json!(true), Dtype::Bool).unwrap(), [1]);
        assert_eq!(element(json!(0.0), Dtype::I16).unwrap(), [0, 0]);
    }

    #[test]
    fn nan_null_and_nothing_are_absent() {
        let metadata = json!({});
        for value in [&json!("NaN"), &Value::Null, &json!("0x7fc00001"), &metadata["fill_value"]] {
            assert_eq!(fill_of(value, Dtype::F32), Ok(None));
        }
        assert_eq!(fill_of(&Value::Null, Dtype::I32), Ok(None));
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
            assert!(fill_of(&value, dtype).is_err(), "{value}");
        }
        let refused = |value: Value| dtype_of_v2(&value).unwrap_err().what;
        assert_eq!(
            dtype_of_v3(&json!("complex64")).unwrap_err(),
            Fault::unsupported("data_type 'complex64' is not read")
        );
        assert!(refused(json!([["a", "<f4"]])).contains("structured"));
        assert!(refused(json!("|O")).contains("object"));
        assert_eq!(refused(Value::Null), "names no dtype");
        let encoding = Encoding { dtype: Dtype::F64, big_endian: true };
        assert_eq!(dtype_of_v2(&json!(">f8")), Ok(encoding));
    }
}
