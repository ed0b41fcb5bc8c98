//! From the command line to grids: the figure file, the flags over it, the data.

use super::args::{RunArgs, Source};
use super::diagnostics::{Failure, policy};
use super::origin::Origin;
use super::overlay::overlay;
use crate::figure::{Annotate, Figure};
use crate::input::{Budget, InputError, Loaded, Needs, open_figure_within, open_within, usual_limit};
use crate::lint::Policy;
use crate::output::is_same;
use crate::text::Fonts;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What a command works on.
pub(super) struct Job {
    pub figure: Figure,
    /// The files of its data.
    pub files: Vec<String>,
    pub loaded: Loaded,
    pub policy: Policy,
    /// Which file an error is about.
    pub origin: Origin,
    /// What its data were taken off; the rest of the run has what is left.
    pub budget: Arc<Budget>,
}

/// A figure, the files of its data, which lints it denies, and which file an error is about.
pub(super) type Described = (Figure, Vec<String>, Policy, Origin);

/// The figure that the command line describes, its data files, which lints it denies, and which file an error is about.
pub(super) fn describe(source: &Source) -> Result<Described, Failure> {
    let mut files = source.files.clone();
    let mut figure = Figure::default();
    let mut file = None;
    if let Some(first) = files.first()
        && let Some(read) = open_figure_within(first, memory_limit(source)?)?
    {
        figure = read;
        let name = files.remove(0);
        if files.is_empty() {
            files = figure.data.file.clone().map(|l| l.0).unwrap_or_default();
            if files.is_empty() {
                return Err(InputError::refused(&name, "data", "names no file")
                    .with_hint("[data] file = \"results.csv\"")
                    .into());
            }
        }
        file = Some((name, figure.clone()));
    }
    overlay(source, &mut figure)?;
    let policy = policy(&source.run, &figure.lints);
    let origin = Origin::new(file, &figure, &files);
    Ok((figure, files, policy, origin))
}

/// Reads everything.
pub(super) fn load(source: &Source) -> Result<Job, Failure> {
    super::diagnostics::limit_time(&source.run, source.files.first())?;
    reload(source, Needs::default())
}

/// Reads everything, once more perhaps, with all that is `asked`.
pub(super) fn reload(source: &Source, asked: Needs) -> Result<Job, Failure> {
    read(source, describe(source)?, asked)
}

/// Reads the data of a figure, with what its annotations need besides what is `asked`.
pub(super) fn read(source: &Source, described: Described, asked: Needs) -> Result<Job, Failure> {
    read_within(source, described, asked, budget(source)?)
}

/// As [`read`], with a budget that other reading of this run shares.
pub(super) fn read_within(
    source: &Source,
    described: Described,
    asked: Needs,
    budget: Arc<Budget>,
) -> Result<Job, Failure> {
    let origin = described.3.clone();
    read_files(source, described, asked, budget).map_err(|e| origin.of(e))
}

fn read_files(
    source: &Source,
    (figure, files, policy, origin): Described,
    asked: Needs,
    budget: Arc<Budget>,
) -> Result<Job, Failure> {
    let report = source.run.json.iter().flatten();
    spare(report, source, &files)?;
    let needs = Needs {
        patience: patience(&source.run)?,
        ..needs(&figure, asked)
    };
    let loaded = open_within(&files, &figure, &needs, &budget)?;
    known_panels(&figure, &loaded)?;
    Ok(Job {
        figure,
        files,
        loaded,
        policy,
        origin,
        budget,
    })
}

/// Refuses outputs that would take the place of what they are made from.
pub(super) fn spare<'a>(
    mut outputs: impl Iterator<Item = &'a PathBuf>,
    source: &Source,
    files: &[String],
) -> Result<(), Failure> {
    let inputs = watched(source, files);
    // What is written where it stands, such as a terminal, may well be read there too.
    let is_input =
        |o: &&PathBuf| o.as_os_str() != "-" && o.is_file() && inputs.iter().any(|i| is_same(o, Path::new(i)));
    match outputs.find(is_input) {
        Some(path) => Err(Failure::Usage(
            format!(
                "{}: is the input; an output needs a name of its own",
                path.display()
            ),
            None,
        )),
        None => Ok(()),
    }
}

/// The files whose changes matter: the figure's own and its data.
pub(super) fn watched(source: &Source, data: &[String]) -> Vec<String> {
    source.files.iter().chain(data).cloned().collect()
}

/// A table for a panel that is not there would say nothing in silence.
fn known_panels(figure: &Figure, loaded: &Loaded) -> Result<(), Failure> {
    let known = |name: &String| loaded.grids.iter().any(|g| g.name == *name);
    let Some(name) = figure.panels.keys().find(|n| !known(n)) else {
        return Ok(());
    };
    let names: Vec<&str> = loaded.grids.iter().map(|g| g.name.as_str()).collect();
    let hint = format!("the panels are: {}", names.join(", "));
    Err(InputError::refused("", format!("panels.{name}"), "no such panel")
        .with_hint(hint)
        .into())
}

fn needs(figure: &Figure, mut needs: Needs) -> Needs {
    if let Some(Annotate::Template(template)) = figure.annotations.show.as_deref() {
        needs.aggregates = template.aggregates();
        needs.columns = template.columns();
    }
    match figure.color.scale.as_deref() {
        None | Some("shared" | "panel" | "value") => {}
        Some(column) => needs.columns.push(column.to_owned()),
    }
    needs
}

/// How long a named pipe may stay without its first byte, where that is given.
fn patience(run: &RunArgs) -> Result<Option<Duration>, Failure> {
    let read = |seconds: f64| {
        Duration::try_from_secs_f64(seconds)
            .map_err(|e| Failure::Usage(format!("--patience {seconds}: {e}"), None))
    };
    run.patience.map(read).transpose()
}

/// The memory that everything in a run shares.
fn budget(source: &Source) -> Result<Arc<Budget>, Failure> {
    let limit = memory_limit(source)?;
    Ok(if source.run.max_memory.is_some() {
        Budget::given(limit)
    } else {
        Budget::new(limit)
    })
}

/// `512M`, `4G`, a number of bytes; half of what this process may have unless given.
pub(super) fn memory_limit(source: &Source) -> Result<u64, Failure> {
    let Some(text) = &source.run.max_memory else {
        return Ok(usual_limit());
    };
    let cut = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let scale = match text[cut..].trim_end_matches(['B', 'b', 'i']) {
        "" => 1.0,
        "k" | "K" => 1024.0,
        "m" | "M" => 1024.0 * 1024.0,
        "g" | "G" => 1024.0 * 1024.0 * 1024.0,
        _ => f64::NAN,
    };
    let bytes = text[..cut].parse::<f64>().unwrap_or(f64::NAN) * scale;
    if bytes >= 1.0 && bytes.is_finite() {
        return Ok(bytes as u64);
    }
    Err(Failure::Usage(
        format!("--max-memory '{text}' is no size"),
        Some("512M, 4G, or a number of bytes".to_owned()),
    ))
}

/// The longest font.
const MOST_FONT: u64 = 256 << 20;

/// The fonts of a figure, where so many bytes are left for its own.
pub(super) fn fonts(figure: &Figure, left: u64) -> Result<Fonts, Failure> {
    let Some(path) = &figure.font else {
        return Ok(Fonts::new());
    };
    let bytes = crate::input::read_file(std::path::Path::new(path), MOST_FONT.min(left))?;
    Fonts::with_font(bytes).map_err(|e| InputError::refused(path, "", e).into())
}

/// The most memory this process has held, in MiB; 0 where the system does not tell.
pub(super) fn peak_rss_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib = status.lines().find_map(|l| {
        l.strip_prefix("VmHWM:")?
            .trim()
            .strip_suffix("kB")?
            .trim()
            .parse::<f64>()
            .ok()
    });
    (kib.unwrap_or(0.0) / 1024.0 * 10.0).round() / 10.0
}
