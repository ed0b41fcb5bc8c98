//! Tables of text, written in aligned columns or as Markdown.

/// A table whose first columns hold words, and the others numbers.
pub(super) struct Table {
    head: Vec<String>,
    words: usize,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows; the first `words` columns hold words.
    pub(super) fn new(head: &[&str], words: usize) -> Self {
        Self {
            head: head.iter().map(|h| (*h).to_owned()).collect(),
            words,
            rows: Vec::new(),
        }
    }

    /// Adds a row, as long as the head.
    pub(super) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// The table in aligned columns, words to the left and numbers to the right.
    pub(super) fn aligned(&self) -> String {
        let lines = || std::iter::once(&self.head).chain(&self.rows);
        let width = |c: usize| {
            lines()
                .filter_map(|l| l.get(c))
                .map(|t| t.chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let mut out = String::new();
        for line in lines() {
            let pad = |(c, text): (usize, &String)| {
                let w = widths.get(c).copied().unwrap_or(0);
                if c < self.words {
                    format!("{text:w$}")
                } else {
                    format!("{text:>w$}")
                }
            };
            let texts: Vec<String> = line.iter().enumerate().map(pad).collect();
            out.push_str(texts.join("  ").trim_end());
            out.push('\n');
        }
        out
    }

    /// The table as Markdown.
    pub(super) fn markdown(&self) -> String {
        let line = |l: &Vec<String>| {
            format!(
                "| {} |\n",
                l.iter()
                    .map(|t| t.replace('|', "\\|"))
                    .collect::<Vec<_>>()
                    .join(" | ")
            )
        };
        let rule: Vec<String> = (0..self.head.len())
            .map(|c| if c < self.words { "---" } else { "---:" }.to_owned())
            .collect();
        [&self.head, &rule]
            .into_iter()
            .chain(&self.rows)
            .map(line)
            .collect()
    }
}

/// A number with three significant digits and without an exponent: 1230, 12.3, 0.0123.
pub(super) fn three(v: f64) -> String {
    if v == 0.0 || !v.is_finite() {
        return if v == 0.0 { "0".to_owned() } else { "-".to_owned() };
    }
    // Rounded first, so that 9.999 is 10.0 and not 10.00.
    let rounded: f64 = format!("{v:.2e}").parse().unwrap_or(v);
    let decimals = (2 - rounded.abs().log10().floor() as i32).clamp(0, 6) as usize;
    format!("{rounded:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut t = Table::new(&["view", "ms"], 1);
        t.push(vec!["wh|le".to_owned(), "12.3".to_owned()]);
        t.push(vec!["é".to_owned(), "4".to_owned()]);
        t
    }

    #[test]
    fn words_are_aligned_left_and_numbers_right() {
        assert_eq!(table().aligned(), "view     ms\nwh|le  12.3\né         4\n");
        assert_eq!(
            table().markdown(),
            "| view | ms |\n| --- | ---: |\n| wh\\|le | 12.3 |\n| é | 4 |\n"
        );
    }

    #[test]
    fn numbers_have_three_significant_digits() {
        let texts = [0.0, 0.012345, 9.999, 1.0, 12.34, 999.6, 123_456.0, f64::NAN, 1e-9].map(three);
        assert_eq!(
            texts,
            [
                "0", "0.0123", "10.0", "1.00", "12.3", "1000", "123000", "-", "0.000000"
            ]
        );
    }
}
