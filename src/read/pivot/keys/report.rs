//! Report on the keys of a column: texts that became one key, and texts that look like another.

use super::Keys;
use super::key_text::{KeyKind, KeyText};
use crate::field::shown;
use crate::pivot::dates::{Dates, assumed_day_first, report_day_first};
use crate::table::count;
use gridscope_core::calendar::Moment;
use gridscope_core::calendar::spelling::format;
use gridscope_core::lint::{LintName, Lints};
use std::collections::{BTreeSet, HashMap, HashSet};
use unicode_normalization::UnicodeNormalization;

/// Findings from the search for keys.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    /// Keys that were written in several ways, and the first two of those.
    merged: HashSet<u32>,
    pair: Option<[String; 2]>,
    /// Numbers, and dates and times, among other texts; the first other text.
    numbers: u64,
    times: u64,
    text: String,
    /// The offsets of times, where they differ.
    offsets: Vec<Option<i64>>,
    /// Dates in two formats.
    formats: Option<[String; 2]>,
    /// How many keys are versions, and one of them.
    versions: Option<(u64, String)>,
    /// A date whose day and month may change places in the whole column.
    ambiguous: Option<String>,
    /// A date whose day is taken for its first number.
    day_first: Option<String>,
}

impl Findings {
    /// Takes a further text of a key.
    pub(super) fn meet(&mut self, id: u32, first: &str, text: &str) {
        if first != text {
            self.merged.insert(id);
            self.pair.get_or_insert_with(|| [first.to_owned(), text.to_owned()]);
        }
    }

    /// Takes keys that look like decimals and are versions.
    pub(super) fn look_at_versions(&mut self, texts: &[&str]) {
        let last = texts.iter().max_by_key(|text| text.len());
        self.versions = last.map(|text| (texts.len() as u64, (*text).to_owned()));
    }

    /// Looks at dates as the file writes them, where ISO 8601 writes them otherwise.
    pub(super) fn look_at_dates<'t>(
        &mut self,
        dates: &Dates,
        is_said: bool,
        mut written: impl Iterator<Item = &'t str> + Clone,
    ) {
        if !is_said && dates.reading().is_some() {
            self.day_first = assumed_day_first(written.clone()).map(str::to_owned);
        }
        if let Dates::Ambiguous(date) = dates {
            self.ambiguous = Some(date.clone());
        }
        if let Some(first) = written.next() {
            let other = written.find(|text| format(text) != format(first));
            self.formats = other.map(|other| [first, other].map(|t| t.trim().to_owned()));
        }
    }

    /// Looks at all texts of a column, and at its keys.
    pub(super) fn look(&mut self, kind: KeyKind, all: &[&KeyText], keys: &[&KeyText]) {
        match kind {
            KeyKind::Numbers => {}
            KeyKind::Texts => {
                let of = |what: fn(&KeyText) -> bool| keys.iter().filter(|s| what(s)).count() as u64;
                self.numbers = of(|s| s.number.is_some());
                self.times = of(|s| s.moment.is_some());
                let text = keys.iter().find(|s| s.number.is_none() && s.moment.is_none()).or(keys.first());
                self.text = text.map_or_else(String::new, |s| s.text.to_owned());
            }
            KeyKind::Times => {
                let moments = || all.iter().filter_map(|s| Some((s, s.moment.as_deref()?)));
                let offsets: BTreeSet<Option<i64>> = moments().map(|(_, m)| m.offset).collect();
                if offsets.len() > 1 {
                    self.offsets = offsets.into_iter().collect();
                }
                let format = |m: &Moment| (m.separator, m.is_month());
                let first = moments().next();
                let other = first.and_then(|(_, a)| moments().find(|(_, b)| format(a) != format(b)));
                self.formats = first
                    .zip(other)
                    .map(|((a, _), (b, _))| [a.text.trim().to_owned(), b.text.trim().to_owned()]);
            }
        }
    }
}

impl Keys {
    /// Name of the column in messages.
    fn called(&self) -> String {
        if self.name.is_empty() { "labels".to_owned() } else { format!("column {}", shown(&self.name)) }
    }

    /// Reports keys that were written in several ways.
    pub(crate) fn report_merged(&self, lints: &mut Lints) {
        let Some(pair) = &self.findings.pair else { return };
        let n = self.findings.merged.len();
        let (keys, verb) = (count(n, "key"), if n == 1 { "is" } else { "are" });
        let [a, b] = pair.each_ref().map(|text| shown(text));
        let ways = format!("{keys} {verb} written in several ways, first {a} and {b}");
        lints.add(LintName::MergedSpellings, n as u64, format!("{}: {ways}", self.called()));
    }

    /// Reports numbers among other texts.
    pub(crate) fn report_numbers(&self, lints: &mut Lints) {
        if let Some((keys, text)) = &self.findings.versions {
            let what = format!("keys such as {} are read as versions", shown(text));
            lints
                .add(LintName::NumberLikeCategories, *keys, format!("{}: {what}", self.called()))
                .hint("--x-type number or --y-type number reads decimals");
        }
        let n = self.findings.numbers;
        if n > 0 {
            let (numbers, text) = (count(n as usize, "number"), shown(&self.findings.text));
            let what = format!("{numbers} among other texts, as {text}: its keys are texts");
            lints.add(LintName::NumberLikeCategories, n, format!("{}: {what}", self.called()));
        }
    }

    /// Reports dates among other texts, in several formats, and with several offsets.
    pub(crate) fn report_times(&self, lints: &mut Lints) {
        let (findings, called) = (&self.findings, self.called());
        let keys = self.labels.len() as u64;
        if findings.times > 0 {
            let (dates, text) = (count(findings.times as usize, "date"), shown(&findings.text));
            let what = format!("{called}: {dates} among other texts, as {text}: its keys are texts");
            lints.add(LintName::MixedTimes, findings.times, what);
        }
        if let Some(date) = &findings.ambiguous {
            let what = format!("day and month of dates such as {} may change places", shown(date));
            let what = format!("{called}: {what}: its keys are texts");
            lints.add(LintName::MixedTimes, keys, what).hint("--month-first or --day-first");
        }
        if let Some(date) = &findings.day_first {
            report_day_first(&called, date, lints);
        }
        if let Some([a, b]) = &findings.formats {
            let [a, b] = [shown(a), shown(b)];
            let what = format!("{called}: dates in several formats, first {a} and {b}");
            lints.add(LintName::MixedTimes, keys, what);
        }
        if !findings.offsets.is_empty() {
            let offsets: Vec<String> = findings.offsets.iter().map(|o| offset(*o)).collect();
            let offsets = format!("times with several offsets ({})", offsets.join(", "));
            let what = format!("{called}: {offsets}: a key is an instant, one without offset in UTC");
            lints.add(LintName::MixedTimes, keys, what);
        }
    }

    /// Reports keys that read alike: but for blanks, case, and how their characters are composed.
    pub(crate) fn report_alike(&self, lints: &mut Lints) {
        if self.merges {
            return;
        }
        let mut known: HashMap<String, (usize, bool)> = HashMap::new();
        let (mut alike, mut first) = (0, None);
        for (i, label) in self.labels.iter().enumerate() {
            let (twin, met) = known.entry(blanks(&case(label))).or_insert((i, false));
            if *twin != i {
                alike += if std::mem::replace(met, true) { 1 } else { 2 };
                first.get_or_insert((*twin, i));
            }
        }
        let Some((a, b)) = first.map(|(a, b): (usize, usize)| (&self.labels[a], &self.labels[b])) else {
            return;
        };
        let how = if composed(a) == composed(b) {
            "how characters are composed"
        } else if blanks(&composed(a)) == blanks(&composed(b)) {
            "blanks"
        } else if case(a) == case(b) {
            "case"
        } else {
            "case and blanks"
        };
        let (keys, a, b) = (count(alike, "key"), shown(a), shown(b));
        let what = format!("{keys} read like another one, first {a} and {b}, which differ in {how}");
        lints.add(LintName::SimilarKeys, alike as u64, format!("{}: {what}", self.called()));
    }
}

fn composed(text: &str) -> String {
    text.nfc().collect()
}

fn case(text: &str) -> String {
    text.nfd().flat_map(char::to_lowercase).nfc().collect()
}

/// The words of a text with one blank between; characters without width are left out.
fn blanks(text: &str) -> String {
    let seen: String =
        text.chars().filter(|c| !matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}')).collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An offset as ISO 8601 writes it.
fn offset(seconds: Option<i64>) -> String {
    match seconds {
        None => "none".to_owned(),
        Some(0) => "Z".to_owned(),
        Some(s) => {
            format!("{}{:02}:{:02}", if s < 0 { '-' } else { '+' }, s.abs() / 3600, s.abs() % 3600 / 60)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::KeyOptions;
    use super::*;

    fn lints(texts: &[&str], as_text: bool) -> Vec<String> {
        let keys =
            Keys::read("k", texts.iter().copied(), KeyOptions { as_text, ..KeyOptions::default() }, "f")
                .unwrap();
        let mut lints = Lints::default();
        keys.report_merged(&mut lints);
        keys.report_numbers(&mut lints);
        keys.report_times(&mut lints);
        keys.report_alike(&mut lints);
        lints.0.iter().map(|l| format!("{} {}: {}", l.name, l.count, l.message())).collect()
    }

    #[test]
    fn keys_of_several_spellings_are_reported() {
        let want = "merged-spellings 2: column 'k': 2 keys are written in several ways, first '1' and '1.0'";
        assert_eq!(lints(&["1", "2.50", "1.0", " 1", "2.5", "3"], false), [want]);
        assert!(lints(&["1", " 1 ", "2"], false).is_empty() && lints(&["1", "1.0"], true).is_empty());
        let times = lints(&["2024-01-01", "2024-01-01T00:00"], false);
        assert_eq!(
            times,
            [
                "merged-spellings 1: column 'k': 1 key is written in several ways, first '2024-01-01' and '2024-01-01T00:00'"
            ]
        );
    }

    #[test]
    fn keys_that_read_alike_are_reported() {
        let how = |texts: &[&str]| lints(texts, false).join("; ");
        assert_eq!(
            how(&["a", "b", "a "]),
            "similar-keys 2: column 'k': 2 keys read like another one, first 'a' and 'a ', which differ in blanks"
        );
        assert!(
            how(&["a b", "a\u{a0}b", "A  B"]).starts_with("similar-keys 3")
                && how(&["a\u{200b}", "a"]).ends_with("in blanks")
        );
        assert!(how(&["Gpt", "GPT"]).ends_with("'Gpt' and 'GPT', which differ in case"));
        assert!(how(&["caf\u{e9}", "cafe\u{301}"]).ends_with("in how characters are composed"));
        assert!(how(&["\u{c9} ", "e\u{301}"]).ends_with("in case and blanks"));
        assert_eq!(how(&["a", "b", "ab", "é", "e"]), "");
        assert_eq!(lints(&["1e5", "1E5"], true).len(), 1);
    }

    #[test]
    fn mixed_columns_are_reported() {
        assert_eq!(
            lints(&["1", "01", "high"], false),
            [
                "number-like-categories 2: column 'k': 2 numbers among other texts, as 'high': its keys are texts"
            ]
        );
        assert_eq!(
            lints(&["2024-01-02", "03.01.2024"], false),
            [
                "assumed-day-first 1: column 'k': the day of dates such as '03.01.2024' is taken for their first number; hint: --day-first",
                "mixed-times 2: column 'k': dates in several formats, first '2024-01-02' and '03.01.2024'"
            ]
        );
        assert_eq!(
            lints(&["2024-01-02", "bad.01.2024"], false),
            ["mixed-times 1: column 'k': 1 date among other texts, as 'bad.01.2024': its keys are texts"]
        );
        assert_eq!(
            lints(&["01/02/2024", "03/04/2024"], false),
            [
                "mixed-times 2: column 'k': day and month of dates such as '03/04/2024' may change places: its keys are texts; hint: --month-first or --day-first"
            ]
        );
        assert!(lints(&["1.2.2024", "31.12.2024", "NA"], false).is_empty());
        assert!(lints(&["1.2.2024", "01.02.2024"], false)[0].ends_with("first '1.2.2024' and '01.02.2024'"));
        let offsets = lints(
            &["2024-01-01T00:00+02:00", "2024-01-01T00:00Z", "2024-01-01T00:00", "2024-01-01T00:00-03:30"],
            false,
        );
        let want = "mixed-times 3: column 'k': times with several offsets (none, -03:30, Z, +02:00): a key is an instant, one without offset in UTC";
        assert_eq!((offsets.len(), offsets[1].as_str()), (2, want));
        assert_eq!(
            lints(&["2024-01", "2024-02", "2024-01-01"], false),
            ["mixed-times 3: column 'k': dates in several formats, first '2024-01' and '2024-01-01'"]
        );
        assert_eq!(lints(&["2024-01-01", "2024/01/02"], false).len(), 1);
        assert!(lints(&["2024-01-01", "2024-01-02 10:00", "NA"], false).is_empty());
        assert_eq!(lints(&["1e400", "2"], false).len(), 1);
    }
}
