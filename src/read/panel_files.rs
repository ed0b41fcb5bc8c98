//! The panels of a figure: those of its files together, or one by one as `[[panel]]` lists them.

use super::array::{load, moved};
use super::budget::Budget;
use super::crop::crop;
use super::error::{ErrorKind, InputError};
use super::field::shown;
use super::loaded::{Loaded, ReadOptions};
use super::names::disambiguate;
use super::open::open_files;
use super::panels::{check_count, names_of_panels};
use super::postprocess::refused;
use super::side::list_marked;
use super::table::listed;
use gridscope_core::figure::{Baseline, Cluster, Compare, Figure, Normalize, PanelSource, ViewSpec, ZScore};
use gridscope_core::grid::{CELL_BYTES, Grid};
use gridscope_core::lint::LintName;
use gridscope_core::transform::{self, Comparison, Found};
use std::path::Path;
use std::sync::Arc;

/// The grids of one or several files, masked and cut as the figure says. `limit` is the most bytes that data may take in
/// memory, all files together; arrays of [`STORED_FROM`](super::STORED_FROM) elements and more stay in their files. A figure with
/// `[[panel]]` names a file for each of them; `files` are others in their place, or none.
///
/// # Errors
/// Faults of a file or of the options.
pub fn open(
    files: &[String],
    figure: &Figure,
    needs: &ReadOptions,
    limit: u64,
) -> Result<Loaded, InputError> {
    open_within(files, figure, needs, &Budget::new(limit))
}

/// As [`open`]; what is read is taken off a budget, which other reading may share.
///
/// # Errors
/// As [`open`].
pub fn open_within(
    files: &[String],
    figure: &Figure,
    needs: &ReadOptions,
    budget: &Arc<Budget>,
) -> Result<Loaded, InputError> {
    if figure.panel.is_empty() {
        return open_files(files, figure, needs, budget);
    }
    let own = files_of_panels(figure)?;
    let files = match files.len() {
        0 => &own,
        n if n == own.len() => files,
        n => {
            let what = format!("{n} files for {} panels under [[panel]]", own.len());
            return Err(InputError::usage(&files[0], what));
        }
    };
    one_by_one(files, figure, needs, budget)
}

/// The file of each `[[panel]]`.
///
/// # Errors
/// More panels than a figure has, and a panel without a file.
pub fn files_of_panels(figure: &Figure) -> Result<Vec<String>, InputError> {
    let panels = &figure.panel;
    check_count(panels.len(), "", || format!("{} panels under [[panel]]", panels.len()))?;
    let file = |(i, panel): (usize, &PanelSource)| {
        panel.file(figure).map(str::to_owned).ok_or_else(|| {
            let what = format!("panel {} under [[panel]] names no file", i + 1);
            InputError::refused("", "panel", what).with_hint("file = \"results.csv\"")
        })
    };
    panels.iter().enumerate().map(file).collect()
}

/// Reads each panel by itself.
fn one_by_one(
    files: &[String],
    figure: &Figure,
    needs: &ReadOptions,
    budget: &Arc<Budget>,
) -> Result<Loaded, InputError> {
    let (mut all, mut summaries, mut others) = (Loaded::default(), Vec::new(), Vec::new());
    let names = names_of_panels(figure);
    let (mut comparisons, mut later) = (Vec::new(), Vec::new());
    let printed = disambiguate(files);
    for (i, (panel, file)) in figure.panel.iter().zip(files).enumerate() {
        let mut own = panel.alone(figure);
        if let Some(comparison) = with_panel(&own, &names, file)? {
            let (how, base) = comparison;
            if base == i && panel.data.contains_key(how.word()) {
                let what = format!("{}: {} is the panel itself", how.word(), shown(&names[i]));
                let others: Vec<String> = names.iter().filter(|n| **n != names[i]).cloned().collect();
                return Err(
                    InputError::usage(file, what).with_hint(format!("the others are: {}", listed(&others)))
                );
            }
            comparisons.extend((base != i).then_some((i, comparison)));
            own.data.baselines_mut().into_iter().for_each(|base| *base = None);
        }
        later.push(postponed(&mut own));
        let read = open_files(std::slice::from_ref(file), &own, needs, budget);
        let mut one = read.map_err(|e| match (e.kind, &e.hint) {
            (ErrorKind::Usage, None) => e.with_hint(
                "the keys of [data] hold for each [[panel]]; what is for some of them goes under these",
            ),
            _ => e,
        })?;
        let [grid] = one.grids.as_mut_slice() else {
            let held: Vec<String> = one.grids.iter().map(|g: &Grid| g.name().to_owned()).collect();
            let what = format!("{} panels under one [[panel]]: {}", held.len(), listed(&held));
            let e = InputError::refused(file, "", what);
            return Err(e.with_hint("one value, or key = \"NAME\", for each [[panel]]"));
        };
        grid.set_name(&names[i]);
        // Another panel may have the key.
        one.lints.0.retain(|lint| lint.name != LintName::UnknownKey);
        let lints = one.lints.0.iter_mut();
        lints.for_each(|lint| lint.panel = Some(names[i].clone()));
        all.grids.append(&mut one.grids);
        all.lints.append(one.lints);
        all.dialects.append(&mut one.dialects);
        all.waits |= one.waits;
        summaries.extend((!one.summary.is_empty()).then_some(one.summary));
        let mut prints = one.inputs.into_iter();
        all.inputs.extend(prints.next().map(|mut print| {
            print.name.clone_from(&printed[i]);
            print
        }));
        others.extend(prints);
    }
    for print in others {
        if !all.inputs.contains(&print) {
            all.inputs.push(print);
        }
    }
    all.summary = summaries.join("; ");
    compare(&mut all, files, &comparisons, budget)?;
    together(&mut all, files, figure, &later, budget)?;
    Ok(all)
}

/// A sum that values are shares of, and what they are scores of.
type Scaling = (Option<Normalize>, Option<ZScore>);

/// Takes out of a panel's figure what comes after comparisons, and is of all panels together: shares and scores, the order of rows
/// and columns, the part that is shown.
fn postponed(own: &mut Figure) -> Scaling {
    for axis in [&mut own.x, &mut own.y] {
        (axis.sort, axis.keep) = (None, None);
    }
    own.cluster = Cluster::default();
    own.view = ViewSpec::default();
    (own.data.normalize.take(), own.data.z_score.take())
}

/// Does what was postponed to all panels.
fn together(
    all: &mut Loaded,
    files: &[String],
    figure: &Figure,
    later: &[Scaling],
    budget: &Arc<Budget>,
) -> Result<(), InputError> {
    let file = files.first().map_or("", String::as_str);
    let mut whole = Figure { panel: Vec::new(), ..figure.clone() };
    whole.data.baselines_mut().into_iter().for_each(|base| *base = None);
    let mut grids = std::mem::take(&mut all.grids);
    let mut apply = |grids: Vec<Grid>, figure: &Figure| {
        if !transform::is_asked(figure) {
            return Ok(grids);
        }
        // One step works on one copy.
        let copies: Result<Vec<_>, InputError> = grids.iter().map(|grid| moved(grid, file, budget)).collect();
        let _copies = copies?;
        let need = transform::memory(&grids, figure);
        let _distances = budget.reserve(need).map_err(|s| s.of(file, "the distances of all pairs"))?;
        transform::apply(grids, figure, None, &mut all.lints).map_err(|e| refused(e, file))
    };
    let are_alike = later.windows(2).all(|pair| pair[0] == pair[1]);
    if let (true, Some(scaling)) = (are_alike, later.first()) {
        (whole.data.normalize, whole.data.z_score) = *scaling;
    } else {
        if later.iter().any(|(sum, _)| *sum == Some(Normalize::All)) {
            let what = "normalize = \"all\" is of all panels, and a [[panel]] has another";
            let hint = "normalize under [data], or \"panel\" for each";
            return Err(InputError::usage(file, what).with_hint(hint));
        }
        let alone = |(grid, scaling): (Grid, &Scaling)| {
            let mut own = Figure::default();
            (own.data.normalize, own.data.z_score) = *scaling;
            apply(vec![grid], &own)
        };
        let scaled: Result<Vec<_>, InputError> = grids.into_iter().zip(later).map(alone).collect();
        grids = scaled?.concat();
        (whole.data.normalize, whole.data.z_score) = (None, None);
    }
    grids = apply(grids, &whole)?;
    list_marked(&mut grids, figure, Path::new(""), budget)?;
    all.grids = crop(grids, &figure.view, file)?;
    Ok(())
}

/// How the panel of a figure is compared with another one of these names, and which that is.
///
/// # Errors
/// A panel that is none of them, a word that is also a file, a comparison of several panels.
fn with_panel(figure: &Figure, names: &[String], file: &str) -> Result<Option<(Compare, usize)>, InputError> {
    let mut asked = figure.data.comparisons();
    let Some((how, baseline)) = asked.next() else {
        return Ok(None);
    };
    let at = |name: &String| names.iter().position(|n| n == name);
    let found = match &**baseline {
        Baseline::Panel(name) => Some(at(name).ok_or_else(|| {
            let e = InputError::usage(file, format!("{}: no panel has the name {}", how.word(), shown(name)));
            e.with_hint(format!("the panels are: {}", listed(names)))
        })?),
        Baseline::Named(name) => at(name),
        Baseline::File(_) => None,
    };
    let Some(found) = found else {
        return Ok(None);
    };
    let usage = |what: &str, hint: String| Err(InputError::usage(file, what).with_hint(hint));
    match &**baseline {
        Baseline::Named(name) if Path::new(name).is_file() => {
            let what = format!("{}: {} is a panel and a file", how.word(), shown(name));
            usage(&what, format!("panel:{name}, file:{name}"))
        }
        _ if how == Compare::Against => usage(
            "against makes three panels, and a [[panel]] is one",
            "minus = \"BASE\", and a [[panel]] for each of the others".to_owned(),
        ),
        _ if asked.next().is_some() => {
            usage("a panel has one comparison", "leave one of them out".to_owned())
        }
        _ => Ok(Some((how, found))),
    }
}

/// Puts differences from other panels in the place of the values of panels.
fn compare(
    all: &mut Loaded,
    files: &[String],
    comparisons: &[(usize, (Compare, usize))],
    budget: &Arc<Budget>,
) -> Result<(), InputError> {
    let mut made = Vec::new();
    for (i, (how, base)) in comparisons {
        let (grids, file) = ([&all.grids[*base], &all.grids[*i]], &files[*i]);
        let cells: u64 = grids.iter().map(|grid| grid.len() as u64).sum();
        let what = format_args!("{cells} cells of a comparison");
        let held = budget.reserve(4 * CELL_BYTES * cells).map_err(|s| s.of(file, what))?;
        grids.iter().try_for_each(|grid| load(grid, file, budget))?;
        let comparison = Comparison {
            how: *how,
            found: Found::Panel(0),
            grids: Vec::new(),
            names: (String::new(), String::new()),
            replicates: None,
        };
        let compared = grids.map(Clone::clone).to_vec();
        let figure = Figure::default();
        let compared = transform::apply(compared, &figure, Some(&comparison), &mut all.lints);
        let mut compared = compared.map_err(|e| refused(e, file))?;
        made.extend(compared.pop().map(|grid| (*i, grid, held)));
    }
    for (i, grid, _) in made {
        let name = all.grids[i].name().to_owned();
        all.grids[i] = grid.with_name(name);
    }
    Ok(())
}
