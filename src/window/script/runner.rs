//! Runs a script: yields one step at a time, however often its lines repeat.

use super::parser::{Drawn, ScriptLine, Step, What};
use crate::state::{Command, Entry, Typing};
use gridscope_core::geom::Point;

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
