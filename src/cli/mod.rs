//! The command line: flags to a figure, a figure to files, failures to exit codes.

mod run_args;
mod bench_args;
mod numbers;
mod source_args;
mod args;
mod diagnostics;
mod overlay;
#[cfg(unix)]
mod signals;
mod origin;
mod load;
mod watch;
mod progress;
#[cfg(feature = "gpu")]
mod device;
mod backend;
mod targets;
mod write;
mod render;
#[cfg(feature = "window")]
mod reporter;
#[cfg(feature = "window")]
mod window;
mod view;
mod half_blocks;
mod preview;
mod picture;
mod info;
mod check;
mod export;
mod bench;
mod list;

use args::{Cli, Command};
use clap::Parser;
use diagnostics::Failure;
use std::process::ExitCode;

/// Runs the program; gives its exit code.
pub fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|info| {
        // A decoder that gives up is told as a damaged file, by who started it.
        #[cfg(any(feature = "parquet", feature = "arrow"))]
        if crate::input::is_decoding() {
            return;
        }
        // A library that panics on a failing device: told as the device's failure.
        #[cfg(feature = "gpu")]
        if crate::gpu::is_guarded() {
            return;
        }
        // The same of a display.
        #[cfg(feature = "window")]
        if crate::app::is_opening() {
            return;
        }
        let place = info
            .location()
            .map_or(String::new(), |l| format!(" ({}:{})", l.file(), l.line()));
        let what = info.payload().downcast_ref::<&str>().map(|s| (*s).to_owned());
        let what = what
            .or_else(|| info.payload().downcast_ref::<String>().cloned())
            .unwrap_or_default();
        diagnostics::line(&format!(
            "error: internal error: {}{place}; please report it",
            what.replace('\n', " ")
        ));
    }));
    std::panic::catch_unwind(run).unwrap_or_else(|_| {
        crate::output::abandon(|| ());
        ExitCode::from(1)
    })
}

fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // What was asked for and cannot be printed is an output not written.
        Err(told) if !told.use_stderr() => {
            let printed = told
                .print()
                .map_err(|e| crate::Error::Output("-".into(), e).into());
            return printed.map_or_else(|failure| diagnostics::failed(&failure), |()| ExitCode::SUCCESS);
        }
        // What was typed is said again, but commands no terminal.
        Err(wrong) if std::env::args_os().any(|a| a.to_string_lossy().contains(crate::text::steers)) => {
            wrong
                .render()
                .to_string()
                .trim_end()
                .lines()
                .for_each(|l| diagnostics::line(&crate::text::one_line(l)));
            return ExitCode::from(2);
        }
        Err(wrong) => wrong.exit(),
    };
    #[cfg(unix)]
    signals::listen();
    let result = match cli.command {
        Some(Command::View(a)) => view::run(*a),
        Some(Command::Render(a)) => render::run(&a),
        Some(Command::Info(a)) => info::run(&a, None),
        Some(Command::Check(a)) => check::run(&a),
        Some(Command::Export(a)) => export::run(&a),
        Some(Command::Bench(a)) => bench::run(&a),
        Some(Command::Colormaps(a)) => list::colormaps(&a),
        Some(Command::Devices) => list::devices(),
        Some(Command::Schema) => list::schema(),
        Some(Command::Completions { shell }) => list::completions(shell),
        None => bare(cli),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(failure) => diagnostics::failed(&failure),
    }
}

/// Without a command: the window where a person sits before a display, else what `info` says and a preview.
fn bare(cli: Cli) -> Outcome {
    if !cli.asks_for_text() && view::is_likely() {
        let source = cli.info.source.clone();
        match view::run(args::WindowArgs {
            source,
            ..args::WindowArgs::default()
        }) {
            Err(Failure::Run(e @ crate::Error::Device(..))) => {
                diagnostics::line(&format!(
                    "note: no window: {}",
                    crate::text::one_line(&e.to_string())
                ));
            }
            done => return done,
        }
    }
    info::run(&cli.info, Some(cli.preview))
}

type Outcome = Result<u8, Failure>;
