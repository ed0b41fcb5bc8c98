//! Reads scripts. Every error names its line.

use super::colors::colors;
use super::error::{LineError, ScriptError};
use super::fields::Fields;
use super::typed::typing;
use super::usage::{unknown, usage};
use crate::input::Chord;
use crate::state::{Action, Command, Drag, Effect, Menuing, Pick, Place, Scrolling, Slicing, Swiping};
use gridscope_core::figure::Reduce;
use gridscope_core::geom::{Point, PxSize};
use gridscope_core::text::{clean, did_you_mean, nearest};
use gridscope_core::view::{Part, View};
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
    lines.map(|(number, l)| line(number, l).map_err(|e| e.at(number))).collect()
}

/// The line up to its comment.
fn without_comment(line: &str) -> &str {
    let (mut quoted, mut escaped, mut before) = (false, false, ' ');
    for (i, c) in line.char_indices() {
        let after = &line[i + c.len_utf8()..];
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' if quoted || before.is_whitespace() => quoted = !quoted,
            // A colour begins with a # too.
            '#' if !quoted
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

fn line(number: usize, text: &str) -> Result<ScriptLine, LineError> {
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
        "open" => Command::Open(fields.text("FILE")?),
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

/// `ROW,COLUMN`, else a label; a label that reads like two numbers is in quotation marks.
fn place(fields: &mut Fields) -> Result<Place, LineError> {
    let cell = fields.rest.split_once(',').and_then(|(row, column)| {
        Some(Place::Cell { row: row.trim().parse().ok()?, column: column.trim().parse().ok()? })
    });
    if let Some(cell) = cell {
        fields.rest = "";
        return Ok(cell);
    }
    fields.text("ROW,COLUMN or LABEL").map(Place::Label)
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
