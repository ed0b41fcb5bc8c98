//! Conditions on cells, as `p < 0.05`, and the facts about cells that a figure needs.

use super::mark::{Mark, Mask as MaskedCells};
use super::{Agg, Figure, Statistic};
use crate::grid::{Axis, Grid, Number};
use crate::notation::{Notation, ParseError};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// The signs of comparisons; a sign comes before those that it begins with.
const SIGNS: [(&str, Comparison); 7] = [
    ("!=", Comparison::Unequal),
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("==", Comparison::Equal),
    ("=", Comparison::Equal),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];

impl Comparison {
    /// Whether it holds for a number that lies so to the other one.
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::Unequal => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::AtLeast => order.is_ge(),
        }
    }
}

/// A comparison of the numbers of a file beside the data: `p.csv < 0.05`.
#[derive(Clone, Debug, PartialEq)]
pub struct FileTest {
    comparison: Comparison,
    number: f64,
    /// As it was written, behind the path.
    text: String,
}

impl FileTest {
    /// The path and the comparison of a text; `None` of a text that is neither.
    pub(super) fn of(text: &str) -> Option<(String, Self)> {
        let (path, comparison, number) = compared(text)?;
        let number = number.parse().ok().filter(|_| super::mark::is_file(path))?;
        let text = text.trim_start()[path.len()..].to_owned();
        Some((path.to_owned(), Self { comparison, number, text }))
    }

    /// Whether a number meets it; NaN meets none.
    pub fn holds(&self, v: f64) -> bool {
        v.partial_cmp(&self.number).is_some_and(|order| self.comparison.holds(order))
    }
}

impl fmt::Display for FileTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Quantity of a cell that a condition compares.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// Its value.
    Value,
    /// An aggregate of the rows of its value: `n`, `std`.
    Aggregate(Agg),
    /// A column of the table, aggregated as given, else as the value is; or an axis, or the value, by its name.
    Column {
        /// The aggregate of `mean(p)`.
        agg: Option<Agg>,
        /// The name.
        name: String,
    },
}

impl Quantity {
    fn read(text: &str) -> Option<Self> {
        let column = |agg, name: &str| Self::Column { agg, name: name.to_owned() };
        if let Some(name) = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
            return Some(column(None, name));
        }
        let call = text.split_once('(').and_then(|(word, rest)| {
            let name = rest.strip_suffix(')')?.trim();
            Some((Statistic::agg_of(word.trim())?, name))
        });
        match (text, call) {
            ("", _) => None,
            ("value", _) => Some(Self::Value),
            (_, Some((_, ""))) => None,
            (_, Some((agg, "value"))) => Some(Self::Aggregate(agg)),
            (_, Some((agg, name))) => Some(column(Some(agg), name.trim_matches('"'))),
            (word, None) => Some(Statistic::agg_of(word).map_or_else(|| column(None, word), Self::Aggregate)),
        }
    }

    /// Statistic of each cell's rows that a table has to give; `agg` is the aggregate of the values. None for the value.
    pub fn statistic(&self, agg: Agg) -> Option<Statistic> {
        match self {
            Self::Value => None,
            Self::Aggregate(agg) => Some(Statistic::of_value(*agg)),
            Self::Column { agg: own, name } => {
                Some(Statistic { agg: own.unwrap_or(agg), column: Some(name.clone()) })
            }
        }
    }
}

/// A condition on cells, as `p < 0.05`, `value >= 0.9` or `n < 3`. A cell without a value meets none.
#[derive(Clone, Debug, PartialEq)]
pub struct CellCondition {
    /// Quantity that is compared.
    pub quantity: Quantity,
    /// How.
    pub comparison: Comparison,
    /// With what.
    pub number: Number,
    text: String,
}

/// The text before the first comparison, the comparison, and the text after it. Names in double quotes and between parentheses may
/// hold signs.
pub(super) fn compared(text: &str) -> Option<(&str, Comparison, &str)> {
    let text = text.trim();
    let (mut depth, mut is_quoted) = (0u32, false);
    let at = text.char_indices().find_map(|(at, c)| {
        match c {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '=' | '<' | '>' | '!' if depth == 0 => return Some(at),
            _ => {}
        }
        None
    })?;
    let (sign, comparison) = SIGNS.iter().find(|s| text[at..].starts_with(s.0))?;
    Some((text[..at].trim(), *comparison, text[at + sign.len()..].trim()))
}

/// The condition on rows that leaves out what a condition with a text, such as `optimizer = adamw`, names; none of other texts.
pub fn rows_without(text: &str) -> Option<String> {
    let (left, comparison, right) = compared(text)?;
    let sign = match comparison {
        Comparison::Equal => "!=",
        Comparison::Unequal => "=",
        _ => return None,
    };
    (!left.is_empty() && !right.is_empty()).then(|| format!("{left} {sign} {right}"))
}

/// A number as the data hold it: whole ones exactly.
pub(super) fn number(text: &str) -> Option<Number> {
    let whole = text.parse().map(Number::I64);
    let whole = whole.or_else(|_| text.parse().map(Number::U64));
    let float = || text.parse::<f64>().ok().filter(|v| !v.is_nan()).map(Number::F64);
    whole.ok().or_else(float)
}

impl CellCondition {
    /// As a key of the figure says it: the value by its name, and comparisons by one sign.
    pub fn spoken(&self, value_name: &str) -> String {
        let Some((left, comparison, right)) = compared(&self.text) else {
            return self.text.clone();
        };
        let left = match self.quantity {
            Quantity::Value if !value_name.is_empty() => value_name,
            _ => left,
        };
        let sign = match comparison {
            Comparison::Equal => "=",
            Comparison::Unequal => "≠",
            Comparison::Less => "<",
            Comparison::AtMost => "≤",
            Comparison::Greater => ">",
            Comparison::AtLeast => "≥",
        };
        format!("{left} {sign} {}", right.replacen('-', "−", usize::from(right.starts_with('-'))))
    }
}

impl FromStr for CellCondition {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let wrong = |reason: &str| ParseError::new(Notation::Condition, text, reason);
        let (left, comparison, right) =
            compared(text).ok_or_else(|| wrong("give QUANTITY OP NUMBER with = != < <= > >="))?;
        let quantity = Quantity::read(left)
            .ok_or_else(|| wrong("before the comparison is value, an aggregate such as n, or a column"))?;
        let number = number(right).ok_or_else(|| wrong("after the comparison is a number"))?;
        Ok(Self { quantity, comparison, number, text: text.trim().to_owned() })
    }
}

impl fmt::Display for CellCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A condition on the cells of one grid.
#[derive(Clone, Debug)]
pub struct CellTest<'g> {
    left: Left<'g>,
    comparison: Comparison,
    number: Number,
    width: usize,
}

#[derive(Clone, Debug)]
enum Left<'g> {
    Value,
    Field(&'g [f64]),
    Rows(Vec<f64>),
    Columns(Vec<f64>),
}

impl CellCondition {
    /// The test of a grid's cells; `agg` is the aggregate of the values. `None` where the grid has no such quantity.
    pub fn test<'g>(&self, grid: &'g Grid, agg: Agg) -> Option<CellTest<'g>> {
        let field = || {
            let found = grid.fields().get(&self.quantity.statistic(agg)?.to_string())?;
            Some(Left::Field(found))
        };
        let left = match &self.quantity {
            Quantity::Value => Left::Value,
            Quantity::Column { agg: None, name } if name == grid.value_name() => Left::Value,
            Quantity::Column { agg: None, name } => match field() {
                Some(left) => left,
                None => match grid.side_named(name)?.0 {
                    true => Left::Rows(numbers(grid.rows())),
                    false => Left::Columns(numbers(grid.columns())),
                },
            },
            _ => field()?,
        };
        Some(CellTest { left, comparison: self.comparison, number: self.number, width: grid.width() })
    }
}

/// The numbers of an axis' keys; NaN where a key is none.
fn numbers(axis: &Axis) -> Vec<f64> {
    let of = |i: usize| axis.center(i).or_else(|| axis.label(i).parse().ok());
    (0..axis.len()).map(|i| of(i).unwrap_or(f64::NAN)).collect()
}

impl CellTest<'_> {
    /// Whether a cell with this value meets it.
    pub fn holds(&self, value: Number, row: usize, column: usize) -> bool {
        let left = match &self.left {
            Left::Value => value,
            Left::Field(numbers) => Number::F64(numbers[row * self.width + column]),
            Left::Rows(numbers) => Number::F64(numbers[row]),
            Left::Columns(numbers) => Number::F64(numbers[column]),
        };
        let order = left.compare(self.number);
        order.is_some_and(|order| self.comparison.holds(order))
    }

    /// Whether some of several cells meets it, by the least and the greatest of their values: `None` where these do not tell.
    pub fn holds_within(&self, least: Number, greatest: Number) -> Option<bool> {
        let Left::Value = self.left else { return None };
        let holds = |v: Number| v.compare(self.number).is_some_and(|o| self.comparison.holds(o));
        let met = holds(least) || holds(greatest);
        let outside = least.compare(self.number) == Some(Ordering::Greater)
            || greatest.compare(self.number) == Some(Ordering::Less);
        (self.comparison != Comparison::Equal || met || outside).then_some(met)
    }
}

impl Figure {
    /// The marks of the figure and of its panels.
    pub fn all_marks(&self) -> impl Iterator<Item = &Mark> {
        let own = self.panels.values().filter_map(|panel| panel.mark.as_ref());
        self.annotations.mark.iter().chain(own).flat_map(|marks| &marks.0)
    }

    /// The same, to be changed.
    pub fn all_marks_mut(&mut self) -> impl Iterator<Item = &mut Mark> {
        let panels = self.panels.values_mut().filter_map(|panel| panel.mark.as_mut());
        self.annotations.mark.iter_mut().chain(panels).flat_map(|marks| &mut marks.0)
    }

    /// The conditions of marks and masks.
    pub fn cell_conditions(&self) -> Vec<CellCondition> {
        let masks = self.data.mask.iter().flat_map(|masks| &masks.0);
        let masks = masks.filter_map(|mask| match mask {
            MaskedCells::Condition(condition) => Some(condition.clone()),
            _ => None,
        });
        self.all_marks().filter_map(Mark::condition).chain(masks).collect()
    }

    /// The aggregates of the values that conditions name.
    pub fn condition_aggregates(&self) -> Vec<Agg> {
        let named = |condition: CellCondition| match condition.quantity {
            Quantity::Aggregate(agg) => Some(agg),
            _ => None,
        };
        self.cell_conditions().into_iter().filter_map(named).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_as_they_print() {
        for (text, field) in [
            ("p < 0.05", Some("mean(p)")),
            ("value>=0.9", None),
            ("n != 3", Some("count")),
            ("std(p) <= 1e-3", Some("std(p)")),
            ("std(value) > 2", Some("std")),
            ("\"a<b\" > -inf", Some("mean(a<b)")),
            ("\"n\" == 3", Some("mean(n)")),
            ("sum(a<b) = 0", Some("sum(a<b)")),
            ("log10(p) < -2", Some("mean(log10(p))")),
        ] {
            let read: CellCondition = text.parse().unwrap();
            assert_eq!(
                (
                    read.to_string().as_str(),
                    read.quantity.statistic(Agg::Mean).map(|s| s.to_string()).as_deref()
                ),
                (text, field)
            );
        }
        for wrong in ["p", "p <", "< 3", "p < x", "p < nan", "max() > 1", "\"p < 3"] {
            assert!(wrong.parse::<CellCondition>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn extremes_tell_what_some_cell_between_them_meets() {
        let grid = Grid::from_rows(1, 3, vec![1.0, 2.0, 4.0]).unwrap();
        let at = |text: &str, a: f64, b: f64| {
            let condition: CellCondition = text.parse().unwrap();
            let test = condition.test(&grid, Agg::Mean).unwrap();
            test.holds_within(Number::F64(a), Number::F64(b))
        };
        assert_eq!(at("value > 3", 1.0, 4.0), Some(true));
        assert_eq!(at("value >= 5", 1.0, 4.0), Some(false));
        assert_eq!(at("value != 1", 1.0, 1.0), Some(false));
        assert_eq!(at("value = 2", 1.0, 4.0), None);
        assert_eq!(at("value = 4", 1.0, 4.0), Some(true));
        assert_eq!(at("value = 5", 1.0, 4.0), Some(false));
    }
}
