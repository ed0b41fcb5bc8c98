//! Files and bytes of any format to grids.

use super::array::{AxisValues, Layout, SurplusAxes};
use super::budget::Budget;
use super::bytes::open_file;
use super::error::InputError;
use super::figure_file::open_figure_within;
use super::fingerprint::Fingerprint;
use super::format::json::table_of_lines;
use super::format::{ALL_TABLES, Contents, Format, Input, OneTable, ReadFile, Request, decompressed, raw};
use super::loaded::{Loaded, ReadOptions};
use super::panel_files::{check_count, make_unique, name_by_file};
use super::pivot::{Opened, read_all};
use super::postprocess::{Around, apply_own};
use super::shell_word::{disambiguate, panel_names};
use super::table::listed;
use gridscope_core::figure::{Baseline, Figure};
use gridscope_core::grid::Grid;
use gridscope_core::lint::{LintName, Lints};
use std::error::Error;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

/// The grids of one or several files together, masked and cut as the figure says; what is read is taken off a budget.
///
/// # Errors
/// Faults of a file or of the options.
pub(super) fn open_files(
    files: &[String],
    figure: &Figure,
    needs: &ReadOptions,
    budget: &Arc<Budget>,
) -> Result<Loaded, InputError> {
    let raw = raw_header(figure)?;
    let files = &super::dataset::pruned(files, figure);
    let mut stems: Vec<&OsStr> = files.iter().filter_map(|file| Path::new(file).file_stem()).collect();
    stems.sort_unstable();
    let by_path = stems.windows(2).any(|pair| pair[0] == pair[1]);
    let needs = &ReadOptions { together: files.len() > 1, by_path, ..needs.clone() };
    let mut loaded = gather(files, figure, needs, budget, |file| {
        let request = Request { file, figure, needs, budget };
        if figure.data.db.as_deref() == Some(file) {
            return open_database(request);
        }
        match Format::of_folder(Path::new(file)).filter(|_| file != "-") {
            Some(format) => {
                let mut folder = Input::folder(request);
                let contents = format.read(&mut folder)?;
                folder.finish(contents)
            }
            None => contents(Input::open(request)?, raw.as_ref()),
        }
    })?;
    let asks = [("--sql", &figure.data.sql), ("--from", &figure.data.from)];
    if let (Some((flag, _)), true) = (asks.iter().find(|(_, text)| text.is_some()), loaded.queries.is_empty())
    {
        let file = files.first().map_or("", String::as_str);
        return Err(InputError::usage(file, format!("{flag} is for databases, which this file is not")));
    }
    if needs.fingerprints {
        loaded.inputs.iter_mut().zip(disambiguate(files)).for_each(|(print, name)| print.name = name);
        loaded.inputs.append(&mut others(figure)?);
    }
    Ok(loaded)
}

/// The grids of a file's bytes, as [`open`](super::open) gives them; `name` is how messages call it.
///
/// # Errors
/// Faults of the bytes or of the options.
pub fn open_bytes(
    bytes: Vec<u8>,
    name: &str,
    figure: &Figure,
    needs: &ReadOptions,
    limit: u64,
) -> Result<Loaded, InputError> {
    let raw = raw_header(figure)?;
    let budget = &Budget::new(limit);
    let mut once = Some(bytes);
    gather(&[name.to_owned()], figure, needs, budget, |file| {
        let bytes = once.take().unwrap_or_default();
        let held = budget.reserve(bytes.len() as u64).map_err(|s| s.of(file, "its bytes"))?;
        let request = Request { file, figure, needs, budget };
        contents(Input::whole(request, (bytes, held)), raw.as_ref())
    })
}

/// The table of a database by its address.
#[cfg(feature = "adbc")]
fn open_database(request: Request) -> Result<ReadFile, InputError> {
    super::database::open_address(request)
}

#[cfg(not(feature = "adbc"))]
fn open_database(request: Request) -> Result<ReadFile, InputError> {
    Err(super::format::unbuilt(request.file, "database", "adbc"))
}

/// Reads a file. `raw` is how the numbers of one without a header lie.
fn contents(input: Input, raw: Option<&Layout>) -> Result<ReadFile, InputError> {
    let mut input = decompressed(input)?;
    let contents = match raw {
        Some(layout) => raw::open(&mut input, layout)?,
        None => {
            let format = Format::of_file(&input.head()?, input.request.file);
            format.read(&mut input)?
        }
    };
    input.finish(contents)
}

/// The shape and type that the figure gives to bytes without a header.
fn raw_header(figure: &Figure) -> Result<Option<Layout>, InputError> {
    figure.data.raw.as_deref().map(raw::parse_raw).transpose()
}

/// Grids of all files together; each panel has a name that no other has (see [`super::panel_files`]).
fn gather(
    files: &[String],
    figure: &Figure,
    needs: &ReadOptions,
    budget: &Arc<Budget>,
    mut read: impl FnMut(&str) -> Result<ReadFile, InputError>,
) -> Result<Loaded, InputError> {
    let mut tables: Vec<Opened> = Vec::new();
    let mut of_tables: Vec<String> = Vec::new();
    let mut loaded = Loaded::default();
    // The axis values of `loaded.grids`, of each.
    let mut own: Vec<Arc<AxisValues>> = Vec::new();
    let names = panel_names(files);
    // Records of several files are one table.
    let (mut rows, mut of_rows, mut labels) = (Vec::new(), Vec::new(), true);
    for (file, panel) in files.iter().zip(&names) {
        let ReadFile { contents, lints, fingerprint, query } = read(file)?;
        loaded.inputs.extend(fingerprint);
        loaded.queries.extend(query);
        loaded.lints.append(lints);
        let mut grids = match contents {
            Contents::Rows { mut lines, labelled } => {
                labels &= labelled && files.len() == 1;
                rows.append(&mut lines);
                of_rows.push(file.clone());
                continue;
            }
            Contents::Arrays { grids, summary, axis_values } => {
                add_notice(&mut loaded.summary, &format!("{file}: {summary}"));
                let values = Arc::new(axis_values);
                own.extend(grids.iter().map(|_| Arc::clone(&values)));
                grids
            }
            Contents::Tables(read) => {
                for OneTable { source, lints, notice, waits } in read {
                    loaded.waits |= waits;
                    add_notice(&mut loaded.summary, &notice);
                    tables.push((source, lints));
                }
                of_tables.push(panel.clone());
                continue;
            }
        };
        grids.iter_mut().for_each(|grid| grid.set_file(panel));
        if files.len() > 1 {
            name_by_file(&mut grids, panel);
        }
        loaded.grids.append(&mut grids);
        few_so_far(&loaded, file)?;
    }
    if !of_rows.is_empty() {
        let name = listed(&of_rows);
        let request = Request { file: &name, figure, needs, budget };
        if let Contents::Tables(read) = table_of_lines(rows, labels, &name, &request)? {
            for OneTable { source, lints, notice, .. } in read {
                add_notice(&mut loaded.summary, &notice);
                tables.push((source, lints));
            }
            of_tables.push(name);
        }
    }
    let arrays = loaded.grids.len();
    if !tables.is_empty() {
        let mut more =
            read_all(tables, figure, needs, budget).map_err(|e| of_all_tables(e, &loaded.lints))?;
        let from = listed(&of_tables);
        more.grids.iter_mut().for_each(|grid| grid.set_file(&from));
        if let (true, [one]) = (arrays > 0, &of_tables[..]) {
            name_by_file(&mut more.grids, one);
        } else if arrays > 0 {
            more.grids
                .iter_mut()
                .filter(|g| g.name().is_empty())
                .for_each(|g| g.set_name(listed(&of_tables)));
        }
        loaded.grids.append(&mut more.grids);
        loaded.lints.append(more.lints);
        loaded.dialects = more.dialects;
        add_notice(&mut loaded.summary, &more.summary);
        few_so_far(&loaded, files.last().map_or("", String::as_str))?;
    }
    make_unique(&mut loaded.grids, arrays, &mut loaded.lints);
    let name = files.first().map_or("", String::as_str);
    // Of an array, planes are shown, with which a baseline of rows and columns is compared whole.
    let shows_planes = loaded.grids.iter().any(|g| !g.slices().is_empty() && g.height() > 1);
    let read = |path: Option<&str>, other: Option<&Figure>| {
        let again = match path {
            Some(path) => vec![path.to_owned()],
            // Standard input is read once.
            None if files.iter().any(|file| file == "-") => Vec::new(),
            None => files.to_vec(),
        };
        if shows_planes && path.is_some() && other.is_none() {
            let mut whole = figure.clone();
            whole.data.slice = None;
            match baseline(&again, &whole, None, needs, budget) {
                Err(e) if is_surplus(&e) => {}
                read => return read,
            }
        }
        baseline(&again, figure, other, needs, budget)
    };
    let around =
        Around { budget, lints: &mut loaded.lints, read_baseline: (!needs.baseline).then_some(&read) };
    loaded.grids = apply_own(loaded.grids, &own, figure, Path::new(""), name, around)?;
    Ok(loaded)
}

/// The error with a way that reads the other tables of the text too, where they are like the one.
fn of_all_tables(mut error: InputError, lints: &Lints) -> InputError {
    let left_out = lints.0.iter().filter(|lint| lint.name == LintName::TablesLeftOut);
    let hints: Vec<&String> = left_out.flat_map(|lint| &lint.hints).collect();
    if hints.iter().any(|hint| *hint == ALL_TABLES)
        && let Some(way) = error.way.take()
    {
        error = error.with_way(format!("{ALL_TABLES} {way}"));
    } else if let (None, Some(other)) = (&error.way, hints.first()) {
        let hint = error.hint.map_or_else(String::new, |hint| format!("{hint}; "));
        error.hint = Some(format!("{hint}another table: {other}"));
    }
    error
}

/// Whether an array was refused because it has more axes than rows and columns.
fn is_surplus(e: &InputError) -> bool {
    matches!(e.source(), Some(e) if e.is::<SurplusAxes>())
}

/// The panels of files as the figure reads them, or by the other figure, or as a lone figure file says, before any change of
/// values; and their warnings.
pub(super) fn baseline(
    again: &[String],
    figure: &Figure,
    other: Option<&Figure>,
    needs: &ReadOptions,
    budget: &Arc<Budget>,
) -> Result<(Vec<Grid>, Lints), InputError> {
    // Beside the values, the baseline is a panel of its own, with all that is written into cells.
    let is_shown = figure.data.against.is_some();
    if again.is_empty() {
        let what = "paired: data that are read once cannot be read again for their replicates";
        return Err(InputError::usage("", what).with_hint("give them as a file"));
    }
    let own = match again {
        [path] => open_figure_within(path, budget.limit())?.map(|figure| (path, figure)),
        _ => None,
    };
    let (files, own) = match own {
        Some((path, own)) => (files_of(path, &own)?, Some(own)),
        None => (again.to_vec(), None),
    };
    let mut figure = match (own, other) {
        // Of a figure file of its own only the pairs are another matter.
        (Some(mut own), Some(other)) => {
            own.data.y.clone_from(&other.data.y);
            own.y = other.y.clone();
            own
        }
        (Some(own), None) => own,
        (None, other) => other.unwrap_or(figure).clone(),
    };
    // A mask hides places of the data, and what it hides there is hidden in the comparison.
    figure.data.mask = None;
    let needs = ReadOptions { baseline: true, fingerprints: false, ..needs.clone() };
    let needs = if is_shown {
        needs
    } else {
        ReadOptions { statistics: Vec::new(), picks: Vec::new(), columns: Vec::new(), ..needs }
    };
    let read = open_files(&files, &figure, &needs, budget)?;
    Ok((read.grids, read.lints))
}

/// The files of data that a figure file names.
fn files_of(path: &str, figure: &Figure) -> Result<Vec<String>, InputError> {
    if !figure.panel.is_empty() {
        let e = InputError::usage(path, "a baseline has one file of data; this figure file has [[panel]]");
        return Err(e.with_hint("file:PATH of one of its files of data"));
    }
    let named = figure.data.file.as_ref().map_or(&[][..], |list| &list.0);
    if named.is_empty() {
        return Err(
            InputError::refused(path, "data", "names no file").with_hint("[data] file = \"results.csv\"")
        );
    }
    super::wildcards::expand(named)
}

/// Changes grids as [`open`](super::open) does; paths start at `base`. What needs a source's cells in memory may take `limit` bytes.
///
/// # Errors
/// When an option does not fit the grids, or a file it names is refused.
pub fn apply(
    grids: Vec<Grid>,
    figure: &Figure,
    base: &Path,
    file: &str,
    limit: u64,
) -> Result<Vec<Grid>, InputError> {
    let budget = &Budget::new(limit);
    let read = |path: Option<&str>, other: Option<&Figure>| {
        let again = path.map(str::to_owned).into_iter().collect::<Vec<_>>();
        baseline(&again, figure, other, &ReadOptions::default(), budget)
    };
    let around = Around { budget, lints: &mut Lints::default(), read_baseline: Some(&read) };
    apply_own(grids, &[], figure, base, file, around)
}

/// Refuses more panels than a figure may have; `file` is the one that came last.
fn few_so_far(loaded: &Loaded, file: &str) -> Result<(), InputError> {
    let panels = loaded.grids.len();
    check_count(panels, file, || format!("{panels} panels with those of the files before it"))
        .map_err(|e| e.with_hint("draw fewer files"))
}

/// Fingerprints of further inputs of the picture: masks, marks, values of axes, a font.
fn others(figure: &Figure) -> Result<Vec<Fingerprint>, InputError> {
    let mut paths: Vec<String> = Vec::new();
    figure.clone().each_side_file(|_, path| paths.push(path.clone()));
    paths.extend(figure.data.comparisons().find_map(|(_, base)| match &**base {
        Baseline::File(path) | Baseline::Named(path) => Some(path.clone()),
        Baseline::Panel(_) => None,
    }));
    let files = paths.iter().filter(|p| Path::new(p).is_file());
    files.map(|p| Fingerprint::of_file(p, &open_file(Path::new(p))?.0)).collect()
}

fn add_notice(all: &mut String, line: &str) {
    if !all.is_empty() && !line.is_empty() {
        all.push_str("; ");
    }
    all.push_str(line);
}
