//! Rows of a tidy table that share a cell.

use super::csv::{Records, count, listed};
use super::pivot::Bins;
use super::rows::Roles;
use crate::lint::{LintName, Lints};

/// Rows that share a cell, and the columns in which they differ.
#[derive(Default)]
pub struct Merged {
    rows: u64,
    cells: u64,
    least: usize,
    most: usize,
    differ: Vec<usize>,
}

impl Merged {
    /// Takes in the cells of a panel; `rows` are the table's rows at the places in the bins.
    pub fn look(&mut self, bins: &Bins, records: &Records, roles: &Roles, rows: &[u32]) {
        let taken = |c: &usize| [&roles.x, &roles.y, &roles.values].iter().any(|r| r.contains(c)) || roles.panel == Some(*c);
        let mut same: Vec<usize> = (0..records.width()).filter(|c| !taken(c) && !self.differ.contains(c)).collect();
        for cell in 0..bins.len() {
            let [first, rest @ ..] = bins.get(cell) else { continue };
            if rest.is_empty() {
                continue;
            }
            let n = rest.len() + 1;
            self.least = if self.cells == 0 { n } else { self.least.min(n) };
            self.most = self.most.max(n);
            self.rows += n as u64;
            self.cells += 1;
            let text = |i: u32, c: usize| records.get(rows[i as usize] as usize, c);
            same.retain(|&c| {
                let differs = rest.iter().any(|&i| text(i, c) != text(*first, c));
                if differs {
                    self.differ.push(c);
                }
                !differs
            });
        }
    }

    /// Adds the lint, if there is something to tell.
    pub fn tell(mut self, records: &Records, lints: &mut Lints) {
        if self.cells == 0 {
            return;
        }
        self.differ.sort_unstable();
        let names: Vec<String> = self.differ.iter().map(|&c| records.headers[c].clone()).collect();
        let how = match (names.is_empty(), records.is_partial()) {
            // What was not read may differ.
            (true, true) => "share their keys".to_owned(),
            (true, false) => "are repeated".to_owned(),
            _ => format!("differ in {}", listed(&names)),
        };
        let each = if self.least == self.most { self.least.to_string() } else { format!("{}-{}", self.least, self.most) };
        let on = count(self.cells as usize, "cell");
        lints.add(LintName::DuplicateKeys, self.rows, format!("{} rows on {on} ({each} each) {how}; shown: mean", self.rows));
    }
}
