//! Signals that end a run: temporary files are removed, and the exit code is 128 + the signal's number.

use super::preview::ask::restore;
use gridscope_core::output::abandon;
use gridscope_core::workers::detached;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
use signal_hook::iterator::Signals;
use std::sync::mpsc::channel;

/// Signals that end the run unless they are ignored when it starts, as SIGHUP is under `nohup`.
const UNLESS_IGNORED: [i32; 3] = [SIGHUP, SIGQUIT, SIGXCPU];

/// Starts a thread that waits for a signal, removes the temporary files and ends the program.
///
/// If no thread can be started, signals end the program by their default action, and the next run removes its
/// temporary files.
pub(super) fn listen() {
    let (send, signals) = channel::<Signals>();
    let waits = move || {
        let Ok(mut signals) = signals.recv() else { return };
        let signal = signals.forever().next();
        if let Some(signal) = signal {
            abandon(|| {
                restore();
                std::process::exit(128 + signal)
            });
        }
    };
    let ignored = ignored(&std::fs::read_to_string("/proc/self/status").unwrap_or_default());
    let heard = UNLESS_IGNORED.into_iter().filter(|s| !is_ignored(*s, ignored)).chain([SIGINT, SIGTERM]);
    // The thread is started first: without it, a signal that is caught would be lost.
    if detached(waits).is_ok()
        && let Ok(caught) = Signals::new(heard)
    {
        let _ = send.send(caught);
    }
    // Without a handler, a write beyond the allowed size of a file ends the program; with one, the write fails
    // as on a full disk.
    let _ = signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default());
}

/// Whether a signal is ignored. If that is unknown, SIGHUP counts as ignored: `nohup` is common, and the default
/// action would end the run.
fn is_ignored(signal: i32, ignored: Option<u64>) -> bool {
    ignored.map_or(signal == SIGHUP, |bits| bits >> (signal - 1) & 1 == 1)
}

/// The signals that a process ignores, one bit each, from its `/proc/PID/status`.
fn ignored(status: &str) -> Option<u64> {
    let bits = status.lines().find_map(|l| l.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(bits.trim(), 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_read_from_their_bits() {
        let of = |status: &str| UNLESS_IGNORED.map(|s| is_ignored(s, ignored(status)));
        assert_eq!(of("Name:\tsh\nSigIgn:\t0000000000000000\nSigCgt:\tffffffffffffffff\n"), [false; 3]);
        assert_eq!(of("SigBlk:\t0000000000000001\nSigIgn:\t0000000000000001\n"), [true, false, false]);
        assert_eq!(of("SigIgn:\t0000000000800005\n"), [true, true, true]);
        assert_eq!(of("SigIgn:\t0000000000800004\n"), [false, true, true]);
        assert_eq!([of(""), of("SigIgn:\tnonsense\n")], [[true, false, false]; 2]);
    }
}
