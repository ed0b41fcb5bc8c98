//! Computations beside a session: the window does not wait for them, and those that nobody wants any more end.

use super::*;
use crate::state::{Action, Colors};
use gridscope_core::grid::{Buffer, CellSource, SourceError};
use gridscope_draw::scene::Item;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A file of 2,000 columns of whole numbers that is not read further while it is held.
#[derive(Debug, Default)]
struct Slow {
    held: AtomicBool,
    read: AtomicU64,
}

const WIDTH: usize = 2_000;

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

/// A session over the file, shown once, and who is woken.
fn session() -> (Session, Arc<Slow>, Receiver<()>) {
    let file = Arc::new(Slow::default());
    let grid = Grid::stored(file.clone(), None).unwrap();
    let mut session = Session::new(Figure::default(), Data::new(vec![grid]).unwrap(), Fonts::new()).unwrap();
    let (send, woken) = channel();
    session.set_wake(Arc::new(move || {
        let _ = send.send(());
    }));
    session.resize(PxSize { w: 900, h: 640 }, 1.0);
    session.draw(None).unwrap();
    (session, file, woken)
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
    // When the threads have ended, nobody but the session can wake the window.
    let start = Instant::now();
    while session.wake.as_ref().is_some_and(|wake| Arc::strong_count(wake) > 1) {
        assert!(start.elapsed() < PATIENCE, "it goes on");
        std::thread::yield_now();
    }
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
    session.apply(&Command::Colors(Colors::Percentiles(10.0, 90.0)));
    assert!(session.waits_for_cells());
    session.apply(&Command::Do(Action::Cancel));
    assert!(!session.waits_for_cells() && says(&texts(&mut session), "ended"));
    file.held.store(false, Ordering::Relaxed);
    session.collect();
    assert_eq!(shown_limits(&session), before);
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
