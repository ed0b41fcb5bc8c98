//! Random commands over random windows: whatever comes, every view shows something of its data.

pub(super) mod dice;
mod latch;

use super::super::geometry::WindowGeometry;
use super::test_window::paint;
use super::{Action, Command, Damage, ViewState};
use gridscope_core::view::Part;
use gridscope_random::Random;

/// Invariants after every command.
fn check(state: &ViewState, geometry: &WindowGeometry, what: &str) {
    assert_eq!(
        (state.views.len(), state.overrides.scales.len()),
        (geometry.panels.len(), geometry.scales.len()),
        "{what}"
    );
    for (v, p) in state.views.iter().zip(&geometry.panels) {
        for (part, length) in [(v.x, p.x.length()), (v.y, p.y.length())] {
            assert!(part.from.is_finite() && part.to.is_finite() && part.len() > 0.49, "{part:?} {what}");
            let inside = part.from >= 0.0 && part.to <= length;
            let around = part.from <= 1e-6
                && part.to >= length - 1e-6
                && (part.at(0.5) - length / 2.0).abs() < 1e-6 * part.len();
            assert!(inside || around, "{part:?} of {length} {what}");
        }
        if state.overrides.square == Some(true) && p.body.w > 0 && p.body.h > 0 {
            // A body of whole pixels that was laid out for square cells shows all data, with cells that are
            // square except for the rounding.
            let sizes = |pixels: u32, part: Part| [-1.0, 1.0].map(|by| (f64::from(pixels) + by) / part.len());
            let (x, y) = (sizes(p.body.w, v.x), sizes(p.body.h, v.y));
            assert!(x[0] <= y[1] && y[0] <= x[1], "{v:?} is not square {what}");
        }
    }
    for (s, changes) in state.overrides.scales.iter().enumerate() {
        if let (Some((low, high)), Some(norm)) = (changes.limits, state.norm(s, geometry)) {
            assert!(
                low.is_finite() && high.is_finite() && low < high && norm.check(low, high).is_ok(),
                "{low} {high} {norm:?} {what}"
            );
        }
    }
    if let Some(s) = &state.selection {
        let p = &geometry.panels[s.panel];
        assert!(
            !s.rows.is_empty()
                && s.rows.end <= p.y.cells()
                && !s.columns.is_empty()
                && s.columns.end <= p.x.cells(),
            "{s:?} {what}"
        );
        assert!(s.rows.contains(&s.anchor.0) && s.columns.contains(&s.anchor.1), "{s:?} {what}");
    }
    if let Some((a, b)) = state.rubber {
        assert!([a.x, a.y, b.x, b.y].iter().all(|v| v.is_finite()), "{what}");
    }
}

/// Inputs of a frame.
fn drawn(s: &ViewState) -> impl PartialEq + use<> {
    let over = (s.pointer.map(|p| (p.x, p.y)), s.selection.clone(), s.line.clone(), s.message.clone());
    (
        s.views.clone(),
        s.overrides.clone(),
        over,
        s.rubber.map(|r| (r.0.x, r.0.y, r.1.x, r.1.y)),
        (s.keys, s.frames, s.alone),
    )
}

#[test]
fn random_commands_leave_a_valid_state() {
    let mut random = Random(1);
    for round in 0..400 {
        let mut geometry = dice::geometry(&mut random);
        let mut state = ViewState::new(&geometry);
        for step in 0..100 {
            let command = dice::command(&mut random, &geometry);
            state.refit(&geometry);
            let before = state.clone();
            let mut outcome = state.apply(&command, &geometry);
            let what = format!("after {command:?}, step {step} of round {round}");
            if outcome.damage.layout && matches!(command, Command::Do(Action::Undo | Action::Redo)) {
                // Views of square cells that come back are fitted to the bodies of the next frame.
                outcome.damage |= state.refit(&geometry);
            }
            check(&state, &geometry, &what);
            // Damage is honest: none where nothing changed, and some where anything did.
            let changed = drawn(&before) != drawn(&state);
            assert_eq!(outcome.damage.any(), changed, "{:?} {what}", outcome.damage);
            let (views, overrides) = (before.views != state.views, before.overrides != state.overrides);
            // Values, lines and the reduction are words of the figure as colours are.
            let resolved = |s: &ViewState| {
                (s.overrides.scales.clone(), s.overrides.annotations, s.overrides.borders, s.overrides.reduce)
            };
            let (colors, d) = (resolved(&before) != resolved(&state), outcome.damage);
            assert!(d.view || !views, "{d:?} {what}");
            assert!((views || overrides) || !(d.view || d.layout), "{d:?} {what}");
            assert_eq!(d.colors, colors, "{what}");
            if random.chance(0.5) {
                paint(&mut geometry, &state);
            }
            if random.below(50) == 0 {
                for p in &mut geometry.panels {
                    (p.body.w, p.body.h) = (random.pick(&[0, 1, 400, 999]), random.pick(&[0, 3, 300, 4000]));
                }
            }
        }
    }
}

#[test]
fn a_state_moves_to_another_window() {
    let mut random = Random(77);
    let mut geometry = dice::geometry(&mut random);
    let mut state = ViewState::new(&geometry);
    for _ in 0..2000 {
        let command = dice::command(&mut random, &geometry);
        state.apply(&command, &geometry);
        if random.below(10) == 0 {
            geometry = dice::geometry(&mut random);
            state.refit(&geometry);
            check(&state, &geometry, "in another window");
            assert_eq!(state.refit(&geometry), Damage::NONE);
        }
    }
}
