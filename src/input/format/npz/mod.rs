//! NPZ files: the arrays of an archive, a panel for each.

mod archive;
mod choice;

use super::reader::{Contents, Input, Request};
use crate::figure::Figure;
use crate::grid::Grid;
use crate::input::array::{AxisValues, source_grids};
use crate::input::budget::Budget;
use crate::input::error::InputError;
use crate::input::panels::check_count;
use archive::{Archive, Member};
use choice::{damage, list, named, only, own_axis, quoted};
use std::io::{BufReader, Cursor, Read, Seek};
use std::sync::Arc;

/// The arrays of an archive.
///
/// # Errors
/// As [`read_npz`].
pub fn open(input: &mut Input) -> Result<Contents, InputError> {
    let Request {
        file, figure, budget, ..
    } = input.request;
    let npz = match input.file() {
        Some((archive, _)) => read_npz(BufReader::new(&*archive), file, figure, budget)?,
        None => {
            let (bytes, _held) = input.bytes()?;
            read_npz(Cursor::new(bytes), file, figure, budget)?
        }
    };
    Ok(Contents::Arrays {
        grids: npz.grids,
        summary: npz.summary,
        axis_values: npz.axis_values,
    })
}

/// The arrays of an archive that are drawn.
pub struct Npz {
    /// A grid for each array, or more where an axis makes panels.
    pub grids: Vec<Grid>,
    /// What was read and what was passed over, in words.
    pub summary: String,
    /// Coordinates in the same archive.
    pub axis_values: AxisValues,
}

/// Reads the arrays that `key` names, else the only one with two dimensions.
///
/// # Errors
/// When the archive is damaged, one of several arrays is damaged, the array does not exist or is not the only one that could be
/// meant, or memory is too small.
pub fn read_npz(
    from: impl Read + Seek,
    file: &str,
    figure: &Figure,
    budget: &Arc<Budget>,
) -> Result<Npz, InputError> {
    let mut archive = Archive::open(from, file, budget)?;
    let (members, others) = archive.members()?;
    let axes = [(&figure.x.values, "x"), (&figure.y.values, "y")]
        .map(|(spec, side)| (own_axis(spec.as_deref(), &members), side));
    let chosen = match &figure.data.key {
        Some(key) => named(key, &members, file)?,
        None => match damage(&mut archive, &members, [axes[0].0, axes[1].0]) {
            Some(e) => return Err(e),
            None => vec![only(&members, figure, axes[0].0, axes[1].0, file)?],
        },
    };
    let check_panels = |panels: usize| {
        check_count(panels, file, || {
            format!("{} arrays make {panels} panels or more", chosen.len())
        })
        .map_err(|e| e.with_hint("--key names some of them"))
    };
    check_panels(chosen.len())?;
    let mut grids = Vec::new();
    for &i in &chosen {
        let member = &members[i];
        let array = archive.read(member)?;
        let mut of = source_grids(Box::new(array), file, figure, budget).map_err(|e| {
            let place = joined(&format!("array '{}'", member.name), &e.place.to_string()).into();
            InputError { place, ..e }
        })?;
        if chosen.len() > 1 {
            of.iter_mut().for_each(|g| g.name = joined(&member.name, &g.name));
        }
        grids.append(&mut of);
        check_panels(grids.len())?;
    }
    let mut values = [None, None];
    for (values, (member, side)) in values.iter_mut().zip(axes) {
        let Some(member) = member.map(|i| &members[i]) else {
            continue;
        };
        let array = archive.read(member)?;
        if !array.is_one_row() {
            let what = format!(
                "{side}-values {}: shape {:?}, but axis values are one row of numbers",
                member.name, array.shape
            );
            return Err(InputError::usage(file, what));
        }
        *values = Some(array.to_f64());
    }
    let summary = summary(&members, &chosen, &axes.map(|a| a.0), others);
    let [x, y] = values;
    Ok(Npz {
        grids,
        summary,
        axis_values: AxisValues { x, y },
    })
}

/// Two names with a comma between, or the one that is not empty.
fn joined(first: &str, second: &str) -> String {
    match (first, second) {
        ("", name) | (name, "") => name.to_owned(),
        _ => format!("{first}, {second}"),
    }
}

/// What was read and what was passed over; rows of numbers that fit the axes are offered as their values.
fn summary(members: &[Member], chosen: &[usize], axes: &[Option<usize>; 2], others: usize) -> String {
    let mut out = list(chosen.iter().map(|&i| &members[i]));
    out.insert_str(0, if chosen.len() > 1 { "arrays " } else { "array " });
    let passed: Vec<usize> = (0..members.len())
        .filter(|i| !chosen.contains(i) && !axes.contains(&Some(*i)))
        .collect();
    if !passed.is_empty() {
        out.push_str(&format!(
            "; passed over: {}",
            list(passed.iter().map(|&i| &members[i]))
        ));
    }
    if others > 0 {
        out.push_str(&format!("; {others} members that are not arrays"));
    }
    let sides = chosen
        .first()
        .and_then(|&i| members[i].header.as_ref().ok())
        .map(|h| h.shape.as_slice());
    if let (Some(&[rows, columns]), [None, None]) = (sides, axes) {
        let of = |n: usize| {
            passed
                .iter()
                .map(|&i| &members[i])
                .find(|m| m.header.as_ref().is_ok_and(|h| h.shape == [n]))
        };
        // Centres before edges, unless the edges of one side are the centres of the other.
        let fit = |n: usize, other: usize| of(n).or_else(|| of(n + 1).filter(|_| n + 1 != other));
        let word = |side, m: Option<&Member>| m.map(|m| format!("--{side}-values {}", quoted(&m.name)));
        // Where rows and columns are as many, their names alone would have to tell them apart.
        let words: Vec<String> = [word("x", fit(columns, rows)), word("y", fit(rows, columns))]
            .into_iter()
            .flatten()
            .collect();
        if !words.is_empty() && rows != columns {
            out.push_str(&format!("; its axes may be {}", words.join(" ")));
        }
    }
    out
}

#[cfg(test)]
mod tests;
