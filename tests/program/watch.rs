//! `render --watch`: the picture follows its file, and never shows an incomplete row.

use crate::support::place::Place;
use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Longer than anything takes, even on a busy machine: it ends what hangs.
const HANGS: Duration = Duration::from_mins(2);

struct Watching(Child);

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The results of a thread that reads a stream, one after the other.
fn all<T: Send + 'static, I: Iterator<Item = T>>(of: impl FnOnce() -> I + Send + 'static) -> Receiver<T> {
    let (send, come) = channel();
    std::thread::spawn(move || of().all(|item| send.send(item).is_ok()));
    come
}

#[test]
fn a_picture_follows_its_file() {
    let p = Place::new(&[("run.csv", "x,y,v\n1,1,10\n1,2,20\n2,1,30\n")]);
    let csv = p.path("run.csv");
    let line = "render run.csv --x x --y y --value v --watch -o run.png --json";
    let mut command = p.command(line);
    let mut child = Watching(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    let (out, err) = (child.0.stdout.take().unwrap(), child.0.stderr.take().unwrap());
    let reports = all(move || {
        let out: Box<dyn Read> = Box::new(out);
        serde_json::Deserializer::from_reader(out).into_iter::<Value>().map_while(Result::ok)
    });
    let messages = all(move || BufReader::new(err).lines().map_while(Result::ok));
    // The number of values in the next picture, and its limits.
    let next = || {
        let report = reports.recv_timeout(HANGS).unwrap();
        let limit = |name: &str| report["scales"][0][name].as_f64().unwrap();
        let values = report["panels"][0]["counts"]["value"].as_u64().unwrap();
        (values, limit("vmin"), limit("vmax"))
    };
    assert_eq!(next(), (3, 10.0, 30.0));

    // A row without a line end is left out at first, and drawn when nothing more is written.
    let mut file = OpenOptions::new().append(true).open(&csv).unwrap();
    file.write_all(b"2,2,99\n3,1,7").unwrap();
    assert_eq!([next(), next()], [(4, 10.0, 99.0), (5, 7.0, 99.0)]);

    // If the file cannot be read, the picture stays.
    let good = p.read("run.png");
    fs::write(&csv, "x,y,v\n1,1,\"open\n").unwrap();
    while !messages.recv_timeout(HANGS).unwrap().starts_with("error: run.csv: ") {}
    assert!(child.0.try_wait().unwrap().is_none() && p.read("run.png") == good);

    // Limits only widen.
    fs::write(&csv, "x,y,v\n1,1,50\n1,2,60\n").unwrap();
    assert_eq!(next(), (2, 7.0, 99.0));
    Command::new("kill").args(["-TERM", &child.0.id().to_string()]).status().unwrap();
    assert_eq!(child.0.wait().unwrap().code(), Some(143));
    assert_eq!(p.names(), ["run.csv", "run.png"]);
}
