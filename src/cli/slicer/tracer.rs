//! The reader of traces: one cell in all slices along an axis, on a thread of its own.

use super::readings::{TELL_EVERY, figure_of, grids_of};
use super::{Link, Shown};
use crate::diagnostics::{Failure, failure_text};
use gridscope_core::figure::Figure;
use gridscope_core::grid::SlicedAxis;
use gridscope_core::workers;
use gridscope_draw::error::Error;
use gridscope_window::{SliceNews, TracePart, TraceWish};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::Instant;

/// A trace to read from files; none ends the one that is being read.
type Order = Option<Box<(TraceWish, Shown)>>;

/// Reads traces one at a time, the one wanted last; dropped, it stops after the slice that it reads.
#[derive(Debug)]
pub(super) struct Tracer {
    orders: Sender<Order>,
    wanted: Option<TraceWish>,
}

impl Tracer {
    /// Starts a reader; `None` where no thread can be started.
    pub(super) fn start(link: &Link) -> Option<Self> {
        let (orders, wanted) = channel();
        let link = link.clone();
        let started = workers::detached(move || answer(&wanted, &link)).ok();
        started.map(|_| Self { orders, wanted: None })
    }

    /// Reads this trace, unless it is the one that was wanted last.
    pub(super) fn want(&mut self, wish: Option<&TraceWish>, shown: &Shown) {
        if self.wanted.as_ref() != wish {
            self.wanted = wish.cloned();
            let order = wish.map(|of| Box::new((of.clone(), shown.clone())));
            // Without its thread no values come.
            let _ = self.orders.send(order);
        }
    }
}

/// Reads the traces that are wanted, the newest alone, until no more can be.
fn answer(orders: &Receiver<Order>, link: &Link) {
    while let Ok(order) = orders.recv() {
        let mut newest = Some(order);
        while let Some(order) = newest.take() {
            // Only the newest one counts.
            let order = orders.try_iter().last().unwrap_or(order);
            let Some(wanted) = order else { break };
            match read(&wanted.0, &wanted.1, link, orders) {
                End::Whole => {}
                End::Newer(order) => newest = Some(order),
                End::Alone => return,
            }
        }
    }
}

/// Why a reading has ended.
enum End {
    /// No more of it can be read.
    Whole,
    /// Another trace is wanted, or none.
    Newer(Order),
    /// Nobody wants a trace any more.
    Alone,
}

/// Reads a trace slice after slice, and sends what is read again and again.
fn read(of: &TraceWish, shown: &Shown, link: &Link, orders: &Receiver<Order>) -> End {
    let len = shown.axes.get(of.along).map_or(0, SlicedAxis::len);
    let (mut at, mut from, mut values) = (of.at.clone(), 0, Vec::new());
    let mut last = Instant::now();
    for index in 0..len {
        match orders.try_recv() {
            Ok(order) => return End::Newer(order),
            Err(TryRecvError::Disconnected) => return End::Alone,
            Err(TryRecvError::Empty) => {}
        }
        at[of.along] = index;
        match value(of, &figure_of(shown, &at), shown, link) {
            Ok(value) => values.push(value),
            Err(failure) => {
                (link.send)(SliceNews::Trace(TracePart::failed(of.clone(), from, failure_text(&failure))));
                return End::Whole;
            }
        }
        if index + 1 == len || last.elapsed() >= TELL_EVERY {
            let part = TracePart::new(of.clone(), from, std::mem::take(&mut values));
            if !(link.send)(SliceNews::Trace(part)) {
                return End::Alone;
            }
            (from, last) = (index + 1, Instant::now());
        }
    }
    End::Whole
}

/// The value of a slice.
fn value(of: &TraceWish, figure: &Figure, shown: &Shown, link: &Link) -> Result<Option<f64>, Failure> {
    let grids = grids_of(figure, shown, link)?;
    Ok(of.value(&grids).map_err(Error::from)?)
}
