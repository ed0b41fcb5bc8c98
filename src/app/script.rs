//! Scripts: a line a frame.

use super::command::Command;
use crate::geom::Point;

/// One frame of a script.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Does what a command asks.
    Do(Command),
    /// Destroys the device, so that tests see what follows.
    LoseDevice,
}

/// The frames of a script.
///
/// # Errors
/// The first line that is none: its number, and what is wrong with it.
pub fn parse(text: &str) -> Result<Vec<Step>, String> {
    let mut out = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split('#').next().unwrap_or("").split_whitespace().collect();
        let (times, words) = match words.as_slice() {
            ["repeat", n, rest @ ..] => (n.parse().map_err(|_| format!("line {}: repeat what?", i + 1))?, rest),
            all => (1, all),
        };
        let step = match words {
            [] => continue,
            ["quit"] => Step::Do(Command::Quit),
            ["home"] => Step::Do(Command::Home),
            ["save"] => Step::Do(Command::Save),
            ["lose-device"] => Step::LoseDevice,
            ["pan", x, y] => {
                let number = |t: &str| t.parse().map_err(|_| format!("line {}: '{t}' is no number", i + 1));
                let (at, by) = (Point { x: 0.0, y: 0.0 }, Point { x: number(x)?, y: number(y)? });
                Step::Do(Command::Pan { at, by, alone: false })
            }
            other => return Err(format!("line {}: '{}' is no command", i + 1, other.join(" "))),
        };
        out.extend(std::iter::repeat_n(step, times));
    }
    Ok(out)
}
