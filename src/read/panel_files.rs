//! The panels of a figure, from its files together or one by one, and a name for each.

use super::array::{load, moved};
use super::budget::Budget;
use super::crop::crop;
use super::error::{ErrorKind, InputError};
use super::field::shown;
use super::loaded::{Loaded, ReadOptions};
use super::open::open_files;
use super::postprocess::refused;
use super::shell_word::{disambiguate, flag};
use super::side::list_marked;
use super::table::listed;
use gridscope_core::figure::{
    Baseline, Better, Cluster, Compare, Data, Figure, Normalize, PanelSource, RankOf, ViewSpec, ZScore,
};
use gridscope_core::grid::{CELL_BYTES, Grid};
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::transform;
use gridscope_core::transform::{Comparison, NamedBaseline};
use std::collections::{HashMap, HashSet};
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

/// The keys that a hint tries, and the bytes of files that it tries them on.
const TRIED_KEYS: usize = 6;
const TRIED_BYTES: u64 = 32 << 20;

/// The error with each of its keys together with what else reads it, which it would ask for next; keys that cannot be drawn are
/// left out where others can.
fn with_whole_hint(
    mut error: InputError,
    files: &[String],
    figure: &Figure,
    needs: &ReadOptions,
    limit: u64,
) -> InputError {
    let [file] = files else { return error };
    let is_small = Path::new(file).metadata().is_ok_and(|m| m.is_file() && m.len() <= TRIED_BYTES);
    if error.keys.is_empty() || !is_small {
        return error;
    }
    let needs = ReadOptions { fingerprints: false, ..needs.clone() };
    let way = |key: &str| {
        let mut figure = figure.clone();
        figure.data.key = Some(key.to_owned());
        let key = flag("--key", key);
        match open_files(files, &figure, &needs, &Budget::new(limit)) {
            Ok(_) => Some(key),
            Err(next) => next.way.map(|way| format!("{key} {way}")),
        }
    };
    let (mut ways, mut others) = (Vec::new(), Vec::new());
    for (i, (key, what)) in error.keys.iter().enumerate() {
        match (i < TRIED_KEYS).then(|| way(key)).flatten() {
            Some(way) => ways.push((way, what)),
            None => others.push(key.clone()),
        }
    }
    if let Some((first, _)) = ways.first() {
        error.way = Some(first.clone());
        let line = |(way, what): &(String, &String)| match what.as_str() {
            "" => way.clone(),
            what => format!("{way}  ({what})"),
        };
        let mut hint = ways.iter().map(line).collect::<Vec<_>>().join("; or ");
        if !others.is_empty() {
            hint.push_str(&format!("; other keys: {}", listed(&others)));
        }
        error.hint = Some(hint);
    }
    error
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
        return open_files(files, figure, needs, budget)
            .map_err(|e| with_whole_hint(e, files, figure, needs, budget.limit()));
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
    // Marks of panels are found where all are together.
    let whole = figure.without_panels();
    for (i, (panel, file)) in figure.panel.iter().zip(files).enumerate() {
        let mut own = panel.alone(&whole);
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

/// A sum that values are shares of, what they are scores of, and what they are ranks of, with what is better.
type Scaling = (Option<Normalize>, Option<ZScore>, Option<(RankOf, Option<Better>)>);

/// Has values scaled.
fn set_scaling(data: &mut Data, scaling: &Scaling) {
    (data.normalize, data.z_score, data.rank) = (scaling.0, scaling.1, scaling.2.map(|rank| rank.0));
    data.better = scaling.2.map_or(data.better, |rank| rank.1);
}

/// Takes out of a panel's figure what comes after comparisons, and is of all panels together: shares and scores, the order of rows
/// and columns, the part that is shown.
fn postponed(own: &mut Figure) -> Scaling {
    for axis in [&mut own.x, &mut own.y] {
        (axis.sort, axis.keep) = (None, None);
    }
    own.cluster = Cluster::default();
    own.view = ViewSpec::default();
    let rank = own.data.rank.take().map(|rank| (rank, own.data.better));
    (own.data.normalize.take(), own.data.z_score.take(), rank)
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
        set_scaling(&mut whole.data, scaling);
    } else {
        if later.iter().any(|(sum, _, rank)| {
            sum.is_some_and(Normalize::is_of_all) || rank.is_some_and(|r| r.0 == RankOf::All)
        }) {
            let what = "normalize or rank of all panels (all, minmax:all), and a [[panel]] has another";
            let hint = "it under [data], or that of each panel (panel, minmax:panel)";
            return Err(InputError::usage(file, what).with_hint(hint));
        }
        let alone = |(grid, scaling): (Grid, &Scaling)| {
            let mut own = Figure::default();
            set_scaling(&mut own.data, scaling);
            apply(vec![grid], &own)
        };
        let scaled: Result<Vec<_>, InputError> = grids.into_iter().zip(later).map(alone).collect();
        grids = scaled?.concat();
        set_scaling(&mut whole.data, &(None, None, None));
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
            found: NamedBaseline::Panel(0),
            grids: Vec::new(),
            names: (String::new(), String::new()),
            replicates: None,
            drops_baseline: false,
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

/// The most panels of a figure, those of all its files together.
pub const MOST_PANELS: usize = 4096;

/// Refuses more panels than a figure may have; `what` says what would make them.
///
/// # Errors
/// More than [`MOST_PANELS`].
pub(super) fn check_count(
    panels: usize,
    file: &str,
    what: impl FnOnce() -> String,
) -> Result<(), InputError> {
    if panels <= MOST_PANELS {
        return Ok(());
    }
    Err(InputError::limit(file, format!("{}; a figure has at most {MOST_PANELS} panels", what())))
}

/// The names, all different: of equal ones the first stays, and each other has the first free ` (2)`, ` (3)` … added.
pub fn unique_names(names: Vec<String>) -> Vec<String> {
    let mut taken: HashSet<String> = names.iter().cloned().collect();
    let mut met: HashMap<String, usize> = HashMap::new();
    let mut out = Vec::with_capacity(names.len());
    for name in names {
        let times = met.entry(name.clone()).or_insert(0);
        *times += 1;
        if *times == 1 {
            out.push(name);
            continue;
        }
        let numbered = loop {
            let numbered = format!("{name} ({times})");
            if taken.insert(numbered.clone()) {
                break numbered;
            }
            *times += 1;
        };
        out.push(numbered);
    }
    out
}

/// The names of the panels under `[[panel]]`, all different.
pub(super) fn names_of_panels(figure: &Figure) -> Vec<String> {
    unique_names(figure.panel.iter().map(|panel| panel.name(figure)).collect())
}

/// Names the panels of one of several files: a lone one by the file, others by the file and their own names.
pub(super) fn name_by_file(grids: &mut [Grid], file: &str) {
    let lone = grids.len() == 1;
    for grid in grids {
        let name =
            if lone || grid.name().is_empty() { file.to_owned() } else { format!("{file}: {}", grid.name()) };
        grid.set_name(name);
    }
}

/// Gives each panel a name of its own. `lints` are those of the panels from `first` on, whose names differ among themselves.
pub(super) fn make_unique(grids: &mut [Grid], first: usize, lints: &mut Lints) {
    let names = unique_names(grids.iter().map(|g| g.name().to_owned()).collect());
    for (i, (grid, name)) in
        grids.iter_mut().zip(names).enumerate().filter(|(_, (grid, name))| grid.name() != name)
    {
        let old = Some(grid.name().to_owned());
        let of_old = lints.0.iter_mut().filter(|lint| i >= first && lint.panel == old);
        of_old.for_each(|lint| lint.panel = Some(name.clone()));
        grid.set_name(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_random::{Random, cases};

    fn texts(names: &[&str]) -> Vec<String> {
        names.iter().map(|n| (*n).to_owned()).collect()
    }

    #[test]
    fn equal_names_are_numbered_and_others_stay() {
        assert_eq!(unique_names(texts(&["a", "b", "a", "a"])), ["a", "b", "a (2)", "a (3)"]);
        assert_eq!(unique_names(texts(&["a", "a", "a (2)", "a (2)"])), ["a", "a (3)", "a (2)", "a (2) (2)"]);
        assert_eq!(unique_names(texts(&["", ""])), ["", " (2)"]);
    }

    #[test]
    fn any_names_become_different_ones() {
        let mut random = Random(1);
        for _ in 0..cases(400) {
            let names: Vec<String> = (0..12)
                .map(|_| random.pick(&["a", "b", "a (2)", "a (3)", "b (2)", "a (2) (2)"]).to_owned())
                .collect();
            let made = unique_names(names.clone());
            assert_eq!(made.iter().collect::<HashSet<_>>().len(), names.len(), "{names:?}: {made:?}");
            for (i, (name, new)) in names.iter().zip(&made).enumerate() {
                let is_first = !names[..i].contains(name);
                assert!(
                    if is_first { new == name } else { new.starts_with(&format!("{name} (")) },
                    "{names:?}: {made:?}"
                );
            }
        }
    }

    #[test]
    fn warnings_follow_the_names_of_their_panels() {
        let named = |name: &str| {
            let mut grid = Grid::from_rows(1, 1, vec![1.0]).unwrap();
            grid.set_name(name);
            grid
        };
        let mut grids = vec![named("a"), named("b"), named("a")];
        let mut lints = Lints::default();
        lints.add_panel(LintName::Headers, "a", 1, "x");
        lints.add_panel(LintName::Headers, "b", 1, "x");
        make_unique(&mut grids, 1, &mut lints);
        assert_eq!(grids.iter().map(Grid::name).collect::<Vec<_>>(), ["a", "b", "a (2)"]);
        assert_eq!(lints.0.iter().map(|l| l.panel.as_deref().unwrap()).collect::<Vec<_>>(), ["a (2)", "b"]);
    }

    #[test]
    fn more_panels_than_a_figure_has_are_refused() {
        assert!(check_count(MOST_PANELS, "f", || unreachable!()).is_ok());
        let e = check_count(MOST_PANELS + 1, "f", || "too much".to_owned()).unwrap_err();
        assert_eq!(e.to_string(), "f: too much; a figure has at most 4096 panels");
    }
}
