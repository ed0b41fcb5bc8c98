//! From the command line to grids: the figure file, the flags applied to it, the data; and the file that an error is about.

use super::apply_flags::{apply_flags, check_center};
use super::args::{RunArgs, Source};
use super::diagnostics::{Failure, policy};
use gridscope_core::figure::{Baseline, Figure, PairedTest, SideFile};
use gridscope_core::lint::Policy;
use gridscope_core::output::is_same;
use gridscope_draw::error::Error;
use gridscope_read::{
    Budget, InputError, Loaded, ReadOptions, expand, files_of_panels, open_figure_within, open_first_slice,
    open_within, parse_size, usual_limit,
};
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Request of a command line, before any data are read.
pub(super) struct Request {
    /// The figure file with the flags applied, or the flags alone.
    pub figure: Figure,
    /// The files of its data.
    pub files: Vec<String>,
    /// Which lints are shown and denied.
    pub policy: Policy,
    /// Which file an error is about.
    pub origin: Origin,
}

/// A request and its data.
pub(super) struct Job {
    pub figure: Figure,
    /// The files of its data.
    pub files: Vec<String>,
    pub loaded: Loaded,
    /// Which lints are shown and denied.
    pub policy: Policy,
    /// Which file an error is about.
    pub origin: Origin,
    /// The memory of the run; its data have taken their part.
    pub budget: Arc<Budget>,
}

/// Refuses the name of a test after a blank, which is a file.
fn is_no_test(source: &Source) -> Result<(), Failure> {
    let is_test = |file: &&String| file.parse::<PairedTest>().is_ok() && !Path::new(file).exists();
    match source.files.iter().find(is_test) {
        Some(word) if !source.flags.given("data.paired").is_empty() => {
            let wrong = Failure::usage(format!("{word}: no such file; a test is written with ="));
            Err(wrong.with_hint(format!("--paired={word}")))
        }
        _ => Ok(()),
    }
}

/// Reads the figure file, if there is one, and applies the flags.
pub(super) fn describe(source: &Source) -> Result<Request, Failure> {
    let mut files = source.files.clone();
    is_no_test(source)?;
    let mut figure = Figure::default();
    let mut file = None;
    if let Some(first) = files.first()
        && let Some(read) = open_figure_within(first, memory_limit(source)?)?
    {
        figure = read;
        let name = files.remove(0);
        file = Some((name, figure.clone()));
    }
    let named = figure.data.file.clone();
    check_center(&source.flags)?;
    apply_flags(&source.flags, &mut figure)?;
    match &file {
        _ if !figure.panel.is_empty() => {
            let own = files_of_panels(&figure).map_err(|e| InputError {
                file: file.as_ref().map_or(String::new(), |f| f.0.clone()),
                ..e
            })?;
            if !files.is_empty() {
                let wrong =
                    Failure::usage(format!("{}: the figure file names a file for each [[panel]]", files[0]));
                return Err(wrong.with_hint("a copy of the figure file with other files"));
            }
            files = own;
        }
        _ if figure.data.db.is_some() => {
            let named = files.first().or(figure.data.file.as_ref().and_then(|l| l.0.first()));
            if let Some(name) = named {
                let wrong = Failure::usage(format!("{name}: --db stands in place of files"));
                return Err(wrong.with_hint("a file of DuckDB or SQLite needs no --db, only --from or --sql"));
            }
            files.extend(figure.data.db.clone());
        }
        Some((name, _)) if files.is_empty() => {
            files = expand(figure.data.file.as_ref().map_or(&[], |l| &l.0))?;
            if files.is_empty() {
                return Err(InputError::refused(name, "data", "names no file")
                    .with_hint("[data] file = \"results.csv\"")
                    .into());
            }
        }
        _ if named != figure.data.file => {
            let wrong =
                Failure::usage("--set data.file: the command line names files of data, which go before it");
            return Err(wrong.with_hint("give the files without --set"));
        }
        _ => {}
    }
    let policy = policy(&source.run, &figure.lints);
    let origin = Origin::new(file, &figure, &files);
    Ok(Request { figure, files, policy, origin })
}

/// Reads everything.
pub(super) fn load(source: &Source) -> Result<Job, Failure> {
    super::diagnostics::limit_time(&source.run, source.files.first())?;
    reload(source, ReadOptions::default())
}

/// Reads everything, possibly not for the first time.
pub(super) fn reload(source: &Source, needs: ReadOptions) -> Result<Job, Failure> {
    read(source, describe(source)?, needs)
}

/// Reads the data of a request. Aggregates and columns that its annotations need are added to `needs`.
pub(super) fn read(source: &Source, request: Request, needs: ReadOptions) -> Result<Job, Failure> {
    read_within(source, request, needs, budget(source)?)
}

/// As [`read`], with the budget of a run that reads more than one request.
pub(super) fn read_within(
    source: &Source,
    request: Request,
    needs: ReadOptions,
    budget: Arc<Budget>,
) -> Result<Job, Failure> {
    let origin = request.origin.clone();
    read_files(source, request, needs, budget).map_err(|e| origin.of(e))
}

fn read_files(
    source: &Source,
    request: Request,
    needs: ReadOptions,
    budget: Arc<Budget>,
) -> Result<Job, Failure> {
    let Request { mut figure, files, policy, origin } = request;
    let report = source.run.json.iter().flatten();
    protect_inputs(report, source, &figure, &files)?;
    let needs = ReadOptions { patience: patience(&source.run)?, ..needs.of_figure(&figure) };
    let loaded = if needs.first_slice {
        open_first_slice(&files, &mut figure, &needs, &budget)?
    } else {
        open_within(&files, &figure, &needs, &budget)?
    };
    loaded.known_panels(&figure)?;
    Ok(Job { figure, files, loaded, policy, origin, budget })
}

/// Refuses outputs that would replace an input.
pub(super) fn protect_inputs<'a>(
    mut outputs: impl Iterator<Item = &'a PathBuf>,
    source: &Source,
    figure: &Figure,
    files: &[String],
) -> Result<(), Failure> {
    let inputs = watched(source, figure, files);
    // Only regular files are replaced: a terminal, for example, may be both input and output.
    let is_input =
        |o: &&PathBuf| o.as_os_str() != "-" && o.is_file() && inputs.iter().any(|i| is_same(o, Path::new(i)));
    match outputs.find(is_input) {
        Some(path) => {
            Err(Failure::usage(format!("{}: is an input; the output needs another name", path.display())))
        }
        None => Ok(()),
    }
}

/// The files whose changes matter: the figure file, its data, those of a baseline, and those beside the data.
pub(super) fn watched(source: &Source, figure: &Figure, data: &[String]) -> Vec<String> {
    let whole = figure.without_panels();
    let own: Vec<Figure> = figure.panel.iter().map(|panel| panel.alone(&whole)).collect();
    let of_all = figure.data.comparisons();
    let of_panels = own.iter().flat_map(|figure| figure.data.comparisons());
    let baselines = of_all.chain(of_panels).filter_map(|(_, base)| match &**base {
        Baseline::File(path) => Some(path),
        Baseline::Named(path) if Path::new(path).is_file() => Some(path),
        _ => None,
    });
    let data = data.iter().filter(|name| figure.data.db.as_ref() != Some(*name));
    let mut all: Vec<String> = source.files.iter().chain(data).chain(baselines).cloned().collect();
    figure.clone().each_side_file(|kind, path| {
        // A range and the name of an array are no files.
        if kind != SideFile::Values || Path::new(path).is_file() {
            all.push(path.clone());
        }
    });
    all
}

/// How long to wait for the first byte of a named pipe, if that is given.
fn patience(run: &RunArgs) -> Result<Option<Duration>, Failure> {
    let read = |seconds: f64| {
        Duration::try_from_secs_f64(seconds).map_err(|e| Failure::usage(format!("--patience {seconds}: {e}")))
    };
    run.patience.map(read).transpose()
}

/// The memory that all parts of a run share.
fn budget(source: &Source) -> Result<Arc<Budget>, Failure> {
    let limit = memory_limit(source)?;
    Ok(if source.run.max_memory.is_some() { Budget::given(limit) } else { Budget::new(limit) })
}

/// The bytes of `--max-memory`: `512M`, `4G`, a number; by default half of the memory available to this process.
pub(super) fn memory_limit(source: &Source) -> Result<u64, Failure> {
    let Some(text) = &source.run.max_memory else {
        return Ok(usual_limit());
    };
    parse_size(text).ok_or_else(|| {
        Failure::usage(format!("--max-memory '{text}' is not a size"))
            .with_hint("512M, 4G, or a number of bytes")
    })
}

/// The most memory that this process has used so far, in MiB; 0 if the system does not report it.
pub(super) fn peak_rss_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib = status
        .lines()
        .find_map(|l| l.strip_prefix("VmHWM:")?.trim().strip_suffix("kB")?.trim().parse::<f64>().ok());
    (kib.unwrap_or(0.0) / 1024.0 * 10.0).round() / 10.0
}

/// The files of a run, and the values that each of flags and figure file gives.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    /// The figure file and its keys, if there is one.
    file: Option<(String, Value)>,
    /// The keys in force: those of the file, overridden by flags.
    all: Value,
    /// The first file of the data.
    data: String,
}

impl Origin {
    /// `file` is the figure file as it was read, `all` the figure after the flags were applied.
    pub(super) fn new(file: Option<(String, Figure)>, all: &Figure, data: &[String]) -> Self {
        let file = file.map(|(name, figure)| (name, keys(&figure)));
        Self { file, all: keys(all), data: data.first().cloned().unwrap_or_default() }
    }

    /// The same figure with other data.
    pub(super) fn with_data(self, data: &str) -> Self {
        Self { data: data.to_owned(), ..self }
    }

    /// The first file of the data.
    pub(super) fn data(&self) -> &str {
        &self.data
    }

    /// A missing file that the figure file names, with the name of that file and the folder where it should be.
    fn asked_for(&self, e: Error) -> Error {
        let (mut missing, (asks, keys)) = match (e, &self.file) {
            (Error::Input(missing), Some(file)) => (missing, file),
            (e, _) => return e,
        };
        let cause = std::error::Error::source(&missing).and_then(|c| c.downcast_ref::<io::Error>());
        if cause.is_some_and(|c| c.kind() == io::ErrorKind::NotFound) && names(keys, &missing.file) {
            let folder = Path::new(&missing.file).parent().unwrap_or(Path::new(""));
            let folder = std::path::absolute(folder.join(".")).unwrap_or_else(|_| folder.to_owned());
            missing.what = format!("{}; {asks} asks for it, in {}", missing.what, folder.display());
        }
        Error::Input(missing)
    }

    /// The failure with the file that it is about, unless it names one.
    pub(super) fn of(&self, failure: Failure) -> Failure {
        match failure {
            Failure::Run(e) => {
                let e = self.asked_for(e);
                let own = self
                    .file
                    .as_ref()
                    .filter(|(_, keys)| e.keys().iter().any(|key| is_given(keys, &self.all, "", key)));
                let name = own.map_or(&self.data, |(name, _)| name);
                Failure::Run(e.of_file(name))
            }
            Failure::Usage(..) => failure,
        }
    }
}

/// Whether a text of a figure file is the end of this path.
fn names(table: &Value, path: &str) -> bool {
    match table {
        Value::String(name) => !name.is_empty() && Path::new(path).ends_with(name),
        Value::Array(list) => list.iter().any(|v| names(v, path)),
        Value::Object(table) => table.values().any(|v| names(v, path)),
        _ => false,
    }
}

/// A figure's keys and values, as in a figure file.
fn keys(figure: &Figure) -> Value {
    serde_json::to_value(figure).unwrap_or_default()
}

/// Whether a table of the name `under`, or a table inside it, gives a key whose value no flag has overridden:
/// `vmin` in any table, `view.x` only in `view`.
fn is_given(table: &Value, all: &Value, under: &str, key: &str) -> bool {
    let (parent, leaf) = key.split_once('.').map_or((None, key), |(parent, leaf)| (Some(parent), leaf));
    table.as_object().into_iter().flatten().any(|(name, value)| {
        let now = &all[name.as_str()];
        let named = name == leaf && parent.is_none_or(|p| p == under);
        named && !value.is_null() && (value.is_object() || value == now) || is_given(value, now, name, key)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::figure::PanelSpec;
    use gridscope_core::scale::LimitsError;
    use gridscope_draw::resolve::ResolveError;

    fn origin() -> Origin {
        let mut file = Figure::default();
        (file.color.vmin, file.color.vmax, file.size.dpi) = (Some(5.0), Some(9.0), Some(72.0));
        file.view.x = Some("0:9".parse().unwrap());
        file.panels.insert(
            "a.b".to_owned(),
            PanelSpec { norm: Some("log".parse().unwrap()), ..PanelSpec::default() },
        );
        let mut all = file.clone();
        all.color.vmin = Some(20.0);
        all.size.dpi = Some(0.5);
        all.size.width = Some("3in".parse().unwrap());
        Origin::new(Some(("f.toml".to_owned(), file)), &all, &["d.csv".to_owned(), "e.csv".to_owned()])
    }

    fn begins(origin: &Origin, e: Error) -> String {
        let Failure::Run(e) = origin.of(e.into()) else { panic!("a failure of another kind") };
        e.to_string().split(':').next().unwrap_or_default().to_owned()
    }

    #[test]
    fn a_missing_file_is_said_to_be_asked_for_by_the_figure_file() {
        let mut file = Figure::default();
        file.data.file =
            Some(toml::from_str::<Figure>("data.file = 'runs/d.npy'").unwrap().data.file.unwrap());
        let here = Origin::new(Some(("f.toml".to_owned(), file.clone())), &file, &[]);
        let said = |name: &str, kind| {
            let e =
                InputError::refused(name, "", "no such file").with_source(io::Error::new(kind, "of a test"));
            let Failure::Run(e) = here.of(Error::Input(e).into()) else {
                panic!("a failure of another kind")
            };
            e.to_string()
        };
        assert_eq!(
            said("/a/runs/d.npy", io::ErrorKind::NotFound),
            "/a/runs/d.npy: no such file; f.toml asks for it, in /a/runs"
        );
        assert_eq!(said("/a/e.npy", io::ErrorKind::NotFound), "/a/e.npy: no such file");
        assert_eq!(said("/a/runs/d.npy", io::ErrorKind::InvalidData), "/a/runs/d.npy: no such file");
    }

    #[test]
    fn the_file_that_gives_the_value_is_named() {
        let with = origin();
        let key = |key: &str| Error::Figure(ResolveError::key(key, "is wrong"));
        for word in ["vmax", "norm", "view.x", "panels.a.b", "color.vmax", "size"] {
            assert_eq!(begins(&with, key(word)), "f.toml", "{word}");
        }
        // Given by a flag, nowhere, or by the file in another table.
        for word in ["vmin", "dpi", "width", "color.vmin", "fmt", "view_x", "view.y", "x.x", "panels.b", ""] {
            assert_eq!(begins(&with, key(word)), "d.csv", "{word}");
        }
        let limits = || Error::Figure(ResolveError::Limits(LimitsError::Reversed { vmin: 9.0, vmax: 5.0 }));
        assert_eq!(begins(&with, limits()), "f.toml", "vmax is the file's");
        assert_eq!(begins(&with, Error::Figure(ResolveError::Dpi(0.5))), "d.csv", "dpi is a flag's");
        assert_eq!(
            begins(&with, Error::Figure(ResolveError::Data("nothing is positive".to_owned()))),
            "d.csv"
        );
        assert_eq!(begins(&with, InputError::refused("", "panels.a.b", "is not a panel").into()), "f.toml");
        assert_eq!(begins(&with, InputError::refused("mask.csv", "", "is empty").into()), "mask.csv");
        assert_eq!(begins(&with.clone().with_data("base.csv"), Error::limit("too much")), "base.csv");
        let without = Origin::new(None, &Figure::default(), &["d.csv".to_owned()]);
        assert_eq!(begins(&without, limits()), "d.csv");
    }
}
