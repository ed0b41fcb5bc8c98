//! A coarse session, and the session of all cells that takes its place with the same state.

use super::*;
use crate::readout::{pointer_text, selection_text};
use crate::state::{Action, Colors, Drag, WHEN_READ};
use gridscope_core::figure::Toggle;
use gridscope_core::geom::Point;
use gridscope_core::grid::{Buffer, CellSource, SourceError};
use gridscope_core::image::Image;
use gridscope_core::view::{Part, View};
use gridscope_draw::raster;
use gridscope_draw::rendered::render;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

const SIZE: PxSize = PxSize { w: 900, h: 640 };

/// Numbers that are read as those of a file are, and how many were.
#[derive(Debug)]
pub(super) struct InFile {
    width: usize,
    values: Vec<f64>,
    read: AtomicU64,
}

impl InFile {
    pub(super) fn new(width: usize, values: Vec<f64>) -> Self {
        Self { width, values, read: AtomicU64::new(0) }
    }
}

impl CellSource for InFile {
    fn rows(&self) -> usize {
        self.values.len() / self.width
    }

    fn columns(&self) -> usize {
        self.width
    }

    fn buffer(&self) -> Buffer {
        Buffer::F64(Vec::new())
    }

    fn read(&self, rows: Range<usize>, columns: Range<usize>, into: &mut Buffer) -> Result<(), SourceError> {
        self.read.fetch_add((rows.len() * columns.len()) as u64, Ordering::Relaxed);
        *into =
            Buffer::F64(rows.flat_map(|r| self.values[r * self.width..][columns.clone()].to_vec()).collect());
        Ok(())
    }
}

fn values(rows: usize, columns: usize) -> Vec<f64> {
    let value = |i: usize| {
        if i % 97 == 5 { f64::NAN } else { (i * 7919 % 100_003) as f64 / 8.0 - 10.0 }
    };
    (0..rows * columns).map(value).collect()
}

fn in_file(rows: usize, columns: usize) -> (Vec<Grid>, Arc<InFile>) {
    let source = Arc::new(InFile::new(columns, values(rows, columns)));
    (vec![Grid::stored(source.clone(), None).unwrap()], source)
}

fn shown(data: Data, figure: &Figure) -> Session {
    let mut session = Session::new(figure.clone(), data, Fonts::new()).unwrap();
    session.resize(SIZE, 1.0);
    session.draw(None).unwrap();
    session
}

/// A session that has seen 16 rows and columns at most.
fn coarse(figure: &Figure, grids: &[Grid]) -> Session {
    shown(Data::sampled(grids.to_vec(), Sample::within(grids, 16).unwrap()), figure)
}

fn exact(figure: &Figure, grids: &[Grid]) -> Session {
    shown(Data::new(grids.to_vec()).unwrap(), figure)
}

fn image(session: &mut Session) -> Image {
    let (scene, _) = session.picture().unwrap();
    let (grids, fonts) = session.grids_and_fonts();
    raster::draw(&scene, grids, fonts)
}

fn rendered(text: &str, grids: &[Grid]) -> Image {
    let figure: Figure = toml::from_str(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    render(&figure, grids).unwrap().picture
}

/// The point at shares of a panel's body.
fn point(geometry: &WindowGeometry, panel: usize, x: f64, y: f64) -> Point {
    let r = geometry.panels[panel].body.rect();
    Point { x: r.x + x * r.w, y: r.y + y * r.h }
}

fn zoom(session: &mut Session) {
    let at = point(&session.geometry, 0, 0.3, 0.6);
    session.apply(&Command::Zoom { at, factor: 4.0, alone: false });
}

fn view(x: (f64, f64), y: (f64, f64)) -> View {
    View { x: Part { from: x.0, to: x.1 }, y: Part { from: y.0, to: y.1 } }
}

#[test]
fn limits_of_a_figure_cost_no_pass() {
    let reads = |text: &str| {
        let figure: Figure = toml::from_str(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let (grids, source) = in_file(300, 400);
        shown(Data::within(grids, &figure, 1 << 20).unwrap(), &figure);
        source.read.load(Ordering::Relaxed)
    };
    let automatic = reads("");
    for text in [
        "[color]\nvmin = 3.0",
        "[color]\nvmax = 90.0",
        "[color]\nvmin = 3.0\nvmax = 90.0",
        "[color]\nnorm = \"bounds:0,3,10\"",
        "[color]\nnorm = \"log\"",
    ] {
        assert_eq!(reads(text), automatic, "{text}");
    }
}

#[test]
fn what_is_written_while_coarse_is_of_the_data() {
    let (grids, _) = in_file(300, 400);
    let figure = Figure { note: Some("mine".to_owned()), ..Figure::default() };
    let (mut few, mut all) = (coarse(&figure, &grids), exact(&figure, &grids));
    zoom(&mut few);
    zoom(&mut all);
    let text = few.figure_file().unwrap();
    assert_eq!(text, all.figure_file().unwrap());
    assert!(rendered(&text, &grids) == image(&mut all));
    assert!((few.state.views[0].y.len() - 75.0).abs() < 2.0, "{:?}", few.state.views);
    let described = few.figure();
    assert_eq!((described.reduce.rings, described.notes), (None, None));
}

#[test]
fn what_is_saved_waits_and_is_what_was_seen_then() {
    let (grids, _) = in_file(300, 400);
    let figure = Figure::default();
    let mut few = coarse(&figure, &grids);
    zoom(&mut few);
    let then = few.figure_file().unwrap();
    assert_eq!(few.apply(&Command::Effect(Effect::Save)), None);
    assert_eq!(few.state.message.as_deref(), Some("will be saved once all cells are read"));
    // Nothing coarse leaves the window, whoever asks.
    assert!(few.picture().is_err() && few.whole_figure().is_err() && few.take_deferred().is_empty());
    assert_eq!(
        (few.apply(&Command::Effect(Effect::SaveFigure)), few.apply(&Command::Effect(Effect::CopyPicture))),
        (None, None)
    );
    assert_eq!(few.apply(&Command::Effect(Effect::Write)), Some(Effect::Write));
    few.resize(PxSize { w: 700, h: 500 }, 1.0);
    few.apply(&Command::Do(Action::Home));
    few.draw(None).unwrap();
    let now = few.figure_file().unwrap();
    let mut after = exact(&figure, &grids);
    after.take_over(few);
    let mut waited = after.take_deferred();
    let effects: Vec<Effect> = waited.iter().map(|w| w.0).collect();
    assert_eq!(
        (effects, after.take_deferred().len()),
        (vec![Effect::Save, Effect::SaveFigure, Effect::CopyPicture], 0)
    );
    let present = after.swap(waited.remove(0).1);
    assert_eq!(after.figure_file().unwrap(), then);
    assert!(image(&mut after) == rendered(&then, &grids));
    after.swap(present);
    assert_eq!(after.figure_file().unwrap(), now);
    assert!(image(&mut after) == rendered(&now, &grids));
    assert_eq!(after.apply(&Command::Effect(Effect::Save)), Some(Effect::Save));
}

#[test]
fn read_outs_are_the_datas_and_drawing_reads_no_cell() {
    let (grids, source) = in_file(600, 800);
    let figure = Figure::default();
    let mut few = coarse(&figure, &grids);
    let mut all = exact(&figure, &grids);
    for nearer in 0..3 {
        for (x, y) in [(0.02, 0.03), (0.5, 0.5), (0.77, 0.2), (0.99, 0.98)] {
            let [text, wanted] = [&few, &all].map(|s| pointer_text(&s.geometry, point(&s.geometry, 0, x, y)));
            assert!(text == wanted && text.contains("row"), "{nearer}: {text}, not {wanted}");
            for session in [&mut few, &mut all] {
                let at = point(&session.geometry, 0, x, y);
                session.apply(&Command::Click { at, extend: x > 0.9 });
            }
            assert!(few.state.selection.is_some() && few.state.selection == all.state.selection);
            let selection = few.state.selection.clone().unwrap();
            assert_eq!(selection_text(&few.geometry, &selection), selection_text(&all.geometry, &selection));
            assert_eq!(few.cells_as_tsv(), all.cells_as_tsv());
        }
        few.apply(&Command::Do(Action::Cancel));
        all.apply(&Command::Do(Action::Cancel));
        zoom(&mut few);
        zoom(&mut all);
        let before = source.read.load(Ordering::Relaxed);
        few.draw(None).unwrap();
        assert_eq!(
            source.read.load(Ordering::Relaxed),
            before,
            "a few cells are drawn, and no others are read"
        );
        all.draw(None).unwrap();
    }
}

#[test]
fn the_figures_own_view_is_of_the_data() {
    let (grids, _) = in_file(300, 400);
    let mut figure = Figure { square: Some(Toggle::Off), ..Figure::default() };
    (figure.view.x, figure.view.y) = (Some("120:180".parse().unwrap()), Some("30:75".parse().unwrap()));
    let few = coarse(&figure, &grids);
    assert_eq!(few.state.views, [view((120.0, 180.0), (30.0, 75.0))]);
    let mut after = exact(&figure, &grids);
    after.take_over(few);
    after.draw(None).unwrap();
    assert_eq!(after.state.views, [view((120.0, 180.0), (30.0, 75.0))]);
}

#[test]
fn commands_that_need_all_cells_are_refused_with_a_message() {
    let (grids, _) = in_file(300, 400);
    let mut few = coarse(&Figure::default(), &grids);
    let (overrides, views) = (few.state.overrides.clone(), few.state.views.clone());
    let at = few.geometry.bars[0].as_ref().unwrap().ramp.rect().center();
    for command in [
        Command::Do(Action::NextMaximum),
        Command::Colors(Colors::NextNorm),
        Command::Colors(Colors::Norm("log".to_owned())),
        Command::Zoom { at, factor: 2.0, alone: false },
        Command::Pan { at, by: Point { x: 0.0, y: 5.0 }, alone: false },
        Command::Begin { drag: Drag::Limits, at, alone: false },
        Command::Begin { drag: Drag::Pan, at, alone: false },
    ] {
        few.apply(&Command::Do(Action::Home));
        few.apply(&command);
        let said = few.state.message.as_deref();
        assert!(said.is_some_and(|m| m.ends_with(WHEN_READ)), "{command:?}: {said:?}");
        assert!(!few.state.is_dragging() && few.state.selection.is_none(), "{command:?}");
        assert_eq!((&few.state.overrides, &few.state.views), (&overrides, &views), "{command:?}");
    }
    // Limits that a person sets do not depend on cells.
    few.apply(&Command::Colors(Colors::Limits(1.0, 2.0)));
    assert_eq!(few.state.overrides.scales[0].limits, Some((1.0, 2.0)));
}

#[test]
fn data_that_change_before_all_are_read_have_limits_of_their_own() {
    let (grids, _) = in_file(300, 400);
    let figure = Figure { square: Some(Toggle::Off), ..Figure::default() };
    let mut session = coarse(&figure, &grids);
    session.apply(&Command::Show(view((100.0, 200.0), (50.0, 150.0))));
    session.apply(&Command::Effect(Effect::Save));
    let narrow = Grid::from_rows(300, 400, (0..120_000).map(|i| f64::from(i % 11)).collect()).unwrap();
    assert_eq!(session.replace(figure, Data::new(vec![narrow]).unwrap()).unwrap(), Novelty::Values(0));
    session.draw(None).unwrap();
    let spec = session.geometry.scales[0].spec();
    assert_eq!((session.is_coarse(), spec.vmin, spec.vmax), (false, 0.0, 10.0));
    assert_eq!(session.state.views, [view((100.0, 200.0), (50.0, 150.0))]);
    assert_eq!(session.take_deferred().len(), 1);
}

mod any_command;
