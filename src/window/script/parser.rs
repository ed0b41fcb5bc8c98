//! Reads scripts line by line and field by field. Every error names its line.

use super::completion::{unknown, usage};
use super::typed::typing;
use crate::input::Chord;
use crate::state::{
    Action, Colors, Command, Destination, Drag, Effect, Menuing, Pick, Reach, Scrolling, Slicing, Swiping,
};
use gridscope_core::figure::Reduce;
use gridscope_core::geom::{Point, PxSize};
use gridscope_core::scale::{Colormap, NormSpec};
use gridscope_core::text::{clean, did_you_mean, nearest};
use gridscope_core::view::{Part, View};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::time::Duration;

/// One thing that a script does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// A command.
    Do(Command),
    /// Nothing happens for this long.
    Wait(Duration),
    /// The window gets this size in pixels.
    Size(PxSize),
    /// A key goes down, as if typed.
    Key(Chord),
    /// The graphics device is lost.
    LoseDevice,
}

/// One line of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptLine {
    /// Its number in the file, counted from 1.
    pub number: usize,
    /// How often it runs.
    pub times: u64,
    /// Its effect.
    pub(super) what: What,
}

/// Effect of a line: one step, or several that belong together.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    Step(Step),
    Drag(Drawn),
    Search(String),
}

/// A whole drag.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Drawn {
    pub drag: Drag,
    pub from: Point,
    pub to: Point,
    pub steps: u64,
    pub alone: bool,
}

impl ScriptLine {
    /// Its step, if it is one that runs once.
    pub(crate) fn single(&self) -> Option<&Step> {
        match &self.what {
            What::Step(step) if self.times == 1 => Some(step),
            What::Step(_) | What::Drag(_) | What::Search(_) => None,
        }
    }
}

/// Reads a script: one command per line. A `#` at the beginning of a line, or between blanks, begins a comment.
///
/// # Errors
/// The first line that cannot be read, and why.
pub fn parse(text: &str) -> Result<Vec<ScriptLine>, ScriptError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text
        .lines()
        .enumerate()
        .map(|(i, l)| (i + 1, without_comment(l).trim()))
        .filter(|(_, l)| !l.is_empty());
    lines.map(|(number, l)| script_line(number, l).map_err(|e| e.at(number))).collect()
}

/// The line up to its comment.
fn without_comment(line: &str) -> &str {
    let (mut quoted, mut escaped, mut before): (Option<char>, _, _) = (None, false, ' ');
    for (i, c) in line.char_indices() {
        let after = &line[i + c.len_utf8()..];
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted == Some('"') => escaped = true,
            '"' | '\'' if quoted == Some(c) => quoted = None,
            '"' | '\'' if quoted.is_none() && (before.is_whitespace() || before == '=') => quoted = Some(c),
            // A colour begins with a # too.
            '#' if quoted.is_none()
                && before.is_whitespace()
                && (line[..i].trim().is_empty() || !after.starts_with(|c: char| !c.is_whitespace())) =>
            {
                return &line[..i];
            }
            _ => {}
        }
        before = c;
    }
    line
}

fn script_line(number: usize, text: &str) -> Result<ScriptLine, LineError> {
    let (mut times, mut rest) = (1u64, text);
    loop {
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let mut fields = Fields::new(usage(word), after.trim_start());
        if word != "repeat" {
            let what = what(word, &mut fields)?;
            fields.end()?;
            return Ok(ScriptLine { number, times, what });
        }
        let n: u64 = fields.number("N")?;
        // Nested repeats multiply, without recursion: no depth of them can exhaust the stack.
        times = times
            .checked_mul(n)
            .filter(|t| *t > 0)
            .ok_or_else(|| LineError::new("repeat takes an N from 1 to 2^64"))?;
        rest = fields.rest;
        if rest.is_empty() {
            return Err(fields.expected("a LINE"));
        }
    }
}

fn what(word: &str, fields: &mut Fields) -> Result<What, LineError> {
    let step = match word {
        "drag" => return drawn(fields).map(What::Drag),
        "search" if !fields.rest.is_empty() => return fields.text("TEXT").map(What::Search),
        "wait" => Step::Wait(fields.seconds()?),
        "size" => Step::Size(PxSize { w: fields.above_zero("W")?, h: fields.above_zero("H")? }),
        "key" => Step::Key(fields.word("KEYS")?.parse().map_err(LineError::new)?),
        "lose-device" => Step::LoseDevice,
        _ => Step::Do(command(word, fields)?),
    };
    Ok(What::Step(step))
}

fn drawn(fields: &mut Fields) -> Result<Drawn, LineError> {
    let (drag, from, to) = (fields.drag()?, fields.point()?, fields.point()?);
    let counted = fields.rest.starts_with(|c: char| c.is_ascii_digit());
    let steps = if counted { fields.above_zero("N")? } else { 1 };
    if counted && !fields.flag("steps") && !fields.flag("step") {
        return Err(fields.expected("'steps' after N"));
    }
    Ok(Drawn { drag, from, to, steps: u64::from(steps), alone: fields.flag("alone") })
}

fn command(word: &str, fields: &mut Fields) -> Result<Command, LineError> {
    if let Some(typing) = typing(word, fields)? {
        return Ok(Command::Type(typing));
    }
    if let Some(colors) = colors(word, fields)? {
        return Ok(Command::Colors(colors));
    }
    Ok(match word {
        "point" => Command::Point(fields.point()?),
        "leave" => Command::Leave,
        "zoom" if fields.count() == 1 => Command::Nearer(fields.factor()?),
        "zoom" => {
            Command::Zoom { at: fields.point()?, factor: fields.factor()?, alone: fields.flag("alone") }
        }
        "pan" => Command::Pan { at: fields.point()?, by: fields.point()?, alone: fields.flag("alone") },
        "begin" => Command::Begin { drag: fields.drag()?, at: fields.point()?, alone: fields.flag("alone") },
        "move" => Command::Move(fields.point()?),
        "end" => Command::End(fields.point()?),
        "fit" => Command::Fit { at: fields.point()?, alone: fields.flag("alone") },
        "step" => Command::Step {
            right: fields.number("RIGHT")?,
            down: fields.number("DOWN")?,
            reach: fields.reach(),
        },
        "help" => Command::Do(Action::Keys),
        "go" => Command::Go(place(fields)?),
        "nearer" => Command::Nearer(fields.factor()?),
        "show" => {
            let (x, y) = (fields.range::<f64>("X0:X1")?, fields.range::<f64>("Y0:Y1")?);
            Command::Show(View { x: Part { from: x.start, to: x.end }, y: Part { from: y.start, to: y.end } })
        }
        "click" => Command::Click { at: fields.point()?, extend: fields.flag("extend") },
        "select" => Command::Select {
            panel: fields.number("PANEL")?,
            rows: fields.range("ROW:ROW")?,
            columns: fields.range("COLUMN:COLUMN")?,
        },
        "swipe" => Command::Swipe(swiping(fields)?),
        "panel" if fields.flag("all") => Command::Panel(None),
        "panel" => Command::Panel(Some(fields.number("PANEL")?)),
        "pick" if fields.flag("at") => Command::Pick(Pick::At(fields.point()?)),
        "pick" => {
            Command::Pick(Pick::Step { right: fields.number("RIGHT or at")?, down: fields.number("DOWN")? })
        }
        "scroll" => {
            let n = fields.number("N")?;
            Command::Scroll(match fields.flag("pages") {
                true => Scrolling::Pages(n),
                false => Scrolling::Lines(n),
            })
        }
        "menu" if fields.rest.is_empty() => Command::Menu(Menuing::Main),
        "menu" if fields.flag("here") => Command::Menu(Menuing::Here),
        "menu" if fields.flag("at") => Command::Menu(Menuing::At(fields.point()?)),
        "menu" => return Err(fields.expected("'at' or 'here'")),
        "entry" => Command::Menu(Menuing::Step(fields.number("N")?)),
        "open" => opened(fields)?,
        "save-as" => Command::Save(fields.text("FILE")?),
        "compare" => Command::Read(vec!["--against".to_owned(), fields.text("FILE")?]),
        "read" => Command::Read(fields.flags()?),
        "reduce" if fields.rest.is_empty() => Command::Reduce(None),
        "reduce" => Command::Reduce(Some(reduction(fields.word("REDUCTION")?)?)),
        "slice" => Command::Slice(slicing(fields)?),
        _ => {
            let action = Action::of_word(word).map(Command::Do);
            let effect = || Effect::of_word(word).map(Command::Effect);
            return action.or_else(effect).ok_or_else(|| LineError::new(unknown(word)));
        }
    })
}

/// A file, in quotation marks where its name holds what reads as a flag, and flags.
fn opened(fields: &mut Fields) -> Result<Command, LineError> {
    let rest = fields.rest;
    let end = if rest.starts_with('"') {
        let mut texts = serde_json::Deserializer::from_str(rest).into_iter::<serde::de::IgnoredAny>();
        let _ = texts.next();
        texts.byte_offset()
    } else {
        first_flag(rest).unwrap_or(rest.len())
    };
    let (file, flags) = rest.split_at_checked(end).unwrap_or((rest, ""));
    fields.rest = file.trim_end();
    let file = fields.text("FILE")?;
    fields.rest = flags.trim_start();
    Ok(Command::Open { file, flags: fields.flags()? })
}

/// Where the first flag of a text begins.
pub(super) fn first_flag(text: &str) -> Option<usize> {
    let begins = |at: usize| {
        let word = text[at..].trim_start();
        word.trim_start_matches(['\'', '"'])
            .strip_prefix('-')
            .is_some_and(|flag| flag.starts_with(|c: char| c == '-' || c.is_ascii_alphabetic()))
    };
    text.char_indices().find(|(at, c)| c.is_whitespace() && begins(*at)).map(|(at, _)| at)
}

/// `ROW,COLUMN`, else a label; a label that reads like two numbers is in quotation marks.
fn place(fields: &mut Fields) -> Result<Destination, LineError> {
    let cell = fields.rest.split_once(',').and_then(|(row, column)| {
        Some(Destination::Cell { row: row.trim().parse().ok()?, column: column.trim().parse().ok()? })
    });
    if let Some(cell) = cell {
        fields.rest = "";
        return Ok(cell);
    }
    fields.text("ROW,COLUMN or LABEL").map(Destination::Label)
}

fn reduction(word: &str) -> Result<Reduce, LineError> {
    word.parse().map_err(|_| {
        let near = did_you_mean(nearest(word, Reduce::WORDS.iter().copied()));
        LineError::new(format_args!("'{}' is not one of {}{near}", clean(word), Reduce::WORDS.join(", ")))
    })
}

fn swiping(fields: &mut Fields) -> Result<Swiping, LineError> {
    if fields.rest.is_empty() {
        return Ok(Swiping::Toggle);
    }
    if fields.flag("by") {
        return fields.finite("SHARE").map(Swiping::By);
    }
    fields.finite("SHARE or by").map(Swiping::To)
}

fn slicing(fields: &mut Fields) -> Result<Slicing, LineError> {
    if fields.flag("at") {
        return Ok(Slicing::At(fields.point()?));
    }
    if fields.flag("turn") {
        return Ok(Slicing::Turn { at: fields.point()?, by: fields.number("N")? });
    }
    if fields.flag("speed") {
        return fields.finite("slices in a second").map(Slicing::Speed);
    }
    let of_axis = fields.flag("axis");
    if let Some(by) = fields.turned()? {
        return match i32::try_from(by) {
            Ok(by) if of_axis => Ok(Slicing::Axis(by)),
            Err(_) if of_axis => Err(fields.expected("a smaller N")),
            _ => Ok(Slicing::By(by)),
        };
    }
    if of_axis {
        return Err(fields.expected("next or previous"));
    }
    Ok(Slicing::To { axis: fields.number("AXIS, next, previous or axis")?, index: fields.number("INDEX")? })
}

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

    /// All that is left, as flags: texts in quotation marks as in a shell.
    pub(super) fn flags(&mut self) -> Result<Vec<String>, LineError> {
        let rest = std::mem::take(&mut self.rest);
        shlex::split(rest).ok_or_else(|| {
            LineError::new(format_args!("'{}' has a quotation mark that is not closed", clean(rest)))
        })
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

/// The change that a line describes; `None` for words that have nothing to do with colours.
pub(super) fn colors(word: &str, fields: &mut Fields<'_>) -> Result<Option<Colors>, LineError> {
    Ok(Some(match word {
        "map" | "cmap" => map(fields)?,
        "invert" => Colors::Invert,
        "norm" if fields.rest.is_empty() => Colors::NextNorm,
        "norm" => {
            let norm = fields.text("NORM")?;
            // Whether the figure has a centre is not known here, so a norm that needs one is accepted.
            norm.parse::<NormSpec>().map_err(|e| LineError::new(clean(&e.to_string())))?;
            Colors::Norm(norm)
        }
        "limits" if fields.flag("auto") => Colors::Auto,
        "limits" if fields.flag("view") => Colors::InView,
        "limits" => limits(fields)?,
        "center" if fields.flag("auto") => Colors::Center(None),
        "center" => Colors::Center(Some(fields.finite("a number or auto")?)),
        "vmin" => Colors::Low(fields.finite("a number")?),
        "vmax" => Colors::High(fields.finite("a number")?),
        "hide-below" => Colors::HideBelow(fields.finite("a number")?),
        "hide-above" => Colors::HideAbove(fields.finite("a number")?),
        "hide" if fields.flag("none") => Colors::HideNone,
        "hide" => return Err(fields.expected("'none'")),
        _ => return Ok(None),
    }))
}

/// Two limits, as values or as percentiles.
fn limits(fields: &mut Fields<'_>) -> Result<Colors, LineError> {
    let percent = fields.rest.split_whitespace().next().is_some_and(|w| w.ends_with('%'));
    let (low, high) = if percent {
        (fields.percent("LOW%")?, fields.percent("HIGH%")?)
    } else {
        (fields.finite("LOW, view or auto")?, fields.finite("HIGH")?)
    };
    let sign = if percent { "%" } else { "" };
    if low >= high {
        return Err(LineError::new(format_args!(
            "limits takes a LOW below HIGH, not {low}{sign} and {high}{sign}"
        )));
    }
    Ok(if percent { Colors::Percentiles(low, high) } else { Colors::Limits(low, high) })
}

fn map(fields: &mut Fields<'_>) -> Result<Colors, LineError> {
    if let Some(by) = fields.turned()? {
        return i32::try_from(by).map(Colors::Turn).map_err(|_| fields.expected("a smaller N"));
    }
    let name = fields.text("NAME")?;
    name.parse::<Colormap>().map_err(|e| LineError::new(clean(&e.to_string())))?;
    Ok(Colors::Map(name))
}

/// Why a script cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScriptError {
    /// The line, from 1.
    pub line: usize,
    /// Reason.
    pub what: String,
    /// How the line is written, where that may help.
    pub hint: Option<String>,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for ScriptError {}

/// A [`ScriptError`] whose line is not known yet.
#[derive(Debug)]
pub(super) struct LineError {
    pub what: String,
    pub hint: Option<String>,
}

impl LineError {
    pub(super) fn new(what: impl fmt::Display) -> Self {
        Self { what: what.to_string(), hint: None }
    }

    /// The error of a line, from 1.
    pub(super) fn at(self, line: usize) -> ScriptError {
        ScriptError { line, what: self.what, hint: self.hint }
    }
}
