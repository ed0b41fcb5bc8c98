//! The functions of expressions: their names, and how many arguments they take.

/// A function of one row's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Minute,
    Hour,
    Weekday,
    Day,
    Date,
    Week,
    Month,
    YearMonth,
    Quarter,
    Year,
    Log10,
    Log2,
    Ln,
    Exp,
    Sqrt,
    Abs,
    Round,
    Floor,
    Ceil,
    Lower,
    Upper,
}

/// The name of the function that puts numbers into bins; only a whole column may be one.
pub(super) const BIN: &str = "bin";

/// The functions by their names.
const NAMES: [(&str, Function); 21] = [
    ("minute", Function::Minute),
    ("hour", Function::Hour),
    ("weekday", Function::Weekday),
    ("day", Function::Day),
    ("date", Function::Date),
    ("week", Function::Week),
    ("month", Function::Month),
    ("yearmonth", Function::YearMonth),
    ("quarter", Function::Quarter),
    ("year", Function::Year),
    ("log10", Function::Log10),
    ("log2", Function::Log2),
    ("ln", Function::Ln),
    ("exp", Function::Exp),
    ("sqrt", Function::Sqrt),
    ("abs", Function::Abs),
    ("round", Function::Round),
    ("floor", Function::Floor),
    ("ceil", Function::Ceil),
    ("lower", Function::Lower),
    ("upper", Function::Upper),
];

impl Function {
    /// The function of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|(n, _)| *n == name).map(|(_, f)| *f)
    }

    /// Whether it takes a text or a time, and no number.
    pub(crate) fn takes_text(self) -> bool {
        use Function::{
            Date, Day, Hour, Lower, Minute, Month, Quarter, Upper, Week, Weekday, Year, YearMonth,
        };
        matches!(
            self,
            Minute | Hour | Weekday | Day | Date | Week | Month | YearMonth | Quarter | Year | Lower | Upper
        )
    }

    /// The most arguments that it takes; all but `round` take one.
    pub(super) fn most_arguments(self) -> usize {
        if self == Function::Round { 2 } else { 1 }
    }
}

/// The names of all functions.
pub(super) fn names() -> Vec<String> {
    std::iter::once(BIN).chain(NAMES.iter().map(|(n, _)| *n)).map(str::to_owned).collect()
}
