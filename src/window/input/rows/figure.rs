//! Bindings of the figure and of the window.

use super::{CTRL, CTRL_SHIFT, NONE, SHIFT, at, key, run, sign, with};
use crate::input::binding::{Does, On, Row, Trigger};
use crate::input::keyboard::Key;
use crate::state::{Action, Command, Effect, Menuing, Scrolling};

const GROUP: &str = "Figure and window";

pub(super) static ROWS: &[Row] = &[
    run(GROUP, &[sign('n')], Command::Do(Action::Annotations), "Values in cells on or off"),
    run(GROUP, &[sign('g')], Command::Do(Action::Borders), "Lines between cells on or off"),
    run(GROUP, &[sign('t')], Command::Do(Action::Labels), "Tick labels on or off"),
    run(GROUP, &[sign('f'), key(Key::F(11))], Command::Effect(Effect::FullScreen), "Full screen on or off"),
    run(
        GROUP,
        &[sign('s'), with(CTRL, Key::Char('s'))],
        Command::Effect(Effect::Save),
        "Save the view as a PNG",
    ),
    run(
        GROUP,
        &[with(SHIFT, Key::Char('s'))],
        Command::Effect(Effect::SaveFigure),
        "Save the whole figure as a PNG",
    ),
    run(GROUP, &[sign('w')], Command::Effect(Effect::Write), "Save view and colours as a figure file"),
    at(GROUP, On::Tool, &[Trigger::Click(NONE)], Does::Press, "Do what the button says"),
    run(GROUP, &[with(SHIFT, Key::Char('t'))], Command::Do(Action::Theme), "Dark or light"),
    at(GROUP, On::Anywhere, &[Trigger::RightClick(NONE)], Does::Menu, "Menu of what is under the pointer"),
    run(GROUP, &[with(SHIFT, Key::F(10))], Command::Menu(Menuing::Here), "The same menu, without a click"),
    run(GROUP, &[key(Key::F(9))], Command::Menu(Menuing::Main), "Menu: window, recent files"),
    at(GROUP, On::Menu, &[Trigger::Arrows(NONE)], Does::Turn, "The next entry, or the one before"),
    at(GROUP, On::Menu, &[Trigger::Click(NONE), key(Key::Enter)], Does::Choose, "Do what the entry says"),
    run(
        GROUP,
        &[with(CTRL, Key::Char('o'))],
        Command::Effect(Effect::OpenDialog),
        "Open another file; files can be dropped, too",
    ),
    run(
        GROUP,
        &[with(CTRL_SHIFT, Key::Char('o'))],
        Command::Effect(Effect::CompareDialog),
        "Compare with another file",
    ),
    run(GROUP, &[key(Key::F(5))], Command::Read(Vec::new()), "Read the files again"),
    run(GROUP, &[key(Key::F(10))], Command::Do(Action::Toolbar), "Toolbar on or off"),
    run(GROUP, &[sign('?'), key(Key::F(1))], Command::Do(Action::Keys), "Keys and gestures"),
    at(
        GROUP,
        On::Keys,
        &[Trigger::Wheel(NONE), Trigger::Scroll(NONE), Trigger::Arrows(NONE)],
        Does::Scroll { pages: false },
        "Scroll the list of keys",
    ),
    at(
        GROUP,
        On::Keys,
        &[Trigger::Arrows(SHIFT)],
        Does::Scroll { pages: true },
        "A page of the list of keys",
    ),
    at(
        GROUP,
        On::Keys,
        &[key(Key::PageUp)],
        Does::Run(Command::Scroll(Scrolling::Pages(-1))),
        "A page of the list of keys up",
    ),
    at(
        GROUP,
        On::Keys,
        &[key(Key::PageDown)],
        Does::Run(Command::Scroll(Scrolling::Pages(1))),
        "A page of the list of keys down",
    ),
    run(
        GROUP,
        &[with(SHIFT, Key::Char('f')), key(Key::F(2))],
        Command::Do(Action::Frames),
        "Frame times on or off",
    ),
    run(
        GROUP,
        &[key(Key::Escape)],
        Command::Do(Action::Cancel),
        "Cancel, close overlays; last: leave full screen",
    ),
    run(
        GROUP,
        &[sign('q'), with(CTRL, Key::Char('w')), with(CTRL, Key::Char('q'))],
        Command::Effect(Effect::Quit),
        "Quit",
    ),
];
