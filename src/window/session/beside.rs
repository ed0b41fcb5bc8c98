//! Computations beside a session: the window does not wait for them, and those that nobody wants any more end.

use super::*;
use crate::state::{Action, Colors};
use gridscope_core::geom::Point;
use gridscope_core::grid::{Buffer, CellSource, SourceError, cores};
use gridscope_draw::scene::Item;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A file of 2,000 columns of whole numbers that is not read further while it is held.
#[derive(Debug, Default)]
struct Slow {
    held: AtomicBool,
    /// Readings that were begun.
    begun: AtomicU64,
    read: AtomicU64,
}

const WIDTH: usize = 2_000;
/// No window of a pass has more cells.
const WINDOW: usize = 1 << 18;

impl CellSource for Slow {
    fn rows(&self) -> usize {
        1_500
    }

    fn columns(&self) -> usize {
        WIDTH
    }

    fn buffer(&self) -> Buffer {
        Buffer::I64(Vec::new())
    }

    fn read(&self, rows: Range<usize>, columns: Range<usize>, into: &mut Buffer) -> Result<(), SourceError> {
        self.begun.fetch_add(1, Ordering::Relaxed);
        while self.held.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.read.fetch_add((rows.len() * columns.len()) as u64, Ordering::Relaxed);
        let value = |r: usize, c: usize| (r * WIDTH + c) as i64;
        *into = Buffer::I64(rows.flat_map(|r| columns.clone().map(move |c| value(r, c))).collect());
        Ok(())
    }
}

/// Longer than anything takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_mins(2);

/// The data of a file.
fn data() -> (Data, Arc<Slow>) {
    let file = Arc::new(Slow::default());
    let grid = Grid::stored(file.clone(), None).unwrap();
    (Data::new(vec![grid]).unwrap(), file)
}

/// A session over the file, shown once, and who is woken.
fn session() -> (Session, Arc<Slow>, Receiver<()>) {
    let (data, file) = data();
    let (session, woken) = shown(data);
    (session, file, woken)
}

/// A session over data, shown once, and who is woken.
fn shown(data: Data) -> (Session, Receiver<()>) {
    let mut session = Session::new(Figure::default(), data, Fonts::new()).unwrap();
    let (send, woken) = channel();
    session.set_wake(Arc::new(move || {
        let _ = send.send(());
    }));
    session.resize(PxSize { w: 900, h: 640 }, 1.0);
    session.draw(None).unwrap();
    (session, woken)
}

/// Waits until no thread works for the session any more.
fn wait_for_threads(session: &Session) {
    let start = Instant::now();
    // When the threads have ended, nobody but the session can wake the window.
    while session.wake.as_ref().is_some_and(|wake| Arc::strong_count(wake) > 1) {
        assert!(start.elapsed() < PATIENCE, "it goes on");
        std::thread::yield_now();
    }
}

/// The texts over the figure.
fn texts(session: &mut Session) -> Vec<String> {
    let scene = session.draw(None).unwrap();
    let text = |i: &Item| match i {
        Item::Text { text, .. } => Some(text.clone()),
        _ => None,
    };
    scene.items.iter().filter_map(text).collect()
}

fn select(session: &mut Session, rows: Range<usize>, columns: Range<usize>) {
    session.apply(&Command::Select { panel: 0, rows, columns });
}

fn says(texts: &[String], what: &str) -> bool {
    texts.iter().any(|t| t == what)
}

#[test]
fn a_large_selection_does_not_stop_the_window() {
    let (mut session, file, woken) = session();
    file.held.store(true, Ordering::Relaxed);
    session.apply(&Command::Do(Action::Statistics));
    let shown = texts(&mut session);
    assert!(says(&shown, "all cells · 1,500 × 2,000") && says(&shown, "computing…"), "{shown:?}");
    assert!(!session.is_damaged());
    file.held.store(false, Ordering::Relaxed);
    woken.recv_timeout(PATIENCE).unwrap();
    session.collect();
    assert!(session.is_damaged());
    let shown = texts(&mut session);
    for line in [
        "3,000,000",
        "1499999.5",
        "0 · row 0, column 0",
        "749999.75",
        "2999999 · row 1499, column 1999",
        "4499998500000",
    ] {
        assert!(says(&shown, line), "{line}: {shown:?}");
    }
    // What is known is not read again.
    let read = file.read.load(Ordering::Relaxed);
    session.apply(&Command::Do(Action::Statistics));
    assert!(!says(&texts(&mut session), "computing…"));
    session.apply(&Command::Do(Action::Statistics));
    assert!(says(&texts(&mut session), "1499999.5"));
    assert_eq!(file.read.load(Ordering::Relaxed), read);
}

#[test]
fn another_selection_ends_what_is_computed_of_the_one_before() {
    let (mut session, file, woken) = session();
    session.apply(&Command::Do(Action::Statistics));
    select(&mut session, 0..2, 0..2);
    texts(&mut session);
    woken.recv_timeout(PATIENCE).unwrap();
    session.collect();
    let shown = texts(&mut session);
    assert!(says(&shown, "selection · 2 × 2") && says(&shown, "1000.5"), "{shown:?}");
    file.held.store(true, Ordering::Relaxed);
    session.apply(&Command::Do(Action::Cancel));
    assert!(says(&texts(&mut session), "computing…"));
    let read = file.read.load(Ordering::Relaxed);
    session.apply(&Command::Do(Action::Statistics));
    assert!(!says(&texts(&mut session), "computing…"));
    file.held.store(false, Ordering::Relaxed);
    wait_for_threads(&session);
    assert!(woken.try_recv().is_err());
    // Windows that were being read are read to their end; the other passes are not begun.
    assert!(file.read.load(Ordering::Relaxed) - read < 2 * 3_000_000);
}

#[test]
fn a_distribution_is_counted_beside_the_window() {
    let (mut session, file, woken) = session();
    file.held.store(true, Ordering::Relaxed);
    session.apply(&Command::Do(Action::Distribution));
    assert!(says(&texts(&mut session), "values · counting…"));
    assert_eq!(session.geometry().distribution.as_ref().map(|d| d.limits), Some((0.0, 2_999_999.0)));
    // What is hidden needs no cell again.
    session.apply(&Command::Colors(Colors::HideBelow(1e6)));
    file.held.store(false, Ordering::Relaxed);
    woken.recv_timeout(PATIENCE).unwrap();
    session.collect();
    let shown = texts(&mut session);
    assert!(says(&shown, "values · 3,000,000 cells"), "{shown:?}");
    // All bins are equally long, and so are the counts, but for the cells at their edges.
    assert!(says(&shown, "11,719"), "{shown:?}");
    assert!(says(&shown, "hide below 1000000"), "{shown:?}");
    let figure = session.figure();
    assert_eq!((figure.color.hide_below, figure.color.hide_above), (Some(1e6), None));
    session.apply(&Command::Do(Action::Distribution));
    texts(&mut session);
    assert!(session.geometry().distribution.is_none());
}

/// The limits of the colours.
fn shown_limits(session: &Session) -> (f64, f64) {
    let spec = session.geometry().scales[0].spec();
    (spec.vmin, spec.vmax)
}

#[test]
fn percentiles_and_ranks_do_not_stop_the_window() {
    for (command, limits) in [
        (Command::Colors(Colors::Percentiles(10.0, 90.0)), (299_999.9, 2_699_999.1)),
        (Command::Colors(Colors::Norm("quantile".to_owned())), (0.0, 2_999_999.0)),
        (Command::Colors(Colors::InView), (0.0, 2_999_999.0)),
    ] {
        let (mut session, file, woken) = session();
        let before = shown_limits(&session);
        file.held.store(true, Ordering::Relaxed);
        session.apply(&command);
        let shown = texts(&mut session);
        assert!(shown.iter().any(|t| t.contains("3,000,000 cells are looked at")), "{command:?}: {shown:?}");
        assert!(session.waits_for_cells() && session.is_computing() && shown_limits(&session) == before);
        // Other commands go on meanwhile.
        session.apply(&Command::Do(Action::Keys));
        session.apply(&Command::Do(Action::Keys));
        file.held.store(false, Ordering::Relaxed);
        woken.recv_timeout(PATIENCE).unwrap();
        session.collect();
        session.rest();
        session.draw(None).unwrap();
        let (low, high) = shown_limits(&session);
        assert!((low - limits.0).abs() < 1.0 && (high - limits.1).abs() < 1.0, "{command:?}: {low}, {high}");
        assert!(!session.waits_for_cells());
        let read = file.read.load(Ordering::Relaxed);
        session.apply(&command);
        assert!(!session.waits_for_cells(), "{command:?} is remembered");
        assert_eq!(file.read.load(Ordering::Relaxed), read);
    }
}

#[test]
fn commands_that_wait_are_done_in_their_order() {
    let (mut session, file, woken) = session();
    file.held.store(true, Ordering::Relaxed);
    session.apply(&Command::Colors(Colors::Percentiles(30.0, 60.0)));
    session.apply(&Command::Colors(Colors::Percentiles(10.0, 90.0)));
    file.held.store(false, Ordering::Relaxed);
    let mut seen = Vec::new();
    while session.waits_for_cells() {
        woken.recv_timeout(PATIENCE).unwrap();
        session.collect();
        session.rest();
        session.draw(None).unwrap();
        let (low, high) = shown_limits(&session);
        seen.push((low.round(), high.round()));
    }
    seen.dedup();
    let wanted = [(900_000.0, 1_799_999.0), (300_000.0, 2_699_999.0)];
    assert_eq!(seen[seen.len() - 2..], wanted, "{seen:?}");
}

#[test]
fn esc_ends_a_command_that_waits() {
    let (mut session, file, _woken) = session();
    let before = shown_limits(&session);
    file.held.store(true, Ordering::Relaxed);
    let begun = file.begun.load(Ordering::Relaxed);
    session.apply(&Command::Colors(Colors::Percentiles(10.0, 90.0)));
    assert!(session.waits_for_cells());
    let start = Instant::now();
    while file.begun.load(Ordering::Relaxed) == begun {
        assert!(start.elapsed() < PATIENCE, "no pass begins");
        std::thread::yield_now();
    }
    session.apply(&Command::Do(Action::Cancel));
    assert!(!session.waits_for_cells() && says(&texts(&mut session), "ended"));
    let read = file.read.load(Ordering::Relaxed);
    file.held.store(false, Ordering::Relaxed);
    wait_for_threads(&session);
    // Only windows that were being read are read to their end.
    let ended = file.read.load(Ordering::Relaxed) - read;
    assert!(ended <= (cores() * WINDOW) as u64, "{ended} cells were read");
    session.collect();
    assert_eq!(shown_limits(&session), before);
}

#[test]
fn margins_of_changed_data_are_summed_up_beside_the_window() {
    let (mut session, _file, woken) = session();
    let figure: Figure = toml::from_str("margin = ['rows:mean']").unwrap();
    let (data, _) = data();
    session.replace(figure, data).unwrap();
    session.draw(None).unwrap();
    assert!(session.scans[0].margins.rows.is_empty() && session.is_computing());
    // A picture waits for them.
    assert!(session.apply(&Command::Effect(crate::state::Effect::Save)).is_none());
    assert!(session.take_deferred().is_empty());
    while session.awaits_cells() {
        woken.recv_timeout(PATIENCE).unwrap();
        session.collect();
    }
    assert!(session.is_damaged());
    session.draw(None).unwrap();
    assert_eq!((session.scans[0].margins.rows.len(), session.take_deferred().len()), (1_500, 1));
}

#[test]
fn ranks_of_changed_data_are_found_before_these_are_shown() {
    let (mut session, _, woken) = session();
    session.at_once(|s| s.apply(&Command::Colors(Colors::Norm("quantile".to_owned()))));
    session.draw(None).unwrap();
    let ((changed, _), (later, file)) = (data(), data());
    assert!(session.foresee(Figure::default(), changed).is_none() && session.is_computing());
    // Newer data take the place of those that were to come.
    assert!(session.foresee(Figure::default(), later).is_none());
    let (figure, data) = loop {
        woken.recv_timeout(PATIENCE).unwrap();
        if let Some(changed) = session.take_changed() {
            break changed;
        }
    };
    assert!(!session.is_computing() && session.take_changed().is_none());
    let read = file.read.load(Ordering::Relaxed);
    let (figure, data) = session.foresee(figure, data).expect("all ranks are known");
    session.replace(figure, data).unwrap();
    // A few windows tell which states there are.
    let more = file.read.load(Ordering::Relaxed) - read;
    assert!(more < 3_000_000, "no pass is left for the window: {more}");
}

/// A session over cells in memory, more than a window waits for; the rows fall.
fn in_memory() -> (Session, Receiver<()>) {
    const SIDES: (usize, usize) = (1_100, 1_000);
    let values = (0..SIDES.0 * SIDES.1).rev().map(|i| i as f64).collect();
    shown(Data::new(vec![Grid::from_rows(SIDES.0, SIDES.1, values).unwrap()]).unwrap())
}

/// Sorts the rows by the column under the middle of the body, the greatest first and then the least, and returns the message.
fn sort(session: &mut Session) -> String {
    let body = session.geometry.panels[0].body.rect();
    session.apply(&Command::Point(Point { x: body.x + body.w / 2.0, y: body.bottom() + 9.0 }));
    session.sort_here().unwrap()
}

/// The label of the first row.
fn first_row(session: &Session) -> String {
    session.geometry.grids[0].rows().label(0)
}

#[test]
fn large_grids_are_sorted_beside_the_window() {
    let (mut session, woken) = in_memory();
    assert!(sort(&mut session).ends_with("the greatest first, in a moment; Esc ends it"));
    // Again: the least first, in place of what was begun.
    assert!(sort(&mut session).ends_with("the least first, in a moment; Esc ends it"));
    assert!(first_row(&session) == "0" && session.is_computing() && !session.take_sorted());
    assert!(session.apply(&Command::Effect(crate::state::Effect::SaveFigure)).is_none());
    while session.awaits_cells() {
        woken.recv_timeout(PATIENCE).unwrap();
        session.collect();
    }
    session.draw(None).unwrap();
    assert_eq!((first_row(&session), session.take_sorted()), ("1099".to_owned(), true));
    assert!(session.state.message.as_ref().is_some_and(|m| m.ends_with("the least first")));
    assert_eq!(session.take_deferred().len(), 1);
    // Undo sorts beside the window, too.
    session.apply(&Command::Do(Action::Undo));
    assert!(first_row(&session) == "1099" && session.is_computing());
    while session.awaits_cells() {
        woken.recv_timeout(PATIENCE).unwrap();
        session.collect();
    }
    assert_eq!((first_row(&session), session.take_sorted()), ("0".to_owned(), true));
}

#[test]
fn esc_ends_a_sort() {
    let (mut session, woken) = in_memory();
    sort(&mut session);
    session.apply(&Command::Do(Action::Cancel));
    assert!(!session.is_computing() && says(&texts(&mut session), "ended"));
    wait_for_threads(&session);
    while woken.try_recv().is_ok() {
        session.collect();
    }
    session.apply(&Command::Do(Action::Borders));
    assert!(!session.is_computing() && !session.take_sorted());
    assert_eq!(first_row(&session), "0");
}

#[test]
fn cells_beyond_limits_are_counted_beside_the_window_and_a_picture_has_them() {
    let (mut session, file, woken) = session();
    let figure_texts = |session: &Session| {
        let text = |i: &Item| if let Item::Text { text, .. } = i { Some(text.clone()) } else { None };
        session.scene.base.iter().filter_map(text).collect::<Vec<_>>()
    };
    session.apply(&Command::Colors(Colors::Limits(1e6, 2e6)));
    session.rest();
    session.draw(None).unwrap();
    session.rest();
    session.draw(None).unwrap();
    let shown = figure_texts(&session);
    assert!(says(&shown, "… below") && says(&shown, "… above"), "{shown:?}");
    // A picture waits for them.
    assert!(session.apply(&Command::Effect(crate::state::Effect::Save)).is_none());
    assert!(session.take_deferred().is_empty());
    woken.recv_timeout(PATIENCE).unwrap();
    session.collect();
    session.draw(None).unwrap();
    let shown = figure_texts(&session);
    assert!(says(&shown, "1M below") || says(&shown, "1000k below"), "{shown:?}");
    assert_eq!(session.take_deferred().len(), 1);
    let read = file.read.load(Ordering::Relaxed);
    session.picture().unwrap();
    assert!(file.read.load(Ordering::Relaxed) - read <= 3_000_000, "the body alone is read again");
}
