//! The command line: flags to a figure, a figure to files, failures to exit codes.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may open files and start threads"))]

mod bench_args;
mod unknown_flag;
mod diagnostics;
mod figure_flags;
mod args;
mod apply_flags;
#[cfg(unix)]
mod signals;
mod load;
mod watch;
#[cfg(all(feature = "gpu", target_os = "linux"))]
mod environment;
mod progress;
#[cfg(feature = "gpu")]
mod device;
mod backend;
mod write;
mod render;
#[cfg(feature = "window")]
mod reporter;
#[cfg(feature = "window")]
mod lost_display;
#[cfg(feature = "window")]
mod slicer;
#[cfg(feature = "window")]
mod window;
mod view;
mod preview;
mod info;
mod check;
mod export;
mod bench;
mod list;

use args::{Cli, Command};
use clap::Parser;
use diagnostics::Failure;
use gridscope_read::expand;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the program with the arguments of this process and returns its exit code.
pub fn main() -> ExitCode {
    ExitCode::from(main_with(&std::env::args_os().collect::<Vec<_>>()))
}

/// Runs the program with these arguments, of which the first is its name, and returns its exit code. From then on the process has
/// the program's panic hook, and signals end it as they end the program.
pub fn main_with(arguments: &[OsString]) -> u8 {
    gridscope_core::output::look_at_standard_output();
    #[cfg(all(feature = "gpu", target_os = "linux"))]
    environment::quiet_drivers();
    std::panic::set_hook(Box::new(|info| {
        // The caller of the decoder reports a damaged file.
        if gridscope_read::is_decoding() {
            return;
        }
        // The caller reports the failure of the device.
        #[cfg(feature = "gpu")]
        if gridscope_gpu::is_guarded() {
            return;
        }
        // The caller reports that no display can be opened.
        #[cfg(feature = "window")]
        if gridscope_window::is_opening() {
            return;
        }
        let place = info.location().map_or(String::new(), |l| format!(" ({}:{})", l.file(), l.line()));
        let what = info.payload().downcast_ref::<&str>().map(|s| (*s).to_owned());
        let what = what.or_else(|| info.payload().downcast_ref::<String>().cloned()).unwrap_or_default();
        diagnostics::line(&format!(
            "error: internal error: {}{place}; please report it",
            what.replace('\n', " ")
        ));
    }));
    many_files();
    std::panic::catch_unwind(|| run(arguments)).unwrap_or_else(|_| {
        gridscope_core::output::abandon(|| ());
        1
    })
}

/// Lets the program open as many files at once as the system allows it: those of a table of thousands stay open.
fn many_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

fn run(arguments: &[OsString]) -> u8 {
    let mut cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        // Help that cannot be printed is an output that cannot be written.
        Err(help) if !help.use_stderr() => {
            let printed = help.print().map_err(|e| gridscope_draw::error::Error::output("-", e).into());
            return printed.map_or_else(|failure| diagnostics::report(&failure), |()| 0);
        }
        Err(wrong) if unknown_flag::meant(&wrong).is_some() => {
            let (flag, hint) = unknown_flag::meant(&wrong).unwrap_or_default();
            return diagnostics::report(&Failure::usage(format!("unknown flag {flag}")).with_hint(hint));
        }
        // The message repeats the arguments, whose control characters must not reach the terminal.
        Err(wrong)
            if arguments.iter().any(|a| a.to_string_lossy().contains(gridscope_core::text::steers)) =>
        {
            wrong
                .render()
                .to_string()
                .trim_end()
                .lines()
                .for_each(|l| diagnostics::line(&gridscope_core::text::one_line(l)));
            return 2;
        }
        Err(wrong) => {
            // Nobody hears that standard error is closed.
            let _ = wrong.print();
            return 2;
        }
    };
    #[cfg(unix)]
    signals::listen();
    if let Some(source) = cli.source() {
        match expand(&source.files) {
            Ok(files) => source.files = files,
            Err(e) => return diagnostics::report(&e.into()),
        }
    }
    let result = match cli.command {
        Some(Command::View(a)) => view::run(*a),
        Some(Command::Render(a)) => render::run(&a),
        Some(Command::Info(a)) => info::run(&a, None),
        Some(Command::Check(a)) => check::run(&a),
        Some(Command::Export(a)) => export::run(&a),
        Some(Command::Bench(a)) => bench::run(&a),
        Some(Command::Colormaps(a)) => list::colormaps(&a),
        Some(Command::Devices(a)) => list::devices(&a),
        Some(Command::Schema) => list::schema(),
        Some(Command::Completions { shell }) => list::completions(shell),
        None => without_command(cli),
    };
    match result {
        Ok(code) => code,
        Err(failure) => diagnostics::report(&failure),
    }
}

/// Without a command: a window if a person sits before a display, otherwise the output of `info` and a preview.
fn without_command(cli: Cli) -> Outcome {
    if !cli.asks_for_text() && view::is_likely() {
        let source = cli.info.source.clone();
        match view::run(args::WindowArgs { source, ..args::WindowArgs::default() }) {
            Err(Failure::Run(e @ gridscope_draw::error::Error::Device { .. })) => {
                diagnostics::line(&format!(
                    "note: no window: {}",
                    gridscope_core::text::one_line(&e.to_string())
                ));
            }
            done => return done,
        }
    }
    info::run(&cli.info, Some(cli.preview))
}

/// The exit code of a command, or why it has no result.
type Outcome = Result<u8, Failure>;
