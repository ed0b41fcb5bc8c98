//! Opens a window, reads files for it in a thread of its own, and reports on its frames when it closes.

use super::Outcome;
use super::args::WindowArgs;
use super::diagnostics::{self, Failure};
use super::load::{Described, Job, describe, fonts, memory_limit, read, reload, watched};
use super::reporter::reported;
use super::watch::Watch;
use crate::app::{Data, Frames, News, Options, ScriptLine, Session, parse, run as open};
use crate::coarse::is_worth_it;
use crate::error::Error;
use crate::figure::{Figure, List};
use crate::grid::{CELL_BYTES, Grid};
use crate::input::{InputError, Needs, Place, base_name};
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

/// A file that is read within this time is there in the window's first frame.
const FIRST: Duration = Duration::from_millis(150);
/// So often the window tells how far a file is read.
const TELLS: Duration = Duration::from_millis(100);
/// Grids that take no more than this part of the memory are loaded.
const LOADED: u64 = 4;
/// Bytes of a script.
const MOST_SCRIPT: u64 = 64 << 20;

pub(super) fn run(args: WindowArgs) -> Outcome {
    let json = diagnostics::json_output(&args.source.run, &[])?;
    diagnostics::limit_time(&args.source.run, args.source.files.first())?;
    let described = describe(&args.source)?;
    let origin = described.3.clone();
    let file = args.source.files.first().cloned().unwrap_or_default();
    if args.watch && args.source.files.iter().any(|f| f == "-") {
        return Err(Failure::Usage(
            "--watch watches files, not standard input".to_owned(),
            None,
        ));
    }
    let mut options = Options::new(&file, &described.0);
    options.file = shown(&file);
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
    .start(described)?;
    let ready = match coming.recv_timeout(FIRST) {
        Ok(News::Figure(session)) => Some(*session),
        Ok(News::Failed(end)) => return Err(end.failure()),
        Ok(_) | Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => {
            return Err(Failure::Usage("nothing was read".to_owned(), None));
        }
    };
    let frames = open(options, ready, coming).map_err(|end: End| origin.of(end.failure()))?;
    diagnostics::write_json(json, &report(&frames))?;
    Ok(denied.load(Ordering::Relaxed))
}

/// Why a window goes that nobody has closed.
enum End {
    Failed(Failure),
    /// The reader has panicked: our bug goes on as one.
    Panicked(Box<dyn Any + Send>),
}

impl From<crate::Error> for End {
    fn from(e: crate::Error) -> Self {
        End::Failed(e.into())
    }
}

impl End {
    /// The failure; a panic goes on.
    fn failure(self) -> Failure {
        match self {
            End::Failed(failure) => failure,
            End::Panicked(panic) => resume_unwind(panic),
        }
    }
}

/// Reads files in a thread of its own, and with `--watch` again and again.
struct Reader {
    args: WindowArgs,
    name: String,
    /// Bytes that data may take.
    limit: u64,
    send: Sender<News<End>>,
    denied: Arc<AtomicU8>,
}

impl Reader {
    fn start(self, described: Described) -> Result<(), Failure> {
        let reads = move || {
            let Some(end) = end_of(|| self.read(described)) else {
                return;
            };
            // A window that is closed by now needs no news.
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

    /// Reads the files, and follows them where that is asked.
    fn read(&self, described: Described) -> Result<(), Failure> {
        // From before the first look on: no change comes unseen.
        let mut watch = Watch::new(&watched(&self.args.source, &described.1));
        let waits = self.first(described, watch.is_fresh())?;
        if self.args.watch {
            self.follow(&mut watch, waits);
        }
        Ok(())
    }

    /// The figure as it is first; gives whether a last row waits for its end. Warnings are told as soon as they are known.
    fn first(&self, described: Described, fresh: bool) -> Result<bool, Failure> {
        let job = read(
            &self.args.source,
            described,
            Needs {
                growing: self.args.watch && fresh,
                ..Needs::default()
            },
        )?;
        let origin = job.origin.clone();
        self.opened(job).map_err(|e| origin.of(e))
    }

    /// As [`Reader::first`], once all is read.
    fn opened(&self, job: Job) -> Result<bool, Failure> {
        let figure = named(job.figure, job.files);
        let quiet = self.args.source.run.quiet;
        self.denied.store(
            diagnostics::lints(&job.loaded.lints, &job.policy, quiet),
            Ordering::Relaxed,
        );
        let grids = job.loaded.grids;
        let mut shown = false;
        if is_worth_it(&grids) {
            match Session::new(
                figure.clone(),
                Data::coarse(grids.clone())?,
                fonts(&figure, self.limit)?,
            ) {
                Ok(session) => shown = self.send.send(News::Figure(Box::new(session))).is_ok(),
                // What a few cells do not allow, all of them may.
                Err(crate::Error::Figure(ResolveError::Data(_))) => {}
                Err(e) => return Err(e.into()),
            }
        }
        let data = match self.data(grids) {
            Ok(data) => data,
            // A file that is being written anew comes as a change.
            Err(failure) if self.args.watch && shown => {
                let _ = self.send.send(News::Reads(None));
                let _ = self.send.send(trouble("the coarse picture stays", &failure));
                return Ok(job.loaded.waits);
            }
            Err(failure) => return Err(failure),
        };
        let session = Session::new(figure.clone(), data, fonts(&figure, self.limit)?)?;
        let grids = session.geometry().grids.clone();
        let _ = self.send.send(News::Figure(Box::new(session)));
        // What `check` says too; another pass over a huge grid would cost more than it tells.
        if grids.iter().all(Grid::is_held)
            && let Ok(prepared) = prepare(
                &figure,
                &grids,
                &mut fonts(&figure, self.limit)?,
                &mut Phases::new(),
            )
        {
            let denied = diagnostics::lints(&prepared.lints, &job.policy, quiet);
            self.denied.fetch_max(denied, Ordering::Relaxed);
        }
        Ok(job.loaded.waits)
    }

    /// Looks at all cells, and reports the progress to the window.
    fn data(&self, grids: Vec<Grid>) -> Result<Data, Failure> {
        let what = format!("{} (a coarse picture until then)", self.name);
        let progress = |share: f64| {
            let _ = self.send.send(News::Reads(Some((what.clone(), Some(share)))));
        };
        data_of(grids, self.limit, progress)
    }

    /// Tells of every change of the files, as long as there is a window.
    fn follow(&self, watch: &mut Watch, mut waits: bool) {
        loop {
            let growing = watch.wait(waits);
            let now = reload(
                &self.args.source,
                Needs {
                    growing,
                    ..Needs::default()
                },
            )
            .and_then(|job| {
                waits = job.loaded.waits;
                // The figure file may name other data by now.
                watch.also(&watched(&self.args.source, &job.files));
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

/// Why reading ended, unless it is done. A panic ends it like any failure: the window must not wait for news that never come.
fn end_of(read: impl FnOnce() -> Result<(), Failure>) -> Option<End> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(())) => None,
        Ok(Err(failure)) => Some(End::Failed(failure)),
        Err(panic) => Some(End::Panicked(panic)),
    }
}

/// Looks at all cells; `progress` is called with the share of cells read, from another thread. Grids that fit a part of
/// `limit` bytes are loaded first: a software device folds them in memory.
fn data_of(grids: Vec<Grid>, limit: u64, progress: impl Fn(f64) + Send) -> Result<Data, Failure> {
    if !is_worth_it(&grids) {
        return Ok(Data::new(grids)?);
    }
    let cells: u64 = grids.iter().map(|g| g.len() as u64).sum();
    let read = Arc::new(AtomicU64::new(0));
    let grids: Vec<Grid> = grids.into_iter().map(|g| g.counted(read.clone())).collect();
    let report = move || progress((read.load(Ordering::Relaxed) as f64 / cells as f64).min(1.0));
    let data = reported(TELLS, report, || {
        if cells.saturating_mul(CELL_BYTES) <= limit / LOADED {
            grids.iter().try_for_each(Grid::load)?;
        }
        Data::new(grids)
    });
    Ok(data?)
}

/// Why the data of now are not shown.
fn trouble(stays: &str, failure: &Failure) -> News<End> {
    News::Trouble(format!("{stays}: {}", one_line(&diagnostics::text(failure))))
}

/// A figure that names its files, so that it can be written as one of its own.
fn named(mut figure: Figure, files: Vec<String>) -> Figure {
    figure.data.file = Some(List(files));
    figure
}

fn script(path: &Path) -> Result<Vec<ScriptLine>, Failure> {
    let name = path.display().to_string();
    let text = String::from_utf8(crate::input::read_file(path, MOST_SCRIPT)?)
        .map_err(|_| InputError::refused(&name, "", "a script is UTF-8 text"))?;
    parse(&text).map_err(|e| {
        let mut error = InputError::refused(&name, Place::line(e.line as u64), e.what);
        error.hint = e.hint;
        error.into()
    })
}

fn shown(path: &str) -> String {
    if path == "-" {
        "standard input".to_owned()
    } else {
        clean(&base_name(path))
    }
}

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
mod tests {
    use super::*;
    use crate::geom::PxSize;
    use crate::grid::{Buffer, CellSource, SourceError};
    use std::ops::Range;

    /// A huge grid whose reader has a bug.
    #[derive(Debug)]
    struct Broken;

    impl CellSource for Broken {
        fn rows(&self) -> usize {
            1 << 12
        }

        fn columns(&self) -> usize {
            1 << 12
        }

        fn buffer(&self) -> Buffer {
            Buffer::F64(Vec::new())
        }

        fn read(&self, _: Range<usize>, _: Range<usize>, _: &mut Buffer) -> Result<(), SourceError> {
            panic!("a bug while cells are read")
        }
    }

    #[test]
    fn a_panic_while_a_huge_grid_is_read_ends_the_reading() {
        let (send, end) = channel();
        std::thread::spawn(move || {
            for limit in [0, u64::MAX] {
                let grids = vec![Grid::stored(Arc::new(Broken), None).unwrap()];
                assert!(is_worth_it(&grids));
                let ended = end_of(|| data_of(grids, limit, |_| ()).map(drop));
                let panicked = matches!(ended, Some(End::Panicked(_)));
                send.send(panicked).unwrap();
            }
        });
        for loaded in [false, true] {
            let panicked = end.recv_timeout(Duration::from_secs(60));
            assert_eq!(panicked, Ok(true), "loaded first: {loaded}");
        }
    }

    #[test]
    fn a_reading_that_ends_by_itself_ends_as_it_should() {
        assert!(end_of(|| Ok(())).is_none());
        let failed = end_of(|| Err(Failure::Usage("a flag".to_owned(), None)));
        assert!(matches!(failed, Some(End::Failed(Failure::Usage(..)))));
    }

    #[test]
    fn the_report_names_times_and_errors() {
        let times = vec![2.0, 4.0, 3.0];
        let frames = Frames {
            adapter: "a".to_owned(),
            size: PxSize { w: 3, h: 2 },
            times,
            errors: vec!["lost".to_owned()],
        };
        let told = report(&frames);
        assert_eq!(
            (&told["frames"], &told["size"]["width"], &told["errors"][0]),
            (&json!(3), &json!(3), &json!("lost"))
        );
        assert_eq!(
            told["frame_ms"],
            json!({"median": 3.0, "p95": 3.9, "max": 4.0, "list": [2.0, 4.0, 3.0]})
        );
        assert_eq!(report(&Frames::default())["frame_ms"]["median"], Value::Null);
    }
}
