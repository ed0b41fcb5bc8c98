//! A display of its own for a test: Xvfb, the program's window on it, keys and pointer by xdotool, screenshots by import.

use crate::support::image::decode;
use crate::support::program::bare;
use crate::support::required;
use gridscope::Image;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{ClientMessageEvent, ConnectionExt, EventMask, WindowClass};

/// Longer than anything takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// A display of its own.
pub struct Display {
    server: Child,
    pub name: String,
    /// Pixels of a logical pixel, as the desktop says.
    scale: f64,
}

impl Display {
    /// `None` if the machine lacks the tools and is not required to have them.
    pub fn start() -> Option<Self> {
        Self::of_size("3200x1800x24", 1.0)
    }

    /// A display of this size and depth at a scale factor.
    pub fn of_size(size: &str, scale: f64) -> Option<Self> {
        static MISSING: OnceLock<Option<String>> = OnceLock::new();
        if let Some(what) = MISSING.get_or_init(missing) {
            assert!(!required::adapter(), "required: {what}");
            println!("skipped: no {what}");
            return None;
        }
        let mut server = Command::new("Xvfb");
        server.args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            size,
            "-nolisten",
            "tcp",
            "-noreset",
        ]);
        let mut server = server
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap())
            .read_line(&mut number)
            .unwrap();
        Some(Self {
            server,
            name: format!(":{}", number.trim()),
            scale,
        })
    }

    /// The program, ready to run on this display.
    pub fn program(&self) -> Command {
        let mut command = bare();
        command.env("DISPLAY", &self.name);
        command.env("WINIT_X11_SCALE_FACTOR", self.scale.to_string());
        command
    }

    /// Moves the pointer to the last pixel: the server keeps it on the screen.
    fn point_away(&self) {
        self.xdotool(&["mousemove", "9999", "9999"]);
    }

    /// Ends the server, as a display does that goes away.
    pub fn stop(&self) {
        let ended = Command::new("kill").arg(self.server.id().to_string()).status();
        assert!(ended.unwrap().success());
    }

    /// Runs a tool on this display.
    pub fn tool(&self, name: &str, args: &[&str]) -> Output {
        Command::new(name)
            .args(args)
            .env("DISPLAY", &self.name)
            .output()
            .unwrap()
    }

    /// What xdotool prints.
    pub fn xdotool(&self, args: &[&str]) -> String {
        String::from_utf8_lossy(&self.tool("xdotool", args).stdout)
            .trim()
            .to_owned()
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The tools that are missing.
fn missing() -> Option<String> {
    for tool in ["Xvfb", "xdotool", "import"] {
        let found = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
            .any(|p| p.join(tool).is_file());
        if !found {
            return Some(tool.to_owned());
        }
    }
    let devices = bare().arg("devices").output().unwrap();
    devices.stdout.is_empty().then(|| "graphics device".to_owned())
}

/// `gridscope view` in a window, and the folder that it runs in.
pub struct Viewer<'a> {
    display: &'a Display,
    child: Child,
    folder: tempfile::TempDir,
    /// The X window.
    pub id: String,
    /// Time from the start of the program until the window appeared.
    pub opened: Duration,
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
        let start = Instant::now();
        let stderr = std::fs::File::create(folder.path().join("stderr")).unwrap();
        let child = display
            .program()
            .arg("view")
            .args(args)
            .current_dir(folder.path())
            .env("XDG_STATE_HOME", folder.path().join("state"))
            .envs(variables.iter().copied())
            .stderr(stderr)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut viewer = Self {
            display,
            child,
            folder,
            id: String::new(),
            opened: Duration::ZERO,
        };
        viewer.wait_for("a window", |v| {
            v.id = v
                .display
                .xdotool(&["search", "--onlyvisible", "--name", " - gridscope$"]);
            !v.id.is_empty()
        });
        viewer.opened = start.elapsed();
        display.xdotool(&["windowfocus", "--sync", &viewer.id]);
        viewer
    }

    /// The folder where the program saves.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The name of the display.
    pub fn display_name(&self) -> &str {
        &self.display.name
    }

    /// Pixels of a logical pixel.
    pub fn scale(&self) -> f64 {
        self.display.scale
    }

    /// The title of the window.
    pub fn title(&self) -> String {
        self.display.xdotool(&["getwindowname", &self.id])
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
            assert!(
                start.elapsed() < PATIENCE,
                "waiting for {what}: {}",
                self.stderr()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// What the program wrote to stderr.
    pub fn stderr(&self) -> String {
        std::fs::read_to_string(self.folder().join("stderr")).unwrap_or_default()
    }

    /// A screenshot of the window.
    pub fn shot(&self) -> Image {
        let shot = self
            .display
            .tool("import", &["-window", &self.id, "-depth", "8", "png:-"]);
        decode(&shot.stdout)
    }

    /// A screenshot once size and picture no longer change.
    pub fn still(&mut self, size: (u32, u32)) -> Image {
        let mut last = self.shot();
        self.wait_for("a picture that stays", |v| {
            std::thread::sleep(Duration::from_millis(150));
            let before = std::mem::replace(&mut last, v.shot());
            before == last
                && (last.width, last.height) == size
                && last.pixels.chunks_exact(4).any(|p| p != &last.pixels[..4])
        });
        last
    }

    /// Presses a key.
    pub fn key(&self, name: &str) {
        self.display.xdotool(&["key", name]);
    }

    /// Asks for a size.
    pub fn resize(&self, w: u32, h: u32) {
        self.display
            .xdotool(&["windowsize", &self.id, &w.to_string(), &h.to_string()]);
    }

    /// Moves the pointer to a pixel of the window.
    pub fn point(&self, (x, y): (i32, i32)) {
        self.display
            .xdotool(&["mousemove", "--window", &self.id, &x.to_string(), &y.to_string()]);
    }

    /// Moves the pointer out of the window, so that there is no crosshair.
    pub fn point_away(&self) {
        self.display.point_away();
    }

    /// Clicks this many times; buttons 4 and 5 are the wheel.
    pub fn click(&self, button: u32, times: u32) {
        self.display.xdotool(&[
            "click",
            "--delay",
            "40",
            "--repeat",
            &times.to_string(),
            &button.to_string(),
        ]);
    }

    /// A button or a key goes down or up: `mousedown`, `mouseup`, `keydown`, `keyup`.
    pub fn press(&self, what: &str, which: &str) {
        self.display.xdotool(&[what, which]);
    }

    /// Drags from pixel to pixel and releases.
    pub fn drag(&self, button: &str, from: (i32, i32), to: (i32, i32)) {
        self.hold(button, from, to);
        self.press("mouseup", button);
    }

    /// Drags without releasing.
    pub fn hold(&self, button: &str, from: (i32, i32), to: (i32, i32)) {
        self.point(from);
        self.press("mousedown", button);
        for k in 1..=4 {
            self.point((from.0 + (to.0 - from.0) * k / 4, from.1 + (to.1 - from.1) * k / 4));
        }
    }

    /// Types text.
    pub fn write(&self, text: &str) {
        self.display.xdotool(&["type", "--delay", "20", text]);
    }

    /// The file that a key makes the program save, once it exists.
    pub fn new_file(&mut self, key: &str) -> PathBuf {
        let list = |v: &Self| -> Vec<PathBuf> {
            std::fs::read_dir(v.folder())
                .unwrap()
                .map(|e| e.unwrap().path())
                .collect()
        };
        let before = list(self);
        self.key(key);
        // Temporary files have an ending of their own.
        let ends = |p: &PathBuf| p.extension().is_some_and(|e| e == "png" || e == "toml");
        let new = |v: &Self| list(v).into_iter().find(|p| ends(p) && !before.contains(p));
        self.wait_for("a saved file", |v| new(v).is_some());
        new(self).unwrap()
    }

    /// The processor time of the program so far, in clock ticks.
    pub fn ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let after = stat.rsplit_once(") ").unwrap().1;
        after
            .split(' ')
            .skip(11)
            .take(2)
            .map(|t| t.parse::<u64>().unwrap())
            .sum()
    }

    /// Whether the program has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// The text on the display's clipboard.
    pub fn clipboard(&self) -> String {
        let (connection, screen) = x11rb::connect(Some(&self.display.name)).unwrap();
        let atom = |name: &[u8]| connection.intern_atom(false, name).unwrap().reply().unwrap().atom;
        let (window, root) = (
            connection.generate_id().unwrap(),
            connection.setup().roots[screen].root,
        );
        connection
            .create_window(
                0,
                window,
                root,
                0,
                0,
                1,
                1,
                0,
                WindowClass::INPUT_ONLY,
                0,
                &Default::default(),
            )
            .unwrap();
        let (clipboard, text, place) = (atom(b"CLIPBOARD"), atom(b"UTF8_STRING"), atom(b"TEXT_OF_A_TEST"));
        connection
            .convert_selection(window, clipboard, text, place, x11rb::CURRENT_TIME)
            .unwrap();
        connection.flush().unwrap();
        while !matches!(connection.wait_for_event().unwrap(), Event::SelectionNotify(_)) {}
        let found = connection
            .get_property(true, window, place, text, 0, 1 << 20)
            .unwrap()
            .reply()
            .unwrap();
        String::from_utf8(found.value).unwrap()
    }

    /// Asks the window to close, as window managers do.
    pub fn ask_to_close(&self) {
        let (connection, _) = x11rb::connect(Some(&self.display.name)).unwrap();
        let atom = |name: &[u8]| connection.intern_atom(false, name).unwrap().reply().unwrap().atom;
        let window: u32 = self.id.parse().unwrap();
        let data = [atom(b"WM_DELETE_WINDOW"), 0, 0, 0, 0];
        let message = ClientMessageEvent::new(32, window, atom(b"WM_PROTOCOLS"), data);
        connection
            .send_event(false, window, EventMask::NO_EVENT, message)
            .unwrap()
            .check()
            .unwrap();
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
