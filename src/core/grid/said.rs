//! Names of computed columns in the words of a title: `hour of time` for `hour(time)`.

use super::Grid;
use std::borrow::Cow;
use std::sync::Arc;

/// The name of a column that is computed, and the words that a title has for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaidName {
    /// The name.
    pub name: String,
    /// The words.
    pub said: String,
}

/// What is between the names of an axis of several columns.
const BETWEEN: &str = ", ";

impl Grid {
    /// Sets the names that titles say in other words.
    pub fn set_said(&mut self, said: Arc<[SaidName]>) {
        self.said = said;
    }

    /// The name of an axis, of its columns or of values in the words of a title. Keys and messages have the name as it is.
    pub fn said<'n>(&self, name: &'n str) -> Cow<'n, str> {
        if self.said.is_empty() {
            return Cow::Borrowed(name);
        }
        let (mut out, mut rest) = (String::new(), name);
        loop {
            let ends = |after: &&str| after.is_empty() || after.starts_with(BETWEEN);
            let one = self.said.iter().find_map(|one| {
                let after = rest.strip_prefix(&one.name).filter(ends)?;
                Some((one.said.as_str(), after))
            });
            let (words, after) =
                one.unwrap_or_else(|| rest.split_at(rest.find(BETWEEN).unwrap_or(rest.len())));
            out.push_str(words);
            let Some(next) = after.strip_prefix(BETWEEN) else {
                return Cow::Owned(out);
            };
            out.push_str(BETWEEN);
            rest = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_computed_columns_have_their_words() {
        let mut grid = Grid::from_rows(1, 1, vec![0.0]).unwrap();
        assert_eq!(grid.said("hour(t)"), "hour(t)");
        let pair = |(name, said): (&str, &str)| SaidName { name: name.to_owned(), said: said.to_owned() };
        let pairs = [("hour(t)", "hour of t"), ("day(a, b)", "day of a, b")];
        grid.set_said(pairs.map(pair).into());
        let said = ["hour(t)", "model, hour(t)", "day(a, b), x", "hour(t) x", "x", "", "a, "];
        let want = ["hour of t", "model, hour of t", "day of a, b, x", "hour(t) x", "x", "", "a, "];
        assert_eq!(said.map(|name| grid.said(name).into_owned()), want);
    }
}
