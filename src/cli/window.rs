//! What a window is opened with, and what it has told when it closes.

use super::Outcome;
use super::args::WindowArgs;
use super::load::{Described, describe, fonts, memory_limit, read};
use super::say::{self, Failure};
use crate::app::{Frames, Line, Opening, Options, Session, parse, run as open, stem, wanted};
use crate::gpu::Wish;
use crate::report;
use crate::text::clean;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// A file that is read within this time is there in the window's first frame.
const FIRST: Duration = Duration::from_millis(150);
/// Bytes of a script.
const MOST_SCRIPT: u64 = 64 << 20;

pub(super) fn run(args: WindowArgs) -> Outcome {
    let json = say::json_output(&args.source.run, None)?;
    say::limit_time(&args.source.run)?;
    let described = describe(&args.source)?;
    let file = args.source.files.first().cloned().unwrap_or_default();
    let options = Options {
        stem: stem(&file),
        file: if file == "-" { "standard input".to_owned() } else { base_name(&file) },
        size: wanted(&described.0),
        wish: Wish { name: args.device.clone() },
        memory: memory_limit(&args.source)?,
        script: args.script.as_deref().map_or(Ok(Vec::new()), script)?,
        closes: json.is_some(),
        frames: args.fps,
    };
    let denied = Arc::new(AtomicU8::new(0));
    let (send, coming) = channel();
    let reader = start(args, described, send, denied.clone());
    let opening = match coming.recv_timeout(FIRST) {
        Ok(session) => Opening::Ready(Box::new(session?)),
        Err(RecvTimeoutError::Timeout) => Opening::Coming(coming),
        Err(RecvTimeoutError::Disconnected) => return Err(died(reader)),
    };
    let frames = open(options, opening)?;
    if reader.is_finished()
        && let Err(panic) = reader.join()
    {
        std::panic::resume_unwind(panic);
    }
    say::write_json(json, &report(&frames))?;
    Ok(denied.load(Ordering::Relaxed))
}

/// Reads the files in a thread of its own; its warnings are told as soon as they are known.
fn start(args: WindowArgs, described: Described, send: Sender<Result<Session, Failure>>, denied: Arc<AtomicU8>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        let session = || {
            let job = read(&args.source, described)?;
            let fonts = fonts(&job.figure)?;
            let session = Session::new(job.figure, job.loaded.grids, fonts)?;
            denied.store(say::lints(&job.loaded.lints, &job.policy, args.source.run.quiet), Ordering::Relaxed);
            Ok(session)
        };
        // A window that is closed by now needs no figure.
        let _ = send.send(session());
    })
}

/// The reader has sent nothing: our bug goes on as one.
fn died(reader: JoinHandle<()>) -> Failure {
    match reader.join() {
        Err(panic) => std::panic::resume_unwind(panic),
        Ok(()) => Failure::Usage("nothing was read".to_owned(), None),
    }
}

fn script(path: &Path) -> Result<Vec<Line>, Failure> {
    let name = path.display();
    let wrong = |e: String| Failure::Usage(format!("{name}: {e}"), None);
    let text = String::from_utf8(crate::input::read_file(path, MOST_SCRIPT)?).map_err(|_| wrong("a script is UTF-8 text".to_owned()))?;
    parse(&text).map_err(|e| wrong(e.to_string()))
}

fn base_name(path: &str) -> String {
    clean(&Path::new(path).file_name().map_or(path.into(), |n| n.to_string_lossy()))
}

fn report(frames: &Frames) -> Value {
    let round = |ms: f64| (ms * 1000.0).round() / 1000.0;
    let [median, p95, max] = frames.spread().map_or([Value::Null, Value::Null, Value::Null], |s| s.map(|ms| json!(round(ms))));
    let list: Vec<f64> = frames.times.iter().copied().map(round).collect();
    report::versioned([
        ("adapter", json!(frames.adapter)),
        ("size", json!({"width": frames.size.w, "height": frames.size.h})),
        ("frames", json!(frames.times.len())),
        ("frame_ms", json!({"median": median, "p95": p95, "max": max, "list": list})),
        ("errors", json!(frames.errors)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::PxSize;

    #[test]
    fn the_report_names_times_and_errors() {
        let times = vec![2.0, 4.0, 3.0];
        let frames = Frames { adapter: "a".to_owned(), size: PxSize { w: 3, h: 2 }, times, errors: vec!["lost".to_owned()] };
        let told = report(&frames);
        assert_eq!((&told["frames"], &told["size"]["width"], &told["errors"][0]), (&json!(3), &json!(3), &json!("lost")));
        assert_eq!(told["frame_ms"], json!({"median": 3.0, "p95": 3.9, "max": 4.0, "list": [2.0, 4.0, 3.0]}));
        assert_eq!(report(&Frames::default())["frame_ms"]["median"], Value::Null);
    }
}
