//! The rest of a line after its first word, taken field by field.

use crate::app::state::{Drag, Reach};
use crate::geom::Point;
use crate::text::{clean, did_you_mean, nearest};
use std::ops::Range;
use std::str::FromStr;
use std::time::Duration;

/// The fields of a line that are not yet read.
pub struct Fields<'a> {
    usage: &'static str,
    /// What is left, without blanks around it.
    pub rest: &'a str,
}

impl<'a> Fields<'a> {
    pub fn new(usage: &'static str, rest: &'a str) -> Self {
        Self { usage, rest }
    }

    /// Nothing may be left.
    pub fn end(&self) -> Result<(), String> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(self.wants("the end of the line"))
        }
    }

    /// What was wanted here, what was found, and how the line is written.
    pub fn wants(&self, what: &str) -> String {
        let found = self
            .rest
            .split_whitespace()
            .next()
            .map_or("the end of the line".to_owned(), |w| format!("'{}'", clean(w)));
        format!(
            "expected {what}, found {found}; usage: {usage}",
            usage = self.usage
        )
    }

    /// The next field.
    pub fn word(&mut self, name: &str) -> Result<&'a str, String> {
        self.read(name, Some)
    }

    /// The next field, read somehow; it stays where it cannot be read.
    fn read<T>(&mut self, name: &str, read: impl FnOnce(&'a str) -> Option<T>) -> Result<T, String> {
        let (word, after) = self
            .rest
            .split_once(char::is_whitespace)
            .unwrap_or((self.rest, ""));
        let value = Some(word)
            .filter(|w| !w.is_empty())
            .and_then(read)
            .ok_or_else(|| self.wants(name))?;
        self.rest = after.trim_start();
        Ok(value)
    }

    /// Takes an optional word.
    pub fn flag(&mut self, word: &str) -> bool {
        self.read(word, |w| (w == word).then_some(())).is_ok()
    }

    pub fn number<T: FromStr>(&mut self, name: &str) -> Result<T, String> {
        self.read(name, |w| w.parse().ok())
    }

    pub fn above_zero(&mut self, name: &str) -> Result<u32, String> {
        self.read(name, |w| w.parse().ok().filter(|n| *n > 0))
    }

    pub fn finite(&mut self, name: &str) -> Result<f64, String> {
        self.read(name, |w| w.parse().ok().filter(|v: &f64| v.is_finite()))
    }

    pub fn factor(&mut self) -> Result<f64, String> {
        self.read("a FACTOR above 0", |w| {
            w.parse().ok().filter(|v: &f64| v.is_finite() && *v > 0.0)
        })
    }

    pub fn seconds(&mut self) -> Result<Duration, String> {
        self.read("SECONDS", |w| {
            w.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok())
        })
    }

    pub fn point(&mut self) -> Result<Point, String> {
        Ok(Point {
            x: self.finite("a number of pixels")?,
            y: self.finite("a number of pixels")?,
        })
    }

    /// `A:B` with A below B.
    pub fn range<T: FromStr + PartialOrd>(&mut self, name: &str) -> Result<Range<T>, String> {
        let ends = |w: &str| {
            let (a, b) = w.split_once(':')?;
            let range = a.parse().ok()?..b.parse().ok()?;
            (range.start < range.end).then_some(range)
        };
        self.read(name, ends)
    }

    pub fn drag(&mut self) -> Result<Drag, String> {
        let near = nearest(
            self.rest.split_whitespace().next().unwrap_or(""),
            Drag::ALL.into_iter().map(Drag::word),
        );
        let drag = self.read("pan, box, select or limits", |w| {
            Drag::ALL.into_iter().find(|d| d.word() == w)
        });
        drag.map_err(|e| format!("{e}{}", did_you_mean(near)))
    }

    pub fn reach(&mut self) -> Reach {
        if self.flag("page") {
            Reach::Page
        } else if self.flag("edge") {
            Reach::Edge
        } else {
            Reach::Step
        }
    }

    /// All that is left as text; between quotation marks: as in JSON.
    pub fn text(&mut self, name: &str) -> Result<String, String> {
        let rest = std::mem::take(&mut self.rest);
        if rest.is_empty() {
            return Err(self.wants(name));
        }
        if rest.starts_with('"') {
            return serde_json::from_str(rest)
                .map_err(|_| format!("'{}' is not a text in quotation marks, as in JSON", clean(rest)));
        }
        Ok(rest.to_owned())
    }
}

impl Drag {
    /// All of them.
    const ALL: [Drag; 4] = [Drag::Pan, Drag::Box, Drag::Select, Drag::Limits];

    /// Its word in a script.
    pub(super) fn word(self) -> &'static str {
        match self {
            Drag::Pan => "pan",
            Drag::Box => "box",
            Drag::Select => "select",
            Drag::Limits => "limits",
        }
    }
}
