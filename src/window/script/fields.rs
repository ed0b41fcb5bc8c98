//! The rest of a line after its first word, read field by field.

use super::error::LineError;
use crate::state::{Drag, Reach};
use gridscope_core::geom::Point;
use gridscope_core::text::{clean, did_you_mean, nearest};
use std::ops::Range;
use std::str::FromStr;
use std::time::Duration;

/// The fields of a line that have not been read yet.
pub(super) struct Fields<'a> {
    usage: &'static str,
    /// The rest, without surrounding blanks.
    pub rest: &'a str,
}

impl<'a> Fields<'a> {
    pub(super) fn new(usage: &'static str, rest: &'a str) -> Self {
        Self { usage, rest }
    }

    /// Checks that nothing is left.
    pub(super) fn end(&self) -> Result<(), LineError> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.expected("the end of the line")) }
    }

    /// Expected and found text; the hint is how the line is written.
    pub(super) fn expected(&self, what: &str) -> LineError {
        let found = self
            .rest
            .split_whitespace()
            .next()
            .map_or("the end of the line".to_owned(), |w| format!("'{}'", clean(w)));
        LineError {
            what: format!("expected {what}, found {found}"),
            hint: Some(format!("usage: {}", self.usage)),
        }
    }

    /// The next field.
    pub(super) fn word(&mut self, name: &str) -> Result<&'a str, LineError> {
        self.read(name, Some)
    }

    /// The next field as `read` understands it; a field that it does not understand is not taken.
    fn read<T>(&mut self, name: &str, read: impl FnOnce(&'a str) -> Option<T>) -> Result<T, LineError> {
        let (word, after) = self.rest.split_once(char::is_whitespace).unwrap_or((self.rest, ""));
        let value = Some(word).filter(|w| !w.is_empty()).and_then(read).ok_or_else(|| self.expected(name))?;
        self.rest = after.trim_start();
        Ok(value)
    }

    /// Takes an optional word; whether it was there.
    pub(super) fn flag(&mut self, word: &str) -> bool {
        self.read(word, |w| (w == word).then_some(())).is_ok()
    }

    pub(super) fn number<T: FromStr>(&mut self, name: &str) -> Result<T, LineError> {
        self.read(name, |w| w.parse().ok())
    }

    pub(super) fn above_zero(&mut self, name: &str) -> Result<u32, LineError> {
        self.read(name, |w| w.parse().ok().filter(|n| *n > 0))
    }

    pub(super) fn finite(&mut self, name: &str) -> Result<f64, LineError> {
        self.read(name, |w| w.parse().ok().filter(|v: &f64| v.is_finite()))
    }

    /// The number of fields that are left.
    pub(super) fn count(&self) -> usize {
        self.rest.split_whitespace().count()
    }

    /// `N%`, from 0 to 100.
    pub(super) fn percent(&mut self, name: &str) -> Result<f64, LineError> {
        self.read(name, |w| {
            let number: f64 = w.strip_suffix('%')?.parse().ok()?;
            (0.0..=100.0).contains(&number).then_some(number)
        })
    }

    /// `next [N]` or `previous [N]`, below 0; `None` where neither word is there.
    pub(super) fn turned(&mut self) -> Result<Option<i64>, LineError> {
        let is_next = self.flag("next");
        if !is_next && !self.flag("previous") {
            return Ok(None);
        }
        if self.rest.is_empty() {
            return Ok(Some(if is_next { 1 } else { -1 }));
        }
        let n = self.number::<u64>("N")?;
        let by = if is_next { i64::try_from(n).ok() } else { 0i64.checked_sub_unsigned(n) };
        by.map(Some).ok_or_else(|| self.expected("a smaller N"))
    }

    /// One of a few words.
    pub(super) fn one_of<T: Copy>(&mut self, name: &str, words: &[(&str, T)]) -> Result<T, LineError> {
        self.read(name, |w| words.iter().find(|known| known.0 == w).map(|known| known.1))
    }

    pub(super) fn factor(&mut self) -> Result<f64, LineError> {
        self.read("a FACTOR above 0", |w| w.parse().ok().filter(|v: &f64| v.is_finite() && *v > 0.0))
    }

    pub(super) fn seconds(&mut self) -> Result<Duration, LineError> {
        self.read("SECONDS", |w| w.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok()))
    }

    pub(super) fn point(&mut self) -> Result<Point, LineError> {
        Ok(Point { x: self.finite("a number of pixels")?, y: self.finite("a number of pixels")? })
    }

    /// `A:B` with A below B.
    pub(super) fn range<T: FromStr + PartialOrd>(&mut self, name: &str) -> Result<Range<T>, LineError> {
        let ends = |w: &str| {
            let (a, b) = w.split_once(':')?;
            let range = a.parse().ok()?..b.parse().ok()?;
            (range.start < range.end).then_some(range)
        };
        self.read(name, ends)
    }

    pub(super) fn drag(&mut self) -> Result<Drag, LineError> {
        let near =
            nearest(self.rest.split_whitespace().next().unwrap_or(""), Drag::ALL.into_iter().map(Drag::word));
        let drag = self.read("pan, box, select, limits, fine, overview, slice or divider", |w| {
            Drag::ALL.into_iter().find(|d| d.word() == w)
        });
        drag.map_err(|e| LineError { what: e.what + &did_you_mean(near), ..e })
    }

    pub(super) fn reach(&mut self) -> Reach {
        if self.flag("page") {
            Reach::Page
        } else if self.flag("edge") {
            Reach::Edge
        } else {
            Reach::Step
        }
    }

    /// All that is left as text, or as a JSON string where it begins with a quotation mark.
    pub(super) fn text(&mut self, name: &str) -> Result<String, LineError> {
        let rest = std::mem::take(&mut self.rest);
        if rest.is_empty() {
            return Err(self.expected(name));
        }
        if rest.starts_with('"') {
            return serde_json::from_str(rest)
                .map_err(|_| LineError::new(format_args!("'{}' is not a JSON string", clean(rest))));
        }
        Ok(rest.to_owned())
    }
}

impl Drag {
    /// All of them.
    const ALL: [Drag; 8] = [
        Drag::Pan,
        Drag::Box,
        Drag::Select,
        Drag::Limits,
        Drag::Fine,
        Drag::Overview,
        Drag::Slice,
        Drag::Divider,
    ];

    /// Its word in a script.
    pub(super) fn word(self) -> &'static str {
        match self {
            Drag::Pan => "pan",
            Drag::Box => "box",
            Drag::Select => "select",
            Drag::Limits => "limits",
            Drag::Fine => "fine",
            Drag::Overview => "overview",
            Drag::Slice => "slice",
            Drag::Divider => "divider",
        }
    }
}
