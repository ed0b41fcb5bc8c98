//! Attributes of arrays that say what the stored numbers mean, as CF conventions and xarray have them.

use super::Dtype;
use super::packed::Packing;
use crate::table::single;
use gridscope_core::calendar::model_dates;
use gridscope_core::grid::{Buffer, Values};
use serde_json::{Map, Value};

/// Calendars whose days are those of ISO 8601.
const USUAL: [&str; 4] = ["", "standard", "gregorian", "proleptic_gregorian"];

/// The attributes of an array.
#[derive(Clone, Copy)]
pub(crate) struct Conventions<'a>(pub &'a Map<String, Value>);

impl<'a> Conventions<'a> {
    /// The text of an attribute, or nothing.
    fn text(self, key: &str) -> &'a str {
        self.0.get(key).and_then(Value::as_str).map(str::trim).unwrap_or_default()
    }

    fn numbers(self, key: &str) -> Vec<f64> {
        self.0.get(key).map(numbers).unwrap_or_default()
    }

    /// How stored numbers of a type become values. As with xarray, these have the precision of the factor (single where `singles`),
    /// but for an offset of another precision and for integers of 32 bits with an offset; without both, single precision where that
    /// holds the stored numbers.
    pub(crate) fn packing(self, dtype: Dtype, singles: bool) -> Packing {
        let missing = [self.numbers("_FillValue"), self.numbers("missing_value")].concat();
        let missing = missing.into_iter().map(|number| self.in_type(number, dtype)).collect();
        let first = |key: &str| self.numbers(key).first().copied();
        let (scale, offset) = (first("scale_factor"), first("add_offset"));
        let is_single = match (scale, offset) {
            (None, None) => dtype.size() < 4 || dtype == Dtype::F32,
            (Some(_), None) => singles,
            (Some(_), Some(_)) => singles && !matches!(dtype, Dtype::I32 | Dtype::U32),
            (None, Some(_)) => false,
        };
        Packing { missing, scale, offset, is_single }
    }

    /// The type that stored numbers of this one have: where the format has none without, or with a sign, `_Unsigned` says it.
    pub(crate) fn dtype(self, stored: Dtype) -> Dtype {
        match self.text("_Unsigned") {
            "true" => stored.with_sign(false),
            "false" => stored.with_sign(true),
            _ => stored,
        }
    }

    /// A number of the stored type in that of [`dtype`](Self::dtype): of the same bits.
    pub(crate) fn in_type(self, number: f64, dtype: Dtype) -> f64 {
        let all = 2f64.powi(8 * dtype.size() as i32);
        match (self.text("_Unsigned"), dtype) {
            ("true", Dtype::U8 | Dtype::U16 | Dtype::U32 | Dtype::U64) if number < 0.0 => number + all,
            ("false", Dtype::I8 | Dtype::I16 | Dtype::I32 | Dtype::I64) if number >= all / 2.0 => {
                number - all
            }
            _ => number,
        }
    }

    /// The unit of coordinates; none of times that are counted by another calendar than that of ISO 8601.
    pub(crate) fn unit(self) -> String {
        let is_usual = USUAL.contains(&self.text("calendar"));
        if is_usual { self.text("units").to_owned() } else { String::new() }
    }

    /// The dates of coordinates, where they are counted by the calendar of a model.
    pub(crate) fn dates(self, coordinates: &[f64]) -> Option<Vec<String>> {
        let calendar = Some(self.text("calendar")).filter(|c| !c.is_empty())?;
        model_dates(coordinates, self.text("units"), calendar)
    }

    /// Title of the axis `name`: its long name with its unit, if that is not one of times.
    pub(crate) fn title(self, name: &str) -> String {
        if self.text("units").contains(" since ") {
            let long = self.text("long_name");
            return if long.is_empty() { name.to_owned() } else { long.to_owned() };
        }
        self.quantity(name)
    }

    /// Name of the values: their long name or the path of the array, with their unit.
    pub(crate) fn quantity(self, path: &str) -> String {
        let own = path.rsplit('/').next().unwrap_or(path);
        let name = if self.text("long_name").is_empty() { own } else { self.text("long_name") };
        match self.text("units") {
            "" | "1" => name.to_owned(),
            units => format!("{name} ({units})"),
        }
    }
}

/// The values that stored numbers are: those of single precision by their shortest digits, as their factor and offset are.
pub(crate) fn unpacked(stored: Buffer, packing: &Packing) -> Vec<f64> {
    let is_single = packing.is_single || matches!(stored, Buffer::F32 { integer: false, .. });
    let shortest = |number: Option<f64>| number.map(|n| single(n as f32));
    let packing = match packing.is_single {
        true => Packing {
            scale: shortest(packing.scale),
            offset: shortest(packing.offset),
            is_single: false,
            missing: packing.missing.clone(),
        },
        false => packing.clone(),
    };
    let stored = Values::from(stored);
    let one = |i: usize| {
        let value = packing.value(stored.get(i).as_f64());
        if is_single && value.is_finite() { single(value as f32) } else { value }
    };
    (0..stored.len()).map(one).collect()
}

/// Numbers of an attribute: one, a list, `NaN`, or the bytes of one in base64.
fn numbers(value: &Value) -> Vec<f64> {
    use base64::Engine as _;
    match value {
        Value::Array(list) => list.iter().flat_map(numbers).collect(),
        Value::String(text) if text == "NaN" => vec![f64::NAN],
        Value::String(text) => {
            let bytes = base64::engine::general_purpose::STANDARD.decode(text).unwrap_or_default();
            let double = bytes.as_slice().try_into().map(f64::from_le_bytes);
            let single = bytes.as_slice().try_into().map(|b| f64::from(f32::from_le_bytes(b)));
            double.or(single).into_iter().collect()
        }
        other => other.as_f64().into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_have_the_precision_that_xarray_gives_them() {
        let of = |attributes: Value, dtype, singles| {
            let attributes = attributes.as_object().unwrap().clone();
            Conventions(&attributes).packing(dtype, singles).is_single
        };
        let scale = json!({"scale_factor": 0.1});
        assert!(of(scale.clone(), Dtype::I32, true) && !of(scale, Dtype::I16, false));
        assert!(of(json!({"_FillValue": -1}), Dtype::U8, false) && !of(json!({}), Dtype::I32, true));
        let both = json!({"scale_factor": 0.1, "add_offset": 5.0});
        assert!(!of(both.clone(), Dtype::I16, false) && of(both.clone(), Dtype::I16, true));
        assert!(!of(both, Dtype::I32, true) && !of(json!({"add_offset": 5.0}), Dtype::I16, true));
    }

    #[test]
    fn coordinates_of_single_precision_have_their_shortest_digits() {
        let bits = vec![0.1f32.to_bits(), 2.5f32.to_bits()];
        let stored = Buffer::F32 { bits, integer: false };
        assert_eq!(unpacked(stored, &Packing::default()), [0.1, 2.5]);
        // 7 x 0.025 of single precision is 0.17500001.
        let packing = Packing { scale: Some(f64::from(0.025f32)), is_single: true, ..Packing::default() };
        assert_eq!(unpacked(Buffer::I64(vec![7, 8, 9]), &packing), [0.175, 0.2, 0.225]);
    }

    #[test]
    fn numbers_without_a_sign_and_what_means_none_are_of_one_type() {
        let of = |attributes: Value, stored: Dtype| {
            let attributes = attributes.as_object().unwrap().clone();
            let of = Conventions(&attributes);
            (of.dtype(stored), of.packing(of.dtype(stored), false).missing)
        };
        let fill = |unsigned: &str, number: i64| json!({"_Unsigned": unsigned, "_FillValue": number});
        assert_eq!(of(fill("true", -1), Dtype::I16), (Dtype::U16, vec![65_535.0]));
        assert_eq!(of(fill("true", 7), Dtype::I8), (Dtype::U8, vec![7.0]));
        assert_eq!(of(fill("false", 255), Dtype::U8), (Dtype::I8, vec![-1.0]));
        assert_eq!(of(fill("true", -1), Dtype::F32), (Dtype::F32, vec![-1.0]));
        assert_eq!(of(json!({"_FillValue": -1}), Dtype::U8), (Dtype::U8, vec![-1.0]));
    }

    #[test]
    fn attributes_name_values_and_units() {
        let attributes = json!({"units": " K ", "long_name": "air", "calendar": "noleap"});
        let of = Conventions(attributes.as_object().unwrap());
        assert_eq!((of.quantity("a/t").as_str(), of.unit().as_str()), ("air (K)", ""));
    }
}
