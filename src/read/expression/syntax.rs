//! The text of an expression to its computation: columns, functions and bins.

use super::{Expression, Operator, Pattern};
use gridscope_core::figure::quoted;
use gridscope_core::grid::Number;

/// Fault in the text of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExpressionFault {
    /// Bytes before the place.
    pub at: usize,
    /// Reason.
    pub what: String,
    /// A name that no column has.
    pub unknown: Option<String>,
    /// Whether the text before shows that an expression is meant.
    pub is_expression: bool,
}

/// The deepest nesting of parentheses and signs.
const DEEPEST: usize = 60;

/// The most operators between operands: a chain of them is as deep as it is long.
const MOST_OPERATORS: usize = 1_000;

/// Reads a whole text; columns are named by `headers`.
///
/// # Errors
/// An unknown name, a wrong number of arguments, something after the end.
pub(crate) fn parse(text: &str, headers: &[String]) -> Result<Expression, ExpressionFault> {
    let mut parser = Parser::new(text, headers);
    let expression = parser.whole()?;
    match parser.reader.rest() {
        "" => Ok(expression),
        rest => {
            let sign: String = rest.chars().take(1).collect();
            Err(parser.fault(format!("'{sign}' where an operator or the end is expected")))
        }
    }
}

/// Reads the expression that a text begins with, and returns how many bytes it takes; a comparison follows it.
///
/// # Errors
/// As [`parse`].
pub(crate) fn parse_prefix(text: &str, headers: &[String]) -> Result<(Expression, usize), ExpressionFault> {
    let mut parser = Parser::new(text, headers);
    let expression = parser.whole()?;
    Ok((expression, parser.reader.at()))
}

struct Parser<'t> {
    reader: Reader<'t>,
    headers: &'t [String],
    /// Whether a function or an operator was met.
    computes: bool,
    depth: usize,
    operators: usize,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, headers: &'t [String]) -> Self {
        Self { reader: Reader::new(text), headers, computes: false, depth: 0, operators: 0 }
    }

    fn fault(&self, what: impl Into<String>) -> ExpressionFault {
        ExpressionFault {
            at: self.reader.at(),
            what: what.into(),
            unknown: None,
            is_expression: self.computes,
        }
    }

    /// A bin of a sum, or a sum.
    fn whole(&mut self) -> Result<Expression, ExpressionFault> {
        let word = self.reader.word();
        if self.column().is_none() && (word == BIN || word == RANK) {
            let mut after = self.reader;
            after.pass(word.len());
            if after.takes("(") {
                self.reader = after;
                self.computes = true;
                return if word == BIN { self.bin() } else { self.rank() };
            }
        }
        self.sum()
    }

    fn sum(&mut self) -> Result<Expression, ExpressionFault> {
        self.chain(&[("+", Operator::Plus), ("-", Operator::Minus), ("−", Operator::Minus)], Self::product)
    }

    fn product(&mut self) -> Result<Expression, ExpressionFault> {
        self.chain(&[("*", Operator::Times), ("/", Operator::Over)], Self::signed)
    }

    /// Operands with operators of one rank between them, from left to right.
    fn chain(
        &mut self,
        signs: &[(&str, Operator)],
        operand: fn(&mut Self) -> Result<Expression, ExpressionFault>,
    ) -> Result<Expression, ExpressionFault> {
        let mut left = operand(self)?;
        while let Some((_, operator)) = signs.iter().find(|(sign, _)| self.reader.takes(sign)) {
            self.computes = true;
            self.operators += 1;
            if self.operators > MOST_OPERATORS {
                return Err(self.fault(format!("more than {MOST_OPERATORS} operators")));
            }
            let right = operand(self)?;
            left = Expression::Pair(*operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn signed(&mut self) -> Result<Expression, ExpressionFault> {
        if self.column().is_none() && (self.reader.takes("-") || self.reader.takes("−")) {
            return Ok(Expression::Negative(Box::new(self.nested(Self::signed)?)));
        }
        if self.column().is_none() && self.reader.takes("+") {
            self.computes = true;
            return self.nested(Self::signed);
        }
        let base = self.primary()?;
        if self.reader.takes("**") || self.reader.takes("^") {
            self.computes = true;
            let power = self.nested(Self::signed)?;
            return Ok(Expression::Pair(Operator::Power, Box::new(base), Box::new(power)));
        }
        Ok(base)
    }

    /// One level deeper.
    fn nested(
        &mut self,
        read: fn(&mut Self) -> Result<Expression, ExpressionFault>,
    ) -> Result<Expression, ExpressionFault> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.fault(format!("more than {DEEPEST} parentheses or signs within each other")));
        }
        let found = read(self);
        self.depth -= 1;
        found
    }

    fn primary(&mut self) -> Result<Expression, ExpressionFault> {
        if let Some((column, bytes)) = self.column() {
            self.reader.pass(bytes);
            let column = Expression::Column(column);
            if self.reader.takes("±") {
                self.computes = true;
                return Ok(Expression::Extract(Box::new(column), Pattern::spread()));
            }
            return Ok(column);
        }
        let rest = self.reader.rest();
        if let Some(number) = self.reader.number() {
            let text = rest[..rest.len() - self.reader.rest().len()].trim();
            let whole = text.parse().map(Number::I64).or_else(|_| text.parse().map(Number::U64));
            return Ok(Expression::Number(whole.unwrap_or(Number::F64(number))));
        }
        if self.reader.takes("(") {
            self.computes = true;
            let inside = self.nested(Self::sum)?;
            return if self.reader.takes(")") { Ok(inside) } else { Err(self.fault("')' is missing")) };
        }
        if self.reader.rest().starts_with('"') {
            return self.quoted();
        }
        self.call()
    }

    /// The longest header that is next, and its bytes. It ends where a name does.
    fn column(&mut self) -> Option<(usize, usize)> {
        let rest = self.reader.rest();
        let ends = |header: &str| {
            let ends_in_word = header.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '(' | '.');
            rest.strip_prefix(header).is_some_and(|after| !(ends_in_word && after.starts_with(goes_on)))
        };
        let names = self.headers.iter().map(|h| h.trim()).enumerate();
        names
            .filter(|(_, h)| !h.is_empty() && ends(h))
            .max_by_key(|(i, h)| (h.len(), std::cmp::Reverse(*i)))
            .map(|(i, h)| (i, h.len()))
    }

    /// A header in quotes, of which two within are one.
    fn quoted(&mut self) -> Result<Expression, ExpressionFault> {
        self.computes = true;
        let rest = self.reader.rest();
        let Some((name, after)) = quoted(rest, '"') else {
            return Err(self.fault("a quote that does not end"));
        };
        let end = rest.len() - after.len();
        let Some(column) = self.headers.iter().position(|h| h.trim() == name.trim()) else {
            return Err(self.unknown(name));
        };
        self.reader.pass(end);
        Ok(Expression::Column(column))
    }

    fn unknown(&self, name: String) -> ExpressionFault {
        ExpressionFault { unknown: Some(name.clone()), ..self.fault(format!("no column '{name}'")) }
    }

    fn call(&mut self) -> Result<Expression, ExpressionFault> {
        let name = self.reader.word();
        if name.is_empty() {
            let what = match self.reader.rest().chars().next() {
                Some(sign) => format!("'{sign}' where a column, a number or a function is expected"),
                None => "the end where a column, a number or a function is expected".to_owned(),
            };
            return Err(self.fault(what));
        }
        let mut after = self.reader;
        after.pass(name.len());
        if !after.takes("(") {
            return Err(self.unknown(name.to_owned()));
        }
        self.computes = true;
        if name == EXTRACT {
            self.reader = after;
            return self.extract();
        }
        let Some(function) = Function::named(name) else {
            return Err(self.no_function(name));
        };
        self.reader = after;
        let mut arguments = vec![self.nested(Self::sum)?];
        while self.reader.takes(",") {
            arguments.push(self.nested(Self::sum)?);
            if arguments.len() > function.most_arguments() {
                let most = function.most_arguments();
                return Err(self.fault(format!("more than {most} in the parentheses of {name}")));
            }
        }
        if !self.reader.takes(")") {
            return Err(self.fault("')' is missing"));
        }
        Ok(Expression::Call(function, arguments))
    }

    fn no_function(&self, name: &str) -> ExpressionFault {
        let all = names();
        let what = match name {
            BIN => "a bin is not a number: bin(…) is a column of its own".to_owned(),
            RANK => "rank(…) is a column of its own".to_owned(),
            "log" => "no function 'log': log10 and ln are".to_owned(),
            _ => match crate::table::nearest(name, &all) {
                Some(near) => format!("no function '{name}'; did you mean '{near}'?"),
                None => format!("no function '{name}'; there are {}", all.join(", ")),
            },
        };
        self.fault(what)
    }

    /// The argument after `rank(`.
    fn rank(&mut self) -> Result<Expression, ExpressionFault> {
        let of = self.nested(Self::sum)?;
        if !self.reader.takes(")") {
            return Err(self.fault("')' is missing"));
        }
        Ok(Expression::Bin(Box::new(of), Cut::Rank))
    }

    /// Arguments after `extract(`.
    fn extract(&mut self) -> Result<Expression, ExpressionFault> {
        let of = self.nested(Self::sum)?;
        let rest = if self.reader.takes(",") { self.reader.rest() } else { "" };
        let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'));
        let end = quote.and_then(|quote| rest[1..].find(quote));
        let Some(end) = end else {
            return Err(self.fault("a pattern in quotes is missing: extract(name, 'step([0-9]+)')"));
        };
        let pattern = Pattern::parse(&rest[1..=end]).map_err(|what| self.fault(what))?;
        self.reader.pass(end + 2);
        if !self.reader.takes(")") {
            return Err(self.fault("')' is missing"));
        }
        Ok(Expression::Extract(Box::new(of), pattern))
    }

    /// Arguments after `bin(`.
    fn bin(&mut self) -> Result<Expression, ExpressionFault> {
        let of = self.nested(Self::sum)?;
        if !self.reader.takes(",") {
            return Err(self.fault("the number of bins is missing: bin(COLUMN, 20), or edges=0,1,2"));
        }
        let cut = match self.reader.word() {
            "edges" => self.named("edges", Self::edges)?,
            "width" => self.named("width", Self::width)?,
            _ => self.count()?,
        };
        if !self.reader.takes(")") {
            return Err(self.fault("')' is missing"));
        }
        Ok(Expression::Bin(Box::new(of), cut))
    }

    fn named(
        &mut self,
        word: &str,
        read: fn(&mut Self) -> Result<Cut, ExpressionFault>,
    ) -> Result<Cut, ExpressionFault> {
        self.reader.pass(word.len());
        if !self.reader.takes("=") {
            return Err(self.fault(format!("'=' is missing after {word}")));
        }
        read(self)
    }

    /// A number with its sign.
    fn signed_number(&mut self) -> Result<f64, ExpressionFault> {
        let is_negative = self.reader.takes("-") || self.reader.takes("−");
        let place = self.fault("a number is missing");
        let number = self.reader.number().filter(|n| n.is_finite()).ok_or(place)?;
        Ok(if is_negative { -number } else { number })
    }

    fn edges(&mut self) -> Result<Cut, ExpressionFault> {
        let mut edges = vec![self.signed_number()?];
        while self.reader.takes(",") {
            let place = self.fault("edges must rise");
            let edge = self.signed_number()?;
            if edges.last().is_some_and(|last| *last >= edge) {
                return Err(place);
            }
            edges.push(edge);
        }
        if edges.len() < 2 {
            return Err(self.fault("a bin has two edges: edges=0,1"));
        }
        Ok(Cut::Edges(edges))
    }

    fn width(&mut self) -> Result<Cut, ExpressionFault> {
        let place = self.fault("a width above 0 is expected");
        let width = self.signed_number()?;
        if width > 0.0 { Ok(Cut::Width(width)) } else { Err(place) }
    }

    fn count(&mut self) -> Result<Cut, ExpressionFault> {
        let place = self.fault(format!("a number of bins from 1 to {MOST_BINS} is expected"));
        let bins = self.reader.number().filter(|n| n.fract() == 0.0);
        let bins = bins.filter(|n| (1.0..=MOST_BINS as f64).contains(n)).ok_or(place)? as usize;
        if !self.reader.takes(",") {
            return Ok(Cut::Equal(bins));
        }
        let word = self.reader.word();
        let cut = match word {
            "log" => Cut::Ratio(bins),
            "quantile" => Cut::Quantile(bins),
            _ => return Err(self.fault("log or quantile is expected")),
        };
        self.reader.pass(word.len());
        Ok(cut)
    }
}

/// A place in the text of an expression.
#[derive(Clone, Copy)]
pub(super) struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// Bytes before the place.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The rest, without the blanks before it.
    pub(super) fn rest(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let begin = rest.trim_start();
        self.at += rest.len() - begin.len();
        begin
    }

    /// Passes over this many bytes.
    pub(super) fn pass(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Passes over a sign, if it is next.
    pub(super) fn takes(&mut self, sign: &str) -> bool {
        let is_next = self.rest().starts_with(sign);
        self.at += if is_next { sign.len() } else { 0 };
        is_next
    }

    /// A number without a sign, if one is next, and passes over it.
    pub(super) fn number(&mut self) -> Option<f64> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let mut end = digits(0);
        let whole = end;
        if bytes.get(end) == Some(&b'.') {
            end += 1 + digits(end + 1);
        }
        if whole == 0 && end < 2 {
            return None;
        }
        if let Some(b'e' | b'E') = bytes.get(end) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits((end + 1 + sign).min(bytes.len()));
            if exponent > 0 {
                end += 1 + sign + exponent;
            }
        }
        let number = rest[..end].parse().ok()?;
        self.at += end;
        Some(number)
    }

    /// The word that is next: letters, digits and underscores.
    pub(super) fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
        &rest[..rest.find(|c| !is_of_word(c)).unwrap_or(rest.len())]
    }
}

/// The edges of bins, as an expression gives them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cut {
    /// This many bins of equal width between the least and the greatest number.
    Equal(usize),
    /// This many bins of equal ratio between the least and the greatest number above 0.
    Ratio(usize),
    /// This many bins that hold the same number of rows.
    Quantile(usize),
    /// Bins of this width, whose edges are its multiples.
    Width(f64),
    /// These edges, ascending.
    Edges(Vec<f64>),
    /// No bins: the rank of a number among those of all rows, from 1; of equal ones the mean of theirs.
    Rank,
}

/// The most bins of a column.
pub(crate) const MOST_BINS: usize = 10_000;

impl Cut {
    /// Whether it depends on how many rows have each number.
    #[cfg(feature = "adbc")]
    pub(crate) fn counts_rows(&self) -> bool {
        matches!(self, Cut::Quantile(_) | Cut::Rank)
    }

    /// Whether the numbers of the rows make the edges.
    pub(crate) fn needs_rows(&self) -> bool {
        !matches!(self, Cut::Edges(_))
    }
}

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
    DayOfYear,
    YearWeek,
    CalendarWeek,
    Monday,
    Seconds,
}

/// Functions that are read in ways of their own: of a pattern, and of all rows.
const EXTRACT: &str = "extract";
const RANK: &str = "rank";

/// The name of the function that puts numbers into bins; only a whole column may be one.
const BIN: &str = "bin";

/// The functions by their names.
const NAMES: [(&str, Function); 26] = [
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
    ("dayofyear", Function::DayOfYear),
    ("yearweek", Function::YearWeek),
    ("calendarweek", Function::CalendarWeek),
    ("monday", Function::Monday),
    ("seconds", Function::Seconds),
];

impl Function {
    /// The function of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|(n, _)| *n == name).map(|(_, f)| *f)
    }

    /// Whether it takes a text or a time, and no number.
    pub(crate) fn takes_text(self) -> bool {
        self.takes_time() || matches!(self, Self::Lower | Self::Upper | Self::Seconds)
    }

    /// Whether it takes a time.
    pub(crate) fn takes_time(self) -> bool {
        use Function::{
            CalendarWeek, Date, Day, DayOfYear, Hour, Minute, Monday, Month, Quarter, Week, Weekday, Year,
            YearMonth, YearWeek,
        };
        matches!(
            self,
            Minute
                | Hour
                | Weekday
                | Day
                | DayOfYear
                | Date
                | Week
                | Month
                | YearMonth
                | YearWeek
                | CalendarWeek
                | Monday
                | Quarter
                | Year
        )
    }

    /// The part of a time that it is, in the words of a title.
    pub(crate) fn part_of_time(self) -> Option<&'static str> {
        match self {
            Self::DayOfYear => Some("day of the year"),
            Self::YearWeek | Self::CalendarWeek | Self::Monday => Some("week"),
            Self::YearMonth => Some("month"),
            _ if self.takes_time() => {
                NAMES.iter().find(|(_, function)| *function == self).map(|(name, _)| *name)
            }
            _ => None,
        }
    }

    /// The most arguments that it takes; all but `round` take one.
    fn most_arguments(self) -> usize {
        if self == Function::Round { 2 } else { 1 }
    }
}

/// The names of all functions.
pub(super) fn names() -> Vec<String> {
    [BIN, EXTRACT, RANK].into_iter().chain(NAMES.iter().map(|(n, _)| *n)).map(str::to_owned).collect()
}
