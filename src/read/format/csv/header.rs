//! The header of a text: which of the first lines name the columns, by what is in them and below them.

use super::head::First;
use crate::field::{Field, is_beyond, is_decimal_comma, parse_number, read_field};
use crate::numeral::quantity;
use gridscope_core::calendar::spelling;
use gridscope_core::figure::Header;
use gridscope_core::grid::Number;

/// The lines above the rows of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Above {
    /// None: the columns have no names.
    None,
    /// So many records, the lowest of which names each column.
    Lines(usize),
    /// As `Lines`, and under them one with the names of the columns of labels, of which there are so many.
    Named(usize, usize),
    /// As `Lines` without such a line, but with an empty one in its place.
    Unnamed(usize),
    /// One, and under it one of units.
    Units,
    /// The last comment before the rows.
    Comment,
}

impl Above {
    /// Records that are no rows.
    pub(super) fn records(self) -> usize {
        match self {
            Self::None | Self::Comment => 0,
            Self::Lines(lines) | Self::Unnamed(lines) => lines,
            Self::Named(lines, _) => lines + 1,
            Self::Units => 2,
        }
    }

    /// Records that name the columns.
    pub(super) fn lines(self) -> usize {
        match self {
            Self::None | Self::Comment => 0,
            Self::Lines(lines) | Self::Unnamed(lines) | Self::Named(lines, _) => lines,
            Self::Units => 1,
        }
    }
}

/// The most lines of a header that is found by itself.
const MOST: usize = 8;

/// Content of a field, as far as it tells names from values.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Blank,
    /// A number, and whether it is whole.
    Number(f64, bool),
    Time,
    Text,
}

impl Kind {
    fn of(text: &str, missing: &[String]) -> Self {
        match read_field(text, missing) {
            Field::Missing => Self::Blank,
            Field::Number(n) => Self::Number(n.as_f64(), !text.contains(['.', 'e', 'E'])),
            Field::Text if is_beyond(text) => Self::Number(f64::MAX, false),
            Field::Text if is_decimal_comma(text) => {
                let plain = text.trim().replace('.', "").replacen(',', ".", 1);
                Self::Number(parse_number(&plain).map_or(f64::NAN, Number::as_f64), false)
            }
            Field::Text if spelling::instant(text.trim()).is_some() || is_date(text.trim()) => Self::Time,
            Field::Text => quantity(text).map_or(Self::Text, |number| Self::Number(number, false)),
        }
    }

    fn is_number(self) -> bool {
        matches!(self, Self::Number(..))
    }
}

/// Whether a text is a date of three numbers, whatever their order.
fn is_date(text: &str) -> bool {
    ['/', '.', '-'].into_iter().any(|sign| {
        let parts: Vec<&str> = text.split(sign).collect();
        parts.len() == 3
            && parts
                .iter()
                .all(|part| matches!(part.len(), 1..=4) && part.bytes().all(|b| b.is_ascii_digit()))
    })
}

/// The first records by the kinds of their fields.
struct Kinds<'f, 't> {
    first: &'f First<'t>,
    /// Of each row, the kinds of its fields.
    rows: Vec<Vec<Kind>>,
    width: usize,
}

/// Content of a column below a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Below {
    Nothing,
    Numbers,
    Times,
    Texts,
}

impl Kinds<'_, '_> {
    fn at(&self, row: usize, column: usize) -> Kind {
        self.rows[row].get(column).copied().unwrap_or(Kind::Blank)
    }

    /// What most fields of a column hold below a row.
    fn below(&self, column: usize, row: usize) -> Below {
        let (mut numbers, mut times, mut texts) = (0, 0, 0);
        for r in row + 1..self.rows.len() {
            match self.at(r, column) {
                Kind::Blank => {}
                Kind::Number(..) => numbers += 1,
                Kind::Time => times += 1,
                Kind::Text => texts += 1,
            }
        }
        match (numbers, times, texts) {
            (0, 0, 0) => Below::Nothing,
            _ if numbers > times + texts => Below::Numbers,
            _ if times > numbers + texts => Below::Times,
            _ => Below::Texts,
        }
    }

    /// Whether a row has texts above numbers, and no number.
    fn names(&self, row: usize) -> bool {
        let named = |c: usize| {
            let above = matches!(self.at(row, c), Kind::Text | Kind::Time);
            let texts = (row + 1..self.rows.len()).any(|r| matches!(self.at(r, c), Kind::Text | Kind::Time));
            above && !texts && self.below(c, row) == Below::Numbers
        };
        (0..self.width).any(named) && !(0..self.width).any(|c| self.at(row, c).is_number())
    }

    fn is_blank(&self, row: usize, column: usize) -> bool {
        self.first.field(row, column).trim().is_empty()
    }

    /// Blank fields at the beginning of a row.
    fn leading_blanks(&self, row: usize) -> usize {
        (0..self.width).take_while(|&c| self.is_blank(row, c)).count()
    }

    /// Whether a row repeats a name beyond the first columns, or leaves one out that others follow.
    fn groups(&self, row: usize, from: usize) -> bool {
        let mut texts: Vec<&str> = (from..self.width).map(|c| self.first.field(row, c).trim()).collect();
        while texts.pop_if(|t| t.is_empty()).is_some() {}
        let blank = texts.iter().any(|t| t.is_empty());
        let n = texts.len();
        texts.sort_unstable();
        texts.dedup();
        blank || texts.len() < n
    }

    /// The first fields of a row that others are blank behind, all texts: names of columns of labels.
    fn labels_of_index(&self, row: usize) -> Option<usize> {
        let named = (0..self.width).take_while(|&c| !self.is_blank(row, c)).count();
        let are_names = (0..named).all(|c| self.at(row, c) == Kind::Text);
        let rest = (named..self.width).all(|c| self.is_blank(row, c));
        let is_whole = self.first.rows[row].fields == self.width;
        (named > 0 && named < self.width && are_names && rest && is_whole).then_some(named)
    }

    /// Several lines with names, as pandas writes them, or as people group columns.
    fn several(&self) -> Option<Above> {
        let most = MOST.min(self.rows.len().saturating_sub(1));
        let full = |lines: usize| (0..lines).all(|r| self.first.rows[r].fields == self.width);
        for lines in 2..=most {
            if !full(lines) {
                break;
            }
            let is_named = |labels: usize| {
                let blank = |r: usize| (1..labels).all(|c| self.is_blank(r, c));
                self.groups(0, labels) && (0..lines).all(blank)
            };
            if self.first.blank_after == Some(lines) && is_named(1) {
                return Some(Above::Unnamed(lines));
            }
            if let Some(labels) = self.labels_of_index(lines).filter(|l| is_named(*l) && lines < most) {
                return Some(Above::Named(lines, labels));
            }
        }
        // Lines with an empty corner above rows without one.
        let cornered = (0..self.rows.len()).take_while(|&r| self.is_blank(r, 0)).count();
        if (2..=most).contains(&cornered) && full(cornered) {
            let labels = (0..cornered).map(|r| self.leading_blanks(r)).min().unwrap_or(1);
            let labelled = (cornered..self.rows.len()).all(|r| (0..labels).any(|c| !self.is_blank(r, c)));
            if labelled && labels < self.width && self.groups(0, labels) {
                return Some(Above::Lines(cornered));
            }
        }
        if most > 1 && full(2) && self.counts_one_name() {
            return Some(Above::Lines(2));
        }
        if most > 1 && full(2) && self.crosses() {
            return Some(Above::Unnamed(2));
        }
        let more = (1..most).take_while(|&r| self.names(r)).count();
        // Without groups, a row without a label may be data with texts among its numbers.
        let numbers = || (0..self.width).filter(|&c| self.below(c, 1) == Below::Numbers);
        let named = || numbers().count() > 1 && numbers().all(|c| self.at(1, c) == Kind::Text);
        let grouped =
            self.groups(0, 1) || (more > 0 && self.is_blank(1, 0) && !self.is_blank(0, 0) && named());
        let reaches = self.first.rows.get(1).is_some_and(|row| row.fields == self.width);
        match more {
            0 => None,
            1 if !self.groups(0, 1) && self.is_units(1) => Some(Above::Units),
            _ if grouped && reaches => Some(Above::Lines(1 + more)),
            _ => None,
        }
    }

    /// Whether the first row is one name again and again, above numbers that rise or fall in a row without a label.
    fn counts_one_name(&self) -> bool {
        let name = |c: usize| self.first.field(0, c).trim();
        let again: Vec<usize> = (1..self.width).filter(|&c| name(c) == name(self.width - 1)).collect();
        let numbers: Vec<f64> = again
            .iter()
            .filter_map(|&c| if let Kind::Number(v, _) = self.at(1, c) { Some(v) } else { None })
            .collect();
        let labelled = self.is_blank(1, 0) && (2..self.rows.len()).all(|r| !self.is_blank(r, 0));
        let is_most =
            again.len() > 2 && again.len() * 3 >= self.width * 2 && !name(self.width - 1).is_empty();
        is_most && labelled && numbers.len() == again.len() && is_monotone(&numbers)
    }

    /// Whether the first row has runs of equal fields, of one length, and the second the same fields under each, all different.
    fn crosses(&self) -> bool {
        let fields =
            |row: usize| -> Vec<&str> { (1..self.width).map(|c| self.first.field(row, c).trim()).collect() };
        let (outer, inner) = (fields(0), fields(1));
        let run = outer.iter().take_while(|field| **field == outer[0]).count();
        if self.is_blank(0, 0)
            || self.is_blank(1, 0)
            || run < 2
            || outer.len() < 2 * run
            || outer.len() % run != 0
        {
            return false;
        }
        let mut groups: Vec<&str> = outer.chunks(run).map(|group| group[0]).collect();
        let are_runs = outer.chunks(run).all(|group| group.iter().all(|field| *field == group[0]));
        let (n, mut own) = (groups.len(), inner[..run].to_vec());
        groups.sort_unstable();
        groups.dedup();
        own.sort_unstable();
        own.dedup();
        are_runs
            && groups.len() == n
            && own.len() == run
            && inner.chunks(run).all(|group| group == &inner[..run])
            && fields(2) != inner
    }

    /// Whether a row has units above numbers, and nothing else there.
    fn is_units(&self, row: usize) -> bool {
        let above = |&c: &usize| self.below(c, row) == Below::Numbers;
        let texts = || (0..self.width).filter(above).map(|c| self.first.field(row, c).trim());
        texts().any(|t| !t.is_empty()) && texts().all(|t| t.is_empty() || is_unit(t))
    }

    /// Whether the first row is the header, and whether that is open.
    fn single(&self) -> Single {
        let width = self.rows[0].len();
        let kinds = || (0..width).map(|c| (self.at(0, c), self.below(c, 0)));
        let (mut texts, mut above_numbers, mut same) = (0, 0, 0);
        for (kind, below) in kinds() {
            texts += usize::from(kind == Kind::Text);
            above_numbers += usize::from(matches!(
                (kind, below),
                (Kind::Text | Kind::Time, Below::Numbers) | (Kind::Text, Below::Times)
            ));
            same += usize::from(matches!((kind, below), (Kind::Time, Below::Times)));
        }
        if above_numbers > 0 {
            return Single::Header;
        }
        let rows = self.rows.len();
        let numbers: Vec<(f64, bool)> = kinds()
            .filter_map(|(kind, below)| match (kind, below) {
                (Kind::Number(v, whole), Below::Numbers) => Some((v, whole)),
                _ => None,
            })
            .collect();
        let goes_on = !numbers.is_empty() && is_monotone(&numbers.iter().map(|n| n.0).collect::<Vec<_>>());
        let repeats = {
            let mut values: Vec<f64> = numbers.iter().map(|n| n.0).collect();
            values.sort_by(f64::total_cmp);
            values.windows(2).any(|w| w[0] == w[1])
        };
        let corner = self.is_blank(0, 0);
        if corner && rows > 1 && (1..rows).all(|r| !self.is_blank(r, 0)) {
            // A blank corner is between names and labels: above numbers it may be a value that is missing.
            let labelled = self.below(0, 0) != Below::Numbers;
            match texts > 0 || !numbers.is_empty() && (labelled || goes_on) {
                true => return Single::Header,
                false if !numbers.is_empty() && !repeats => return Single::Open,
                false => {}
            }
        }
        if same > 0 {
            return Single::Data;
        }
        let columns = width - usize::from(corner);
        if texts == 0 {
            return self.of_numbers(&numbers, columns);
        }
        if corner {
            return Single::Header;
        }
        if numbers.is_empty() {
            let recurs = |c: usize| {
                let text = self.first.field(0, c);
                (1..rows).any(|r| self.first.field(r, c) == text)
            };
            return if rows > 3 && (0..width).all(recurs) { Single::Data } else { Single::Unknown };
        }
        // A text above texts, and numbers above numbers.
        let recurs = (0..width).filter(|&c| self.at(0, c) == Kind::Text).any(|c| {
            let text = self.first.field(0, c);
            (1..rows).any(|r| self.first.field(r, c) == text)
        });
        let fractional = numbers.iter().any(|n| !n.1);
        let one = numbers.len() == 1;
        if recurs || repeats || (fractional && (one || !goes_on)) || rows < 2 || self.continues() {
            return Single::Data;
        }
        let steps = |w: &[(f64, bool)]| w[1].0 - w[0].0 == numbers[1].0 - numbers[0].0;
        let ratios = |w: &[(f64, bool)]| {
            let (own, first) = (w[1].0 / w[0].0, numbers[1].0 / numbers[0].0);
            (own - first).abs() <= 1e-9 * first.abs()
        };
        let beyond = numbers.iter().any(|n| !self.is_within(n.0));
        let is_even = numbers.len() > 2 && (numbers.windows(2).all(steps) || numbers.windows(2).all(ratios));
        let sure = goes_on && !one && (beyond || is_even);
        if sure { Single::Settings } else { Single::Open }
    }

    /// Whether the first label is one of those below it: `s1` above `s2`, a letter above letters.
    fn continues(&self) -> bool {
        let kind = |row: usize| {
            let label = self.first.field(row, 0).trim();
            let text = label.trim_end_matches(|c: char| c.is_ascii_digit());
            let is_letter = label.chars().count() == 1 && text.len() == label.len();
            if is_letter { Some("") } else { (text.len() < label.len()).then_some(text) }
        };
        kind(0).is_some() && (1..self.rows.len()).all(|row| kind(row) == kind(0))
    }

    /// Whether the numbers of each column are written alike below the first row, and otherwise in it.
    fn stands_out(&self) -> bool {
        let form = |row: usize, c: usize| {
            let text = self.first.field(row, c).trim();
            let fraction =
                text.split_once('.').map(|(_, f)| f.chars().take_while(char::is_ascii_digit).count());
            (fraction, text.contains(['e', 'E']))
        };
        let below = |c: usize, is: &dyn Fn(usize) -> bool| {
            (1..self.rows.len()).all(|row| is(row) || self.is_blank(row, c))
        };
        let differs = |c: usize| {
            let (own, first) = (form(0, c), form(1, c));
            let is_alike = |row: usize| form(row, c) == first;
            let is_fraction = |row: usize| form(row, c) != (None, false);
            own != first && below(c, &is_alike) || own == (None, false) && below(c, &is_fraction)
        };
        let is_number = |c: &usize| self.at(0, *c).is_number();
        self.rows.len() > 2 && (0..self.width).filter(is_number).all(differs)
    }

    /// Whether a number lies among those of the rows.
    fn is_within(&self, number: f64) -> bool {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for kind in self.rows[1..].iter().flatten() {
            if let Kind::Number(v, _) = kind {
                (least, most) = (least.min(*v), most.max(*v));
            }
        }
        (least..=most).contains(&number)
    }

    /// A first row of numbers alone: `0,1,2` above fractions, as pandas numbers columns, or settings above fractions.
    fn of_numbers(&self, numbers: &[(f64, bool)], columns: usize) -> Single {
        let width = self.rows[0].len();
        let rows = self.rows.len();
        let counts = (0..width).all(|c| self.first.field(0, c) == c.to_string());
        // Columns are counted above texts, too.
        if rows > 1 && counts && width > 1 && (0..width).any(|c| self.below(c, 0) == Below::Texts) {
            return Single::Header;
        }
        if rows < 2 || numbers.len() < columns {
            return Single::Data;
        }
        let fraction = |r: usize, c: usize| self.first.field(r, c).contains(['.', 'e', 'E']);
        if counts {
            // As many rows as columns are a square of counts.
            let any = (1..rows).any(|r| (0..width).any(|c| fraction(r, c))) || width > 2 && rows == width + 1;
            return if any { Single::Header } else { Single::Data };
        }
        let whole = numbers.iter().all(|n| n.1) && numbers.windows(2).all(|w| w[0].0 < w[1].0);
        let all = (0..width).all(|c| (1..rows).all(|r| fraction(r, c) || self.is_blank(r, c)));
        if whole && width > 1 && all { Single::Open } else { Single::Data }
    }
}

/// Whether numbers only grow or only fall.
pub(crate) fn is_monotone(numbers: &[f64]) -> bool {
    numbers.is_sorted_by(|a, b| a < b) || numbers.is_sorted_by(|a, b| a > b)
}

/// What the first line of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Single {
    Header,
    /// The header, of numbers.
    Settings,
    /// It may be either, and is read as the header.
    Open,
    /// It is as all others are, texts.
    Unknown,
    Data,
}

/// The lines that name the columns of a text, and whether the first of them may be data.
pub(super) fn above(first: &First, given: Header, missing: &[String]) -> (Above, bool) {
    if first.rows.is_empty() {
        return (Above::None, false);
    }
    let rows = first.rows.len();
    let kinds = || {
        let kinds_of =
            |r: usize| (0..first.rows[r].fields).map(|c| Kind::of(first.field(r, c), missing)).collect();
        Kinds { first, rows: (0..rows).map(kinds_of).collect(), width: first.width() }
    };
    match given {
        Header::None => return (Above::None, false),
        Header::Yes => return (Above::Lines(1), false),
        Header::Lines(lines) => {
            let lines = usize::from(lines.get());
            let labels = (lines > 1 && lines < rows).then(|| kinds().labels_of_index(lines)).flatten();
            return (labels.map_or(Above::Lines(lines), |labels| Above::Named(lines, labels)), false);
        }
        Header::Auto => {}
    }
    let kinds = kinds();
    let commented = || first.comment_names().is_some();
    if let Some(several) = kinds.several() {
        return (several, false);
    }
    match kinds.single() {
        Single::Header => (Above::Lines(1), false),
        Single::Open | Single::Settings if commented() && kinds.stands_out() => (Above::Lines(1), false),
        _ if commented() => (Above::Comment, false),
        Single::Open => (Above::Lines(1), true),
        Single::Settings | Single::Unknown => (Above::Lines(1), false),
        Single::Data => (Above::None, false),
    }
}

/// Words that join others in a sentence.
const JOINING: [&str; 14] =
    ["in", "of", "for", "per", "with", "between", "and", "to", "by", "from", "vs", "over", "the", "on"];

/// Whether words are a sentence rather than names of columns.
pub(crate) fn is_sentence(words: &[&str]) -> bool {
    words.len() > 2
        && (words.iter().any(|word| JOINING.contains(&word.to_lowercase().as_str()))
            || words[words.len() - 1].ends_with([':', '.']))
}

/// Whether the first record of a text between blanks is a title that has as many words as there are columns: under it stands a row of
/// names, and the title is a sentence or the names are numbers behind that of the labels.
pub(super) fn is_title(first: &First, missing: &[String]) -> bool {
    let (rows, width) = (first.rows.len(), first.rows.first().map_or(0, |row| row.fields));
    if rows < 4 || width < 3 || first.rows[1..].iter().any(|row| row.fields != width) {
        return false;
    }
    let kind = |row: usize, column: usize| Kind::of(first.field(row, column), missing);
    let are_texts = |row: usize, from: usize| (from..width).all(|c| kind(row, c) == Kind::Text);
    let are_numbers = |row: usize, from: usize| (from..width).all(|c| kind(row, c).is_number());
    let words: Vec<&str> = (0..width).map(|c| first.field(0, c)).collect();
    let names: Vec<f64> =
        (1..width).filter_map(|c| if let Kind::Number(v, _) = kind(1, c) { Some(v) } else { None }).collect();
    let is_numbered = kind(1, 0) == Kind::Text
        && names.len() + 1 == width
        && is_monotone(&names)
        && (2..rows).all(|row| kind(row, 0).is_number());
    let is_named = is_sentence(&words) && are_texts(1, 0);
    are_texts(0, 0) && (is_numbered || is_named) && (2..rows).all(|row| are_numbers(row, 1))
}

/// Signs of units, each of which may have a prefix.
const UNITS: &[&str] = &[
    "m", "g", "s", "A", "K", "mol", "cd", "Hz", "N", "Pa", "J", "W", "C", "V", "F", "S", "Ω", "ohm", "Ohm",
    "T", "H", "lm", "lx", "Bq", "Gy", "Sv", "l", "L", "t", "min", "h", "hr", "d", "day", "days", "yr", "sec",
    "bar", "atm", "eV", "B", "b", "bit", "byte", "bytes", "px", "ppm", "ppb", "ppt", "dB", "dBm", "rpm",
    "USD", "EUR", "sq", "cal", "rad", "deg", "degC", "degF", "°C", "°F", "a.u.",
];
/// Units without a prefix.
const ALONE: [&str; 12] = ["%", "‰", "°", "-", "1", "#", "counts", "YYYY", "MM", "DD", "HH", "mm"];
const PREFIXES: [&str; 14] = ["", "k", "M", "G", "T", "c", "d", "h", "m", "µ", "μ", "u", "n", "p"];

/// Whether a text is a unit: in brackets, or signs of units with powers between `/`, `*`, `·` or blanks.
pub(crate) fn is_unit(text: &str) -> bool {
    let bracketed = [('(', ')'), ('[', ']'), ('{', '}')];
    if bracketed.iter().any(|(open, close)| text.starts_with(*open) && text.ends_with(*close)) {
        return true;
    }
    let sign = |part: &str| {
        let base = part.trim_matches(|c: char| c.is_ascii_digit() || "^-+²³⁻¹".contains(c));
        let is = |unit: &&str| base.strip_suffix(*unit).is_some_and(|prefix| PREFIXES.contains(&prefix));
        UNITS.iter().any(is) || base == "1" || base.is_empty() && part.starts_with("10^")
    };
    ALONE.contains(&text)
        || (text.chars().count() <= 20
            && text.split(['/', '*', '·', ' ']).filter(|p| !p.is_empty()).all(sign))
}

/// Whether the first row lacks a name for the first column, whose texts label the rows, as R writes tables.
pub(super) fn lacks_corner(first: &First, missing: &[String]) -> bool {
    let Some(width) = first.usual_width().filter(|w| first.rows[0].fields + 1 == *w) else {
        return false;
    };
    let kind = |row: usize, column: usize| Kind::of(first.field(row, column), missing);
    let rows = first.rows.len();
    let full = first.rows[1..].iter().filter(|row| row.fields == width).count();
    let fits = first.rows[1].fields == width && first.rows[1..].iter().all(|row| row.fields <= width);
    if !fits || full * 4 < (rows - 1) * 3 {
        return false;
    }
    // A sign or a unit that stands alone behind a number is no column of its own.
    let is_part = |c: usize| {
        let sign = first.field(1, c).trim();
        let is_sign = ["±", "+-", "+/-"].contains(&sign) || quantity(&format!("1 {sign}")).is_some();
        is_sign && kind(1, c) == Kind::Text && (2..rows).all(|r| first.field(r, c).trim() == sign)
    };
    if rows > 2 && (2..width).any(|c| is_part(c) && kind(1, c - 1).is_number()) {
        return false;
    }
    let count = |c: usize, is: fn(Kind) -> bool| (1..rows).filter(|&r| is(kind(r, c))).count();
    let is_number = |c: usize| count(c, Kind::is_number) * 2 > count(c, |kind| kind != Kind::Blank);
    let numbers: Vec<usize> = (1..width).filter(|&c| is_number(c)).collect();
    // A row of names under it: it is a title.
    let named = numbers.iter().any(|&c| kind(1, c) == Kind::Text);
    // A header of numbers stands over labels of texts or times, or goes on in one direction, as the labels do.
    let number = |kind: Kind| if let Kind::Number(v, _) = kind { v } else { f64::NAN };
    let names: Vec<f64> = (0..width - 1).map(|c| number(kind(0, c))).collect();
    let labels = || (1..rows).map(|r| number(kind(r, 0))).collect::<Vec<_>>();
    let text = names.iter().any(|n| n.is_nan())
        || (1..rows).all(|r| matches!(kind(r, 0), Kind::Text | Kind::Time))
        || is_monotone(&names) && (names.len() > 4 || is_monotone(&labels()));
    // Numbers of which one is missing are a row.
    let are_numbers = (0..width - 1).all(|c| matches!(kind(0, c), Kind::Blank | Kind::Number(..)));
    let text = text && !(are_numbers && (0..width - 1).any(|c| kind(0, c) == Kind::Blank));
    // A delimiter at the end of the rows, but not of the header.
    let ends = !first.field(0, width - 2).trim().is_empty()
        && (1..rows).all(|r| first.field(r, width - 1).trim().is_empty());
    !numbers.is_empty() && !named && !ends && text && (1..rows).all(|r| !first.field(r, 0).trim().is_empty())
}
