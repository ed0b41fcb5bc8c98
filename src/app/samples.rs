//! Commands of every kind, for tests.

use super::command::{Colors, Command, Drag, Reach, Typing};
use crate::figure::Reduce;
use crate::geom::Point;
use crate::scale::Colormap;
use crate::view::{Part, View};

/// Numbers without a pattern, the same in every run.
pub struct Dice(pub u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.roll() % n
    }

    /// Any finite number, of any size and sign.
    fn number(&mut self) -> f64 {
        match self.below(3) {
            0 => self.below(2000) as f64 - 1000.0,
            1 => (self.below(1_000_000) as f64 - 5e5) / 1024.0,
            _ => Some(f64::from_bits(self.roll()))
                .filter(|v| v.is_finite())
                .unwrap_or(-0.0),
        }
    }

    fn point(&mut self) -> Point {
        Point {
            x: self.number(),
            y: self.number(),
        }
    }

    fn ascending(&mut self) -> (f64, f64) {
        let (a, b) = (self.number(), self.number());
        if a < b {
            (a, b)
        } else {
            (b.min(0.0), a.abs() + 1.0)
        }
    }

    fn text(&mut self) -> String {
        let parts = [
            "a", "B ", " ", "#", "# ", " # x", "\"", "\\", "\n", "é", "比", "\u{202e}", "\t", "alone",
            "next", "7",
        ];
        (0..self.below(5))
            .map(|_| parts[self.below(parts.len() as u64) as usize])
            .collect()
    }
}

/// A command of every variant.
pub fn all(d: &mut Dice) -> Vec<Command> {
    let all: Vec<Command> = (0..).map_while(|v| some(v, d)).collect();
    assert!(all.iter().enumerate().all(|(i, c)| number(c) == i) && all.len() == VARIANTS);
    all
}

/// A command of this variant, in the order of `number`.
pub fn some(variant: usize, d: &mut Dice) -> Option<Command> {
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
        7 => Command::Cancel,
        8 => Command::Fit {
            at: d.point(),
            alone: flag,
        },
        9 => {
            let reach = [Reach::Step, Reach::Page, Reach::Edge][d.below(3) as usize];
            Command::Step {
                right: d.roll() as i32,
                down: d.roll() as i32,
                reach,
            }
        }
        10 => Command::Nearer(d.number().abs() + 0.001),
        11 => Command::Home,
        12 => Command::Actual,
        13 => Command::Back,
        14 => Command::Forward,
        15 => Command::Square,
        16 => {
            let part = |(from, to)| Part { from, to };
            Command::Show(View {
                x: part(d.ascending()),
                y: part(d.ascending()),
            })
        }
        17 => Command::Click {
            at: d.point(),
            extend: flag,
        },
        18 => {
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
        19 => Command::NextMaximum,
        20 => Command::Search(Typing::Open),
        21 => Command::Search(Typing::Text(d.text())),
        22 => Command::Search(Typing::Erase),
        23 => Command::Search(Typing::Next),
        24 => Command::Reduce(None),
        25 => Command::Reduce(
            Reduce::WORDS[d.below(Reduce::WORDS.len() as u64) as usize]
                .parse()
                .ok(),
        ),
        26 => Command::Colors(Colors::Turn(
            [1, -1, 0, i32::MIN, i32::MAX, d.roll() as i32][d.below(6) as usize],
        )),
        27 => {
            let names: Vec<&str> = Colormap::names()
                .chain(["#a00,#0f0 , white", "red,blue"])
                .collect();
            Command::Colors(Colors::Map(
                names[d.below(names.len() as u64) as usize].to_owned(),
            ))
        }
        28 => Command::Colors(Colors::Invert),
        29 => Command::Colors(Colors::NextNorm),
        30 => Command::Colors(Colors::Norm(
            ["log", "symlog:0.5,2", "twoslope", "bounds:0,10,50"][d.below(4) as usize].to_owned(),
        )),
        31 => Some(d.ascending())
            .map(|(low, high)| Command::Colors(Colors::Limits(low, high)))
            .unwrap(),
        32 => Command::Colors(Colors::Auto),
        33 => Command::Annotations,
        34 => Command::Borders,
        35 => Command::Labels,
        36 => Command::Copy,
        37 => Command::CopyPicture,
        38 => Command::Save,
        39 => Command::SaveFigure,
        40 => Command::Write,
        41 => Command::FullScreen,
        42 => Command::Keys,
        43 => Command::Frames,
        44 => Command::Quit,
        _ => return None,
    })
}

const VARIANTS: usize = 45;

/// The place of a variant in `some`: a new command does not compile until it stands here.
fn number(command: &Command) -> usize {
    match command {
        Command::Point(_) => 0,
        Command::Leave => 1,
        Command::Zoom { .. } => 2,
        Command::Pan { .. } => 3,
        Command::Begin { .. } => 4,
        Command::Move(_) => 5,
        Command::End(_) => 6,
        Command::Cancel => 7,
        Command::Fit { .. } => 8,
        Command::Step { .. } => 9,
        Command::Nearer(_) => 10,
        Command::Home => 11,
        Command::Actual => 12,
        Command::Back => 13,
        Command::Forward => 14,
        Command::Square => 15,
        Command::Show(_) => 16,
        Command::Click { .. } => 17,
        Command::Select { .. } => 18,
        Command::NextMaximum => 19,
        Command::Search(Typing::Open) => 20,
        Command::Search(Typing::Text(_)) => 21,
        Command::Search(Typing::Erase) => 22,
        Command::Search(Typing::Next) => 23,
        Command::Reduce(None) => 24,
        Command::Reduce(Some(_)) => 25,
        Command::Colors(Colors::Turn(_)) => 26,
        Command::Colors(Colors::Map(_)) => 27,
        Command::Colors(Colors::Invert) => 28,
        Command::Colors(Colors::NextNorm) => 29,
        Command::Colors(Colors::Norm(_)) => 30,
        Command::Colors(Colors::Limits(..)) => 31,
        Command::Colors(Colors::Auto) => 32,
        Command::Annotations => 33,
        Command::Borders => 34,
        Command::Labels => 35,
        Command::Copy => 36,
        Command::CopyPicture => 37,
        Command::Save => 38,
        Command::SaveFigure => 39,
        Command::Write => 40,
        Command::FullScreen => 41,
        Command::Keys => 42,
        Command::Frames => 43,
        Command::Quit => 44,
    }
}
