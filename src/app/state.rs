//! The state of the window, and how commands change it. Nothing here knows of windows, devices or files.

use super::command::Command;
use super::world::World;
use crate::figure::Reduce;
use crate::geom::Point;
use crate::view::View;
use std::ops::Range;

/// Everything that a person can change by looking around.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The view of each panel.
    pub views: Vec<View>,
    /// Where the pointer is.
    pub pointer: Option<Point>,
    /// The selected cells.
    pub selection: Option<Selection>,
    /// The corners of a box that is being drawn.
    pub rubber: Option<(Point, Point)>,
    /// Colours and marks that differ from the figure's own.
    pub look: Look,
    /// The text of a search that is being typed.
    pub search: Option<String>,
    /// The overlay of all keys is up.
    pub keys: bool,
    /// Frame times are shown.
    pub frames: bool,
    /// What the last command has to tell: a path, a label not found.
    pub message: Option<String>,
}

/// A block of cells of one panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Which panel.
    pub panel: usize,
    /// Its rows.
    pub rows: Range<usize>,
    /// Its columns.
    pub columns: Range<usize>,
    /// The cell (row, column) that it grows from.
    pub anchor: (usize, usize),
}

/// What differs from the figure's own words; `None` where nothing does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Look {
    /// One a colour scale.
    pub scales: Vec<ScaleLook>,
    /// The reduction.
    pub reduce: Option<Reduce>,
    /// Values in cells.
    pub annotations: Option<bool>,
    /// Lines between cells.
    pub borders: Option<bool>,
    /// Tick labels.
    pub labels: Option<bool>,
    /// Square cells.
    pub square: Option<bool>,
}

/// What differs in one colour scale.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScaleLook {
    /// The map, `_r` and all.
    pub cmap: Option<String>,
    /// The norm.
    pub norm: Option<String>,
    /// vmin and vmax.
    pub limits: Option<(f64, f64)>,
}

/// What has to be done again before the next frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// Crosshair, status line, selection, overlays.
    pub overlay: bool,
    /// Which cells lie under the pixels, ticks.
    pub view: bool,
    /// Colours and limits.
    pub colors: bool,
    /// What takes part in the layout.
    pub layout: bool,
}

/// What a command does outside of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Value or selection to the clipboard.
    Copy,
    /// The picture to the clipboard.
    CopyPicture,
    /// The view to a file.
    Save,
    /// The whole figure to a file.
    SaveFigure,
    /// The state to a figure file.
    Write,
    /// Full screen, or back.
    FullScreen,
    /// The end.
    Quit,
}

/// What came of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// What to draw anew.
    pub damage: Damage,
    /// What to do.
    pub effect: Option<Effect>,
}

impl Look {
    /// Writes what differs into a figure; `panels` are the name and the scale of each grid.
    pub fn onto(&self, _figure: &mut crate::figure::Figure, _panels: &[(String, usize)]) {}
}

impl State {
    /// The state of a window that was just opened.
    pub fn new(world: &World) -> Self {
        let views = world.panels.iter().map(|p| View { x: p.x.whole(), y: p.y.whole() }).collect();
        let look = Look { scales: vec![ScaleLook::default(); world.scales.len()], ..Look::default() };
        Self { views, look, ..Self::default() }
    }

    /// Does what a command asks.
    pub fn apply(&mut self, command: &Command, _world: &World) -> Outcome {
        match command {
            Command::Quit => Outcome { effect: Some(Effect::Quit), ..Outcome::default() },
            _ => Outcome::default(),
        }
    }
}
