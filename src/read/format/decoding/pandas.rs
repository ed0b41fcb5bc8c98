//! What pandas writes about its frame into Parquet and Arrow files: index columns, levels of columns, durations, periods, and ordered
//! categories.

#[cfg(feature = "parquet")]
use super::{Period, ValueType};
use crate::table::Schema;
#[cfg(feature = "parquet")]
use gridscope_core::calendar::Resolution;
use serde_json::Value;

/// The frame as pandas describes it.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    /// Columns of the index, the outer first, by their names in the file.
    pub index: Vec<String>,
    /// Names of the levels of columns, where there are several.
    pub levels: Vec<String>,
    columns: Vec<Value>,
}

impl Frame {
    /// Reads the value of the key `pandas`; what is no description is none.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let json: Value = serde_json::from_str(text).ok()?;
        let list = |key: &str| json.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        // A range is described and has no column.
        let index = list("index_columns").iter().filter_map(|v| v.as_str().map(str::to_owned)).collect();
        let name = |v: &Value| v.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let levels: Vec<String> = list("column_indexes").iter().map(name).collect();
        let levels = if levels.len() > 1 { levels } else { Vec::new() };
        Some(Self { index, levels, columns: list("columns") })
    }

    fn column(&self, field: &str) -> Option<&Value> {
        let named = |v: &&Value| v.get("field_name").and_then(Value::as_str) == Some(field);
        self.columns.iter().find(named)
    }

    /// The columns in the order of the frame: those of the index first.
    pub(crate) fn order(&self, fields: &[String]) -> Vec<usize> {
        let place = |name: &str| self.index.iter().position(|index| index == name).unwrap_or(usize::MAX);
        let mut order: Vec<usize> = (0..fields.len()).collect();
        order.sort_by_key(|&i| place(&fields[i]));
        order
    }

    /// Says which columns label rows, and the levels of the names of the others; `fields` are the names in the file of the columns
    /// of the schema.
    pub(crate) fn describe(&self, fields: &[String], schema: &mut Schema) {
        let labels = fields.iter().take_while(|field| self.index.contains(field)).count();
        if labels == 0 || labels != self.index.len() {
            return;
        }
        schema.label_columns = Some(labels);
        let names: Option<Vec<Vec<String>>> =
            fields[labels..].iter().map(|field| self.level_names(field)).collect();
        if let Some(names) = names.filter(|names| !names.is_empty() && !self.levels.is_empty()) {
            let level = |l: usize| {
                let blank = std::iter::repeat_n(String::new(), labels);
                blank.chain(names.iter().map(|own| own[l].clone())).collect()
            };
            schema.levels = (0..self.levels.len()).map(level).collect();
            schema.level_names.clone_from(&self.levels);
        }
    }

    /// The name of a column as the frame has it; an index without a name has none.
    pub(crate) fn name(&self, field: &str) -> String {
        let is_index = self.index.iter().any(|index| index == field);
        let name = self.column(field).and_then(|column| column.get("name"));
        match name {
            Some(Value::Null) if is_index => String::new(),
            Some(Value::String(name)) if is_index => name.clone(),
            _ => field.to_owned(),
        }
    }

    /// The type of a column of whole numbers, where they are lengths of time or periods.
    #[cfg(feature = "parquet")]
    pub(crate) fn value_type(&self, field: &str) -> Option<ValueType> {
        let of = self.column(field)?.get("numpy_type")?.as_str()?;
        let inside = |start: &str| of.strip_prefix(start)?.strip_suffix(']');
        if let Some(unit) = inside("timedelta64[") {
            return Some(ValueType::Duration(match unit {
                "s" => Resolution::Seconds,
                "ms" => Resolution::Milli,
                "us" => Resolution::Micro,
                "ns" => Resolution::Nano,
                _ => return None,
            }));
        }
        Period::of(inside("period[")?).map(ValueType::Period)
    }

    /// Whether a column holds categories in an order of their own.
    #[cfg(feature = "parquet")]
    pub(crate) fn is_ordered(&self, field: &str) -> bool {
        let ordered = |column: &Value| column.get("metadata")?.get("ordered")?.as_bool();
        self.column(field).and_then(ordered) == Some(true)
    }

    /// The names of a column in each level: of a text such as `('small', 'f1')`.
    pub(crate) fn level_names(&self, field: &str) -> Option<Vec<String>> {
        let names = tuple(field)?;
        (names.len() == self.levels.len()).then_some(names)
    }
}

/// The items of a tuple as Python writes it.
fn tuple(text: &str) -> Option<Vec<String>> {
    let mut rest = text.strip_prefix('(')?.strip_suffix(')')?.trim();
    let mut items = Vec::new();
    while !rest.is_empty() {
        let (item, after) = match rest.chars().next()? {
            quote @ ('\'' | '"') => {
                let end = rest[1..].find(quote)? + 1;
                (rest[1..end].to_owned(), &rest[end + 1..])
            }
            _ => {
                let end = rest.find(',').unwrap_or(rest.len());
                (rest[..end].trim().to_owned(), &rest[end..])
            }
        };
        items.push(item);
        rest = after.trim_start().strip_prefix(',').unwrap_or(after).trim_start();
    }
    Some(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_of_frames_are_read() {
        let text = r#"{"index_columns": ["__index_level_0__", {"kind": "range"}], "column_indexes": [{"name": "a"}, {"name": null}],
            "columns": [{"name": null, "field_name": "__index_level_0__", "numpy_type": "object"},
                {"name": "d", "field_name": "d", "numpy_type": "timedelta64[us]"},
                {"name": "p", "field_name": "p", "numpy_type": "period[M]"},
                {"name": "c", "field_name": "c", "numpy_type": "int8", "metadata": {"ordered": true}}]}"#;
        let frame = Frame::parse(text).unwrap();
        assert_eq!((frame.name("__index_level_0__"), frame.name("d")), (String::new(), "d".to_owned()));
        assert_eq!(frame.value_type("d"), Some(ValueType::Duration(Resolution::Micro)));
        assert_eq!(frame.value_type("p"), Some(ValueType::Period(Period::Months)));
        assert!(frame.is_ordered("c") && !frame.is_ordered("d"));
        assert_eq!(frame.level_names("('small', 2)"), Some(vec!["small".to_owned(), "2".to_owned()]));
        assert_eq!(frame.level_names("small"), None);
        assert!(Frame::parse("[").is_none());
    }
}
