//! Commands of every kind, for tests.

use super::action::{Action, Effect};
use super::command::{
    Colors, Command, CursorMove, Destination, Drag, Entry, Erased, Menuing, Pick, Reach, Scrolling, Slicing,
    Swiping, Typing,
};
use crate::dice::Dice;
use gridscope_core::figure::Reduce;
use gridscope_core::geom::Point;
use gridscope_core::scale::Colormap;
use gridscope_core::text::one_line;
use gridscope_core::view::{Part, View};

/// Declares how a random command of each kind is made; does not compile while a kind is missing.
macro_rules! kinds {
    ($d:ident; $($pattern:pat => $make:expr;)*) => {
        /// Makes a command of each kind that has arguments of its own.
        const KINDS: &[fn(&mut Dice) -> Command] = &[$(|$d| { let _ = &$d; $make }),*];

        /// The exhaustive list of kinds.
        fn is_made(command: &Command) -> bool {
            match command {
                $($pattern => true,)*
                Command::Do(_) | Command::Effect(_) => false,
            }
        }
    };
}

/// Any finite number, of any size and sign.
fn number(d: &mut Dice) -> f64 {
    match d.below(3) {
        0 => d.below(2000) as f64 - 1000.0,
        1 => (d.below(1_000_000) as f64 - 5e5) / 1024.0,
        _ => Some(f64::from_bits(d.bits())).filter(|v| v.is_finite()).unwrap_or(-0.0),
    }
}

fn point(d: &mut Dice) -> Point {
    Point { x: number(d), y: number(d) }
}

fn ascending(d: &mut Dice) -> (f64, f64) {
    let (a, b) = (number(d), number(d));
    if a < b { (a, b) } else { (b.min(0.0), a.abs() + 1.0) }
}

fn text(d: &mut Dice) -> String {
    let parts = [
        "a", "B ", " ", "#", "# ", " # x", "\"", "\\", "\n", "é", "比", "\u{202e}", "\t", "alone", "next",
        "7",
    ];
    (0..d.below(5)).map(|_| d.pick(&parts)).collect()
}

kinds! { d;
    Command::Point(_) => Command::Point(point(d));
    Command::Leave => Command::Leave;
    Command::Zoom { .. } => Command::Zoom {
            at: point(d),
            factor: number(d).abs() + f64::MIN_POSITIVE,
            alone: d.below(2) == 0,
        };
    Command::Pan { .. } => Command::Pan {
            at: point(d),
            by: point(d),
            alone: d.below(2) == 0,
        };
    Command::Begin { .. } => Command::Begin {
            drag: [
                Drag::Pan,
                Drag::Box,
                Drag::Select,
                Drag::Limits,
                Drag::Fine,
                Drag::Overview,
                Drag::Slice,
                Drag::Divider,
            ][d.below(8) as usize],
            at: point(d),
            alone: d.below(2) == 0,
        };
    Command::Move(_) => Command::Move(point(d));
    Command::End(_) => Command::End(point(d));
    Command::Fit { .. } => Command::Fit {
            at: point(d),
            alone: d.below(2) == 0,
        };
    Command::Step { .. } => {
            let reach = [Reach::Step, Reach::Page, Reach::Edge][d.below(3) as usize];
            Command::Step {
                right: d.bits() as i32,
                down: d.bits() as i32,
                reach,
            }
        };
    Command::Nearer(_) => Command::Nearer(number(d).abs() + 0.001);
    Command::Show(_) => {
            let part = |(from, to)| Part { from, to };
            Command::Show(View {
                x: part(ascending(d)),
                y: part(ascending(d)),
            })
        };
    Command::Click { .. } => Command::Click {
            at: point(d),
            extend: d.below(2) == 0,
        };
    Command::Select { .. } => {
            let mut range = || {
                Some(d.below(1_u64 << 40) as usize)
                    .map(|a| a..a + 1 + d.below(9) as usize)
                    .unwrap()
            };
            Command::Select {
                panel: 3,
                rows: range(),
                columns: range(),
            }
        };
    Command::Go(Destination::Cell { .. }) => Command::Go(Destination::Cell {
            row: d.below(50) as usize,
            column: d.bits() as usize,
        });
    Command::Go(Destination::Label(_)) => Command::Go(Destination::Label(text(d)));
    Command::Type(Typing::Open(_)) => Command::Type(Typing::Open(
            [Entry::Search, Entry::Prompt][d.below(2) as usize],
        ));
    Command::Type(Typing::Prompt(_)) => Command::Type(Typing::Prompt(text(d)));
    Command::Type(Typing::Text(_)) => Command::Type(Typing::Text(text(d)));
    Command::Type(Typing::Erase(_)) => Command::Type(Typing::Erase(
            [Erased::Before, Erased::After, Erased::ToStart][d.below(3) as usize],
        ));
    Command::Type(Typing::Cursor(_)) => Command::Type(Typing::Cursor(
            [CursorMove::Left, CursorMove::Right, CursorMove::Start, CursorMove::End][d.below(4) as usize],
        ));
    Command::Type(Typing::Complete { .. }) => Command::Type(Typing::Complete { back: d.below(2) == 0 });
    Command::Type(Typing::Recall { .. }) => Command::Type(Typing::Recall { older: d.below(2) == 0 });
    Command::Type(Typing::Enter { .. }) => Command::Type(Typing::Enter { back: d.below(2) == 0 });
    Command::Panel(Some(_)) => Command::Panel(Some(d.below(1 << 20) as usize));
    Command::Panel(None) => Command::Panel(None);
    Command::Scroll(Scrolling::Lines(_)) => Command::Scroll(Scrolling::Lines(d.bits() as i32));
    Command::Scroll(Scrolling::Pages(_)) => Command::Scroll(Scrolling::Pages(d.bits() as i32));
    Command::Pick(Pick::Step { .. }) => Command::Pick(Pick::Step {
            right: d.bits() as i32,
            down: d.bits() as i32,
        });
    Command::Pick(Pick::At(_)) => Command::Pick(Pick::At(point(d)));
    Command::Menu(Menuing::At(_)) => Command::Menu(Menuing::At(point(d)));
    Command::Menu(Menuing::Here) => Command::Menu(Menuing::Here);
    Command::Menu(Menuing::Main) => Command::Menu(Menuing::Main);
    Command::Menu(Menuing::Step(_)) => Command::Menu(Menuing::Step(d.bits() as i32));
    Command::Open { .. } => Command::Open { file: text(d), flags: (0..d.below(3)).map(|_| format!("--{}", one_line(&text(d)))).collect() };
    Command::Save(_) => Command::Save(text(d));
    Command::Read(_) => Command::Read((0..d.below(3)).map(|_| format!("--{}", one_line(&text(d)))).collect());
    Command::Reduce(None) => Command::Reduce(None);
    Command::Reduce(Some(_)) => Command::Reduce(
            Reduce::WORDS[d.below(Reduce::WORDS.len() as u64) as usize]
                .parse()
                .ok(),
        );
    Command::Colors(Colors::Turn(_)) => Command::Colors(Colors::Turn(
            [1, -1, 0, i32::MIN, i32::MAX, d.bits() as i32][d.below(6) as usize],
        ));
    Command::Colors(Colors::Map(_)) => {
            let names: Vec<&str> = Colormap::names()
                .chain(["#a00,#0f0 , white", "red,blue"])
                .collect();
            Command::Colors(Colors::Map(
                names[d.below(names.len() as u64) as usize].to_owned(),
            ))
        };
    Command::Colors(Colors::Invert) => Command::Colors(Colors::Invert);
    Command::Colors(Colors::NextNorm) => Command::Colors(Colors::NextNorm);
    Command::Colors(Colors::Norm(_)) => Command::Colors(Colors::Norm(
            ["log", "symlog:0.5,2", "twoslope", "bounds:0,10,50"][d.below(4) as usize].to_owned(),
        ));
    Command::Colors(Colors::Limits(..)) => Some(ascending(d))
            .map(|(low, high)| Command::Colors(Colors::Limits(low, high)))
            .unwrap();
    Command::Colors(Colors::Low(_)) => Command::Colors(Colors::Low(number(d)));
    Command::Colors(Colors::High(_)) => Command::Colors(Colors::High(number(d)));
    Command::Colors(Colors::Percentiles(..)) => Some(d.below(50) as f64 / 2.0)
            .map(|low| Command::Colors(Colors::Percentiles(low, low + 1.0 + d.below(70) as f64)))
            .unwrap();
    Command::Colors(Colors::Center(None)) => Command::Colors(Colors::Center(None));
    Command::Colors(Colors::Center(Some(_))) => Command::Colors(Colors::Center(Some(number(d))));
    Command::Colors(Colors::InView) => Command::Colors(Colors::InView);
    Command::Colors(Colors::Auto) => Command::Colors(Colors::Auto);
    Command::Colors(Colors::HideBelow(_)) => Command::Colors(Colors::HideBelow(number(d)));
    Command::Colors(Colors::HideAbove(_)) => Command::Colors(Colors::HideAbove(number(d)));
    Command::Colors(Colors::HideNone) => Command::Colors(Colors::HideNone);
    Command::Slice(Slicing::To { .. }) => Command::Slice(Slicing::To {
            axis: d.below(7) as usize,
            index: d.bits() as usize,
        });
    Command::Slice(Slicing::Speed(_)) => Command::Slice(Slicing::Speed(number(d)));
    Command::Slice(Slicing::By(_)) => Command::Slice(Slicing::By(
            [1, -1, 0, 10, i64::MIN, i64::MAX, d.bits() as i64][d.below(7) as usize],
        ));
    Command::Swipe(Swiping::Toggle) => Command::Swipe(Swiping::Toggle);
    Command::Swipe(Swiping::To(_)) => Command::Swipe(Swiping::To(d.below(1200) as f64 / 1000.0 - 0.1));
    Command::Swipe(Swiping::By(_)) => Command::Swipe(Swiping::By(d.below(200) as f64 / 100.0 - 1.0));
    Command::Slice(Slicing::At(_)) => Command::Slice(Slicing::At(point(d)));
    Command::Slice(Slicing::Turn { .. }) => Command::Slice(Slicing::Turn {
            at: point(d),
            by: d.bits() as i64,
        });
    Command::Slice(Slicing::Axis(_)) => Command::Slice(Slicing::Axis(
            [1, -1, 0, i32::MIN, i32::MAX][d.below(5) as usize],
        ));
}

/// A command of every kind.
pub(crate) fn all(d: &mut Dice) -> Vec<Command> {
    let made: Vec<Command> = KINDS.iter().map(|make| make(d)).collect();
    assert!(made.iter().all(is_made));
    let actions = Action::ALL.iter().map(|a| Command::Do(*a));
    let effects = Effect::ALL.iter().map(|e| Command::Effect(*e));
    made.into_iter().chain(actions).chain(effects).collect()
}
