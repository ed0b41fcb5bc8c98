//! A display of its own for a test: Xvfb, input by xdotool, and what windows show.

use crate::support::program::bare;
use crate::support::required;
use gridscope::Image;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{ConnectionExt, ImageFormat, InputFocus, MapState, WindowClass};
use x11rb::rust_connection::RustConnection;

/// Longer than anything takes, even on a busy machine: it ends what hangs.
pub const PATIENCE: Duration = Duration::from_mins(2);
/// A display is ended after this, and with it all that waits for it.
const LIFE: Duration = Duration::from_mins(10);

/// A display of its own.
pub struct Display {
    server: Arc<Mutex<Child>>,
    /// Dropped with the display, which then needs no end.
    _lives: Sender<()>,
    connection: RustConnection,
    pub name: String,
    /// Pixels of a logical pixel, as the desktop says.
    pub scale: f64,
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
        let args = "-displayfd 1 -nolisten tcp -noreset -screen 0";
        let mut server = Command::new("Xvfb")
            .args(args.split(' '))
            .arg(size)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let stdout = server.stdout.take().unwrap();
        let server = Arc::new(Mutex::new(server));
        let (lives, ends) = channel();
        let watched = server.clone();
        std::thread::spawn(move || {
            if ends.recv_timeout(LIFE) == Err(RecvTimeoutError::Timeout) {
                let _ = watched.lock().unwrap().kill();
            }
        });
        let mut number = String::new();
        BufReader::new(stdout).read_line(&mut number).unwrap();
        let name = format!(":{}", number.trim());
        Some(Self { server, _lives: lives, connection: x11rb::connect(Some(&name)).unwrap().0, name, scale })
    }

    /// The program, ready to run on this display.
    pub fn program(&self) -> Command {
        let mut command = bare();
        command.env("DISPLAY", &self.name);
        command.env("WINIT_X11_SCALE_FACTOR", self.scale.to_string());
        command
    }

    /// Moves the pointer to the last pixel: the server keeps it on the screen.
    pub fn point_away(&self) {
        self.xdotool(&["mousemove", "9999", "9999"]);
    }

    /// Ends the server, as a display does that goes away.
    pub fn stop(&self) {
        let id = self.server.lock().unwrap().id().to_string();
        assert!(Command::new("kill").arg(id).status().unwrap().success());
    }

    /// The output of xdotool.
    pub fn xdotool(&self, args: &[&str]) -> String {
        let run = Command::new("xdotool").args(args).env("DISPLAY", &self.name).output();
        let Output { stdout, .. } = run.unwrap();
        String::from_utf8_lossy(&stdout).trim().to_owned()
    }

    /// Waits until all that was asked of the server before has reached those whom it concerns.
    pub fn pass(&self) {
        self.connection.get_input_focus().unwrap().reply().unwrap();
    }

    /// The window of the program, once it is visible.
    pub fn window(&self) -> Option<u32> {
        let root = self.connection.setup().roots[0].root;
        let children = self.connection.query_tree(root).unwrap().reply().unwrap().children;
        children.into_iter().find(|id| {
            // A window may go away meanwhile.
            let state = self.connection.get_window_attributes(*id).unwrap().reply();
            state.is_ok_and(|s| s.map_state == MapState::VIEWABLE)
                && self.title(*id).ends_with(" - gridscope")
        })
    }

    /// The title of a window.
    pub fn title(&self, id: u32) -> String {
        let name = self.atom(b"_NET_WM_NAME");
        let found = self.connection.get_property(false, id, name, 0u32, 0, 1 << 16).unwrap().reply();
        found.map_or_else(|_| String::new(), |f| String::from_utf8(f.value).unwrap())
    }

    /// Gives a window the keyboard.
    pub fn focus(&self, id: u32) {
        let now = x11rb::CURRENT_TIME;
        self.connection.set_input_focus(InputFocus::PARENT, id, now).unwrap().check().unwrap();
    }

    /// The content of a window.
    pub fn shot(&self, id: u32) -> Image {
        let size = self.connection.get_geometry(id).unwrap().reply().unwrap();
        let (width, height) = (size.width, size.height);
        let format = ImageFormat::Z_PIXMAP;
        let asked = self.connection.get_image(format, id, 0, 0, width, height, u32::MAX);
        let mut pixels = asked.unwrap().reply().unwrap().data;
        // The server has blue, green, red and a byte of nothing.
        pixels.chunks_exact_mut(4).for_each(|p| {
            p.swap(0, 2);
            p[3] = 255;
        });
        Image { width: width.into(), height: height.into(), pixels }
    }

    fn atom(&self, name: &[u8]) -> u32 {
        self.connection.intern_atom(false, name).unwrap().reply().unwrap().atom
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let mut server = self.server.lock().unwrap();
        let _ = server.kill();
        let _ = server.wait();
    }
}

/// The tools that are missing.
fn missing() -> Option<String> {
    for tool in ["Xvfb", "xdotool"] {
        let found = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
            .any(|p| p.join(tool).is_file());
        if !found {
            return Some(tool.to_owned());
        }
    }
    let devices = bare().arg("devices").output().unwrap();
    devices.stdout.is_empty().then(|| "graphics device".to_owned())
}

/// Another program on a display, with a window that is never seen: it exchanges selections and messages with the window.
pub struct Peer {
    pub connection: RustConnection,
    pub window: u32,
}

impl Peer {
    pub fn on(display: &Display) -> Self {
        let (connection, screen) = x11rb::connect(Some(&display.name)).unwrap();
        let root = connection.setup().roots[screen].root;
        let window = connection.generate_id().unwrap();
        let class = WindowClass::INPUT_ONLY;
        connection.create_window(0, window, root, 0, 0, 1, 1, 0, class, 0, &Default::default()).unwrap();
        Self { connection, window }
    }

    pub fn atom(&self, name: &[u8]) -> u32 {
        self.connection.intern_atom(false, name).unwrap().reply().unwrap().atom
    }

    /// The next event.
    pub fn event(&self) -> Event {
        self.connection.flush().unwrap();
        let start = Instant::now();
        loop {
            if let Some(event) = self.connection.poll_for_event().unwrap() {
                return event;
            }
            assert!(start.elapsed() < PATIENCE, "no answer of the window");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}
