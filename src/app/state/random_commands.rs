//! Commands of every kind, for tests.

use super::action::{Action, Effect};
use super::command::{Colors, Command, Drag, Reach, Typing};
use crate::app::dice::Dice;
use crate::figure::Reduce;
use crate::scale::Colormap;
use crate::view::{Part, View};

/// A command of every variant.
pub(crate) fn all(d: &mut Dice) -> Vec<Command> {
    let all: Vec<Command> = (0..).map_while(|v| some(v, d)).collect();
    assert!(
        all.iter()
            .enumerate()
            .all(|(i, c)| number(c).is_none_or(|n| n == i))
    );
    assert_eq!(all.iter().filter_map(number).max(), Some(VARIANTS - 1));
    all
}

/// A command of this variant, in the order of `number`.
pub(crate) fn some(variant: usize, d: &mut Dice) -> Option<Command> {
    let flag = d.below(2) == 0;
    Some(match variant {
        0 => Command::Point(d.point()),
        1 => Command::Leave,
        2 => Command::Zoom {
            at: d.point(),
            factor: d.number().abs() + f64::MIN_POSITIVE,
            alone: flag,
        },
        3 => Command::Pan {
            at: d.point(),
            by: d.point(),
            alone: flag,
        },
        4 => Command::Begin {
            drag: [Drag::Pan, Drag::Box, Drag::Select, Drag::Limits][d.below(4) as usize],
            at: d.point(),
            alone: flag,
        },
        5 => Command::Move(d.point()),
        6 => Command::End(d.point()),
        7 => Command::Fit {
            at: d.point(),
            alone: flag,
        },
        8 => {
            let reach = [Reach::Step, Reach::Page, Reach::Edge][d.below(3) as usize];
            Command::Step {
                right: d.roll() as i32,
                down: d.roll() as i32,
                reach,
            }
        }
        9 => Command::Nearer(d.number().abs() + 0.001),
        10 => {
            let part = |(from, to)| Part { from, to };
            Command::Show(View {
                x: part(d.ascending()),
                y: part(d.ascending()),
            })
        }
        11 => Command::Click {
            at: d.point(),
            extend: flag,
        },
        12 => {
            let mut range = || {
                Some(d.below(1 << 40) as usize)
                    .map(|a| a..a + 1 + d.below(9) as usize)
                    .unwrap()
            };
            Command::Select {
                panel: 3,
                rows: range(),
                columns: range(),
            }
        }
        13 => Command::Search(Typing::Open),
        14 => Command::Search(Typing::Text(d.text())),
        15 => Command::Search(Typing::Erase),
        16 => Command::Search(Typing::Next),
        17 => Command::Reduce(None),
        18 => Command::Reduce(
            Reduce::WORDS[d.below(Reduce::WORDS.len() as u64) as usize]
                .parse()
                .ok(),
        ),
        19 => Command::Colors(Colors::Turn(
            [1, -1, 0, i32::MIN, i32::MAX, d.roll() as i32][d.below(6) as usize],
        )),
        20 => {
            let names: Vec<&str> = Colormap::names()
                .chain(["#a00,#0f0 , white", "red,blue"])
                .collect();
            Command::Colors(Colors::Map(
                names[d.below(names.len() as u64) as usize].to_owned(),
            ))
        }
        21 => Command::Colors(Colors::Invert),
        22 => Command::Colors(Colors::NextNorm),
        23 => Command::Colors(Colors::Norm(
            ["log", "symlog:0.5,2", "twoslope", "bounds:0,10,50"][d.below(4) as usize].to_owned(),
        )),
        24 => Some(d.ascending())
            .map(|(low, high)| Command::Colors(Colors::Limits(low, high)))
            .unwrap(),
        25 => Command::Colors(Colors::Auto),
        _ => {
            let simple = Action::ALL.iter().map(|a| Command::Do(*a));
            let mut simple = simple.chain(Effect::ALL.iter().map(|e| Command::Effect(*e)));
            return simple.nth(variant - VARIANTS);
        }
    })
}

/// Variants with arguments of their own.
const VARIANTS: usize = 26;

/// The index of a variant in `some`; a new variant does not compile until it is listed here.
fn number(command: &Command) -> Option<usize> {
    Some(match command {
        Command::Point(_) => 0,
        Command::Leave => 1,
        Command::Zoom { .. } => 2,
        Command::Pan { .. } => 3,
        Command::Begin { .. } => 4,
        Command::Move(_) => 5,
        Command::End(_) => 6,
        Command::Fit { .. } => 7,
        Command::Step { .. } => 8,
        Command::Nearer(_) => 9,
        Command::Show(_) => 10,
        Command::Click { .. } => 11,
        Command::Select { .. } => 12,
        Command::Search(Typing::Open) => 13,
        Command::Search(Typing::Text(_)) => 14,
        Command::Search(Typing::Erase) => 15,
        Command::Search(Typing::Next) => 16,
        Command::Reduce(None) => 17,
        Command::Reduce(Some(_)) => 18,
        Command::Colors(Colors::Turn(_)) => 19,
        Command::Colors(Colors::Map(_)) => 20,
        Command::Colors(Colors::Invert) => 21,
        Command::Colors(Colors::NextNorm) => 22,
        Command::Colors(Colors::Norm(_)) => 23,
        Command::Colors(Colors::Limits(..)) => 24,
        Command::Colors(Colors::Auto) => 25,
        Command::Do(_) | Command::Effect(_) => return None,
    })
}
