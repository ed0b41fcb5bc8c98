//! `NetCDF` files of version 3 and 4, and HDF5 files: a variable is an array, by the path of its group, and is read by windows.

mod file;
mod table;
mod variable;

use super::reader::{Contents, Input, Request};
use crate::array::{
    ArraySource, AxisValues, Candidate, Conventions, PackedArray, Packing, grids_of_source, lone, matching,
    name_by_array, name_values, pick,
};
use crate::error::InputError;
use crate::panel_files::check_count;
use crate::shell_word::is_of_several;
use crate::table::table_of_values;
use file::NetcdfFile;
use gridscope_core::figure::Figure;
use gridscope_core::lint::Lints;
use std::sync::Arc;
use table::columns_of_table;
use variable::{NetcdfArray, Variable};

/// The arrays of a file that the figure's `key` names, or the only one.
///
/// # Errors
/// When the file is damaged, or the options do not name one array, or one that is not read.
pub(super) fn open(input: &mut Input) -> Result<Contents, InputError> {
    let content = input.content();
    let Request { file: name, figure, budget, .. } = input.request;
    let file = Arc::new(NetcdfFile::open(content, name, budget)?);
    let variables = file.variables()?;
    let has = |path: &str| variables.iter().any(|v| v.path == path);
    if figure.data.key.is_none() && has("observation/matrix/indptr") && has("sample/matrix/indptr") {
        let what = "is a sparse table of BIOM 2, which is not read";
        return Err(
            InputError::refused(name, "", what).with_hint("biom convert --to-json -i FILE -o TABLE.biom")
        );
    }
    let key = figure.data.key.as_deref().unwrap_or_default().trim_matches('/');
    if let Some(columns) = columns_of_table(&file, &variables, key, budget, &mut input.lints)? {
        let mut lints = Lints::default();
        let table = table_of_values(&columns, name, &figure.data, &mut lints, budget)?;
        return Ok(Contents::table(table, lints, format!("{name}: table of {}", file.kind), false));
    }
    let axis_values = axis_values(&file, &variables, figure, name)?;
    let picked = picked(&variables, name, file.kind, figure)?;
    report_others(&variables, &picked, figure, input);
    let is_lone = picked.len() == 1;
    let (mut grids, mut descriptions) = (Vec::new(), Vec::new());
    for place in picked {
        let variable = &variables[place];
        let conventions = Conventions(&variable.attributes);
        descriptions.push(format!("{} {}, {}", file.kind, variable.path, variable.candidate().what));
        let array = NetcdfArray::new(&file, variable, &variables, figure)?;
        let packing = match figure.data.raw_values {
            Some(true) => Packing::default(),
            _ => conventions.packing(variable.dtype(name)?, variable.single_factors),
        };
        let source: Box<dyn ArraySource> = match packing.is_plain() {
            true => Box::new(array),
            false => Box::new(PackedArray::new(array, packing)),
        };
        let mut of_array = grids_of_source(source, name, figure, budget)?;
        match is_lone {
            true => name_values(&mut of_array, &conventions.quantity(&variable.path)),
            false => name_by_array(&mut of_array, &variable.path),
        }
        grids.append(&mut of_array);
        check_count(grids.len(), name, || format!("its arrays make {} panels or more", grids.len()))?;
    }
    let summary = descriptions.join("; ");
    Ok(Contents::Arrays { grids, summary, axis_values })
}

/// Reports arrays of several dimensions beside the only plane, which nobody named.
fn report_others(variables: &[Variable], picked: &[usize], figure: &Figure, input: &mut Input) {
    let (None, &[one]) = (&figure.data.key, picked) else { return };
    let is_bounds = |v: &Variable| variables.iter().any(|other| other.is_bounded_by(&v.path));
    let is_deep = |v: &Variable| v.is_read() && v.shape.iter().filter(|side| **side > 1).count() > 1;
    let others = (0..variables.len()).filter(|i| *i != one);
    let others: Vec<Candidate> = others
        .map(|i| &variables[i])
        .filter(|v| is_deep(v) && !v.is_text() && !is_bounds(v))
        .map(Variable::candidate)
        .collect();
    if !others.is_empty() {
        let hint = pick::listed(&others, input.request.file, figure);
        input.tables_left_out(&format!("'{}'", variables[one].path), others.len() + 1, hint);
    }
}

/// The values of the axes that the figure takes from variables of the file.
///
/// # Errors
/// When one cannot be read.
fn axis_values(
    file: &NetcdfFile,
    variables: &[Variable],
    figure: &Figure,
    name: &str,
) -> Result<AxisValues, InputError> {
    let of = |spec: &Option<String>| {
        let path = spec.as_deref()?.trim_matches('/');
        let variable = variables.iter().find(|v| v.path == path && v.shape.len() == 1)?;
        Some(variable.coordinates(file).map(|found| (variable.name().to_owned(), found)))
    };
    let [x, y] = [&figure.x.values, &figure.y.values].map(|spec| of(spec).transpose());
    let refused = |what: String| InputError::refused(name, "", what);
    let sides = [x.map_err(refused)?, y.map_err(refused)?];
    let names = sides.each_ref().map(|side| side.as_ref().map_or_else(String::new, |(name, _)| name.clone()));
    let times = sides.each_ref().map(|side| side.as_ref().is_some_and(|(_, (_, is_time))| *is_time));
    let [x, y] = sides.map(|side| side.map(|(_, (values, _))| values));
    Ok(AxisValues { x, y, times, names, ..AxisValues::default() })
}

/// The places of the variables that the figure's `key` names: one, all of a pattern, or the only one of a group.
///
/// # Errors
/// When there is none, or several could be meant.
fn picked(variables: &[Variable], file: &str, kind: &str, figure: &Figure) -> Result<Vec<usize>, InputError> {
    let key = figure.data.key.as_deref().unwrap_or_default().trim_matches('/');
    let candidates: Vec<_> = variables.iter().map(Variable::candidate).collect();
    if let Some(place) = candidates.iter().position(|c| c.path == key) {
        return Ok(vec![place]);
    }
    if is_of_several(key) {
        return matching(&candidates, (file, figure), key);
    }
    let is_bounds = |path: &str| variables.iter().any(|v| v.path != path && v.is_bounded_by(path));
    let is_within = |path: &str| {
        key.is_empty() && !is_bounds(path) || path.strip_prefix(key).is_some_and(|p| p.starts_with('/'))
    };
    let places: Vec<usize> = (0..candidates.len()).filter(|i| is_within(&candidates[*i].path)).collect();
    if places.is_empty() {
        let what = match key {
            "" => format!("is a {kind} without arrays of numbers"),
            key => format!("there is no array or group '{key}'"),
        };
        return Err(InputError::usage(file, what).with_hint(pick::listed(&candidates, file, figure)));
    }
    let within: Vec<_> = places.iter().map(|i| candidates[*i].clone()).collect();
    let one = lone(&within, file, figure).map_err(|e| InputError { place: key.into(), ..e })?;
    Ok(vec![places[one]])
}
