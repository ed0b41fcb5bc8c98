//! The named warnings: facts that a reader of the figure should know, counted. The table of [`LintName`] lists them all.
//!
//! A denied warning still writes the picture, and the run ends with exit code 6. `--deny NAME` and `--allow NAME` take a name or
//! several, as do `deny` and `allow` of `[lints]` in a figure file.

use crate::notation::{Notation, ParseError};
use crate::text::nearest;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// A lint is one row: its name here and in the output, what it is about, when it is denied, and its meaning.
macro_rules! lints {
    ($($variant:ident = $name:literal, $kind:ident, $severity:ident, $text:literal;)*) => {
        /// A warning's stable name.
        ///
        /// | name | about | denied | meaning |
        /// | --- | --- | --- | --- |
        $(#[doc = concat!("| `", $name, "` | [", stringify!($kind), "](LintKind::", stringify!($kind), ") | [",
            stringify!($severity), "](Severity::", stringify!($severity), ") | ", $text, " |")])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum LintName { $(#[doc = concat!($text, ".")] $variant,)* }

        impl LintName {
            /// Every name, data lints first.
            pub const ALL: &'static [LintName] = &[$(LintName::$variant,)*];

            /// The name as it is printed, denied and allowed.
            pub const fn as_str(self) -> &'static str {
                match self { $(LintName::$variant => $name,)* }
            }

            /// Subject of the lint.
            pub const fn kind(self) -> LintKind {
                match self { $(LintName::$variant => LintKind::$kind,)* }
            }

            /// When the lint is denied.
            pub const fn severity(self) -> Severity {
                match self { $(LintName::$variant => Severity::$severity,)* }
            }
        }
    };
}

/// Subject of a lint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LintKind {
    /// The data.
    Data,
    /// The picture.
    Picture,
    /// The run.
    Note,
}

/// When a lint is denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Severity {
    /// By `--strict` unless it is allowed, and by `--deny`.
    Strict,
    /// Always, unless it is allowed: whoever compares two files asks for it.
    Always,
    /// By `--deny` only.
    Named,
    /// By `--deny` only, without which it is not even printed.
    Silent,
    /// Never.
    Never,
}

lints! {
    Clipped = "clipped", Data, Strict, "Cells beyond the limits";
    FlatPanel = "flat-panel", Data, Strict, "More than one value in a panel, but one colour";
    UnusedRange = "unused-range", Data, Strict, "A panel uses under a quarter of its limits";
    OutlierLimits = "outlier-limits", Data, Strict, "A few extreme cells take most of the limits";
    Absent = "absent", Data, Strict, "Cells without a row in the data";
    EmptyRow = "empty-row", Data, Strict, "A row without any value that nobody asked for";
    EmptyColumn = "empty-column", Data, Strict, "A column without any value that nobody asked for";
    EmptyPanel = "empty-panel", Data, Strict, "Panels of `panel_row` and `panel_column` that no row of the table is in";
    OtherOrder = "other-order", Data, Strict, "Panels with the same labels in another order";
    EmptyKey = "empty-key", Data, Strict, "Rows of the table whose key is empty";
    OutsideDomain = "outside-domain", Data, Strict, "Rows of the table outside the given domain";
    Nan = "nan", Data, Strict, "Cells without a value";
    Masked = "masked", Data, Strict, "Masked cells, but for those that `--mask` hides on request";
    Infinite = "infinite", Data, Strict, "Cells of plus or minus infinity";
    Undefined = "undefined", Data, Strict, "Cells whose normalised or compared value is not defined";
    MixedSigns = "mixed-signs", Data, Strict, "Shares of values of both signs, which are not parts of a whole";
    NotInBaseline = "not-in-baseline", Data, Strict, "Cells with a value that the baseline does not have";
    OnlyInBaseline = "only-in-baseline", Data, Strict, "Cells with a value in the baseline only";
    DuplicateKeys = "duplicate-keys", Data, Strict, "Several rows of the table on one cell";
    UnevenCounts = "uneven-counts", Picture, Named, "Cells of fewer rows than most, of an aggregate that was asked for";
    MergedSpellings = "merged-spellings", Data, Strict, "Keys that are written in several ways, as `0.3` and `0.30000000000000004`";
    SimilarKeys = "similar-keys", Data, Strict, "Keys that read alike but for blanks, case, or composed characters";
    MixedTimes = "mixed-times", Data, Strict, "Dates among other texts, in several formats, with several offsets, or whose day and month may change places";
    AssumedSign = "assumed-sign", Data, Strict, "Numbers such as `1,234` of which one reading is taken, where the file shows neither";
    AssumedDayFirst = "assumed-day-first", Data, Strict, "Dates such as `1.2.2024` whose day is taken for the first number, where none shows it";
    Sparse = "sparse", Data, Strict, "Continuous coordinates that hardly ever meet";
    MixedScales = "mixed-scales", Data, Strict, "Panels that look comparable but have other limits";
    MixedUnits = "mixed-units", Data, Strict, "Columns of a wide table in different units under one colour bar";
    UnevenAxis = "uneven-axis", Data, Strict, "Uneven steps drawn as equal cells";
    NumberLikeCategories = "number-like-categories", Data, Strict, "Categories that look like numbers among text";
    Headers = "headers", Data, Strict, "A header that is empty or appears twice";
    HeaderLikeData = "header-like-data", Data, Strict, "A first line that was read as the header and may be data";
    ShortRows = "short-rows", Data, Strict, "Rows of a table with fewer fields than columns";
    CommentsLikeRows = "comments-like-rows", Data, Strict, "Skipped comments with as many fields as the table has columns";
    UnlikeColumns = "unlike-columns", Data, Strict, "Columns or rows of a wide table whose numbers are of other kinds or magnitudes";
    ColumnsLeftOut = "columns-left-out", Data, Strict, "Columns of a wide table that are not drawn, as nobody named those that are";
    TablesLeftOut = "tables-left-out", Data, Strict, "Tables of a file that are not drawn, as nobody named the one that is";
    Regressed = "regressed", Data, Always, "Cells that are worse than before";
    Vanished = "vanished", Data, Always, "Cells that had a value before";
    Appeared = "appeared", Data, Strict, "Cells that had no value before";
    HiddenExtremes = "hidden-extremes", Picture, Named, "Peaks that the mean of a pixel hides";
    TicksThinned = "ticks-thinned", Picture, Named, "Tick labels left out";
    LabelsRepeated = "labels-repeated", Picture, Named, "Neighbouring tick labels that a format makes equal";
    LabelsShortened = "labels-shortened", Picture, Named, "Labels of which parts are left out";
    MissingGlyphs = "missing-glyphs", Picture, Named, "Characters without a glyph";
    Mathtext = "mathtext", Picture, Named, "Formulas that are not understood, drawn as written";
    AnnotationsHidden = "annotations-hidden", Picture, Named, "Annotations left out";
    MarksHidden = "marks-hidden", Picture, Named, "Marks that no cell has, or that are too many to draw";
    ContoursHidden = "contours-hidden", Picture, Named, "Contours that no values cross, or that are too many to draw";
    LowContrast = "low-contrast", Picture, Named, "Annotations hard to read on their cell";
    PartialOrder = "partial-order", Picture, Named, "Keys that a list of an order does not name, and that come last";
    UnknownKey = "unknown-key", Picture, Named, "Names in a list of an order or of labels that no key has";
    PanelsLeftOut = "panels-left-out", Picture, Named, "Panels that `panel_order` does not name";
    RowsLeftOut = "rows-left-out", Picture, Named, "Rows or columns after the first that `--keep` shows";
    FontSizeClamped = "font-size-clamped", Picture, Named, "A font size under 5 pt, the smallest";
    Reduced = "reduced", Picture, Silent, "A pixel covers more than one cell";
    SoftwareAdapter = "software-adapter", Note, Never, "A driver that draws on the CPU";
}

impl FromStr for LintName {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let found = Self::ALL.iter().copied().find(|l| l.as_str() == text);
        found.ok_or_else(|| {
            let near = nearest(text, Self::ALL.iter().map(|l| l.as_str()));
            ParseError::new(Notation::Lint, text, "").near(near)
        })
    }
}

impl fmt::Display for LintName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for LintName {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for LintName {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(de::Error::custom)
    }
}

/// In a schema it is a text.
impl JsonSchema for LintName {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        String::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}

/// One warning.
#[derive(Clone, Debug, PartialEq)]
pub struct Lint {
    /// Its name.
    pub name: LintName,
    /// The panel it is about, if it is about one.
    pub panel: Option<String>,
    /// How many cells, rows or labels.
    pub count: u64,
    /// Finding, without the panel's name and without hints.
    pub text: String,
    /// Remedies, such as `--scale panel`.
    pub hints: Vec<String>,
    /// All that it counts, by name, where the text names only the first.
    pub names: Vec<String>,
}

impl Lint {
    fn new(name: LintName, panel: Option<&str>, count: u64, text: impl Into<String>) -> Self {
        Self {
            name,
            panel: panel.map(str::to_owned),
            count,
            text: text.into(),
            hints: Vec::new(),
            names: Vec::new(),
        }
    }

    /// Adds a remedy.
    pub fn hint(&mut self, hint: impl Into<String>) {
        self.hints.push(hint.into());
    }

    /// The text and its hints, on one line.
    pub fn message(&self) -> String {
        let text = self.text.clone();
        self.hints.iter().fold(text, |text, hint| hinted(&text, hint))
    }
}

/// A text and a hint on one line, for messages that have only one. The only place where the two are joined: everything before
/// printing has them apart.
pub fn hinted(text: &str, hint: &str) -> String {
    // A question ends its sentence.
    let end = if text.ends_with('?') { "" } else { ";" };
    format!("{text}{end} hint: {hint}")
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "warning[{}]: ", self.name)?;
        if let Some(p) = self.panel.as_ref().filter(|p| !p.is_empty()) {
            write!(f, "{p}: ")?;
        }
        f.write_str(&self.message())
    }
}

/// The warnings of a run, in the order they arose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lints(pub Vec<Lint>);

impl Lints {
    fn push(&mut self, lint: Lint) -> &mut Lint {
        let at = self.0.len();
        self.0.push(lint);
        &mut self.0[at]
    }

    /// Adds one about the whole figure, and returns it for its hints.
    pub fn add(&mut self, name: LintName, count: u64, text: impl Into<String>) -> &mut Lint {
        self.push(Lint::new(name, None, count, text))
    }

    /// Adds one about a panel, and returns it for its hints.
    pub fn add_panel(
        &mut self,
        name: LintName,
        panel: &str,
        count: u64,
        text: impl Into<String>,
    ) -> &mut Lint {
        self.push(Lint::new(name, Some(panel), count, text))
    }

    /// Takes over all of another list.
    pub fn append(&mut self, mut other: Lints) {
        self.0.append(&mut other.0);
    }
}

/// Which lints are shown and which end in exit code 6.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// Every data lint is denied.
    pub strict: bool,
    /// Denied by name.
    pub deny: Vec<LintName>,
    /// Silenced by name; wins over `strict`.
    pub allow: Vec<LintName>,
}

impl Policy {
    /// Whether the lint is printed and listed.
    pub fn shows(&self, name: LintName) -> bool {
        self.deny.contains(&name) || (name.severity() != Severity::Silent && !self.allow.contains(&name))
    }

    /// Whether the lint makes the exit code 6.
    pub fn denies(&self, name: LintName) -> bool {
        let (denied, allowed) = (self.deny.contains(&name), self.allow.contains(&name));
        match name.severity() {
            Severity::Never => false,
            Severity::Strict => denied || self.strict && !allowed,
            Severity::Always => denied || !allowed,
            Severity::Named | Severity::Silent => denied,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for l in LintName::ALL {
            assert_eq!(l.as_str().parse(), Ok(*l));
        }
        let wrong = |t: &str| t.parse::<LintName>().unwrap_err().to_string();
        assert_eq!(wrong("nonsense"), "'nonsense' is not the name of a lint");
        assert_eq!(wrong("cliped"), "'cliped' is not the name of a lint; did you mean 'clipped'?");
    }

    #[test]
    fn hints_follow_the_text() {
        let mut lints = Lints::default();
        lints.add_panel(LintName::UnusedRange, "a", 1, "few colours").hint("--scale panel");
        lints.add(LintName::Sparse, 1, "continuous?").hint("round them");
        lints.add(LintName::MixedUnits, 2, "two units").hint("--y a");
        lints.0[2].hint("--x b");
        assert_eq!(
            lints.0.iter().map(Lint::to_string).collect::<Vec<_>>(),
            [
                "warning[unused-range]: a: few colours; hint: --scale panel",
                "warning[sparse]: continuous? hint: round them",
                "warning[mixed-units]: two units; hint: --y a; hint: --x b",
            ]
        );
    }

    #[test]
    fn only_data_is_denied_without_its_name() {
        for name in LintName::ALL {
            let strict = matches!(name.severity(), Severity::Strict | Severity::Always);
            assert_eq!(strict, name.kind() == LintKind::Data, "{name}");
        }
    }

    #[test]
    fn strict_denies_data_only_and_allow_wins() {
        let p = Policy { strict: true, deny: vec![], allow: vec![LintName::Absent] };
        assert!(
            p.denies(LintName::Clipped) && !p.denies(LintName::Absent) && !p.denies(LintName::TicksThinned)
        );
        assert!(!p.denies(LintName::SoftwareAdapter) && !p.shows(LintName::Reduced));
        let p = Policy { allow: vec![LintName::Vanished], ..Policy::default() };
        assert!(
            p.denies(LintName::Regressed) && !p.denies(LintName::Vanished) && !p.denies(LintName::Appeared)
        );
    }
}
