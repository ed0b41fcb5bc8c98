//! The window of `gridscope view`: a thread reads its files, and a report on its frames is written when it closes.

mod frame_report;
mod readings;

use super::Outcome;
use super::args::{RequestedWorker, Source, WindowArgs};
use super::diagnostics::{self, Failure};
use super::figure_flags::FigureFlags;
use super::load::{Job, Request, describe, memory_limit, read, watched};
use super::lost_display::watched as watched_display;
use super::slicer::{NowShown, can_read_again};
use super::watch::{Event, Watch};
use frame_report::frame_report;
use gridscope_core::figure::Figure;
use gridscope_core::grid::Grid;
use gridscope_core::lint::LintName;
use gridscope_core::text::{clean, one_line};
use gridscope_core::timing::Phases;
use gridscope_core::workers;
use gridscope_draw::coarse::is_worth_it;
use gridscope_draw::error::Error;
use gridscope_draw::fonts::{advise, fonts};
use gridscope_draw::render::{Capacity, PrepareOptions, prepare_with};
use gridscope_draw::resolve::ResolveError;
use gridscope_gpu::Worker;
use gridscope_read::{InputError, Kept, Place, ReadOptions, base_name, read_file};
use gridscope_window::{
    Data, News, Opened, Opener, Options, ScriptLine, Session, SliceWish, parse, run as open,
};
use readings::{data_of, end_of};
use std::any::Any;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How long the first frame of the window waits for the files.
const FIRST_FRAME: Duration = Duration::from_millis(150);
/// Arrays of at most a quarter of the memory limit stay open while their slices are read.
const KEPT_PART: u64 = 4;
/// Summaries of blocks of cells take at most this part of the memory limit.
const LEVELS_PART: u64 = 8;
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
    options.worker = match args.backend {
        RequestedWorker::Auto => None,
        RequestedWorker::Gpu => Some(Worker::Device),
        RequestedWorker::Cpu => Some(Worker::Cpu),
    };
    options.memory = memory_limit(&args.source)?;
    options.script = args.script.as_deref().map_or(Ok(Vec::new()), script)?;
    options.path = [&file].into_iter().find(|f| args.source.files.len() == 1 && *f != "-").cloned();
    options.closes = json.is_some();
    options.frames = args.fps;
    let denied = Arc::new(AtomicU8::new(0));
    let opener = opener(args.clone(), options.memory, denied.clone());
    let (send, coming) = channel();
    let reads_slices = request.figure.panel.is_empty() && can_read_again(&request.files);
    let wishes = reads_slices.then(|| {
        let (wish, wishes) = channel();
        options.slices = Some(wish);
        wishes
    });
    let kept = options.memory / KEPT_PART;
    Reader {
        args,
        name: options.file.clone(),
        limit: options.memory,
        send,
        denied: denied.clone(),
        shown: NowShown::default(),
        kept: Kept::new(kept),
        reads_slices,
    }
    .start(request, wishes)?;
    let ready = match coming.recv_timeout(FIRST_FRAME) {
        Ok(News::Figure(session)) => Some(*session),
        Ok(News::Failed(end)) => return Err(end.failure()),
        Ok(_) | Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => {
            return Err(Failure::usage("nothing was read"));
        }
    };
    let frames = watched_display(|| open(options, ready, coming, Some(opener)))
        .map_err(|end: End| origin.of(end.failure()))?;
    diagnostics::write_json(json, &frame_report(&frames))?;
    Ok(denied.load(Ordering::Relaxed))
}

/// Why the reader ended without success.
enum End {
    Failed(Box<Failure>),
    /// The reader panicked, which is a bug.
    Panicked(Box<dyn Any + Send>),
}

impl From<gridscope_draw::error::Error> for End {
    fn from(e: gridscope_draw::error::Error) -> Self {
        End::Failed(Box::new(e.into()))
    }
}

impl End {
    /// The failure.
    ///
    /// # Panics
    /// With the panic of the reader.
    fn failure(self) -> Failure {
        match self {
            End::Failed(failure) => *failure,
            End::Panicked(panic) => resume_unwind(panic),
        }
    }
}

/// Reads other files in the same window: with the flags of the run, and none of those that describe the first figure; or the first
/// ones with further flags.
fn opener(first: WindowArgs, limit: u64, denied: Arc<AtomicU8>) -> Opener<End> {
    Box::new(move |request| {
        let mut source = match &request.files[..] {
            [] => first.source.clone(),
            files => Source { files: files.to_vec(), run: first.source.run.clone(), ..Source::default() },
        };
        for flags in &request.flags {
            source.flags.take(FigureFlags::of_texts(flags)?);
        }
        let first_file = source.files.first().cloned().unwrap_or_default();
        let (send, coming) = channel();
        let (wish, wishes) = channel();
        let mut reader = Reader {
            args: WindowArgs { source, watch: first.watch, ..WindowArgs::default() },
            name: title(&first_file),
            limit,
            send,
            denied: denied.clone(),
            shown: NowShown::default(),
            kept: Kept::new(limit / KEPT_PART),
            reads_slices: false,
        };
        let reads = move || {
            let ended = end_of(|| {
                let request = describe(&reader.args.source)?;
                reader.reads_slices = request.figure.panel.is_empty() && can_read_again(&request.files);
                let wishes = Some(wishes).filter(|_| reader.reads_slices);
                reader.read(request, wishes)
            });
            match ended {
                // The figure stays.
                Some(End::Failed(failure)) => drop(reader.send.send(refusal(&failure))),
                Some(end) => drop(reader.send.send(News::Failed(end))),
                None => {}
            }
        };
        workers::detached(reads).map_err(|e| format!("no thread can be started: {e}"))?;
        Ok(Opened { news: coming, slices: Some(wish) })
    })
}

/// Reads the files on a thread, and with `--watch` again whenever one changes.
struct Reader {
    args: WindowArgs,
    name: String,
    /// The most bytes that data may take.
    limit: u64,
    send: Sender<News<End>>,
    denied: Arc<AtomicU8>,
    /// The slice that is shown.
    shown: NowShown,
    /// Arrays that stay open while their slices are read.
    kept: Kept,
    /// Other slices of the files can be read.
    reads_slices: bool,
}

impl Reader {
    fn start(self, request: Request, wishes: Option<Receiver<SliceWish>>) -> Result<(), Failure> {
        let reads = move || {
            let Some(end) = end_of(|| self.read(request, wishes)) else {
                return;
            };
            // The window may be closed already.
            drop(self.send.send(News::Failed(end)));
        };
        let without = "gridscope render FILE -o picture.png";
        let started = workers::detached(reads);
        started.map(drop).map_err(|e| {
            Error::device(format!("no window: no thread can be started: {e}")).with_hint(without).into()
        })
    }

    /// Reads the files, then slices that are wished for, and with `--watch` follows their changes.
    fn read(&self, request: Request, wishes: Option<Receiver<SliceWish>>) -> Result<(), Failure> {
        // Watching starts before reading, so that no change is missed.
        let mut watch = Watch::new(&watched(&self.args.source, &request.figure, &request.files));
        let waits = self.first(request, watch.is_fresh())?;
        if let Some(wishes) = wishes {
            self.read_slices(wishes);
        }
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
                first_slice: self.reads_slices,
                kept: self.reads_slices.then(|| self.kept.clone()),
                ..ReadOptions::default()
            },
        )?;
        let origin = job.origin.clone();
        self.show(job).map_err(|e| origin.of(e))
    }

    /// As [`Reader::first`], after reading.
    fn show(&self, job: Job) -> Result<bool, Failure> {
        let figure = self.record(job.figure, job.files, &job.loaded.grids);
        let run = &self.args.source.run;
        self.denied.store(diagnostics::lints(&job.loaded.lints, &job.policy, run), Ordering::Relaxed);
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
                Err(gridscope_draw::error::Error::Figure(ResolveError::Data(_))) => {}
                Err(e) => return Err(e.into()),
            }
        }
        // Another slice may be wanted before all cells of this one are read.
        if shown && self.leaves_all_cells() {
            return Ok(job.loaded.waits);
        }
        let own_fonts = fonts(&figure, &grids, self.limit)?;
        let data = match self.data(grids, &figure) {
            Ok(data) => data,
            // The file is probably being replaced, which will be seen as a change.
            Err(failure) if self.args.watch && shown => {
                let _ = self.send.send(News::Reads(None));
                let _ = self.send.send(trouble("the coarse picture stays", &failure));
                return Ok(job.loaded.waits);
            }
            Err(failure) => return Err(failure),
        };
        let mut session = Session::new(figure.clone(), data, own_fonts)?;
        let offered = job.loaded.lints.0.iter().filter(|lint| lint.name == LintName::UnlikeColumns);
        let offers: Vec<String> =
            offered.clone().flat_map(|l| &l.hints).filter_map(|h| flags_of(h)).collect();
        if let Some(lint) = offered.clone().next().filter(|_| !offers.is_empty()) {
            session.offer(&lint.text, offers);
        }
        let grids = session.geometry().grids.clone();
        let _ = self.send.send(News::Figure(Box::new(session)));
        // The warnings of `check`. Another pass over a huge grid would cost more than they are worth.
        let mut fonts = fonts(&figure, &grids, self.limit)?;
        let options = PrepareOptions {
            // The picture itself is not wanted.
            capacity: Capacity::of_warnings(),
            ..PrepareOptions::default()
        };
        if grids.iter().all(Grid::is_loaded)
            && let Ok(mut prepared) = prepare_with(&figure, &grids, &mut fonts, &mut Phases::new(), options)
        {
            advise(&fonts, &figure, &job.policy, &mut prepared.lints);
            let denied = diagnostics::lints(&prepared.lints, &job.policy, run);
            self.denied.fetch_max(denied, Ordering::Relaxed);
        }
        Ok(job.loaded.waits)
    }

    /// Scans all cells, and reports the progress to the window.
    fn data(&self, grids: Vec<Grid>, figure: &Figure) -> Result<Data, Failure> {
        let what = format!("{} (a coarse picture until then)", self.name);
        let progress = |share: f64| {
            let _ = self.send.send(News::Reads(Some((what.clone(), Some(share)))));
        };
        data_of(grids, figure, self.limit, progress)
    }

    /// Sends every change of the files to the window until it is closed.
    fn follow(&self, watch: &mut Watch, mut waits: bool) {
        loop {
            let growing = match watch.wait(waits) {
                Event::Changed => true,
                Event::Finished => false,
                Event::Gone(what) => {
                    let text = format!("{}; its last values are shown", clean(&what));
                    if self.send.send(News::Trouble(text)).is_err() {
                        return;
                    }
                    continue;
                }
            };
            let now = self.again(growing).and_then(|job| {
                waits = job.loaded.waits;
                // The figure file may name other data by now.
                watch.also(&watched(&self.args.source, &job.figure, &job.files));
                let figure = self.record(job.figure, job.files, &job.loaded.grids);
                let data = Data::within(job.loaded.grids, &figure, self.limit / LEVELS_PART)?;
                Ok((figure, data))
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

/// Why files are not opened, and flags that may help.
fn refusal(failure: &Failure) -> News<End> {
    let why = one_line(&diagnostics::failure_text(failure));
    News::Refused { why, flags: failure.hint().and_then(flags_of).unwrap_or_default() }
}

/// The flags that a hint begins with.
fn flags_of(hint: &str) -> Option<String> {
    let is_flags = hint.starts_with("--");
    is_flags.then(|| hint.split(", or ").next().unwrap_or_default().to_owned())
}

/// The message that new data cannot be shown; `stays` says what is shown instead.
fn trouble(stays: &str, failure: &Failure) -> News<End> {
    News::Trouble(format!("{stays}: {}", one_line(&diagnostics::failure_text(failure))))
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
    if path == "-" { "standard input".to_owned() } else { clean(&base_name(path)) }
}

#[cfg(test)]
mod tests;
