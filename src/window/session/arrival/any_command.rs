//! Commands in any order: on a coarse session, on one of all cells, and before and after the second takes the place of the first.

use super::*;
use crate::dice::Dice;
use crate::state::{Entry, Erased, Reach, Typing};

/// A command about a place of this window: the same one of another window, given the same numbers.
fn command(d: &mut Dice, geometry: &WindowGeometry) -> Command {
    let (alone, panel) = (d.below(4) == 0, d.below(geometry.panels.len() as u64) as usize);
    let share = |d: &mut Dice| d.below(1000) as f64 / 1000.0;
    let (x, y, place) = (share(d), share(d), d.below(12));
    let bar = || geometry.bars.first().and_then(Option::as_ref).map(|b| b.ramp.rect().center());
    let inside = point(geometry, panel, x, y);
    let at = match place {
        0 => Point { y: geometry.panels[panel].body.rect().bottom() + 8.0, ..inside },
        1 => Point { x: geometry.panels[panel].body.rect().x - 8.0, ..inside },
        2 => bar().unwrap_or(inside),
        _ => inside,
    };
    let pick = d.below(60) as usize;
    let part = |length: f64, a: f64, b: f64| Part { from: a.min(b) * length, to: a.max(b) * length + 1.0 };
    match d.below(25) {
        0 => Command::Point(at),
        1..=4 => Command::Zoom { at, factor: [0.5, 1.15, 2.0, 7.0][pick % 4], alone },
        5..=6 => Command::Pan { at, by: Point { x: 300.0 * x - 150.0, y: 300.0 * y - 150.0 }, alone },
        7..=9 => Command::Begin {
            drag: [Drag::Pan, Drag::Box, Drag::Select, Drag::Limits, Drag::Overview][pick % 5],
            at,
            alone,
        },
        10..=11 => Command::Move(inside),
        12 => Command::End(inside),
        13 => Command::Click { at: inside, extend: alone },
        14 => Command::Fit { at, alone },
        15 => {
            let reach = [Reach::Step, Reach::Page, Reach::Edge][pick % 3];
            Command::Step { right: pick as i32 % 5 - 2, down: pick as i32 % 3 - 1, reach }
        }
        16 => Command::Nearer([0.5, 1.5, 3.0][pick % 3]),
        17 => [
            Command::Do(Action::Home),
            Command::Do(Action::Actual),
            Command::Do(Action::Square),
            Command::Do(Action::Back),
            Command::Do(Action::Forward),
        ][pick % 5]
            .clone(),
        18 => Command::Show(View { x: part(400.0, x, share(d)), y: part(300.0, y, share(d)) }),
        19 => {
            let (row, column) = ((x * 300.0) as usize, (y * 400.0) as usize);
            Command::Select { panel, rows: row..row + pick, columns: column..column + 3 }
        }
        20 => Command::Do([Action::NextMaximum, Action::PreviousMaximum, Action::NextMinimum][pick % 3]),
        21 => Command::Type(
            [
                Typing::Open(Entry::Search),
                Typing::Text("12".to_owned()),
                Typing::Erase(Erased::Before),
                Typing::Enter { back: false },
                Typing::Enter { back: true },
            ][pick % 5]
                .clone(),
        ),
        22 => {
            let limits = Colors::Limits(x * 100.0, x * 100.0 + 1.0 + y);
            let all = [
                Colors::Turn(1),
                Colors::Map("magma".to_owned()),
                Colors::Invert,
                Colors::NextNorm,
                limits,
                Colors::Auto,
                Colors::Low(x * 50.0),
                Colors::High(y * 100.0),
                Colors::Percentiles(x * 40.0, 50.0 + y * 50.0),
                Colors::InView,
                Colors::Center(Some(y * 50.0)),
                Colors::Center(None),
            ];
            Command::Colors(all[pick % 12].clone())
        }
        23 => [
            Command::Reduce(None),
            Command::Do(Action::Annotations),
            Command::Do(Action::Borders),
            Command::Do(Action::Labels),
            Command::Do(Action::Enlarge),
            Command::Do(Action::NextPanel),
            Command::Panel(None),
        ][pick % 7]
            .clone(),
        _ => Command::Do(Action::Cancel),
    }
}

/// Request for all cells in place of a command that waits for them.
fn instead(command: &Command) -> Option<Command> {
    match command {
        Command::Zoom { .. } | Command::Pan { .. } => None,
        // The drag before ends, and none begins.
        Command::Begin { drag, alone, .. } => {
            Some(Command::Begin { drag: *drag, at: Point { x: 1.0, y: 1.0 }, alone: *alone })
        }
        // As any command, it ends a run of moves.
        _ => Some(Command::Effect(Effect::Copy)),
    }
}

/// Whether a coarse session has answered a command with a word alone.
fn waits(few: &Session, command: &Command) -> bool {
    let keeps_word = matches!(
        command,
        Command::Point(_) | Command::Leave | Command::Move(_) | Command::Do(Action::Cancel)
    );
    !keeps_word && few.state.message.as_deref().is_some_and(|m| m.ends_with(WHEN_READ))
}

fn alike(a: &Session, b: &Session, story: &str) {
    // Square cells follow their body, which is as wide as the labels of the limits leave it: a sample may not reach these, so
    // its views are those on all cells to a part of a pixel.
    let share = if a.state.overrides.square == Some(true) { 1e-3 } else { 1e-9 };
    let near = |a: &Part, b: &Part| (a.from - b.from).abs().max((a.to - b.to).abs()) <= share * a.len();
    for (v, w) in a.state.views.iter().zip(&b.state.views) {
        assert!(near(&v.x, &w.x) && near(&v.y, &w.y), "{v:?}, not {w:?}: {story}");
    }
    let rest = |s: &Session| {
        (
            s.state.views.len(),
            s.state.selection.clone(),
            s.state.large,
            s.state.overrides.clone(),
            s.state.line.clone(),
        )
    };
    assert_eq!(rest(a), rest(b), "{story}");
    assert_eq!(a.state.is_dragging(), b.state.is_dragging(), "{story}");
}

#[test]
fn commands_on_a_coarse_figure_are_those_on_all_cells() {
    let cases = std::env::var("GRIDSCOPE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(16);
    for case in 0..cases {
        let mut d = Dice(case);
        let named = |(i, (h, w)): (usize, (usize, usize))| {
            let mut grid = Grid::from_rows(h, w, values(h, w)).unwrap();
            grid.set_name(format!("panel {i}"));
            grid
        };
        let sizes = [(300, 400), (150, 800)];
        let grids: Vec<Grid> = sizes[..=(case as usize % 2)].iter().copied().enumerate().map(named).collect();
        let square = [Toggle::Auto, Toggle::Off][d.below(2) as usize];
        let figure = Figure { square: Some(square), ..Figure::default() };
        let (mut few, mut all) = (coarse(&figure, &grids), exact(&figure, &grids));
        let mut story = format!("case {case}");
        for _ in 0..2 + d.below(14) {
            let seed = d.below(1 << 40);
            let (early, late) =
                (command(&mut Dice(seed), &few.geometry), command(&mut Dice(seed), &all.geometry));
            story.push_str(&format!("; {early:?}"));
            few.apply(&early);
            if let Some(late) = if waits(&few, &early) { instead(&late) } else { Some(late) } {
                all.apply(&late);
            }
            if d.below(2) == 0 {
                few.draw(None).unwrap();
                all.draw(None).unwrap();
            }
        }
        few.draw(None).unwrap();
        all.draw(None).unwrap();
        alike(&few, &all, &story);
        let mut arrived = exact(&figure, &grids);
        arrived.take_over(few);
        alike(&arrived, &all, &story);
        story.push_str("; all are read");
        arrived.draw(None).unwrap();
        alike(&arrived, &all, &story);
        let journey = [
            Command::Do(Action::Back),
            Command::Do(Action::Back),
            Command::Do(Action::Back),
            Command::Do(Action::Forward),
            Command::Do(Action::Forward),
        ];
        let more = (0..d.below(6)).map(|_| None).chain(journey.into_iter().map(Some));
        for fixed in more {
            let seed = d.below(1 << 40);
            for session in [&mut arrived, &mut all] {
                let next = fixed.clone().unwrap_or_else(|| command(&mut Dice(seed), &session.geometry));
                session.apply(&next);
                session.draw(None).unwrap();
            }
            story.push_str(&format!("; {fixed:?} or {seed}"));
            alike(&arrived, &all, &story);
        }
        assert_eq!(arrived.figure_file().unwrap(), all.figure_file().unwrap(), "{story}");
        assert!(image(&mut arrived) == image(&mut all), "{story}");
    }
}
