//! Prints commands as lines of a script, and runs a script step by step.

use super::parser::{Drawn, ScriptLine, Step, What, first_flag};
use super::typed::line;
use crate::state::{
    Colors, Command, Destination, Entry, Menuing, Pick, Reach, Scrolling, Slicing, Swiping, Typing,
};
use gridscope_core::geom::Point;
use std::fmt;

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let alone = |alone: bool| if alone { " alone" } else { "" };
        match self {
            Command::Point(p) => write!(f, "point {} {}", p.x, p.y),
            Command::Leave => f.write_str("leave"),
            Command::Do(action) => f.write_str(action.usage().0),
            Command::Effect(effect) => f.write_str(effect.usage().0),
            Command::Zoom { at, factor, alone: a } => {
                write!(f, "zoom {} {} {factor}{}", at.x, at.y, alone(*a))
            }
            Command::Pan { at, by, alone: a } => {
                write!(f, "pan {} {} {} {}{}", at.x, at.y, by.x, by.y, alone(*a))
            }
            Command::Begin { drag, at, alone: a } => {
                write!(f, "begin {} {} {}{}", drag.word(), at.x, at.y, alone(*a))
            }
            Command::Move(p) => write!(f, "move {} {}", p.x, p.y),
            Command::End(p) => write!(f, "end {} {}", p.x, p.y),
            Command::Fit { at, alone: a } => write!(f, "fit {} {}{}", at.x, at.y, alone(*a)),
            Command::Step { right, down, reach } => write!(f, "step {right} {down}{}", reach_word(*reach)),
            Command::Nearer(factor) => write!(f, "nearer {factor}"),
            Command::Show(v) => write!(f, "show {}:{} {}:{}", v.x.from, v.x.to, v.y.from, v.y.to),
            Command::Click { at, extend } => {
                write!(f, "click {} {}{}", at.x, at.y, if *extend { " extend" } else { "" })
            }
            Command::Select { panel, rows, columns } => {
                write!(f, "select {panel} {}:{} {}:{}", rows.start, rows.end, columns.start, columns.end)
            }
            Command::Type(typing) => f.write_str(&line(typing, quoted)),
            Command::Go(Destination::Cell { row, column }) => write!(f, "go {row},{column}"),
            Command::Go(Destination::Label(text)) if text.contains(',') => {
                write!(f, "go {}", serde_json::Value::from(text.as_str()))
            }
            Command::Go(Destination::Label(text)) => write!(f, "go {}", quoted(text)),
            Command::Panel(Some(panel)) => write!(f, "panel {panel}"),
            Command::Panel(None) => f.write_str("panel all"),
            Command::Swipe(Swiping::Toggle) => f.write_str("swipe"),
            Command::Swipe(Swiping::To(share)) => write!(f, "swipe {share}"),
            Command::Swipe(Swiping::By(share)) => write!(f, "swipe by {share}"),
            Command::Scroll(Scrolling::Lines(n)) => write!(f, "scroll {n}"),
            Command::Scroll(Scrolling::Pages(n)) => write!(f, "scroll {n} pages"),
            Command::Pick(Pick::Step { right, down }) => write!(f, "pick {right} {down}"),
            Command::Pick(Pick::At(at)) => write!(f, "pick at {} {}", at.x, at.y),
            Command::Menu(Menuing::At(p)) => write!(f, "menu at {} {}", p.x, p.y),
            Command::Menu(Menuing::Here) => f.write_str("menu here"),
            Command::Menu(Menuing::Main) => f.write_str("menu"),
            Command::Menu(Menuing::Step(by)) => write!(f, "entry {by}"),
            Command::Open { file, flags } => {
                let file = match first_flag(file) {
                    Some(_) => serde_json::Value::from(file.as_str()).to_string(),
                    None => quoted(file),
                };
                write!(f, "open {file}{}", flags_text(flags))
            }
            Command::Save(file) => write!(f, "save-as {}", quoted(file)),
            Command::Read(flags) => write!(f, "read{}", flags_text(flags)),
            Command::Reduce(None) => f.write_str("reduce"),
            Command::Reduce(Some(reduce)) => write!(f, "reduce {}", reduce.word()),
            Command::Colors(colors) => write!(f, "{colors}"),
            Command::Slice(slicing) => write!(f, "{slicing}"),
        }
    }
}

impl fmt::Display for Slicing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, by) = match *self {
            Slicing::To { axis, index } => return write!(f, "slice {axis} {index}"),
            Slicing::Speed(speed) => return write!(f, "slice speed {speed}"),
            Slicing::At(p) => return write!(f, "slice at {} {}", p.x, p.y),
            Slicing::Turn { at, by } => return write!(f, "slice turn {} {} {by}", at.x, at.y),
            Slicing::By(by) => ("slice", by),
            Slicing::Axis(by) => ("slice axis", i64::from(by)),
        };
        match by {
            1 => write!(f, "{what} next"),
            -1 => write!(f, "{what} previous"),
            n if n < 0 => write!(f, "{what} previous {}", n.unsigned_abs()),
            n => write!(f, "{what} next {n}"),
        }
    }
}

impl fmt::Display for Colors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Colors::Turn(1) => f.write_str("map next"),
            Colors::Turn(-1) => f.write_str("map previous"),
            Colors::Turn(n) if *n < 0 => write!(f, "map previous {}", n.unsigned_abs()),
            Colors::Turn(n) => write!(f, "map next {n}"),
            Colors::Map(name) => write!(f, "map {}", quoted(name)),
            Colors::Invert => f.write_str("invert"),
            Colors::NextNorm => f.write_str("norm"),
            Colors::Norm(norm) => write!(f, "norm {}", quoted(norm)),
            Colors::Limits(low, high) => write!(f, "limits {low} {high}"),
            Colors::Percentiles(low, high) => write!(f, "limits {low}% {high}%"),
            Colors::Center(Some(center)) => write!(f, "center {center}"),
            Colors::Center(None) => f.write_str("center auto"),
            Colors::InView => f.write_str("limits view"),
            Colors::Low(low) => write!(f, "vmin {low}"),
            Colors::High(high) => write!(f, "vmax {high}"),
            Colors::Auto => f.write_str("limits auto"),
            Colors::HideBelow(v) => write!(f, "hide-below {v}"),
            Colors::HideAbove(v) => write!(f, "hide-above {v}"),
            Colors::HideNone => f.write_str("hide none"),
        }
    }
}

/// Flags after a blank, as in a shell.
fn flags_text(flags: &[String]) -> String {
    let quoted =
        |flag: &String| shlex::try_quote(flag).map_or_else(|_| String::new(), |text| format!(" {text}"));
    flags.iter().map(quoted).collect()
}

fn reach_word(reach: Reach) -> &'static str {
    match reach {
        Reach::Step => "",
        Reach::Page => " page",
        Reach::Edge => " edge",
    }
}

/// The text unchanged if it reads back the same, else as a JSON string.
fn quoted(text: &str) -> String {
    let plain = !text.is_empty()
        && text.trim() == text
        && !text.contains(['"', '#'])
        && !text.chars().any(char::is_control);
    // Printing a string as JSON cannot fail.
    if plain { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}

/// The steps of a script in order. Repetitions are counted, not expanded.
#[derive(Clone, Debug)]
pub(crate) struct Runner {
    lines: Vec<ScriptLine>,
    /// Which line.
    at: usize,
    /// How often it has run.
    times: u64,
    /// Which of its steps is next.
    step: u64,
}

impl Runner {
    /// A runner before the first line.
    pub(crate) fn new(lines: Vec<ScriptLine>) -> Self {
        Self { lines, at: 0, times: 0, step: 0 }
    }

    /// The number of the line that the next step comes from, counted from 1.
    #[cfg(test)]
    pub(crate) fn line(&self) -> Option<usize> {
        self.lines.get(self.at).map(|l| l.number)
    }
}

impl Iterator for Runner {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let line = self.lines.get(self.at)?;
        let (step, last) = match &line.what {
            What::Step(step) => (step.clone(), 0),
            What::Drag(drag) => (Step::Do(drag.step(self.step)), drag.steps.saturating_add(1)),
            What::Search(text) => (Step::Do(Command::Type(search(text, self.step))), 2),
        };
        self.step += 1;
        if self.step > last {
            (self.step, self.times) = (0, self.times + 1);
        }
        if self.times >= line.times {
            (self.at, self.times) = (self.at + 1, 0);
        }
        Some(step)
    }
}

/// The steps of a search: open, type, go to the match.
fn search(text: &str, step: u64) -> Typing {
    match step {
        0 => Typing::Open(Entry::Search),
        1 => Typing::Text(text.to_owned()),
        _ => Typing::Enter { back: false },
    }
}

impl Drawn {
    /// Begin, moves, end.
    fn step(&self, step: u64) -> Command {
        if step == 0 {
            return Command::Begin { drag: self.drag, at: self.from, alone: self.alone };
        }
        if step >= self.steps {
            return if step == self.steps { Command::Move(self.to) } else { Command::End(self.to) };
        }
        let share = step as f64 / self.steps as f64;
        let between = |a: f64, b: f64| a + (b - a) * share;
        Command::Move(Point { x: between(self.from.x, self.to.x), y: between(self.from.y, self.to.y) })
    }
}
