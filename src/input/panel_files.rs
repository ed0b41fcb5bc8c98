//! The panels of a figure: those of its files together, or one by one as `[[panel]]` lists them.

use super::budget::Budget;
use super::error::{ErrorKind, InputError};
use super::loaded::{Loaded, ReadOptions};
use super::names::disambiguate;
use super::open::open_files;
use super::panels::{check_count, names_of_panels};
use super::table::listed;
use crate::figure::{Figure, PanelSource};
use crate::grid::Grid;
use crate::lint::LintName;
use std::sync::Arc;

/// The grids of one or several files, masked and cut as the figure says. `limit` is the most bytes that data may take in
/// memory, all files together; arrays of [`STORED_FROM`](super::STORED_FROM) elements and more stay in their files. A figure with
/// `[[panel]]` names a file for each of them; `files` are others in their place, or none.
///
/// # Errors
/// What a file or the options are at fault with.
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
pub(crate) fn files_of_panels(figure: &Figure) -> Result<Vec<String>, InputError> {
    let panels = &figure.panel;
    check_count(panels.len(), "", || {
        format!("{} panels under [[panel]]", panels.len())
    })?;
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
    let printed = disambiguate(files);
    for (i, (panel, file)) in figure.panel.iter().zip(files).enumerate() {
        let own = panel.alone(figure);
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
    Ok(all)
}
