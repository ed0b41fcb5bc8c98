//! Changes of one panel's cells, counted and in words.

use super::change::{Change, Tolerance, change};
use crate::report::number;
use crate::resolve::place_of;
use gridscope_core::figure::Better;
use gridscope_core::grid::{Grid, Number};
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::transform::places;
use serde_json::{Value, json};

/// Changes of one panel's cells.
#[derive(Default)]
pub(super) struct Panel {
    compared: u64,
    improved: u64,
    regressed: u64,
    vanished: u64,
    appeared: u64,
    /// By how much the worst cell became worse, and what happened to it where.
    worst: Option<(f64, String, Value)>,
    /// Value and place of the first cell that is gone.
    first_gone: Option<String>,
    first_new: Option<String>,
    /// The panel is there on one side alone.
    alone: Option<LintName>,
}

impl Panel {
    /// Compares one panel now and before; `None` where a side does not have it.
    pub(super) fn of(new: Option<&Grid>, old: Option<&Grid>, better: Better, tolerance: Tolerance) -> Self {
        let alone = match (new, old) {
            (None, _) => Some(LintName::Vanished),
            (_, None) => Some(LintName::Appeared),
            _ => None,
        };
        let mut out = Self { alone, ..Self::default() };
        let rows = places(new.map(Grid::rows), old.map(Grid::rows));
        let columns = places(new.map(Grid::columns), old.map(Grid::columns));
        let value = |g: Option<&Grid>, r: Option<usize>, c: Option<usize>| g?.at(r?, c?).value();
        for &(row, old_row) in &rows {
            for &(column, old_column) in &columns {
                match (value(new, row, column), value(old, old_row, old_column)) {
                    (Some(a), Some(b)) => {
                        let place = || place_of_either(new, row.zip(column), old, old_row.zip(old_column));
                        out.look(a, b, better, tolerance, place);
                    }
                    (None, Some(b)) => {
                        out.vanished += 1;
                        let place = || place_of_either(None, None, old, old_row.zip(old_column));
                        out.first_gone.get_or_insert_with(|| format!("{b} at {}", place()));
                    }
                    (Some(a), None) => {
                        out.appeared += 1;
                        let place = || place_of_either(new, row.zip(column), None, None);
                        out.first_new.get_or_insert_with(|| format!("{a} at {}", place()));
                    }
                    (None, None) => {}
                }
            }
        }
        out
    }

    fn look(
        &mut self,
        now: Number,
        before: Number,
        better: Better,
        tolerance: Tolerance,
        place: impl Fn() -> String,
    ) {
        self.compared += 1;
        match change(before, now, better, tolerance) {
            Change::Same | Change::Tolerated => {}
            Change::Improved => self.improved += 1,
            Change::Regressed(by) => {
                self.regressed += 1;
                if self.worst.as_ref().is_none_or(|w| by > w.0) {
                    let place = place();
                    let cell = json!({"before": number(before), "now": number(now), "at": place});
                    self.worst = Some((by, format!("{before} to {now} at {place}"), cell));
                }
            }
        }
    }

    /// Adds the lints; gives the object of `--json`.
    pub(super) fn report(self, name: &str, lints: &mut Lints) -> Value {
        let cells = |n: u64| {
            if n == 1 { "1 cell".to_owned() } else { format!("{n} cells") }
        };
        let mut add = |lint: LintName, n: u64, what: String| {
            if n > 0 {
                lints.add_panel(lint, name, n, what);
            }
        };
        let worst = self.worst.as_ref().map_or("", |w| w.1.as_str());
        add(
            LintName::Regressed,
            self.regressed,
            format!("{} of {} became worse; the worst: {worst}", self.regressed, cells(self.compared)),
        );
        let gone = self.first_gone.unwrap_or_default();
        add(
            LintName::Vanished,
            self.vanished,
            format!("{} no longer there, first {gone}", verb(self.vanished, "is", "are")),
        );
        let new = self.first_new.unwrap_or_default();
        add(
            LintName::Appeared,
            self.appeared,
            format!("{} not there before, first {new}", verb(self.appeared, "was", "were")),
        );
        if let Some(lint) = self.alone.filter(|_| self.vanished + self.appeared == 0) {
            let which =
                if lint == LintName::Vanished { "is no longer there" } else { "was not there before" };
            lints.add_panel(lint, name, 0, format!("the panel {which}; none of its cells has a value"));
        }
        json!({
            "name": name, "compared": self.compared, "improved": self.improved, "regressed": self.regressed,
            "vanished": self.vanished, "appeared": self.appeared, "worst": self.worst.map(|w| w.2),
        })
    }
}

fn verb(n: u64, one: &str, many: &str) -> String {
    if n == 1 { format!("1 cell {one}") } else { format!("{n} cells {many}") }
}

/// The place of a cell in words, as it is now or as it was.
fn place_of_either(
    new: Option<&Grid>,
    at: Option<(usize, usize)>,
    old: Option<&Grid>,
    was: Option<(usize, usize)>,
) -> String {
    let of = |g: Option<&Grid>, at: Option<(usize, usize)>| g.zip(at).map(|(g, (r, c))| place_of(g, r, c));
    of(new, at).or_else(|| of(old, was)).unwrap_or_default()
}
