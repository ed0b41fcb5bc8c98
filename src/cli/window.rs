//! The window of `gridscope view`: a thread reads its files, and a report on its frames is written when it closes.

use super::Outcome;
use super::args::WindowArgs;
use super::diagnostics::{self, Failure};
use super::load::{Job, Request, describe, fonts, memory_limit, read, reload, watched};
use super::reporter::with_reports;
use super::system_fonts;
use super::watch::Watch;
use crate::app::{Data, Frames, News, Options, ScriptLine, Session, parse, run as open};
use crate::coarse::is_worth_it;
use crate::error::Error;
use crate::figure::{Figure, List};
use crate::grid::{CELL_BYTES, Grid};
use crate::input::{InputError, Place, ReadOptions, base_name, read_file};
use crate::render::prepare;
use crate::report;
use crate::resolve::ResolveError;
use crate::text::{clean, one_line};
use crate::timing::Phases;
use crate::workers;
use serde_json::{Value, json};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How long the first frame of the window waits for the files.
const FIRST_FRAME: Duration = Duration::from_millis(150);
/// The interval between two updates of the progress of reading.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);
/// Grids of at most a quarter of the memory limit are loaded.
const LOADED_PART: u64 = 4;
/// The most bytes of a script.
const MOST_SCRIPT: u64 = 64 << 20;

pub(super) fn run(args: WindowArgs) -> Outcome {
    let json = diagnostics::json_output(&args.source.run, &[])?;
    diagnostics::limit_time(&args.source.run, args.source.files.first())?;
    let request = describe(&args.source)?;
    let origin = request.origin.clone();
    let file = args.source.files.first().cloned().unwrap_or_default();
    if args.watch && args.source.files.iter().any(|f| f == "-") {
        return Err(Failure::usage("--watch watches files, not standard input"));
    }
    let mut options = Options::new(&file, &request.figure);
    options.file = title(&file);
    options.preference.name.clone_from(&args.device);
    options.memory = memory_limit(&args.source)?;
    options.script = args.script.as_deref().map_or(Ok(Vec::new()), script)?;
    options.closes = json.is_some();
    options.frames = args.fps;
    let denied = Arc::new(AtomicU8::new(0));
    let (send, coming) = channel();
    Reader {
        args,
        name: options.file.clone(),
        limit: options.memory,
        send,
        denied: denied.clone(),
    }
    .start(request)?;
    let ready = match coming.recv_timeout(FIRST_FRAME) {
        Ok(News::Figure(session)) => Some(*session),
        Ok(News::Failed(end)) => return Err(end.failure()),
        Ok(_) | Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => {
            return Err(Failure::usage("nothing was read"));
        }
    };
    let frames = open(options, ready, coming).map_err(|end: End| origin.of(end.failure()))?;
    diagnostics::write_json(json, &report(&frames))?;
    Ok(denied.load(Ordering::Relaxed))
}

/// Why the reader ended without success.
enum End {
    Failed(Failure),
    /// The reader panicked, which is a bug.
    Panicked(Box<dyn Any + Send>),
}

impl From<crate::Error> for End {
    fn from(e: crate::Error) -> Self {
        End::Failed(e.into())
    }
}

impl End {
    /// The failure.
    ///
    /// # Panics
    /// With the panic of the reader.
    fn failure(self) -> Failure {
        match self {
            End::Failed(failure) => failure,
            End::Panicked(panic) => resume_unwind(panic),
        }
    }
}

/// Reads the files on a thread, and with `--watch` again whenever one changes.
struct Reader {
    args: WindowArgs,
    name: String,
    /// The most bytes that data may take.
    limit: u64,
    send: Sender<News<End>>,
    denied: Arc<AtomicU8>,
}

impl Reader {
    fn start(self, request: Request) -> Result<(), Failure> {
        let reads = move || {
            let Some(end) = end_of(|| self.read(request)) else {
                return;
            };
            // The window may be closed already.
            drop(self.send.send(News::Failed(end)));
        };
        let without = "gridscope render FILE -o picture.png";
        let started = workers::detached(reads);
        started.map(drop).map_err(|e| {
            Error::device(format!("no window: no thread can be started: {e}"))
                .with_hint(without)
                .into()
        })
    }

    /// Reads the files, and with `--watch` follows their changes.
    fn read(&self, request: Request) -> Result<(), Failure> {
        // Watching starts before reading, so that no change is missed.
        let mut watch = Watch::new(&watched(&self.args.source, &request.figure, &request.files));
        let waits = self.first(request, watch.is_fresh())?;
        if self.args.watch {
            self.follow(&mut watch, waits);
        }
        Ok(())
    }

    /// Shows the figure for the first time, and returns whether an incomplete last row was left out. Warnings are
    /// printed as soon as they are known.
    fn first(&self, request: Request, fresh: bool) -> Result<bool, Failure> {
        let job = read(
            &self.args.source,
            request,
            ReadOptions {
                growing: self.args.watch && fresh,
                ..ReadOptions::default()
            },
        )?;
        let origin = job.origin.clone();
        self.show(job).map_err(|e| origin.of(e))
    }

    /// As [`Reader::first`], after reading.
    fn show(&self, job: Job) -> Result<bool, Failure> {
        let figure = named(job.figure, job.files);
        let run = &self.args.source.run;
        self.denied.store(
            diagnostics::lints(&job.loaded.lints, &job.policy, run),
            Ordering::Relaxed,
        );
        let grids = job.loaded.grids;
        let mut shown = false;
        if is_worth_it(&grids) {
            match Session::new(
                figure.clone(),
                Data::coarse(grids.clone())?,
                fonts(&figure, &grids, self.limit)?,
            ) {
                Ok(session) => shown = self.send.send(News::Figure(Box::new(session))).is_ok(),
                // A norm that a few cells do not allow may be right for all of them.
                Err(crate::Error::Figure(ResolveError::Data(_))) => {}
                Err(e) => return Err(e.into()),
            }
        }
        let own_fonts = fonts(&figure, &grids, self.limit)?;
        let data = match self.data(grids) {
            Ok(data) => data,
            // The file is probably being replaced, which will be seen as a change.
            Err(failure) if self.args.watch && shown => {
                let _ = self.send.send(News::Reads(None));
                let _ = self.send.send(trouble("the coarse picture stays", &failure));
                return Ok(job.loaded.waits);
            }
            Err(failure) => return Err(failure),
        };
        let session = Session::new(figure.clone(), data, own_fonts)?;
        let grids = session.geometry().grids.clone();
        let _ = self.send.send(News::Figure(Box::new(session)));
        // The warnings of `check`. Another pass over a huge grid would cost more than they are worth.
        let mut fonts = fonts(&figure, &grids, self.limit)?;
        if grids.iter().all(Grid::is_loaded)
            && let Ok(mut prepared) = prepare(&figure, &grids, &mut fonts, &mut Phases::new())
        {
            system_fonts::advise(&fonts, &figure, &job.policy, &mut prepared.lints);
            let denied = diagnostics::lints(&prepared.lints, &job.policy, run);
            self.denied.fetch_max(denied, Ordering::Relaxed);
        }
        Ok(job.loaded.waits)
    }

    /// Scans all cells, and reports the progress to the window.
    fn data(&self, grids: Vec<Grid>) -> Result<Data, Failure> {
        let what = format!("{} (a coarse picture until then)", self.name);
        let progress = |share: f64| {
            let _ = self.send.send(News::Reads(Some((what.clone(), Some(share)))));
        };
        data_of(grids, self.limit, progress)
    }

    /// Sends every change of the files to the window until it is closed.
    fn follow(&self, watch: &mut Watch, mut waits: bool) {
        loop {
            let growing = watch.wait(waits);
            let now = reload(
                &self.args.source,
                ReadOptions {
                    growing,
                    ..ReadOptions::default()
                },
            )
            .and_then(|job| {
                waits = job.loaded.waits;
                // The figure file may name other data by now.
                watch.also(&watched(&self.args.source, &job.figure, &job.files));
                Ok((named(job.figure, job.files), Data::new(job.loaded.grids)?))
            });
            let news = match now {
                Ok(now) => News::Changed(Box::new(now)),
                Err(failure) => trouble("the last good picture stays", &failure),
            };
            if self.send.send(news).is_err() {
                return;
            }
        }
    }
}

/// Why reading failed, if it did. A panic is caught, because the window would wait forever for news.
fn end_of(read: impl FnOnce() -> Result<(), Failure>) -> Option<End> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(())) => None,
        Ok(Err(failure)) => Some(End::Failed(failure)),
        Err(panic) => Some(End::Panicked(panic)),
    }
}

/// Scans all cells; `progress` is called on another thread with the share of cells read. Grids of at most a quarter of
/// `limit` bytes are loaded first, because a software device folds them in memory.
fn data_of(grids: Vec<Grid>, limit: u64, progress: impl Fn(f64) + Send) -> Result<Data, Failure> {
    if !is_worth_it(&grids) {
        return Ok(Data::new(grids)?);
    }
    let cells: u64 = grids.iter().map(|g| g.len() as u64).sum();
    let read = Arc::new(AtomicU64::new(0));
    let grids: Vec<Grid> = grids.into_iter().map(|g| g.counted(read.clone())).collect();
    let report = move || progress((read.load(Ordering::Relaxed) as f64 / cells as f64).min(1.0));
    let data = with_reports(PROGRESS_EVERY, report, || {
        if cells.saturating_mul(CELL_BYTES) <= limit / LOADED_PART {
            grids.iter().try_for_each(Grid::load)?;
        }
        Data::new(grids)
    });
    Ok(data?)
}

/// The message that new data cannot be shown; `stays` says what is shown instead.
fn trouble(stays: &str, failure: &Failure) -> News<End> {
    News::Trouble(format!("{stays}: {}", one_line(&diagnostics::text(failure))))
}

/// The figure with its files in `data.file`, so that it can be saved as a figure file.
fn named(mut figure: Figure, files: Vec<String>) -> Figure {
    figure.data.file = Some(List(files));
    figure
}

fn script(path: &Path) -> Result<Vec<ScriptLine>, Failure> {
    let name = path.display().to_string();
    let text = String::from_utf8(read_file(path, MOST_SCRIPT)?)
        .map_err(|_| InputError::refused(&name, "", "a script must be UTF-8 text"))?;
    parse(&text).map_err(|e| {
        let mut error = InputError::refused(&name, Place::line(e.line as u64), e.what);
        error.hint = e.hint;
        error.into()
    })
}

/// The name of a file in the title of the window.
fn title(path: &str) -> String {
    if path == "-" {
        "standard input".to_owned()
    } else {
        clean(&base_name(path))
    }
}

/// The report of `--json`: times of frames in milliseconds.
fn report(frames: &Frames) -> Value {
    let round = |ms: f64| (ms * 1000.0).round() / 1000.0;
    let [median, p95, max] = frames
        .spread()
        .map_or([Value::Null, Value::Null, Value::Null], |s| {
            s.map(|ms| json!(round(ms)))
        });
    let list: Vec<f64> = frames.times.iter().copied().map(round).collect();
    report::versioned([
        ("adapter", json!(frames.adapter)),
        ("size", json!({"width": frames.size.w, "height": frames.size.h})),
        ("frames", json!(frames.times.len())),
        (
            "frame_ms",
            json!({"median": median, "p95": p95, "max": max, "list": list}),
        ),
        ("errors", json!(frames.errors)),
    ])
}

#[cfg(test)]
mod tests;
