//! Events of the window, and their translation from winit's.

use super::keyboard::{Key, Mods};
use gridscope_core::geom::Point;
use std::time::Duration;
use winit::event::{ElementState, Ime, MouseButton, MouseScrollDelta, WindowEvent};
use winit::keyboard::{Key as Logical, KeyCode, ModifiersState, NamedKey, PhysicalKey};

/// Something that a person did. Points and lengths are in pixels of the window.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A key was pressed, or repeats.
    Key {
        /// The key.
        key: Key,
        /// The text that it types.
        text: Option<String>,
        /// Whether it repeats while it is held down.
        repeat: bool,
    },
    /// Text from an input method, or from a key that no binding can name.
    Text(String),
    /// These modifiers are held from now on.
    Modifiers(Mods),
    /// The pointer is here; outside the window too while a button is down.
    Moved(Point),
    /// The pointer left the window.
    Left,
    /// A button was pressed or released.
    Button {
        /// The button.
        button: Button,
        /// Pressed, or released.
        pressed: bool,
        /// The time on any monotonic clock.
        when: Duration,
    },
    /// The wheel turned by this many notches, upwards above 0.
    Wheel(f64),
    /// The wheel was tilted by this many notches; above 0 the content should move to the right.
    Tilt(f64),
    /// Fingers on a trackpad: the content should move by this much.
    Scroll(Point),
    /// Fingers spread (above 0) or close: the relative growth of the content.
    Pinch(f64),
    /// The window lost the keyboard.
    Unfocused,
}

/// A button of the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Button {
    /// The first one.
    Left,
    /// The wheel, pressed.
    Middle,
    /// The second one.
    Right,
}

/// The event of a winit event; `None` where no binding can use it. `when`: the time on any monotonic clock.
pub(crate) fn translate(event: &WindowEvent, when: Duration) -> Option<Event> {
    match event {
        // Synthetic keys were pressed before the window had the keyboard, so they were meant for another
        // window.
        WindowEvent::KeyboardInput { event, is_synthetic: false, .. }
            if event.state == ElementState::Pressed =>
        {
            let text = event.text.as_ref().map(winit::keyboard::SmolStr::to_string).filter(|t| types(t));
            match key(&event.logical_key, event.physical_key) {
                Some(key) => Some(Event::Key { key, text, repeat: event.repeat }),
                None => text.map(Event::Text),
            }
        }
        WindowEvent::Ime(Ime::Commit(text)) if types(text) => Some(Event::Text(text.clone())),
        WindowEvent::ModifiersChanged(m) => Some(Event::Modifiers(mods(m.state()))),
        WindowEvent::CursorMoved { position, .. } => {
            Some(Event::Moved(Point { x: position.x, y: position.y }))
        }
        WindowEvent::CursorLeft { .. } => Some(Event::Left),
        WindowEvent::MouseInput { state, button, .. } => {
            let button = match button {
                MouseButton::Left => Button::Left,
                MouseButton::Middle => Button::Middle,
                MouseButton::Right => Button::Right,
                _ => return None,
            };
            Some(Event::Button { button, pressed: *state == ElementState::Pressed, when })
        }
        WindowEvent::MouseWheel { delta: MouseScrollDelta::LineDelta(across, lines), .. } => {
            Some(if *lines == 0.0 && *across != 0.0 {
                Event::Tilt(f64::from(*across))
            } else {
                Event::Wheel(f64::from(*lines))
            })
        }
        WindowEvent::MouseWheel { delta: MouseScrollDelta::PixelDelta(by), .. } => {
            Some(Event::Scroll(Point { x: by.x, y: by.y }))
        }
        WindowEvent::PinchGesture { delta, .. } => Some(Event::Pinch(*delta)),
        WindowEvent::Focused(false) => Some(Event::Unfocused),
        _ => None,
    }
}

/// Whether this is text without control characters.
fn types(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(char::is_control)
}

fn mods(state: ModifiersState) -> Mods {
    let command = cfg!(target_os = "macos") && state.super_key();
    Mods { ctrl: state.control_key() || command, shift: state.shift_key(), alt: state.alt_key() }
}

/// The key by its label; a key without an ASCII label counts as the US key at its position.
fn key(logical: &Logical, physical: PhysicalKey) -> Option<Key> {
    match logical {
        Logical::Character(text) => {
            let mut chars = text.chars();
            match (chars.next(), chars.next()) {
                (Some(c), None) => {
                    Some(Key::Char(if c.is_ascii() { c } else { latin(physical).unwrap_or(c) }))
                }
                _ => None,
            }
        }
        Logical::Named(name) => match name {
            NamedKey::ArrowLeft => Some(Key::Left),
            NamedKey::ArrowRight => Some(Key::Right),
            NamedKey::ArrowUp => Some(Key::Up),
            NamedKey::ArrowDown => Some(Key::Down),
            NamedKey::Home => Some(Key::Home),
            NamedKey::End => Some(Key::End),
            NamedKey::PageUp => Some(Key::PageUp),
            NamedKey::PageDown => Some(Key::PageDown),
            NamedKey::Tab => Some(Key::Tab),
            NamedKey::Delete => Some(Key::Delete),
            NamedKey::Enter => Some(Key::Enter),
            NamedKey::Escape => Some(Key::Escape),
            NamedKey::Backspace => Some(Key::Backspace),
            NamedKey::Space => Some(Key::Char(' ')),
            _ => function_key(*name).map(Key::F),
        },
        _ => None,
    }
}

/// The number of a function key.
fn function_key(name: NamedKey) -> Option<u8> {
    const KEYS: [NamedKey; 12] = [
        NamedKey::F1,
        NamedKey::F2,
        NamedKey::F3,
        NamedKey::F4,
        NamedKey::F5,
        NamedKey::F6,
        NamedKey::F7,
        NamedKey::F8,
        NamedKey::F9,
        NamedKey::F10,
        NamedKey::F11,
        NamedKey::F12,
    ];
    (1..).zip(KEYS).find(|(_, k)| *k == name).map(|(n, _)| n)
}

/// The letter or digit at this position of a US keyboard.
fn latin(physical: PhysicalKey) -> Option<char> {
    let PhysicalKey::Code(code) = physical else {
        return None;
    };
    let place =
        |first: KeyCode, last: KeyCode| (first..=last).contains(&code).then(|| code as u32 - first as u32);
    let letter = place(KeyCode::KeyA, KeyCode::KeyZ).and_then(|i| char::from_u32(u32::from('a') + i));
    letter.or_else(|| place(KeyCode::Digit0, KeyCode::Digit9).and_then(|i| char::from_digit(i, 10)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use winit::dpi::PhysicalPosition;
    use winit::event::{DeviceId, TouchPhase};

    fn at(event: WindowEvent) -> Option<Event> {
        translate(&event, Duration::from_millis(7))
    }

    #[test]
    fn every_function_key_can_be_bound() {
        let all = [NamedKey::F1, NamedKey::F9, NamedKey::F10, NamedKey::F12, NamedKey::F13];
        assert_eq!(all.map(function_key), [Some(1), Some(9), Some(10), Some(12), None]);
    }

    #[test]
    fn events_of_the_window_keep_their_numbers() {
        let device_id = DeviceId::dummy();
        let position = PhysicalPosition::new(3.5, 4.25);
        assert_eq!(
            at(WindowEvent::CursorMoved { device_id, position }),
            Some(Event::Moved(Point { x: 3.5, y: 4.25 }))
        );
        let wheel = |delta| at(WindowEvent::MouseWheel { device_id, delta, phase: TouchPhase::Moved });
        assert_eq!(wheel(MouseScrollDelta::LineDelta(2.0, -1.5)), Some(Event::Wheel(-1.5)));
        assert_eq!(
            wheel(MouseScrollDelta::PixelDelta(position)),
            Some(Event::Scroll(Point { x: 3.5, y: 4.25 }))
        );
        let button = |button, state| at(WindowEvent::MouseInput { device_id, state, button });
        let middle = Event::Button { button: Button::Middle, pressed: false, when: Duration::from_millis(7) };
        assert_eq!(button(MouseButton::Middle, ElementState::Released), Some(middle));
        assert_eq!(button(MouseButton::Back, ElementState::Pressed), None);
        let held = ModifiersState::CONTROL | ModifiersState::ALT;
        let mods = Mods { ctrl: true, ..Mods::ALT };
        assert_eq!(at(WindowEvent::ModifiersChanged(held.into())), Some(Event::Modifiers(mods)));
        assert_eq!(
            (at(WindowEvent::Focused(false)), at(WindowEvent::Focused(true))),
            (Some(Event::Unfocused), None)
        );
        let pinch = at(WindowEvent::PinchGesture { device_id, delta: 0.25, phase: TouchPhase::Moved });
        assert_eq!(pinch, Some(Event::Pinch(0.25)));
        assert_eq!(at(WindowEvent::Ime(Ime::Commit("比".to_owned()))), Some(Event::Text("比".to_owned())));
    }

    #[test]
    fn keys_go_by_what_is_written_on_them() {
        let read = |text: &str, code| key(&Logical::Character(text.into()), PhysicalKey::Code(code));
        // The A of a French keyboard is where others have a Q.
        assert_eq!(read("a", KeyCode::KeyQ), Some(Key::Char('a')));
        assert_eq!(read("с", KeyCode::KeyC), Some(Key::Char('c')));
        assert_eq!(read("я", KeyCode::KeyZ), Some(Key::Char('z')));
        assert_eq!(read("à", KeyCode::Digit0), Some(Key::Char('0')));
        assert_eq!(read("ö", KeyCode::Semicolon), Some(Key::Char('ö')));
        assert_eq!(read("é", KeyCode::F1), Some(Key::Char('é')));
        assert_eq!(read("+", KeyCode::NumpadAdd), Some(Key::Char('+')));
        let named = |name| key(&Logical::Named(name), PhysicalKey::Code(KeyCode::KeyA));
        assert_eq!((named(NamedKey::Escape), named(NamedKey::F11)), (Some(Key::Escape), Some(Key::F(11))));
        assert_eq!(
            [NamedKey::Tab, NamedKey::Delete, NamedKey::End].map(named),
            [Key::Tab, Key::Delete, Key::End].map(Some)
        );
        assert_eq!((named(NamedKey::PageUp), named(NamedKey::ArrowUp)), (Some(Key::PageUp), Some(Key::Up)));
    }
}
