//! The figure and the state of its window together: what to show after each command.

use super::command::Command;
use super::state::{Effect, State};
use super::waiting::waiting;
use super::world::World;
use crate::error::Error;
use crate::figure::{Figure, Length};
use crate::geom::PxSize;
use crate::grid::Grid;
use crate::render::{FoldBy, prepare_by};
use crate::resolve::ResolveError;
use crate::scene::Scene;
use crate::text::Fonts;
use crate::timing::Phases;
use std::sync::Arc;

/// A figure in a window.
pub struct Session {
    figure: Figure,
    fonts: Fonts,
    world: World,
    state: State,
    damaged: bool,
}

impl Session {
    /// A figure as it is first seen. Looks at every cell once.
    ///
    /// # Errors
    /// A figure that does not fit its data.
    pub fn new(figure: Figure, grids: Vec<Grid>, fonts: Fonts) -> Result<Self, Error> {
        let world = World { grids: Arc::new(grids), unit: 1.0, ..World::default() };
        let state = State::new(&world);
        let mut session = Self { figure, fonts, world, state, damaged: true };
        session.place(PxSize { w: 1280, h: 800 }, 1.0);
        session.home(None)?;
        Ok(session)
    }

    /// The window has this many pixels, `unit` of them a logical pixel.
    pub fn place(&mut self, size: PxSize, unit: f64) {
        self.damaged |= (size, unit) != (self.world.size, self.world.unit);
        (self.world.size, self.world.unit) = (size, unit);
    }

    /// Does what a command asks; what is left to the window.
    pub fn apply(&mut self, command: &Command) -> Option<Effect> {
        let effect = match command {
            Command::Save => Some(Effect::Save),
            Command::SaveFigure => Some(Effect::SaveFigure),
            Command::Write => Some(Effect::Write),
            Command::Copy => Some(Effect::Copy),
            Command::CopyPicture => Some(Effect::CopyPicture),
            Command::FullScreen => Some(Effect::FullScreen),
            _ => self.state.apply(command, &self.world).effect,
        };
        self.damaged |= matches!(command, Command::Pan { .. } | Command::Zoom { .. });
        effect
    }

    /// Whether a frame is due.
    pub fn is_damaged(&self) -> bool {
        self.damaged
    }

    /// Whether the last frame was drawn for the moment: [`Session::settle`] makes a better one due.
    pub fn is_moving(&self) -> bool {
        false
    }

    /// The view rests: the next frame is exact, with its rings.
    pub fn settle(&mut self) {
        self.damaged = true;
    }

    /// All that the window shows. `fold`, where given, folds bodies in place of the CPU, and bodies may stay unfolded.
    ///
    /// # Errors
    /// When a source does not give its cells.
    pub fn draw(&mut self, fold: Option<&mut FoldBy<'_>>) -> Result<Scene, Error> {
        self.damaged = false;
        self.home(fold)
    }

    /// The view without the window's own marks, and its resolution: what is saved and copied.
    ///
    /// # Errors
    /// As [`Session::draw`].
    pub fn picture(&mut self) -> Result<(Scene, f64), Error> {
        Ok((self.home(None)?, 96.0 * self.world.unit))
    }

    /// The figure as `render` draws it from the state, and its resolution.
    ///
    /// # Errors
    /// As [`Session::draw`].
    pub fn whole(&mut self) -> Result<(Scene, f64), Error> {
        let prepared = prepare_by(&self.figure, &self.world.grids, &mut self.fonts, &mut Phases::new(), None)?;
        Ok((prepared.scene, prepared.frame.dpi))
    }

    /// The state as the text of a figure file.
    ///
    /// # Errors
    /// When a word has no place in such a file.
    pub fn written(&self) -> Result<String, Error> {
        toml::to_string(&self.figure).map_err(|e| Error::Encode(e.to_string()))
    }

    /// The value or the selection as lines of tab-separated values.
    pub fn copied(&self) -> Option<String> {
        None
    }

    /// Tells the person something: a path, a failure.
    pub fn say(&mut self, message: String) {
        self.state.message = Some(message);
        self.damaged = true;
    }

    /// Milliseconds that the last frame took.
    pub fn took(&mut self, _ms: f64) {}

    /// Where everything stands.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// What a person has changed.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The data, and the fonts that scenes are drawn with.
    pub fn materials(&mut self) -> (&[Grid], &mut Fonts) {
        (&self.world.grids, &mut self.fonts)
    }

    fn home(&mut self, fold: Option<&mut FoldBy<'_>>) -> Result<Scene, Error> {
        let mut figure = self.figure.clone();
        let PxSize { w, h } = self.world.size;
        (figure.size.width, figure.size.height) = (Some(Length(format!("{w}px"))), Some(Length(format!("{h}px"))));
        figure.size.dpi = Some(96.0 * self.world.unit);
        match prepare_by(&figure, &self.world.grids, &mut self.fonts, &mut Phases::new(), fold) {
            Ok(prepared) => Ok(prepared.scene),
            Err(Error::Figure(ResolveError::Size(_))) => {
                Ok(waiting("the window is too small", self.world.size, self.world.unit, &mut self.fonts))
            }
            Err(e) => Err(e),
        }
    }
}
