//! NPZ files: the arrays of an archive, a panel for each, chosen by a key or by their dimensions.

mod archive;

use super::reader::{Contents, Input, Request};
use crate::array::{
    Array, ArraySource, AxisValues, Cause, choose, grids_of_source, name_by_array, name_values, range,
    shape_text,
};
use crate::budget::Budget;
use crate::error::InputError;
use crate::kept::Kept;
use crate::loaded::ReadOptions;
use crate::panel_files::check_count;
use crate::shell_word::{flag, is_match};
use crate::table::{ColumnValue, NamedColumn, listed, nearest, single, table_of_values};
use archive::{Archive, Member};
use gridscope_core::figure::{AxisLabels, Figure};
use gridscope_core::grid::{Grid, Number, Values};
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::text::NaturalOrder;
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::Path;
use std::sync::Arc;

/// The arrays of an archive.
///
/// # Errors
/// As [`read_npz`].
pub(crate) fn open(input: &mut Input) -> Result<Contents, InputError> {
    let Request { file, figure, needs, budget } = input.request;
    if let Some(columns) = vectors(input)? {
        let mut lints = Lints::default();
        let table = table_of_values(&columns, file, &figure.data, &mut lints, budget)?;
        return Ok(Contents::table(
            table,
            lints,
            format!("{file}: table of {} arrays", columns.len()),
            false,
        ));
    }
    let npz = match input.file() {
        Some((archive, _)) => read_npz(BufReader::new(&*archive), file, figure, needs, budget)?,
        None => {
            let (bytes, _held) = input.bytes()?;
            read_npz(Cursor::new(bytes), file, figure, needs, budget)?
        }
    };
    Ok(Contents::Arrays { grids: npz.grids, summary: npz.summary, axis_values: npz.axis_values })
}

/// The rows of numbers or texts of one length, where an archive holds nothing but such rows and lone numbers, and no option is one of
/// arrays: they are the columns of a table. Those of another length are reported.
///
/// # Errors
/// As [`read_npz`].
fn vectors(input: &mut Input) -> Result<Option<Vec<NamedColumn>>, InputError> {
    let Request { file, figure, budget, .. } = input.request;
    let data = &figure.data;
    if data.key.is_some() || data.slice.is_some() || figure.x.values.is_some() || figure.y.values.is_some() {
        return Ok(None);
    }
    let found = match input.file() {
        Some((archive, _)) => same_length(BufReader::new(&*archive), file, budget)?,
        None => {
            let (bytes, held) = input.bytes()?;
            let found = same_length(Cursor::new(bytes.as_slice()), file, budget);
            input.put_back((bytes, held));
            found?
        }
    };
    let Some((columns, others)) = found else { return Ok(None) };
    if !others.is_empty() {
        let what = format!("{file}: arrays of another length are left out: {}", listed(&others));
        input.lints.add(LintName::ColumnsLeftOut, others.len() as u64, what);
    }
    Ok(Some(columns))
}

/// Bytes of a value of a column.
const VALUE: u64 = 32;

/// Rows of numbers or texts of one length, and the names of other arrays.
type Vectors = (Vec<NamedColumn>, Vec<String>);

/// The rows of numbers or texts of the commonest length of an archive that holds no array of more dimensions.
///
/// # Errors
/// As [`read_npz`].
fn same_length(
    from: impl Read + Seek,
    file: &str,
    budget: &Arc<Budget>,
) -> Result<Option<Vectors>, InputError> {
    let mut archive = Archive::open(from, file, budget)?;
    let (members, _) = archive.members()?;
    let shapes: Option<Vec<&[usize]>> =
        members.iter().map(|m| m.shape().filter(|_| m.times.is_none())).collect();
    let Some(shapes) = shapes.filter(|shapes| shapes.iter().all(|shape| shape.len() < 2)) else {
        return Ok(None);
    };
    if members.iter().all(|m| m.header.is_err()) {
        return Ok(None);
    }
    let mut lens: Vec<usize> = shapes.iter().filter_map(|shape| shape.first().copied()).collect();
    lens.sort_unstable();
    let common = lens.chunk_by(|a, b| a == b).max_by_key(|run| (run.len(), run[0]));
    let Some(&[len, _, ..]) = common.filter(|run| run[0] > 1) else { return Ok(None) };
    let (mut columns, mut others) = (Vec::new(), Vec::new());
    for (member, shape) in members.iter().zip(&shapes) {
        if *shape != [len] {
            others.push(member.name.clone());
            continue;
        }
        let room = budget.reserve(VALUE.saturating_mul(len as u64)).map_err(|s| s.of(file, "its columns"))?;
        room.keep();
        if member.texts.is_some() {
            let texts = archive.read_texts(member)?.into_iter();
            columns.push((member.name.clone(), texts.map(ColumnValue::Text).collect()));
            continue;
        }
        let numbers = archive.read(member)?.data;
        let value = |i: usize| match (&numbers, numbers.get(i)) {
            (Values::F32 { data, integer: false }, _) => ColumnValue::of_f64(single(data[i])),
            (_, Number::F64(v)) => ColumnValue::of_f64(v),
            (_, number) => ColumnValue::Number(number),
        };
        columns.push((member.name.clone(), (0..len).map(value).collect()));
    }
    Ok(Some((columns, others)))
}

/// The arrays of an archive that are drawn.
struct Npz {
    /// A grid for each array, or more where an axis makes panels.
    pub grids: Vec<Grid>,
    /// Members that were read and those that were passed over, in words.
    pub summary: String,
    /// Coordinates in the same archive.
    pub axis_values: AxisValues,
}

/// Reads the arrays that `key` names, else the only one with two dimensions.
///
/// # Errors
/// When the archive is damaged, one of several arrays is damaged, the array does not exist or is not the only one that could be
/// meant, or memory is too small.
fn read_npz(
    from: impl Read + Seek,
    file: &str,
    figure: &Figure,
    needs: &ReadOptions,
    budget: &Arc<Budget>,
) -> Result<Npz, InputError> {
    let mut archive = Archive::open(from, file, budget)?;
    let (members, others) = archive.members()?;
    let axes = [&figure.x.values, &figure.y.values].map(|spec| own_axis(spec.as_deref(), &members));
    let label_axes = [&figure.x.labels, &figure.y.labels].map(|labels| match labels {
        AxisLabels::File(name) => own_axis(Some(name), &members).filter(|i| members[*i].texts.is_some()),
        _ => None,
    });
    let beside: Vec<usize> = axes.iter().chain(&label_axes).copied().flatten().collect();
    let chosen = match &figure.data.key {
        Some(key) => named(key, &members, file)?,
        None => vec![only(&mut archive, &members, figure, &beside, needs.first_slice, file)?],
    };
    let check_panels = |panels: usize| {
        check_count(panels, file, || format!("{} arrays make {panels} panels or more", chosen.len()))
            .map_err(|e| e.with_hint("--key names some of them"))
    };
    check_panels(chosen.len())?;
    let mut grids = Vec::new();
    for &i in &chosen {
        let member = &members[i];
        let named = |e: InputError| {
            let place = e.place.within(&format!("array '{}'", member.name));
            InputError { place, ..e }
        };
        // What the options do not allow is refused before anything is unpacked.
        if let Ok(header) = &member.header {
            let names = vec![String::new(); header.shape.len()];
            choose((&header.shape, &names), file, figure).map_err(named)?;
        }
        let source = source(&mut archive, member, file, needs.kept.as_ref())?;
        let mut of = grids_of_source(source, file, figure, budget).map_err(named)?;
        if chosen.len() > 1 {
            name_by_array(&mut of, &member.name);
        } else {
            name_values(&mut of, member.name.rsplit('/').next().unwrap_or_default());
        }
        grids.append(&mut of);
        check_panels(grids.len())?;
    }
    let mut values =
        |axis: Option<usize>, what: &str| axis.map(|i| archive.read_row(&members[i], what)).transpose();
    let (x, y) = (values(axes[0], "x-values")?, values(axes[1], "y-values")?);
    let mut labels = [None, None];
    for (of, axis) in labels.iter_mut().zip(label_axes) {
        *of = axis.map(|i| archive.read_texts(&members[i])).transpose()?;
    }
    let axis_values = AxisValues {
        times: [&x, &y].map(|of| of.as_ref().is_some_and(|of| of.1)),
        x: x.map(|of| of.0),
        y: y.map(|of| of.0),
        names: axes.map(|axis| axis.map_or_else(String::new, |i| members[i].name.clone())),
        labels,
    };
    Ok(Npz { grids, summary: summary(&members, &chosen, &beside, others), axis_values })
}

/// An array of the archive: as it was kept, else unpacked, and kept where there is room.
fn source(
    archive: &mut Archive<impl Read + Seek>,
    member: &Member,
    file: &str,
    kept: Option<&Kept>,
) -> Result<Box<dyn ArraySource>, InputError> {
    let Some(kept) = kept else {
        return Ok(Box::new(archive.read(member)?));
    };
    let name = format!("{file}/{}", member.name);
    if let Some(array) = kept.get::<Array>(&name) {
        return Ok(Box::new(array));
    }
    let array = archive.read(member)?;
    if array.shape.iter().filter(|&&side| side > 1).count() <= 2 {
        // There are no other slices: its one plane moves into the grid.
        return Ok(Box::new(array));
    }
    let array = Arc::new(array);
    kept.put(&name, &array, array.bytes());
    Ok(Box::new(array))
}

/// Members that were read and passed over; rows of numbers that fit the axes are offered as their values, rows of texts as their
/// labels.
fn summary(members: &[Member], chosen: &[usize], beside: &[usize], others: usize) -> String {
    let mut out = list(chosen.iter().map(|&i| &members[i]));
    out.insert_str(0, if chosen.len() > 1 { "arrays " } else { "array " });
    let passed: Vec<&Member> = (0..members.len())
        .filter(|i| !chosen.contains(i) && !beside.contains(i))
        .map(|i| &members[i])
        .collect();
    if !passed.is_empty() {
        out.push_str(&format!("; passed over: {}", list(passed.iter().copied())));
    }
    if others > 0 {
        out.push_str(&format!("; {others} members that are not arrays"));
    }
    let sides = chosen.first().and_then(|&i| members[i].shape());
    if let (Some(&[rows, columns]), []) = (sides, beside) {
        let of = |n: usize| passed.iter().find(|m| m.texts.is_none() && m.shape() == Some(&[n]));
        // Centres before edges, unless the edges of one side are the centres of the other.
        let fit = |n: usize, other: usize| of(n).or_else(|| of(n + 1).filter(|_| n + 1 != other));
        let word = |side, m: Option<&&Member>| m.map(|m| flag(&format!("--{side}-values"), &m.name));
        // Where rows and columns are as many, their names alone would have to tell them apart.
        let words = [word("x", fit(columns, rows)), word("y", fit(rows, columns))];
        let words = if rows == columns { [None, None] } else { words };
        let label = |side, n: usize| {
            let fits = |m: &&&Member| m.texts.is_some() && m.shape() == Some(&[n]);
            passed.iter().find(fits).map(|m| flag(&format!("--{side}-labels"), &m.name))
        };
        let words: Vec<String> =
            words.into_iter().chain([label("x", columns), label("y", rows)]).flatten().collect();
        if !words.is_empty() {
            out.push_str(&format!("; its axes may be {}", words.join(" ")));
        }
    }
    out
}

/// The array that an axis takes its values from, unless the text is a range or a file's name.
fn own_axis(spec: Option<&str>, members: &[Member]) -> Option<usize> {
    let spec = spec.filter(|s| range(s).is_none())?;
    // The folder of a figure file has been put before what might be a path.
    let last = Path::new(spec).file_name().and_then(|n| n.to_str()).filter(|_| !Path::new(spec).exists());
    position(spec, members).or_else(|| position(last?, members))
}

/// The array of that name, with or without `.npy`; of two names that a damaged one has, either.
fn position(name: &str, members: &[Member]) -> Option<usize> {
    let of = |name: &str| members.iter().position(|m| m.name == name);
    let other = |name: &str| members.iter().position(|m| m.other_name.as_deref() == Some(name));
    of(name)
        .or_else(|| of(name.strip_suffix(".npy")?))
        .or_else(|| other(name.strip_suffix(".npy").unwrap_or(name)))
}

/// The arrays that a key names: one, several with commas between, or all that fit `*` and `?`, in natural order.
///
/// # Errors
/// It names none, or one that is not there.
fn named(key: &str, members: &[Member], file: &str) -> Result<Vec<usize>, InputError> {
    if let Some(i) = position(key, members) {
        return Ok(vec![i]);
    }
    let arrays = || format!("arrays: {}", list(members.iter()));
    let mut out: Vec<usize> = Vec::new();
    for part in key.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        let mut fit = position(part, members).map_or_else(Vec::new, |i| vec![i]);
        if fit.is_empty() && part.contains(['*', '?']) {
            let is_named = |name: &str| is_match(part, name, None);
            let fits = |m: &Member| is_named(&m.name) || m.other_name.as_deref().is_some_and(is_named);
            fit = (0..members.len()).filter(|&i| fits(&members[i])).collect();
            let order = NaturalOrder::of(fit.iter().map(|&i| members[i].name.as_str()));
            fit.sort_by(|&a, &b| order.compare(&members[a].name, &members[b].name));
        }
        if fit.is_empty() {
            let names: Vec<String> = members.iter().map(|m| m.name.clone()).collect();
            let near = nearest(part, &names).map_or_else(String::new, |n| format!("did you mean '{n}'? "));
            let e = InputError::usage(file, format!("no array '{part}'"));
            return Err(e.with_hint(near + &arrays()));
        }
        fit.retain(|i| !out.contains(i));
        out.append(&mut fit);
    }
    if out.is_empty() {
        Err(InputError::usage(file, "key names no array").with_hint(arrays()))
    } else {
        Ok(out)
    }
}

/// The only array that is not an axis, or the only one with as many dimensions as the options need.
///
/// # Errors
/// There are several, or none. Or one of several is damaged, which must not leave the others as if there were no more; axis
/// values are asked for by name, and refused by name where they are read.
fn only(
    archive: &mut Archive<impl Read + Seek>,
    members: &[Member],
    figure: &Figure,
    beside: &[usize],
    takes_first_slice: bool,
    file: &str,
) -> Result<usize, InputError> {
    let left: Vec<usize> = (0..members.len()).filter(|i| !beside.contains(i)).collect();
    if let [one] = left[..] {
        return Ok(one);
    }
    let readable: Vec<usize> = left.iter().copied().filter(|&i| members[i].header.is_ok()).collect();
    if let Some(e) = left.iter().find_map(|&i| archive.damage(&members[i])) {
        return Err(if e.hint.is_some() || readable.is_empty() {
            e
        } else {
            let others = list(readable.iter().map(|&i| &members[i]));
            e.with_hint(format!("--key draws another: {others}"))
        });
    }
    let deep = figure.data.slice.is_some() || figure.data.panel_names().next().is_some();
    let fits = |i: &usize, deep: bool| {
        members[*i].header.as_ref().is_ok_and(|h| if deep { h.shape.len() > 2 } else { h.shape.len() == 2 })
    };
    let of = |deep: bool| left.iter().copied().filter(|i| fits(i, deep)).collect::<Vec<usize>>();
    let mut fit = of(deep);
    if takes_first_slice && fit.is_empty() {
        fit = of(true);
    }
    if let [one] = fit[..] {
        return Ok(one);
    }
    let why = if fit.is_empty() { "none of them with two dimensions" } else { "say which" };
    // Without a plane, the planes of a deeper array; a number alone is none.
    let dims = |i: usize| members[i].header.as_ref().map_or(0, |h| h.shape.len());
    let deeper: Vec<usize> = readable.iter().copied().filter(|&i| dims(i) == 3).collect();
    let lists: Vec<usize> = readable.iter().copied().filter(|&i| dims(i) > 0).collect();
    let first = [&fit, &deeper, &lists, &readable, &left].into_iter().find_map(|l| l.first());
    let what = format!("holds {} arrays, {why}: {}", members.len(), list(members.iter()));
    let first = first.copied().unwrap_or(0);
    let key = flag("--key", &members[first].name);
    let planes = if fit.is_empty() && dims(first) == 3 { " --panel axis:0" } else { "" };
    let fault = InputError::usage(file, what);
    // Rows of numbers may be the coordinates of what is not read.
    let unread = |i: &usize| members[*i].header.as_ref().err().filter(|_| members[*i].times.is_none());
    if fit.is_empty()
        && dims(first) < 2
        && let Some(hint) = left.iter().find_map(|i| unread(i)?.hint)
    {
        return Err(fault.with_hint(hint));
    }
    Err(if fit.is_empty() && dims(first) == 0 { fault } else { fault.with_hint(format!("{key}{planes}")) })
}

/// Names, shapes and types, or why there are none.
fn list<'a>(members: impl Iterator<Item = &'a Member>) -> String {
    let one = |m: &Member| match &m.header {
        Err(_) if m.shape().is_some() => {
            let shape = m.shape().map(shape_text).filter(|s| !s.is_empty());
            let what = if m.texts.is_some() { "texts" } else { "times" };
            format!("{} ({}, {what})", m.name, shape.unwrap_or_else(|| "one".to_owned()))
        }
        Ok(h) if h.shape.is_empty() => format!("{} (one number, {})", m.name, h.encoding.dtype.short()),
        Ok(h) => format!("{} ({}, {})", m.name, shape_text(&h.shape), h.encoding.dtype.short()),
        Err(f) => {
            let word = match f.cause {
                Cause::Unsupported => "",
                _ => "unreadable: ",
            };
            // Messages of damage may be long.
            format!("{} ({word}{})", m.name, cut(f.brief.as_ref().unwrap_or(&f.what)))
        }
    };
    listed(&members.map(one).collect::<Vec<_>>())
}

/// Characters of a reason in a list.
const LONGEST_REASON: usize = 48;

/// The words of a text that fit a list.
fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST_REASON {
        return text.to_owned();
    }
    let head: String = text.chars().take(LONGEST_REASON).collect();
    let words = head.rsplit_once(' ').map_or(head.as_str(), |parts| parts.0);
    format!("{} …", words.trim_end_matches([',', ';', ':']))
}

#[cfg(test)]
mod tests;
