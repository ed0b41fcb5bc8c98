//! The named warnings: what a reader of the figure should know, counted.
//!
//! A denied warning still writes the picture, and the run ends with exit code 6. `--deny NAME` and `--allow NAME` take a name or
//! several, as do `deny` and `allow` of `[lints]` in a figure file. `reduced` speaks only where it is denied.
//!
//! | name | about | what it says | denied by |
//! | --- | --- | --- | --- |
//! | `clipped` | data | Cells beyond the limits | `--strict`, `--deny` |
//! | `flat-panel` | data | More than one value in a panel, but one colour | `--strict`, `--deny` |
//! | `unused-range` | data | A panel uses under a quarter of its limits | `--strict`, `--deny` |
//! | `outlier-limits` | data | A few extreme cells take most of the limits | `--strict`, `--deny` |
//! | `absent` | data | Cells without a row in the data | `--strict`, `--deny` |
//! | `empty-row` | data | A row without any value | `--strict`, `--deny` |
//! | `empty-column` | data | A column without any value | `--strict`, `--deny` |
//! | `empty-key` | data | Rows of the table whose key is empty | `--strict`, `--deny` |
//! | `outside-domain` | data | Rows of the table outside the given domain | `--strict`, `--deny` |
//! | `nan` | data | Cells without a value | `--strict`, `--deny` |
//! | `masked` | data | Cells that a mask hides | `--strict`, `--deny` |
//! | `infinite` | data | Cells of plus or minus infinity | `--strict`, `--deny` |
//! | `duplicate-keys` | data | Several rows of the table on one cell | `--strict`, `--deny` |
//! | `merged-spellings` | data | Keys that are written in several ways, as `0.3` and `0.30000000000000004` | `--strict`, `--deny` |
//! | `similar-keys` | data | Keys that read alike but for blanks, case, or composed characters | `--strict`, `--deny` |
//! | `mixed-times` | data | Dates among other texts, in several formats, or with several offsets | `--strict`, `--deny` |
//! | `sparse` | data | Continuous coordinates that hardly ever meet | `--strict`, `--deny` |
//! | `mixed-scales` | data | Panels that look comparable but have other limits | `--strict`, `--deny` |
//! | `uneven-axis` | data | Uneven steps drawn as equal cells | `--strict`, `--deny` |
//! | `number-like-categories` | data | Categories that look like numbers among text | `--strict`, `--deny` |
//! | `headers` | data | A header that is empty or stands twice | `--strict`, `--deny` |
//! | `regressed` | data | Cells that are worse than before | itself, unless allowed |
//! | `vanished` | data | Cells that had a value before | itself, unless allowed |
//! | `appeared` | data | Cells that had no value before | `--strict`, `--deny` |
//! | `hidden-extremes` | picture | Peaks that the mean of a pixel hides | `--deny` |
//! | `ticks-thinned` | picture | Tick labels left out | `--deny` |
//! | `labels-shortened` | picture | Labels cut in the middle | `--deny` |
//! | `missing-glyphs` | picture | Characters without a glyph | `--deny` |
//! | `annotations-hidden` | picture | Annotations left out | `--deny` |
//! | `low-contrast` | picture | Annotations hard to read on their cell | `--deny` |
//! | `font-size-clamped` | picture | A font size under 5 pt, the smallest | `--deny` |
//! | `reduced` | picture | A pixel covers more than one cell | `--deny` |
//! | `software-adapter` | note | A driver that draws on the CPU | nothing |

use std::fmt;

macro_rules! lints {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $kind:ident;)*) => {
        /// A warning's stable name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum LintName { $($(#[$doc])* $variant,)* }
        impl LintName {
            /// Every name, data lints first.
            pub const ALL: &'static [LintName] = &[$(LintName::$variant,)*];
            /// The name as it is printed, denied and allowed.
            pub const fn as_str(self) -> &'static str { match self { $(LintName::$variant => $name,)* } }
            /// What the lint is about.
            pub const fn kind(self) -> LintKind { match self { $(LintName::$variant => LintKind::$kind,)* } }
        }
    };
}

/// What a lint is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LintKind {
    /// The data: `--strict` denies these.
    Data,
    /// The picture.
    Picture,
    /// Only told, never denied.
    Note,
}

lints! {
    /// Cells beyond the limits.
    Clipped = "clipped", Data;
    /// More than one value in a panel, but one colour.
    FlatPanel = "flat-panel", Data;
    /// A panel uses under a quarter of its limits.
    UnusedRange = "unused-range", Data;
    /// A few extreme cells take most of the limits.
    OutlierLimits = "outlier-limits", Data;
    /// Cells without a row in the data.
    Absent = "absent", Data;
    /// A row without any value.
    EmptyRow = "empty-row", Data;
    /// A column without any value.
    EmptyColumn = "empty-column", Data;
    /// Rows of the table whose key is empty.
    EmptyKey = "empty-key", Data;
    /// Rows of the table outside the given domain.
    OutsideDomain = "outside-domain", Data;
    /// Cells without a value.
    Nan = "nan", Data;
    /// Cells that a mask hides.
    Masked = "masked", Data;
    /// Cells of plus or minus infinity.
    Infinite = "infinite", Data;
    /// Several rows of the table on one cell.
    DuplicateKeys = "duplicate-keys", Data;
    /// Keys that are written in several ways.
    MergedSpellings = "merged-spellings", Data;
    /// Keys that read alike but for blanks, case, or composed characters.
    SimilarKeys = "similar-keys", Data;
    /// Dates among other texts, in several formats, or with several offsets.
    MixedTimes = "mixed-times", Data;
    /// Continuous coordinates that hardly ever meet.
    Sparse = "sparse", Data;
    /// Panels that look comparable but have other limits.
    MixedScales = "mixed-scales", Data;
    /// Uneven steps drawn as equal cells.
    UnevenAxis = "uneven-axis", Data;
    /// Categories that look like numbers among text.
    NumberLikeCategories = "number-like-categories", Data;
    /// A header that is empty or stands twice.
    Headers = "headers", Data;
    /// Cells that are worse than before: denied unless allowed.
    Regressed = "regressed", Data;
    /// Cells that had a value before: denied unless allowed.
    Vanished = "vanished", Data;
    /// Cells that had no value before.
    Appeared = "appeared", Data;
    /// Peaks that the mean of a pixel hides.
    HiddenExtremes = "hidden-extremes", Picture;
    /// Tick labels left out.
    TicksThinned = "ticks-thinned", Picture;
    /// Labels cut in the middle.
    LabelsShortened = "labels-shortened", Picture;
    /// Characters without a glyph.
    MissingGlyphs = "missing-glyphs", Picture;
    /// Annotations left out.
    AnnotationsHidden = "annotations-hidden", Picture;
    /// Annotations hard to read on their cell.
    LowContrast = "low-contrast", Picture;
    /// A font size under 5 pt, the smallest.
    FontSizeClamped = "font-size-clamped", Picture;
    /// A pixel covers more than one cell.
    Reduced = "reduced", Picture;
    /// A driver that draws on the CPU.
    SoftwareAdapter = "software-adapter", Note;
}

impl LintName {
    /// The lint of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|l| l.as_str() == text)
    }
}

impl fmt::Display for LintName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One warning.
#[derive(Clone, Debug, PartialEq)]
pub struct Lint {
    /// Its name.
    pub name: LintName,
    /// The panel it speaks of, if one.
    pub panel: Option<String>,
    /// How many cells, rows or labels.
    pub count: u64,
    /// What happened, without the panel's name.
    pub text: String,
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "warning[{}]: ", self.name)?;
        if let Some(p) = self.panel.as_ref().filter(|p| !p.is_empty()) {
            write!(f, "{p}: ")?;
        }
        f.write_str(&self.text)
    }
}

/// The warnings of a run, in the order they arose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lints(pub Vec<Lint>);

impl Lints {
    /// Adds one about the whole figure.
    pub fn add(&mut self, name: LintName, count: u64, text: impl Into<String>) {
        self.0.push(Lint {
            name,
            panel: None,
            count,
            text: text.into(),
        });
    }

    /// Adds one about a panel.
    pub fn add_panel(&mut self, name: LintName, panel: &str, count: u64, text: impl Into<String>) {
        self.0.push(Lint {
            name,
            panel: Some(panel.to_owned()),
            count,
            text: text.into(),
        });
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
    /// Whether the lint is printed and listed. `reduced` speaks only where it is denied.
    pub fn shows(&self, name: LintName) -> bool {
        self.deny.contains(&name) || (name != LintName::Reduced && !self.allow.contains(&name))
    }

    /// Whether the lint makes the exit code 6.
    pub fn denies(&self, name: LintName) -> bool {
        match name.kind() {
            LintKind::Note => false,
            _ if self.deny.contains(&name) => true,
            // Only who asks for a comparison gets these.
            _ if matches!(name, LintName::Regressed | LintName::Vanished) => !self.allow.contains(&name),
            LintKind::Data => self.strict && !self.allow.contains(&name),
            LintKind::Picture => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_above_has_every_name() {
        let text = include_str!("lint.rs");
        for l in LintName::ALL {
            let row = format!("//! | `{l}` | {} |", format!("{:?}", l.kind()).to_lowercase());
            assert_eq!(text.matches(&row).count(), 1, "{row}");
        }
    }

    #[test]
    fn names_read_back() {
        for l in LintName::ALL {
            assert_eq!(LintName::parse(l.as_str()), Some(*l));
        }
        assert_eq!(LintName::parse("nonsense"), None);
    }

    #[test]
    fn strict_denies_data_only_and_allow_wins() {
        let p = Policy {
            strict: true,
            deny: vec![],
            allow: vec![LintName::Absent],
        };
        assert!(
            p.denies(LintName::Clipped) && !p.denies(LintName::Absent) && !p.denies(LintName::TicksThinned)
        );
        assert!(!p.denies(LintName::SoftwareAdapter) && !p.shows(LintName::Reduced));
        let p = Policy {
            allow: vec![LintName::Vanished],
            ..Policy::default()
        };
        assert!(
            p.denies(LintName::Regressed) && !p.denies(LintName::Vanished) && !p.denies(LintName::Appeared)
        );
    }
}
