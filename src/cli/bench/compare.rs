//! The comparison of an earlier report with a new one: which cases became slower.

use super::renderer::system_name;
use super::table::{Table, three};
use super::views::json_error;
use gridscope_read::{InputError, read_file};
use serde_json::{Value, json};
use std::path::Path;

/// The most bytes of a report.
const MOST_BYTES: u64 = 64 << 20;
/// The value of the key `report`, by which a report is recognised.
pub(super) const REPORT: &str = "gridscope bench";

/// The medians of an earlier report.
#[derive(Debug)]
pub(super) struct Old {
    pub file: String,
    /// The back end and adapter, as [`system_name`] has them.
    pub system: String,
    /// The name of each case and its median in ms.
    pub medians: Vec<(String, f64)>,
}

/// A case that is in both reports.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pair {
    pub name: String,
    pub old_ms: f64,
    pub new_ms: f64,
    /// Whether it became slower than the tolerance allows.
    pub slower: bool,
}

/// The result of a comparison.
#[derive(Debug)]
pub(super) struct Comparison {
    pub file: String,
    pub tolerance: f64,
    pub pairs: Vec<Pair>,
    /// Cases that are only in the earlier report.
    pub only_old: Vec<String>,
    /// Cases that are only in the new one.
    pub only_new: Vec<String>,
}

/// Reads a report that `--json` wrote.
///
/// # Errors
/// When the file cannot be read, or is not a report of `gridscope bench`.
pub(super) fn read(file: &str) -> Result<Old, InputError> {
    let bytes = read_file(Path::new(file), MOST_BYTES)?;
    let value: Value = serde_json::from_slice(&bytes).map_err(|e| json_error(file, &e))?;
    if value["report"] != REPORT {
        return Err(
            InputError::refused(file, "", "is not a report of gridscope bench")
                .with_hint("gridscope bench --json=FILE writes one"),
        );
    }
    let refuse = |place: String, what: &str| InputError::refused(file, place, what);
    let text = |v: &Value, place: &str| {
        v.as_str()
            .map(str::to_owned)
            .ok_or_else(|| refuse(place.to_owned(), "is not a string"))
    };
    let backend = text(&value["backend"]["name"], "backend.name")?;
    let adapter = text(&value["backend"]["adapter"], "backend.adapter")?;
    let Some(cases) = value["cases"].as_array() else {
        return Err(refuse("cases".to_owned(), "is not an array"));
    };
    let mut medians: Vec<(String, f64)> = Vec::with_capacity(cases.len());
    for (i, case) in cases.iter().enumerate() {
        let name = text(&case["name"], &format!("cases[{i}].name"))?;
        let median = case["median_ms"].as_f64().filter(|m| *m > 0.0);
        let median =
            median.ok_or_else(|| refuse(format!("cases[{i}].median_ms"), "is not a positive number"))?;
        if medians.iter().any(|(n, _)| *n == name) {
            return Err(refuse(
                format!("cases[{i}].name"),
                "is the name of an earlier case",
            ));
        }
        medians.push((name, median));
    }
    Ok(Old {
        file: file.to_owned(),
        system: system_name(&backend, &adapter),
        medians,
    })
}

impl Old {
    /// Whether any of these cases is in the report.
    pub(super) fn has_any(&self, names: &[String]) -> bool {
        self.medians.iter().any(|(n, _)| names.contains(n))
    }

    /// Compares the medians in ms of cases of the same name. One that is slower by more than `tolerance` (0.1 is 10 %) is a
    /// regression.
    pub(super) fn compare(&self, new: &[(String, f64)], tolerance: f64) -> Comparison {
        let mut out = Comparison {
            file: self.file.clone(),
            tolerance,
            pairs: Vec::new(),
            only_old: Vec::new(),
            only_new: Vec::new(),
        };
        for (name, new_ms) in new {
            match self.medians.iter().find(|(n, _)| n == name) {
                Some((_, old_ms)) => {
                    let slower = *new_ms > old_ms * (1.0 + tolerance);
                    out.pairs.push(Pair {
                        name: name.clone(),
                        old_ms: *old_ms,
                        new_ms: *new_ms,
                        slower,
                    });
                }
                None => out.only_new.push(name.clone()),
            }
        }
        let gone = self
            .medians
            .iter()
            .filter(|(n, _)| new.iter().all(|(m, _)| m != n));
        out.only_old = gone.map(|(n, _)| n.clone()).collect();
        out
    }
}

impl Pair {
    /// The comparison as a sentence.
    pub(super) fn line(&self) -> String {
        format!(
            "{}: {} ms became {} ms, {} times as long",
            self.name,
            three(self.old_ms),
            three(self.new_ms),
            three(self.ratio())
        )
    }

    /// The new median divided by the old one.
    pub(super) fn ratio(&self) -> f64 {
        self.new_ms / self.old_ms
    }
}

impl Comparison {
    /// The exit code: 6 if a case became slower, otherwise 0.
    pub(super) fn code(&self) -> u8 {
        if self.pairs.iter().any(|p| p.slower) { 6 } else { 0 }
    }

    /// The medians and their ratio, of each case that is in both reports.
    pub(super) fn table(&self) -> Table {
        let mut table = Table::new(&["case", "old ms", "new ms", "ratio", ""], 1);
        for p in &self.pairs {
            let word = if p.slower { "slower" } else { "" };
            table.push(vec![
                p.name.clone(),
                three(p.old_ms),
                three(p.new_ms),
                three(p.ratio()),
                word.to_owned(),
            ]);
        }
        table
    }

    /// The comparison as JSON.
    pub(super) fn json(&self) -> Value {
        let pair = |p: &Pair| json!({"name": p.name, "old_ms": p.old_ms, "new_ms": p.new_ms, "ratio": p.ratio(), "slower": p.slower});
        json!({
            "file": self.file, "tolerance": self.tolerance, "cases": self.pairs.iter().map(pair).collect::<Vec<_>>(),
            "only_old": self.only_old, "only_new": self.only_new,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(list: &[(&str, f64)]) -> Vec<(String, f64)> {
        list.iter().map(|(n, m)| ((*n).to_owned(), *m)).collect()
    }

    fn old(list: &[(&str, f64)]) -> Old {
        Old {
            file: "old.json".to_owned(),
            system: "cpu: x".to_owned(),
            medians: named(list),
        }
    }

    #[test]
    fn a_median_beyond_the_tolerance_is_a_regression() {
        let c = old(&[("a", 10.0), ("b", 10.0), ("c", 10.0)])
            .compare(&named(&[("a", 11.0), ("b", 11.1), ("c", 5.0)]), 0.1);
        assert_eq!(
            c.pairs.iter().map(|p| p.slower).collect::<Vec<_>>(),
            [false, true, false]
        );
        assert_eq!((c.code(), c.pairs[2].ratio()), (6, 0.5));
        assert!(
            c.table()
                .aligned()
                .contains("b       10.0    11.1   1.11  slower\n"),
            "{}",
            c.table().aligned()
        );
        assert_eq!(c.json()["cases"][1]["slower"], true);
    }

    #[test]
    fn improvements_and_missing_cases_are_not_regressions() {
        let c = old(&[("a", 10.0), ("gone", 1.0)]).compare(&named(&[("a", 2.0), ("new", 99.0)]), 0.0);
        assert_eq!((c.code(), c.pairs.len()), (0, 1));
        assert_eq!(
            (c.only_old, c.only_new),
            (vec!["gone".to_owned()], vec!["new".to_owned()])
        );
        assert!(
            old(&[("a", 1.0)]).has_any(&["b".to_owned(), "a".to_owned()])
                && !old(&[("a", 1.0)]).has_any(&["b".to_owned()])
        );
    }

    #[test]
    fn only_reports_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("old.json");
        let of = |text: &str| {
            std::fs::write(&path, text).unwrap();
            read(path.to_str().unwrap())
        };
        let report = |cases: &str| {
            format!(
                r#"{{"report": "gridscope bench", "backend": {{"name": "cpu", "adapter": "x"}}, "cases": {cases}}}"#
            )
        };
        let good = of(&report(r#"[{"name": "a", "median_ms": 2}]"#)).unwrap();
        assert_eq!(
            (good.medians, good.system.as_str()),
            (named(&[("a", 2.0)]), "cpu: x")
        );
        for (text, place) in [
            ("[1]".to_owned(), ""),
            (r#"{"version": "0.1.0"}"#.to_owned(), ""),
            (r#"{"report": "gridscope bench"}"#.to_owned(), "backend.name"),
            (report("3"), "cases"),
            (report(r#"[{"median_ms": 2}]"#), "cases[0].name"),
            (report(r#"[{"name": "a"}]"#), "cases[0].median_ms"),
            (report(r#"[{"name": "a", "median_ms": 0}]"#), "cases[0].median_ms"),
            (
                report(r#"[{"name": "a", "median_ms": 1}, {"name": "a", "median_ms": 2}]"#),
                "cases[1].name",
            ),
            ("{\n\"report\": }".to_owned(), "line 2, column 11"),
        ] {
            assert_eq!(of(&text).unwrap_err().place.to_string(), place, "{text}");
        }
    }
}
