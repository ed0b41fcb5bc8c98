//! Events of the window as commands.

use super::command::Command;
use crate::geom::Point;
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::keyboard::Key;

/// What the input devices have told so far.
#[derive(Debug, Default)]
pub struct Input;

impl Input {
    /// The commands of an event; `unit` are pixels of a logical pixel.
    pub fn commands(&mut self, event: &WindowEvent, _unit: f64) -> Vec<Command> {
        match event {
            WindowEvent::CursorMoved { position, .. } => vec![Command::Point(Point { x: position.x, y: position.y })],
            WindowEvent::CursorLeft { .. } => vec![Command::Leave],
            WindowEvent::KeyboardInput { event: KeyEvent { logical_key: Key::Character(c), state: ElementState::Pressed, .. }, .. } => {
                match c.as_str() {
                    "q" => vec![Command::Quit],
                    "s" => vec![Command::Save],
                    "S" => vec![Command::SaveFigure],
                    "w" => vec![Command::Write],
                    "f" => vec![Command::FullScreen],
                    "C" => vec![Command::CopyPicture],
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }
}
