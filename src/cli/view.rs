//! `gridscope view`, in builds with and without the window.

use super::Outcome;
use super::args::WindowArgs;
use super::diagnostics::Failure;
#[cfg(feature = "window")]
use super::window;
use gridscope_draw::error::Error;
use std::io::IsTerminal;

/// Whether a window is probably wanted: standard output is a terminal, and windows can be opened.
pub(super) fn is_likely() -> bool {
    cfg!(feature = "window") && std::io::stdout().is_terminal() && has_display(is_set)
}

#[cfg(feature = "window")]
pub(super) fn run(args: WindowArgs) -> Outcome {
    if !has_display(is_set) {
        return Err(no_window("no display: neither DISPLAY nor WAYLAND_DISPLAY is set"));
    }
    window::run(args)
}

#[cfg(not(feature = "window"))]
pub(super) fn run(_: WindowArgs) -> Outcome {
    Err(no_window("this build has no window (cargo feature window)"))
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|v| !v.is_empty())
}

/// Whether the environment names a display. Some systems always have one.
fn has_display(is_set: impl Fn(&str) -> bool) -> bool {
    cfg!(any(target_os = "windows", target_vendor = "apple"))
        || ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().any(is_set)
}

fn no_window(what: &str) -> Failure {
    Error::device(what).with_hint("gridscope render FILE -o picture.png").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_environment_names_the_display() {
        assert!(has_display(|name| name == "WAYLAND_DISPLAY") && has_display(|name| name == "DISPLAY"));
        assert!(!has_display(|_| false));
    }
}
