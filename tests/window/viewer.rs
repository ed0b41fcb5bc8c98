//! `gridscope view` in a window of a display. It is asked over its probe when it has done what it was asked to do; no test
//! waits for some time.

use super::display::{Display, PATIENCE, Peer};
use gridscope::Image;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{ClientMessageEvent, ConnectionExt, EventMask};

/// The program, and the folder that it runs in.
pub struct Viewer<'a> {
    pub display: &'a Display,
    child: Child,
    folder: tempfile::TempDir,
    probe: BufReader<UnixStream>,
    /// The X window.
    pub id: u32,
}

impl<'a> Viewer<'a> {
    /// Starts the program and waits for its window, which gets the keyboard; the pointer is elsewhere.
    pub fn open(display: &'a Display, args: &[&str]) -> Self {
        Self::open_with(display, args, &[])
    }

    /// As [`Viewer::open`], with more variables in the program's environment.
    pub fn open_with(display: &'a Display, args: &[&str], variables: &[(&str, &str)]) -> Self {
        display.point_away();
        let folder = tempfile::tempdir().unwrap();
        let stderr = std::fs::File::create(folder.path().join("stderr")).unwrap();
        let socket = folder.path().join("probe");
        let listener = UnixListener::bind(&socket).unwrap();
        let mut child = display
            .program()
            .arg("view")
            .args(args)
            .current_dir(folder.path())
            .env("XDG_STATE_HOME", folder.path().join("state"))
            .env("GRIDSCOPE_PROBE", &socket)
            .envs(variables.iter().copied())
            .stderr(stderr)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let probe = connected(&listener, &mut child);
        let mut viewer = Self { display, child, folder, probe, id: 0 };
        viewer.shown();
        viewer.wait_for("a window", |v| {
            v.id = v.display.window().unwrap_or(0);
            v.id != 0
        });
        display.focus(viewer.id);
        viewer
    }

    /// The folder where the program saves.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The title of the window.
    pub fn title(&self) -> String {
        self.display.title(self.id)
    }

    /// Waits until the window shows all that came of what was done before, and returns the number of the frame.
    pub fn shown(&mut self) -> u64 {
        self.ask("shown").0
    }

    /// Waits until nothing is on its way to the window either, and returns whether it will do nothing by itself.
    pub fn rests(&mut self) -> bool {
        self.ask("rests").1 == "still"
    }

    fn ask(&mut self, question: &str) -> (u64, String) {
        self.display.pass();
        // If the program has ended, there is no answer.
        let _ = writeln!(self.probe.get_mut(), "{question}");
        let mut line = String::new();
        let read = self.probe.read_line(&mut line);
        let answer = line.trim().split_once(' ');
        let (frame, then) = answer.unwrap_or_else(|| {
            let ended = self.child.try_wait();
            panic!("waiting until it {question}: {read:?}, {ended:?}: {}", self.stderr())
        });
        (frame.parse().unwrap(), then.to_owned())
    }

    /// Waits until `met` holds.
    pub fn wait_for(&mut self, what: &str, mut met: impl FnMut(&mut Self) -> bool) {
        let start = Instant::now();
        while !met(self) {
            let ended = self.child.try_wait().unwrap();
            assert!(
                ended.is_none(),
                "waiting for {what}: the program ended with {ended:?}: {}",
                self.stderr()
            );
            assert!(start.elapsed() < PATIENCE, "waiting for {what}: {}", self.stderr());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The program's stderr so far.
    pub fn stderr(&self) -> String {
        std::fs::read_to_string(self.folder().join("stderr")).unwrap_or_default()
    }

    /// The content of the window now.
    pub fn shot(&self) -> Image {
        self.display.shot(self.id)
    }

    /// The content of the window once it rests, of this size and not empty.
    pub fn still(&mut self, size: (u32, u32)) -> Image {
        self.rests();
        let shot = self.shot();
        assert_eq!((shot.width, shot.height), size);
        let first = &shot.pixels[..4];
        assert!(shot.pixels.chunks_exact(4).any(|p| p != first), "an empty window");
        shot
    }

    /// Presses a key.
    pub fn key(&self, name: &str) {
        self.display.xdotool(&["key", name]);
    }

    /// Presses keys one after the other.
    pub fn keys(&self, names: &[&str]) {
        names.iter().for_each(|name| self.key(name));
    }

    /// Asks for a size.
    pub fn resize(&self, w: u32, h: u32) {
        let [id, w, h] = [self.id, w, h].map(|n| n.to_string());
        self.display.xdotool(&["windowsize", &id, &w, &h]);
    }

    /// Moves the pointer to a pixel of the window.
    pub fn point(&self, (x, y): (i32, i32)) {
        let [id, x, y] = [self.id.to_string(), x.to_string(), y.to_string()];
        self.display.xdotool(&["mousemove", "--window", &id, &x, &y]);
    }

    /// Moves the pointer out of the window, so that there is no crosshair.
    pub fn point_away(&self) {
        self.display.point_away();
    }

    /// Clicks this many times; buttons 4 and 5 are the wheel.
    pub fn click(&self, button: u32, times: u32) {
        let [button, times] = [button, times].map(|n| n.to_string());
        self.display.xdotool(&["click", "--delay", "40", "--repeat", &times, &button]);
    }

    /// Clicks at a pixel of the window.
    pub fn click_at(&self, at: (i32, i32), button: u32, times: u32) {
        self.point(at);
        self.click(button, times);
    }

    /// A button or a key goes down or up: `mousedown`, `mouseup`, `keydown`, `keyup`.
    pub fn press(&self, what: &str, which: &str) {
        self.display.xdotool(&[what, which]);
    }

    /// Drags from pixel to pixel, with a modifier held where one is given.
    pub fn drag(&self, modifier: Option<&str>, from: (i32, i32), to: (i32, i32)) {
        modifier.iter().for_each(|m| self.press("keydown", m));
        self.point(from);
        self.press("mousedown", "1");
        for k in 1..=4 {
            self.point((from.0 + (to.0 - from.0) * k / 4, from.1 + (to.1 - from.1) * k / 4));
        }
        self.press("mouseup", "1");
        modifier.iter().for_each(|m| self.press("keyup", m));
    }

    /// Types text.
    pub fn write(&self, text: &str) {
        self.display.xdotool(&["type", "--delay", "20", text]);
    }

    /// The file that a key makes the program save, once it exists.
    pub fn new_file(&mut self, key: &str) -> PathBuf {
        let list = |v: &Self| -> Vec<PathBuf> {
            let entries = std::fs::read_dir(v.folder()).unwrap();
            entries.map(|e| e.unwrap().path()).collect()
        };
        let before = list(self);
        self.key(key);
        // Temporary files have an ending of their own.
        let ends = |p: &PathBuf| p.extension().is_some_and(|e| e == "png" || e == "toml");
        let new = |v: &Self| list(v).into_iter().find(|p| ends(p) && !before.contains(p));
        let mut found = None;
        self.wait_for("a saved file", |v| {
            found = new(v);
            found.is_some()
        });
        found.unwrap()
    }

    /// Whether the program has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// The text on the display's clipboard.
    pub fn clipboard(&self) -> String {
        let peer = Peer::on(self.display);
        let (clipboard, text, place) =
            (peer.atom(b"CLIPBOARD"), peer.atom(b"UTF8_STRING"), peer.atom(b"TEXT_OF_A_TEST"));
        let now = x11rb::CURRENT_TIME;
        let asked = peer.connection.convert_selection(peer.window, clipboard, text, place, now);
        asked.unwrap();
        while !matches!(peer.event(), Event::SelectionNotify(_)) {}
        let found = peer.connection.get_property(true, peer.window, place, text, 0, 1 << 20);
        String::from_utf8(found.unwrap().reply().unwrap().value).unwrap()
    }

    /// Asks the window to close, as window managers do.
    pub fn ask_to_close(&self) {
        let peer = Peer::on(self.display);
        let data = [peer.atom(b"WM_DELETE_WINDOW"), 0, 0, 0, 0];
        let message = ClientMessageEvent::new(32, self.id, peer.atom(b"WM_PROTOCOLS"), data);
        let sent = peer.connection.send_event(false, self.id, EventMask::NO_EVENT, message);
        sent.unwrap().check().unwrap();
    }

    /// The exit code of a program that is about to end.
    pub fn code(self) -> Option<i32> {
        self.ends().0
    }

    /// Waits for the end of the program, and returns its exit code and what it wrote to stderr.
    pub fn ends(mut self) -> (Option<i32>, String) {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status.code(), self.stderr());
            }
            assert!(start.elapsed() < PATIENCE, "the program stays: {}", self.stderr());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Viewer<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The window's end of the socket, once it connects.
fn connected(listener: &UnixListener, child: &mut Child) -> BufReader<UnixStream> {
    listener.set_nonblocking(true).unwrap();
    let start = Instant::now();
    loop {
        match listener.accept() {
            Ok((socket, _)) => {
                socket.set_nonblocking(false).unwrap();
                socket.set_read_timeout(Some(PATIENCE)).unwrap();
                return BufReader::new(socket);
            }
            Err(e) if e.kind() == ErrorKind::WouldBlock => {}
            Err(e) => panic!("{e}"),
        }
        let ended = child.try_wait().unwrap();
        if ended.is_some() || start.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("the program did not come to its window: {ended:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
