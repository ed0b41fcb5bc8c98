//! Moves of one panel only.

use super::super::command::{Drag, Reach};
use super::super::test_window::{at, geometry, view};
use super::super::{Action, Command, ViewState};

/// Every move with the latch is the same move of one panel with Alt, or of the panel under the pointer.
#[test]
fn a_latch_moves_one_panel_only() {
    let w = geometry(3, 30, 40);
    let start = || {
        let mut s = ViewState::new(&w);
        s.apply(&Command::Show(view((10.0, 30.0), (10.0, 25.0))), &w);
        s.apply(&Command::Point(at(700.0, 200.0)), &w);
        s
    };
    let (here, there) = (at(700.0, 200.0), at(760.0, 260.0));
    let drag = |drag| {
        vec![Command::Begin { drag, at: here, alone: false }, Command::Move(there), Command::End(there)]
    };
    let (factor, alone) = (2.0, false);
    let (right, down) = (1, 1);
    let moves = [
        vec![Command::Zoom { at: here, factor, alone }],
        vec![Command::Pan { at: here, by: at(9.0, 9.0), alone }],
        vec![Command::Fit { at: here, alone }],
        drag(Drag::Pan),
        drag(Drag::Box),
        vec![Command::Step { right, down, reach: Reach::Step }],
        vec![Command::Nearer(2.0)],
        vec![Command::Do(Action::Home)],
        vec![Command::Do(Action::Actual)],
        vec![Command::Do(Action::NextMaximum)],
    ];
    for commands in moves {
        let (mut all, mut one) = (start(), start());
        let before = all.views[0];
        one.apply(&Command::Do(Action::Alone), &w);
        for command in &commands {
            all.apply(command, &w);
            one.apply(command, &w);
        }
        assert!(all.views[1] != before, "{commands:?} moves nothing");
        assert_eq!(all.views, [all.views[1]; 3]);
        assert_eq!(one.views, [before, all.views[1], before], "{commands:?}");
    }
}
