//! Undo in a session whose figure is laid out again after each command.

mod dragging;

use super::*;
use crate::dice::Dice;
use crate::state::{Action, Colors, Drag, Reach};
use gridscope_core::geom::Point;
use gridscope_core::view::View;

fn session(seed: u64) -> Session {
    let mut d = Dice(seed);
    let (rows, columns) = (2 + d.below(40) as usize, 2 + d.below(60) as usize);
    let grid = |name: &str| {
        let values = (0..rows * columns).map(|i| (i * 7919 % 1009) as f64 / 8.0 + 0.5);
        Grid::from_rows(rows, columns, values.collect()).unwrap().with_name(name)
    };
    let grids = (0..=d.below(3)).map(|i| grid(&format!("panel {i}"))).collect();
    let figure = ["square = 'on'", "square = 'off'", "[color]\nscale = 'panel'"][d.below(3) as usize];
    let mut session =
        Session::new(toml::from_str(figure).unwrap(), Data::new(grids).unwrap(), Fonts::new()).unwrap();
    session.resize(PxSize { w: 1000, h: 700 }, 1.0);
    session.draw(None).unwrap();
    session
}

/// A place in the window, mostly over a body or a bar.
fn place(d: &mut Dice, session: &Session) -> Point {
    let share = |d: &mut Dice| d.below(1000) as f64 / 1000.0;
    let g = session.geometry();
    let r = match d.below(5) {
        0 => g.bars.first().and_then(Option::as_ref).map(|b| b.ramp.rect()),
        1 => None,
        k => g.panels.get(k as usize % g.panels.len()).map(|p| p.body.rect()),
    };
    let r = r.unwrap_or(gridscope_core::geom::Rect::new(0.0, 0.0, 1000.0, 700.0));
    Point { x: r.x + r.w * share(d), y: r.y + r.h * share(d) }
}

fn commands(d: &mut Dice, session: &Session) -> Vec<Command> {
    let (at, alone) = (place(d, session), d.below(3) == 0);
    let colors = [
        Colors::Turn(1),
        Colors::Map("magma".to_owned()),
        Colors::Invert,
        Colors::NextNorm,
        Colors::Norm("log".to_owned()),
        Colors::Limits(3.0, 50.0),
        Colors::Auto,
    ];
    let actions = [
        Action::Home,
        Action::Actual,
        Action::Square,
        Action::Back,
        Action::Annotations,
        Action::Borders,
        Action::Labels,
        Action::NextMaximum,
    ];
    match d.below(8) {
        0 | 1 => vec![Command::Zoom { at, factor: [2.0, 0.7, 1.15][d.below(3) as usize], alone }],
        2 => vec![Command::Fit { at, alone }],
        3 => vec![Command::Step { right: 1, down: -1, reach: Reach::Step }],
        4 => vec![Command::Reduce(None)],
        5 => vec![Command::Point(at), Command::Colors(colors[d.below(7) as usize].clone())],
        6 => vec![Command::Do(actions[d.below(8) as usize])],
        _ => {
            let drag = [Drag::Pan, Drag::Box, Drag::Limits][d.below(3) as usize];
            let mut all = vec![Command::Begin { drag, at, alone }];
            all.extend((0..3).map(|_| Command::Move(place(d, session))));
            all.push(Command::End(place(d, session)));
            all
        }
    }
}

/// Whether two lists of views look the same.
fn alike(a: &[View], b: &[View]) -> bool {
    let near = |a: f64, b: f64, len: f64| (a - b).abs() <= 1e-6 * len;
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            near(a.x.from, b.x.from, a.x.len())
                && near(a.x.to, b.x.to, a.x.len())
                && near(a.y.from, b.y.from, a.y.len())
                && near(a.y.to, b.y.to, a.y.len())
        })
}

#[test]
fn every_picture_comes_back_whatever_the_layout_did() {
    for seed in 0..12 {
        let (mut session, mut d) = (session(seed), Dice(seed + 1000));
        let seen = |s: &Session| (s.state().views.clone(), s.state().overrides.clone());
        let act = |s: &mut Session, action: Action| {
            s.apply(&Command::Do(action));
            s.draw(None).unwrap();
        };
        let first = seen(&session);
        for _ in 0..25 {
            for command in commands(&mut d, &session) {
                session.apply(&command);
                session.draw(None).unwrap();
            }
        }
        let last = seen(&session);
        let mut steps = 0;
        while session.state().message.as_deref() != Some("nothing to undo") {
            act(&mut session, Action::Undo);
            steps += 1;
        }
        let now = seen(&session);
        assert!(now.1 == first.1, "seed {seed}");
        assert!(alike(&now.0, &first.0), "seed {seed}: {:?} {:?}", first.0, now.0);
        for _ in 1..steps {
            act(&mut session, Action::Redo);
        }
        let now = seen(&session);
        assert!(now.1 == last.1, "seed {seed}");
        assert!(alike(&now.0, &last.0), "seed {seed}: {:?} {:?}", last.0, now.0);
    }
}
