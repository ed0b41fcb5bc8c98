//! NPZ files: the arrays of an archive, a panel for each.

mod directory;
mod archive;
mod choice;

use super::reader::{Contents, Input, Request};
use crate::array::{Array, ArraySource, AxisValues, choose, grids_of_source, name_by_array, name_values};
use crate::budget::Budget;
use crate::error::InputError;
use crate::kept::Kept;
use crate::loaded::ReadOptions;
use crate::panels::check_count;
use archive::{Archive, Member};
use choice::{list, named, only, own_axis, quoted};
use gridscope_core::figure::Figure;
use gridscope_core::grid::Grid;
use std::io::{BufReader, Cursor, Read, Seek};
use std::sync::Arc;

/// The arrays of an archive.
///
/// # Errors
/// As [`read_npz`].
pub(crate) fn open(input: &mut Input) -> Result<Contents, InputError> {
    let Request { file, figure, needs, budget } = input.request;
    let npz = match input.file() {
        Some((archive, _)) => read_npz(BufReader::new(&*archive), file, figure, needs, budget)?,
        None => {
            let (bytes, _held) = input.bytes()?;
            read_npz(Cursor::new(bytes), file, figure, needs, budget)?
        }
    };
    Ok(Contents::Arrays { grids: npz.grids, summary: npz.summary, axis_values: npz.axis_values })
}

/// The arrays of an archive that are drawn.
pub(crate) struct Npz {
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
pub(crate) fn read_npz(
    from: impl Read + Seek,
    file: &str,
    figure: &Figure,
    needs: &ReadOptions,
    budget: &Arc<Budget>,
) -> Result<Npz, InputError> {
    let mut archive = Archive::open(from, file, budget)?;
    let (members, others) = archive.members()?;
    let axes = [&figure.x.values, &figure.y.values].map(|spec| own_axis(spec.as_deref(), &members));
    let chosen = match &figure.data.key {
        Some(key) => named(key, &members, file)?,
        None => vec![only(&mut archive, &members, figure, (axes, needs.first_slice), file)?],
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
            name_values(&mut of, &member.name);
        }
        grids.append(&mut of);
        check_panels(grids.len())?;
    }
    let mut values =
        |axis: Option<usize>, what: &str| axis.map(|i| archive.read_row(&members[i], what)).transpose();
    let (x, y) = (values(axes[0], "x-values")?, values(axes[1], "y-values")?);
    let axis_values = AxisValues {
        times: [&x, &y].map(|of| of.as_ref().is_some_and(|of| of.1)),
        x: x.map(|of| of.0),
        y: y.map(|of| of.0),
        names: axes.map(|axis| axis.map_or_else(String::new, |i| members[i].name.clone())),
    };
    Ok(Npz { grids, summary: summary(&members, &chosen, &axes, others), axis_values })
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

/// Members that were read and passed over; rows of numbers that fit the axes are offered as their values.
fn summary(members: &[Member], chosen: &[usize], axes: &[Option<usize>; 2], others: usize) -> String {
    let mut out = list(chosen.iter().map(|&i| &members[i]));
    out.insert_str(0, if chosen.len() > 1 { "arrays " } else { "array " });
    let passed: Vec<&Member> = (0..members.len())
        .filter(|i| !chosen.contains(i) && !axes.contains(&Some(*i)))
        .map(|i| &members[i])
        .collect();
    if !passed.is_empty() {
        out.push_str(&format!("; passed over: {}", list(passed.iter().copied())));
    }
    if others > 0 {
        out.push_str(&format!("; {others} members that are not arrays"));
    }
    let sides = chosen.first().and_then(|&i| members[i].shape());
    if let (Some(&[rows, columns]), [None, None]) = (sides, axes) {
        let is_row = |m: &Member, n: usize| m.shape() == Some(&[n]);
        let of = |n: usize| passed.iter().find(|m| is_row(m, n));
        // Centres before edges, unless the edges of one side are the centres of the other.
        let fit = |n: usize, other: usize| of(n).or_else(|| of(n + 1).filter(|_| n + 1 != other));
        let word = |side, m: Option<&&Member>| m.map(|m| format!("--{side}-values {}", quoted(&m.name)));
        // Where rows and columns are as many, their names alone would have to tell them apart.
        let words = [word("x", fit(columns, rows)), word("y", fit(rows, columns))];
        let words: Vec<String> = words.into_iter().flatten().collect();
        if !words.is_empty() && rows != columns {
            out.push_str(&format!("; its axes may be {}", words.join(" ")));
        }
    }
    out
}

#[cfg(test)]
mod tests;
