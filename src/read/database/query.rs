//! The text of queries. Names are quoted by rule, and nothing of a user is pasted but a query of his own.

/// A name of the query that no table has.
pub(super) const ROWS: &str = "rows of the figure";

/// The signs around names: those of the standard, or those of Spark and `MySQL`, to which the former are texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Quotes {
    #[default]
    Standard,
    Backticks,
}

/// The rows of a table, or of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    from: String,
    quotes: Quotes,
}

impl Rows {
    /// The rows of a table: `runs`, `schema.runs`, or `"a.b"` where the name itself has a point.
    pub(super) fn of_table(name: &str, quotes: Quotes) -> Self {
        let mut parts = Vec::new();
        let mut rest = name.trim();
        loop {
            let (part, after) = match quoted_part(rest) {
                Some(found) => found,
                None => rest
                    .split_once('.')
                    .map_or((rest.to_owned(), None), |(part, after)| (part.to_owned(), Some(after))),
            };
            parts.push(quotes.around(&part));
            match after {
                Some(after) => rest = after,
                None => break,
            }
        }
        Self { from: parts.join("."), quotes }
    }

    /// The rows of a query. A semicolon at its end, which scripts have, is left out; a comment at its end is ended.
    pub(super) fn of_query(sql: &str, quotes: Quotes) -> Self {
        let sql = sql.trim_end().trim_end_matches(';');
        Self { from: format!("(\n{sql}\n) AS {}", quotes.around(ROWS)), quotes }
    }

    /// These columns, or all.
    pub(super) fn columns(&self, names: Option<&Vec<&str>>) -> String {
        let list = match names {
            Some(names) => names.iter().map(|name| self.quotes.around(name)).collect::<Vec<_>>().join(", "),
            None => "*".to_owned(),
        };
        format!("SELECT {list} FROM {}", self.from)
    }

    /// What stands behind FROM.
    pub(super) fn from(&self) -> &str {
        &self.from
    }

    /// All columns of no row, for their names.
    pub(super) fn without_rows(&self) -> String {
        format!("{} WHERE 1 = 0", self.columns(None))
    }
}

/// A name in quotes of the standard; those within are doubled.
pub(super) fn quoted(name: &str) -> String {
    Quotes::Standard.around(name)
}

impl Quotes {
    fn around(self, name: &str) -> String {
        let quote = match self {
            Self::Standard => '"',
            Self::Backticks => '`',
        };
        format!("{quote}{}{quote}", name.replace(quote, &format!("{quote}{quote}")))
    }
}

/// The name in quotes that a text begins with, without them, and what follows its point.
fn quoted_part(text: &str) -> Option<(String, Option<&str>)> {
    let inner = text.strip_prefix('"')?;
    let mut name = String::new();
    let mut rest = inner;
    loop {
        let at = rest.find('"')?;
        name.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        match rest.strip_prefix('"') {
            Some(after) => {
                name.push('"');
                rest = after;
            }
            None if rest.is_empty() => return Some((name, None)),
            None => return Some((name, Some(rest.strip_prefix('.')?))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted() {
        let table = |name: &str| Rows::of_table(name, Quotes::Standard).from;
        assert_eq!(table("runs"), r#""runs""#);
        assert_eq!(table("lab.runs"), r#""lab"."runs""#);
        assert_eq!(table(r#""a.b".c"#), r#""a.b"."c""#);
        assert_eq!(table(r#""a""b""#), r#""a""b""#);
        assert_eq!(table(r#"x"; DROP TABLE y; --"#), r#""x""; DROP TABLE y; --""#);
        // A quote that is not closed is a part of the name.
        assert_eq!(table(r#""a"#), r#""""a""#);
        assert_eq!(
            Rows::of_table("t", Quotes::Standard).columns(Some(&vec!["a", "say \"b\""])),
            r#"SELECT "a", "say ""b""" FROM "t""#
        );
    }

    #[test]
    fn names_may_stand_in_backticks() {
        let rows = Rows::of_table(r#"lab."a`b""#, Quotes::Backticks);
        assert_eq!(rows.columns(Some(&vec!["x", "`"])), "SELECT `x`, ```` FROM `lab`.`a``b`");
    }

    #[test]
    fn queries_end_before_the_bracket() {
        let rows = Rows::of_query("SELECT 1 AS a -- one;\n;", Quotes::Standard);
        assert_eq!(
            rows.columns(None),
            "SELECT * FROM (\nSELECT 1 AS a -- one;\n\n) AS \"rows of the figure\""
        );
        assert!(rows.without_rows().ends_with("\" WHERE 1 = 0"));
    }
}
