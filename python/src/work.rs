//! Work on a thread of its own: without the interpreter's lock, ended by Ctrl+C, and no panic gets out of it.

use crate::errors::Failure;
use crate::link::{Link, stop_all};
use gridscope::Error;
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often the calling thread looks for signals.
const LOOK: Duration = Duration::from_millis(50);
/// Work that takes longer reports that it goes on.
const LONG: Duration = Duration::from_millis(500);
/// As large as the stack of a main thread mostly is.
const STACK: usize = 8 << 20;

/// How long the end of the interpreter waits for threads that nobody waits for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Threads that work, and a signal whenever one ends.
static WORKING: (Mutex<usize>, Condvar) = (Mutex::new(0), Condvar::new());

/// A thread that works.
struct Working;

impl Working {
    fn new() -> Self {
        *WORKING.0.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        Self
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        *WORKING.0.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        WORKING.1.notify_all();
    }
}

/// Ends work that was interrupted before the interpreter ends, which such a thread may still need: called at exit.
#[pyfunction]
pub(crate) fn finish(py: Python<'_>) {
    stop_all();
    py.detach(|| {
        let working = WORKING.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Afterwards what it still holds is left to the system.
        let _ = WORKING.1.wait_timeout_while(working, PATIENCE, |n| *n > 0);
    });
}

/// The last panic of any thread, in words.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Keeps panics for the exceptions that they become, where they would be printed.
pub(crate) fn keep_panics() {
    std::panic::set_hook(Box::new(|info| {
        // Whoever called a decoder, a driver or a display library reports that it failed.
        if gridscope::input::is_decoding() || gridscope::gpu::is_guarded() || gridscope::window::is_opening()
        {
            return;
        }
        let text = info.payload_as_str().unwrap_or("panic");
        let place = info.location().map_or(String::new(), |l| format!(" ({}:{})", l.file(), l.line()));
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = Some(format!("{text}{place}"));
    }));
}

fn panic_text(payload: &(dyn Any + Send)) -> String {
    let kept = PANIC.lock().unwrap_or_else(PoisonError::into_inner).take();
    let plain = || {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| payload.downcast_ref::<String>().cloned())
    };
    kept.or_else(plain).unwrap_or_else(|| "panic".to_owned())
}

/// A stage of a call, and whom to tell that it takes time.
pub(crate) struct Stage<'a, 'py> {
    pub name: &'a str,
    pub progress: Option<&'a Bound<'py, PyAny>>,
    pub link: &'a Link,
    /// Elements that a pass over the arrays reads; 0 where nobody knows.
    pub elements: u64,
}

impl Stage<'_, '_> {
    /// Does the work; its result, or the exception of what it met.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> PyResult<T> {
        let _call = self.link.begin();
        let done = self.await_result(py, start(py, work))?;
        match done {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(error)) => {
                let own = self.link.take_raised();
                Err(own.unwrap_or_else(|| Failure::from(error).raise(py)))
            }
            Err(payload) => Err(Failure::internal(&panic_text(&*payload)).raise(py)),
        }
    }

    fn await_result<T: Send>(&self, py: Python<'_>, results: Results<T>) -> PyResult<Done<T>> {
        let begin = Instant::now();
        loop {
            let wait = || results.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK);
            match py.detach(wait) {
                Ok(done) => return Ok(done),
                Err(RecvTimeoutError::Disconnected) => {
                    return Ok(Err(Box::new("a thread ended without a result")));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let looked = py.check_signals().and_then(|()| match self.progress {
                Some(progress) if begin.elapsed() >= LONG => {
                    progress.call1((self.name, self.link.fraction(self.elements))).map(|_| ())
                }
                _ => Ok(()),
            });
            // The thread goes on until it next reads something; nobody waits for it.
            looked.inspect_err(|_| {
                self.link.stop();
                gridscope::input::cancel_queries();
            })?;
        }
    }
}

/// The result of work, or its panic.
type Done<T> = Result<Result<T, Error>, Box<dyn Any + Send>>;
type Results<T> = Mutex<Receiver<Done<T>>>;

/// Starts work on a thread; where the system starts none, does it on this one.
fn start<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Results<T> {
    let (send, results) = sync_channel(1);
    let work = Arc::new(Mutex::new(Some((work, Working::new()))));
    let body = {
        let work = Arc::clone(&work);
        move || {
            let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some((work, _working)) = work {
                // What a panic leaves half done is dropped with it.
                let done = catch_unwind(AssertUnwindSafe(work));
                let _ = send.send(done);
            }
        }
    };
    let here = body.clone();
    let named = std::thread::Builder::new().name("gridscope".to_owned()).stack_size(STACK);
    if named.spawn(body).is_err() {
        py.detach(here);
    }
    Mutex::new(results)
}
