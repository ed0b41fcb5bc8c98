//! At any moment, after any commands: what the window describes in a figure file is what it shows and saves.
//!
//! `GRIDSCOPE_CASES` sets the number of sessions, `GRIDSCOPE_SEED` the first of them.

use super::arrival::InFile;
use super::comparing::tests::{against, three};
use super::*;
use crate::dice::Dice;
use crate::state::random_commands::all;
use crate::state::{Action, Swiping};
use gridscope_core::geom::Point;
use gridscope_core::grid::{Axis, State, Values};
use gridscope_draw::raster;
use gridscope_draw::rendered::render;
use gridscope_draw::tiling::fold_missing;

/// Figures that differ in what the window lays out and draws.
const FIGURES: [&str; 14] = [
    "",
    "square = 'on'",
    "square = 'off'",
    "margin = ['rows:mean', 'columns:minmax']",
    "[reduce]\nby = 'extreme'\n[color]\nscale = 'panel'",
    "[color]\nnorm = 'symlog:1'\nscale = 'row'",
    "[color]\ncenter = 0.0",
    "contours = '3'\n[annotations]\nmark = ['max', 'value < 2']",
    "theme = 'dark'",
    "[annotations]\nshow = 'on'",
    "[reduce]\nby = 'count'",
    "background = 'transparent'\nmargin = ['rows:mean']",
    "background = '#203040'\n[color]\nbar = 'only'",
    "[color]\nbar = 'blank'\nticks = '0:none,20'\nshrink = 0.5",
];

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(usual)
}

/// One to five panels: of one row, of one cell, large enough to be reduced, of one shape or of several; f32, f64 or integers, with
/// states, or numbers that are read in parts.
fn grids(d: &mut Dice) -> Vec<Grid> {
    let side = |d: &mut Dice| [1, 2, 7, 30, 180, 700][d.below(6) as usize];
    let (mut rows, mut columns) = (side(d), side(d));
    let panels = 1 + d.below(5) * d.below(2);
    let (kind, alike) = (d.below(4), d.below(3) > 0);
    let mut grid = |p: u64| {
        if !alike {
            (rows, columns) = (side(d), side(d));
        }
        let number = |i: usize| ((i * 7919 + p as usize * 31) % 1009) as f64 / 8.0 - 30.0;
        let n = rows * columns;
        let values = match kind {
            0 => Values::F32 { data: (0..n).map(|i| number(i) as f32).collect(), integer: false },
            1 => Values::F64((0..n).map(number).collect()),
            2 => {
                let source = Arc::new(InFile::new(columns, (0..n).map(number).collect()));
                return Grid::stored(source, None).unwrap().with_name(format!("panel {p}"));
            }
            _ => Values::I64((0..n).map(|i| number(i) as i64 * 1_000_003).collect()),
        };
        let state = |i: usize| match i % 41 {
            7 => Some(State::Nan),
            11 if p == 0 => Some(State::Masked),
            _ => None,
        };
        let states: Vec<Option<State>> = (0..n).map(state).collect();
        let labels = (0..rows).map(|i| format!("method {i}")).collect();
        let axes = (Axis::category("method", labels), Axis::index("step", columns));
        Grid::new(axes.0, axes.1, values, &states).unwrap().with_name(format!("panel {p}"))
    };
    (0..panels).map(&mut grid).collect()
}

/// The same command at a place in the window, as a hand would give it.
fn in_window(command: Command, d: &mut Dice, session: &Session) -> Command {
    let g = session.geometry();
    let within = |d: &mut Dice| {
        let share = |d: &mut Dice| d.below(1000) as f64 / 1000.0;
        let body = g.panels.get(d.below(1 + g.panels.len() as u64) as usize);
        let r = body.map_or(
            gridscope_core::geom::Rect::new(0.0, 0.0, f64::from(g.size.w), f64::from(g.size.h)),
            |p| p.body.rect(),
        );
        Point { x: r.x + r.w * share(d), y: r.y + r.h * share(d) }
    };
    let gentle = [1.15, 0.8, 3.0, 0.2][d.below(4) as usize];
    match command {
        Command::Point(_) => Command::Point(within(d)),
        Command::Move(_) => Command::Move(within(d)),
        Command::End(_) => Command::End(within(d)),
        Command::Zoom { alone, .. } => Command::Zoom { at: within(d), factor: gentle, alone },
        Command::Begin { drag, alone, .. } => Command::Begin { drag, at: within(d), alone },
        Command::Fit { alone, .. } => Command::Fit { at: within(d), alone },
        Command::Nearer(_) => Command::Nearer(gentle),
        other => other,
    }
}

/// The commands that compare two panels.
fn comparisons(d: &mut Dice) -> Vec<Command> {
    let share = d.below(1001) as f64 / 1000.0;
    let acts = [Action::Other, Action::Blink, Action::Difference].map(Command::Do);
    let swipes = [Swiping::Toggle, Swiping::To(share), Swiping::By(share - 0.5)].map(Command::Swipe);
    acts.into_iter().chain(swipes).collect()
}

/// A session in a window of any size; `None` where the figure does not suit the values.
fn session(d: &mut Dice) -> Option<(Session, Vec<Grid>)> {
    let text = FIGURES[d.below(FIGURES.len() as u64) as usize];
    let (figure, grids) = if d.below(3) == 0 {
        let side = |d: &mut Dice| [1, 7, 30, 180][d.below(4) as usize];
        (against(text), three(side(d), side(d)))
    } else {
        (toml::from_str(text).unwrap_or_else(|e| panic!("{text}: {e}")), grids(d))
    };
    let mut session = Session::new(figure, Data::new(grids.clone()).unwrap(), Fonts::new()).ok()?;
    let unit = [1.0, 1.5, 2.0][d.below(3) as usize];
    let side = |d: &mut Dice, least: u64| ((least + d.below(500)) as f64 * unit) as u32;
    session.resize(PxSize { w: side(d, 300), h: side(d, 240) }, unit);
    Some((session, grids))
}

/// Any command, mostly at a place in the window.
fn command(d: &mut Dice, session: &Session) -> Command {
    let kinds = match d.below(3) {
        0 if session.geometry().grids.len() > 1 => comparisons(d),
        _ => all(d),
    };
    let command = kinds[d.below(kinds.len() as u64) as usize].clone();
    if d.below(4) > 0 { in_window(command, d, session) } else { command }
}

#[test]
fn what_is_written_is_what_is_shown() {
    let (seed, cases) = (setting("GRIDSCOPE_SEED", 1), setting("GRIDSCOPE_CASES", 12));
    let mut compared = 0;
    for case in seed..seed + cases {
        let mut d = Dice(case.wrapping_mul(0x9e37_79b9));
        // A norm or a scale may not suit the values.
        let Some((mut session, grids)) = session(&mut d) else {
            continue;
        };
        let size = session.geometry().size;
        let mut given = Vec::new();
        for _ in 0..=d.below(8) {
            let command = command(&mut d, &session);
            session.apply(&command);
            given.push(command);
            if d.below(3) == 0 {
                session.blink_on();
            }
            if d.below(2) == 0 {
                drop(session.draw(None));
            }
        }
        let what = |text: &str| format!("case {case}, {size:?}, after {given:#?}\n{text}");
        let Ok((mut scene, _)) = session.picture() else {
            continue;
        };
        fold_missing(&mut scene, &grids).unwrap();
        let shown = raster::draw(&scene, &grids, &mut session.fonts);
        let text = session.figure_file().unwrap_or_else(|e| panic!("{}", what(&e.to_string())));
        let figure: Figure = toml::from_str(&text).unwrap_or_else(|e| panic!("{e}\n{}", what(&text)));
        let drawn = render(&figure, &grids).unwrap_or_else(|e| panic!("{e}\n{}", what(&text)));
        assert!(shown == drawn.picture, "{}", what(&text));
        compared += 1;
    }
    assert!(2 * compared > cases, "{compared} of {cases} were compared");
}

#[test]
fn steps_of_a_script_lead_to_one_state_at_any_frame_rate() {
    let (seed, cases) = (setting("GRIDSCOPE_SEED", 1), setting("GRIDSCOPE_CASES", 40));
    let mut compared = 0;
    for case in seed..seed + cases {
        let of = |d: &mut Dice| session(d).map(|(session, _)| session);
        let (mut d, mut twin) = (Dice(case.wrapping_mul(0x51_7c_c1)), Dice(case.wrapping_mul(0x51_7c_c1)));
        let (Some(mut slow), Some(mut fast)) = (of(&mut d), of(&mut twin)) else {
            continue;
        };
        let (mut given, mut rate) = (Vec::new(), Dice(case));
        for _ in 0..=d.below(12) {
            // A step waits for the frame of the one before; a fast window draws more of them, and comes to rest.
            drop(slow.draw(None));
            for _ in 0..=rate.below(3) {
                drop(fast.draw(None));
                if rate.below(2) == 0 {
                    fast.rest();
                }
            }
            let command = command(&mut d, &slow);
            slow.apply(&command);
            fast.apply(&command);
            given.push(command);
        }
        let texts = (slow.figure_file(), fast.figure_file());
        if let (Ok(slow), Ok(fast)) = texts {
            assert_eq!(slow, fast, "case {case}, after {given:#?}");
            compared += 1;
        }
    }
    assert!(2 * compared > cases, "{compared} of {cases} were compared");
}
