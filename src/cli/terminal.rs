//! The terminal: which colours it shows, and how many characters.

use super::half_blocks::Depth;

/// The colours and the size of a terminal.
#[derive(Debug, PartialEq)]
pub(super) struct Terminal {
    /// The colours, or why none may be used.
    pub depth: Result<Depth, &'static str>,
    /// Characters per line.
    pub columns: usize,
    pub lines: usize,
}

impl Terminal {
    /// The terminal of standard output.
    pub(super) fn of_stdout() -> Self {
        let size = console::Term::stdout().size_checked();
        Self::new(|name| std::env::var(name).ok(), size)
    }

    /// Reads the environment. `size` is the number of lines and columns that the terminal reports; LINES and COLUMNS
    /// override it.
    fn new(var: impl Fn(&str) -> Option<String>, size: Option<(u16, u16)>) -> Self {
        let set = |name: &str| var(name).filter(|v| !v.is_empty());
        let number = |name: &str| set(name)?.parse::<usize>().ok().filter(|n| (1..=1000).contains(n));
        let depth = match (set("NO_COLOR"), set("TERM"), set("COLORTERM")) {
            (Some(_), _, _) => Err("NO_COLOR is set"),
            (_, Some(term), _) if term == "dumb" => Err("TERM is dumb"),
            (_, _, Some(c)) if c.contains("truecolor") || c.contains("24bit") => Ok(Depth::True),
            _ => Ok(Depth::Palette),
        };
        let own = |side: u16| Some(usize::from(side)).filter(|s| *s > 0);
        let columns = number("COLUMNS").or(size.and_then(|s| own(s.1))).unwrap_or(80);
        let lines = number("LINES").or(size.and_then(|s| own(s.0))).unwrap_or(24);
        Self { depth, columns, lines }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(vars: &[(&str, &str)], size: Option<(u16, u16)>) -> Terminal {
        Terminal::new(|name| vars.iter().find(|v| v.0 == name).map(|v| v.1.to_owned()), size)
    }

    #[test]
    fn the_environment_decides_colours_and_size() {
        let depth = |vars: &[(&str, &str)]| of(vars, None).depth;
        assert_eq!(depth(&[("COLORTERM", "truecolor"), ("TERM", "xterm")]), Ok(Depth::True));
        assert_eq!(depth(&[("COLORTERM", "24bit")]), Ok(Depth::True));
        assert_eq!(depth(&[("COLORTERM", "yes"), ("NO_COLOR", "")]), Ok(Depth::Palette));
        assert_eq!(depth(&[("COLORTERM", "truecolor"), ("NO_COLOR", "1")]), Err("NO_COLOR is set"));
        assert_eq!(depth(&[("COLORTERM", "truecolor"), ("TERM", "dumb")]), Err("TERM is dumb"));
        let size = |vars: &[(&str, &str)], own| Some(of(vars, own)).map(|t| (t.columns, t.lines));
        assert_eq!(size(&[], None), Some((80, 24)));
        assert_eq!(size(&[], Some((50, 132))), Some((132, 50)));
        assert_eq!(size(&[("COLUMNS", "40"), ("LINES", "many")], Some((50, 132))), Some((40, 50)));
        assert_eq!(size(&[("COLUMNS", "0")], Some((0, 0))), Some((80, 24)));
    }
}
