//! Tables in HDF5 and `NetCDF`: rows of numbers and texts of one length, records, and frames of pandas. They are read whole.

use super::file::NetcdfFile;
use super::variable::{Variable, values};
use crate::budget::{Budget, OverBudget, Reservation};
use crate::error::InputError;
use crate::shell_word::flag;
use crate::table::{ColumnValue, NamedColumn, listed, single};
use gridscope_core::grid::Number;
use gridscope_core::lint::{LintName, Lints};
use netcdf_reader::{NcType, NcValue};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

/// Bytes of a value while it is read.
const VALUE: u64 = 64;
/// Groups of `PyTables` that say where the values of a column are.
const INDEXES: &str = "_i_";

/// The table that a key names, which may be empty, by its columns; `None` where there is none, or arrays of more dimensions are.
///
/// # Errors
/// When there are several tables, or it cannot be read.
pub(super) fn columns_of_table(
    file: &NetcdfFile,
    variables: &[Variable],
    key: &str,
    budget: &Arc<Budget>,
    lints: &mut Lints,
) -> Result<Option<Vec<NamedColumn>>, InputError> {
    let is_within = |v: &&Variable| {
        key.is_empty() || v.path.strip_prefix(key).is_some_and(|p| p.is_empty() || p.starts_with('/'))
    };
    let is_index = |v: &Variable| v.path.split('/').any(|part| part.starts_with(INDEXES));
    let within: Vec<&Variable> = variables.iter().filter(is_within).filter(|v| !is_index(v)).collect();
    let refused = |path: &str, what: String| {
        let e = InputError::refused(&file.name, "", what);
        InputError { place: path.into(), ..e }
    };
    let has = |path: String| within.iter().any(|v| v.path == path);
    let frames: Vec<&str> = within
        .iter()
        .filter_map(|v| v.path.strip_suffix("axis0"))
        .filter(|group| {
            ["axis1", "block0_items", "block0_values"].iter().all(|part| has(format!("{group}{part}")))
        })
        .collect();
    match frames[..] {
        [] => {}
        [group] => {
            let _room = room(&within, budget).map_err(|s| s.of(&file.name, "its rows"))?;
            let columns = frame(file, &within, group, lints).map_err(|what| refused(group, what))?;
            rest_left_out(file, within.iter().copied().filter(|v| !v.path.starts_with(group)), lints);
            return Ok(Some(columns));
        }
        _ => {
            return Err(several(
                file,
                frames.iter().map(|group| group.trim_matches('/').to_owned()).collect(),
            ));
        }
    }
    let is_record = |v: &&&Variable| matches!(v.stored, NcType::Compound { .. }) && v.shape.len() == 1;
    let others = within.iter().filter(|v| v.shape.iter().any(|side| *side > 1)).count();
    let records: Vec<&&Variable> = within.iter().filter(is_record).collect();
    match records[..] {
        [one] if others == 1 || one.path == key => {
            let _room = room(&[one], budget).map_err(|s| s.of(&file.name, "its rows"))?;
            let columns = of_records(file, one, lints).map_err(|what| refused(&one.path, what))?;
            return Ok(Some(columns));
        }
        [_, ..] if others == records.len() => {
            return Err(several(file, records.iter().map(|v| v.path.clone()).collect()));
        }
        _ => {}
    }
    rows(file, &within, budget, lints)
}

/// Memory for the texts of variables.
fn room(variables: &[&Variable], budget: &Arc<Budget>) -> Result<Reservation, OverBudget> {
    let texts =
        |v: &&Variable| v.shape.iter().fold(v.values_of_one(), |n, side| n.saturating_mul(*side as u64));
    budget.reserve(variables.iter().map(texts).fold(0, u64::saturating_add).saturating_mul(VALUE))
}

/// The vectors of one length in the only group that has several, where there is nothing of more dimensions; coordinates of one
/// vector are its own matter.
fn rows(
    file: &NetcdfFile,
    within: &[&Variable],
    budget: &Arc<Budget>,
    lints: &mut Lints,
) -> Result<Option<Vec<NamedColumn>>, InputError> {
    let is_deep = |v: &&Variable| v.is_read() && v.shape.iter().filter(|side| **side > 1).count() > 1;
    if within.iter().copied().any(|v| is_deep(&v) && !v.is_text()) {
        return Ok(None);
    }
    // Of each group and length, its vectors.
    let mut all: BTreeMap<(&str, usize), Vec<&Variable>> = BTreeMap::new();
    for v in within.iter().copied().filter(|v| v.is_vector() && v.shape[0] > 1) {
        all.entry((v.group(), v.shape[0])).or_default().push(v);
    }
    let measured = |vectors: &[&Variable]| {
        let axes: HashSet<&str> = vectors.iter().filter_map(|v| v.axis_of_another()).collect();
        vectors.iter().filter(|v| !axes.contains(v.name())).count()
    };
    let tables: Vec<(&str, usize)> =
        all.iter().filter(|(_, of)| measured(of) > 1).map(|(key, _)| *key).collect();
    let groups: BTreeSet<&str> = tables.iter().map(|(group, _)| *group).collect();
    if groups.len() > 1 {
        return Err(several(file, groups.into_iter().map(str::to_owned).collect()));
    }
    // Of one group, that of most vectors.
    let Some(table) = tables.iter().max_by_key(|key| all[*key].len()) else { return Ok(None) };
    let own = &all[table];
    let _room = room(own, budget).map_err(|s| s.of(&file.name, "its rows"))?;
    let refused = |what| InputError::refused(&file.name, "", what);
    let mut columns = Vec::new();
    for v in own {
        let cells = values(file, v).map_err(refused)?;
        if cells.len() == table.1 {
            columns.push((v.name().to_owned(), cells));
        }
    }
    let is_own = |v: &Variable| v.group() == table.0 && columns.iter().any(|(name, _)| name == v.name());
    rest_left_out(file, within.iter().copied().filter(|v| !is_own(v)), lints);
    Ok(Some(columns))
}

/// Reports what of a file is beside its table; lone numbers are settings.
fn rest_left_out<'v>(file: &NetcdfFile, rest: impl Iterator<Item = &'v Variable>, lints: &mut Lints) {
    let paths: Vec<String> =
        rest.filter(|v| v.shape.iter().any(|side| *side > 1)).map(|v| v.path.clone()).collect();
    if !paths.is_empty() {
        let what = format!("{}: what is beside the table is left out: {}", file.name, listed(&paths));
        lints.add(LintName::ColumnsLeftOut, paths.len() as u64, what);
    }
}

fn several(file: &NetcdfFile, keys: Vec<String>) -> InputError {
    let what = format!("holds {} tables: choose one: {}", keys.len(), listed(&keys));
    let hint = flag("--key", keys.first().map_or("", String::as_str));
    InputError::usage(&file.name, what)
        .with_hint(hint)
        .with_keys(keys.into_iter().map(|key| (key, String::new())).collect())
}

/// The columns of a frame that pandas wrote as blocks of columns of one type each.
fn frame(
    file: &NetcdfFile,
    within: &[&Variable],
    group: &str,
    lints: &mut Lints,
) -> Result<Vec<NamedColumn>, String> {
    let part = |name: &str| within.iter().find(|v| v.path == format!("{group}{name}"));
    let read = |name: &str| part(name).map(|v| values(file, v)).transpose();
    let named =
        |name: &str| Ok::<_, String>(read(name)?.unwrap_or_default().iter().map(ColumnValue::text).collect());
    let names: Vec<String> = named("axis0")?;
    let index = read("axis1")?.unwrap_or_default();
    let mut columns: Vec<Option<Vec<ColumnValue>>> = vec![None; names.len()];
    for block in 0.. {
        let Some(of_block) = part(&format!("block{block}_values")) else { break };
        let items: Vec<String> = named(&format!("block{block}_items"))?;
        if !of_block.is_read() || of_block.shape != [index.len(), items.len()] {
            continue;
        }
        let cells = values(file, of_block)?;
        for (c, item) in items.iter().enumerate() {
            // Names may recur.
            let place = (0..names.len()).find(|i| names[*i] == *item && columns[*i].is_none());
            if let Some(place) = place {
                columns[place] = Some(cells.iter().skip(c).step_by(items.len()).cloned().collect());
            }
        }
    }
    let lost: Vec<String> =
        names.iter().zip(&columns).filter(|(_, c)| c.is_none()).map(|(name, _)| name.clone()).collect();
    if !lost.is_empty() {
        let what = format!("{}: columns of pickled objects are left out: {}", file.name, listed(&lost));
        lints.add(LintName::ColumnsLeftOut, lost.len() as u64, what);
    }
    let kept = names.into_iter().zip(columns).filter_map(|(name, column)| Some((name, column?)));
    // Positions are no labels.
    let counts = index.iter().enumerate().all(|(i, label)| label.text().parse() == Ok(i));
    let index = (!counts).then(|| ("index".to_owned(), index));
    let columns: Vec<NamedColumn> = index.into_iter().chain(kept).collect();
    if columns.is_empty() {
        Err("is a frame of pickled objects, which are not read".to_owned())
    } else {
        Ok(columns)
    }
}

/// The fields of records: numbers and texts; a field of several numbers becomes as many columns.
fn of_records(file: &NetcdfFile, variable: &Variable, lints: &mut Lints) -> Result<Vec<NamedColumn>, String> {
    let records = file.read(|f| f.read_variable_user_defined(&variable.path))?;
    let mut columns: Vec<NamedColumn> = Vec::new();
    for (row, record) in records.iter().enumerate() {
        let NcValue::Compound(fields) = record else { continue };
        let mut at = 0;
        let mut put = |name: String, value: ColumnValue| {
            if row == 0 {
                columns.push((name, Vec::new()));
            }
            if let Some((_, cells)) = columns.get_mut(at) {
                cells.push(value);
            }
            at += 1;
        };
        for field in fields {
            match &field.value {
                NcValue::Array(of) => {
                    for (i, value) in of.values.iter().enumerate() {
                        put(format!("{}.{i}", field.name), value_of(value));
                    }
                }
                value => put(field.name.clone(), value_of(value)),
            }
        }
    }
    let is_read = |(_, cells): &NamedColumn| cells.iter().any(|cell| *cell != ColumnValue::Unread);
    let (columns, unread): (Vec<_>, Vec<_>) = columns.into_iter().partition(is_read);
    if !unread.is_empty() {
        let names: Vec<String> = unread.into_iter().map(|(name, _)| name).collect();
        let what =
            format!("{}: fields of a type that is not read are left out: {}", file.name, listed(&names));
        lints.add(LintName::ColumnsLeftOut, names.len() as u64, what);
    }
    if columns.is_empty() { Err("holds records of no type that is read".to_owned()) } else { Ok(columns) }
}

/// A field of a record; or that it is of a type that is not read.
fn value_of(value: &NcValue) -> ColumnValue {
    let integer = |v: i64| ColumnValue::Number(Number::I64(v));
    match value {
        NcValue::Byte(v) => integer((*v).into()),
        NcValue::Short(v) => integer((*v).into()),
        NcValue::Int(v) => integer((*v).into()),
        NcValue::Int64(v) => integer(*v),
        NcValue::UByte(v) => integer((*v).into()),
        NcValue::UShort(v) => integer((*v).into()),
        NcValue::UInt(v) => integer((*v).into()),
        NcValue::UInt64(v) => ColumnValue::Number(Number::U64(*v)),
        NcValue::Float(v) => ColumnValue::of_f64(single(*v)),
        NcValue::Double(v) => ColumnValue::of_f64(*v),
        NcValue::String(text) => ColumnValue::Text(text.clone()),
        NcValue::Enum(of) => of.member.clone().map_or(ColumnValue::Nothing, ColumnValue::Text),
        _ => ColumnValue::Unread,
    }
}
