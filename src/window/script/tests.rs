//! Scripts: their texts and their effects.

use super::completion::usage;
use super::*;
use crate::dice::Dice;
use crate::state::random_commands::all;
use crate::state::{Action, Colors, Command, Drag, Effect, Entry, Typing};
use gridscope_core::geom::{Point, PxSize};
use std::time::Duration;

fn run(text: &str) -> Vec<Step> {
    Runner::new(parse(text).unwrap()).collect()
}

fn wrong(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

fn at(x: f64, y: f64) -> Point {
    Point { x, y }
}

#[test]
fn every_command_reads_back_as_it_was_printed() {
    let mut dice = Dice(1);
    for round in 0..200 {
        let all = all(&mut dice);
        let script: String = all.iter().map(|c| format!("{c}\n")).collect();
        assert_eq!(script.lines().count(), all.len(), "{script}");
        let read = run(&script);
        for (step, command) in read.iter().zip(&all) {
            assert_eq!(*step, Step::Do(command.clone()), "round {round}: {command}");
        }
        assert_eq!(read.len(), all.len());
    }
}

#[test]
fn each_word_is_listed_once_and_read() {
    let mut dice = Dice(2);
    let printed: Vec<String> = all(&mut dice).iter().map(Command::to_string).collect();
    let others = [
        "drag pan 0 0 1 1",
        "repeat 2 home",
        "wait 0.5",
        "size 3 4",
        "key q",
        "lose-device",
        "cmap magma",
        "help",
        "search",
        "prompt",
        "compare a.csv",
    ]
    .map(str::to_owned);
    let mut words: Vec<&str> = printed.iter().chain(&others).filter_map(|l| l.split(' ').next()).collect();
    words.sort_unstable();
    words.dedup();
    let mut listed: Vec<&str> = WORDS.iter().filter_map(|w| w.0.split(' ').next()).collect();
    listed.sort_unstable();
    assert_eq!(words, listed);
    assert_eq!(usage("zoom"), "zoom [X Y] FACTOR [alone]");
}

#[test]
fn a_script_runs_line_by_line() {
    let steps = run(
        "\u{feff}# a comment\r\n\n  zoom 10 20.5 1.15 alone  # near\r\nwait 0.25\nsize 640 480\nkey Ctrl+Shift+c\nlose-device\nquit",
    );
    let wanted = [
        Step::Do(Command::Zoom { at: at(10.0, 20.5), factor: 1.15, alone: true }),
        Step::Wait(Duration::from_millis(250)),
        Step::Size(PxSize { w: 640, h: 480 }),
        Step::Key("Ctrl+Shift+C".parse().unwrap()),
        Step::LoseDevice,
        Step::Do(Command::Effect(Effect::Quit)),
    ];
    assert_eq!(steps, wanted);
}

#[test]
fn a_drag_is_its_begin_its_moves_and_its_end() {
    let drag = Command::Begin { drag: Drag::Box, at: at(0.0, 10.0), alone: true };
    let wanted =
        [drag, Command::Move(at(5.0, 15.0)), Command::Move(at(10.0, 20.0)), Command::End(at(10.0, 20.0))]
            .map(Step::Do);
    assert_eq!(run("drag box 0 10 10 20 2 steps alone"), wanted);
    assert_eq!(run("drag pan 0 0 1 1").len(), 3);
}

#[test]
fn a_search_opens_types_and_goes() {
    let typed = |t: &str| {
        [Typing::Open(Entry::Search), Typing::Text(t.to_owned()), Typing::Enter { back: false }]
            .map(|t| Step::Do(Command::Type(t)))
    };
    assert_eq!(run("search high school # comment"), typed("high school"));
    assert_eq!(run(r#"search " # \"7\" " # comment"#), typed(" # \"7\" "));
    assert_eq!(run("search"), [Step::Do(Command::Type(Typing::Open(Entry::Search)))]);
}

#[test]
fn colours_are_not_comments() {
    let map = |name: &str| [Step::Do(Command::Colors(Colors::Map(name.to_owned())))];
    assert_eq!(run("map #a00,#00f"), map("#a00,#00f"));
    assert_eq!(run("map magma_r # dark"), map("magma_r"));
    assert_eq!(run("#map magma"), []);
}

#[test]
fn repeats_are_lazy_and_multiply() {
    let mut runner =
        Runner::new(parse("repeat 1000000 pan 1 2 3 4\nrepeat 2 repeat 3 drag pan 0 0 9 9\nhome").unwrap());
    let pan = Step::Do(Command::Pan { at: at(1.0, 2.0), by: at(3.0, 4.0), alone: false });
    assert!(runner.by_ref().take(1_000_000).all(|s| s == pan));
    assert_eq!(runner.line(), Some(2));
    let rest: Vec<Step> = runner.by_ref().collect();
    assert_eq!((rest.len(), rest.last()), (2 * 3 * 3 + 1, Some(&Step::Do(Command::Do(Action::Home)))));
    assert_eq!((runner.next(), runner.line()), (None, None));
    let deep = format!("{}home", "repeat 1 ".repeat(100_000));
    assert_eq!(run(&deep), [Step::Do(Command::Do(Action::Home))]);
}

#[test]
fn errors_name_their_line_and_the_usage() {
    assert_eq!(wrong("home\n\nzom 1 2 3"), "line 3: 'zom' is not a command; did you mean 'zoom'?");
    assert_eq!(wrong("Home"), "line 1: 'Home' is not a command; did you mean 'home'?");
    assert_eq!(wrong("zoom 1 2"), "line 1: expected a FACTOR above 0, found the end of the line");
    assert_eq!(wrong("zoom 1 NaN 2"), "line 1: expected a number of pixels, found 'NaN'");
    assert_eq!(wrong("zoom 1 2 -3 "), "line 1: expected a FACTOR above 0, found '-3'");
    assert_eq!(wrong("home now"), "line 1: expected the end of the line, found 'now'");
    let usage = parse("home\nzoom 1 2").unwrap_err();
    assert_eq!((usage.line, usage.hint.as_deref()), (2, Some("usage: zoom [X Y] FACTOR [alone]")));
    assert_eq!(parse("zom 1 2 3").unwrap_err().hint, None);
    assert!(wrong("drag pam 0 0 1 1").ends_with("; did you mean 'pan'?"));
    assert!(wrong("drag pan 0 0 1 1 5").contains("expected 'steps' after N"));
    assert_eq!(
        wrong("reduce maen"),
        "line 1: 'maen' is not one of mean, min, max, extreme, count; did you mean 'mean'?"
    );
    assert!(wrong("map virids").ends_with("; did you mean 'viridis'?"));
    assert!(wrong("norm lgo").ends_with("; did you mean 'log'?"));
    assert_eq!(wrong("limits 5 1"), "line 1: limits takes a LOW below HIGH, not 5 and 1");
    assert!(wrong("show 5:1 0:4").contains("expected X0:X1"));
    assert!(wrong("select 0 1:2 3").contains("expected COLUMN:COLUMN, found '3'"));
    assert!(wrong("key Ctrl+").contains("does not name a key"));
    assert!(wrong("search \"open").contains("is not a JSON string"));
    for line in [
        "wait -1",
        "wait 1e300",
        "wait inf",
        "size 0 5",
        "repeat home",
        "repeat 0 home",
        "repeat 2",
        "map next x",
        "step 1 1 page edge",
    ] {
        assert!(wrong(line).starts_with("line 1: "), "{line}");
    }
    assert!(wrong("repeat 9999999999 repeat 9999999999 home").contains("from 1 to 2^64"));
    assert!(wrong(&"z".repeat(1_000_000)).len() < 1500);
}
