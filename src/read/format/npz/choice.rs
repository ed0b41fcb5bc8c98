//! Which arrays of an archive are drawn: by a key, or by their dimensions.

use super::archive::{Archive, Member};
use crate::array::{Cause, range, shape_text};
use crate::error::InputError;
use crate::pattern::is_match;
use crate::table::{listed, nearest};
use gridscope_core::figure::Figure;
use gridscope_core::text::NaturalOrder;
use std::io::{Read, Seek};
use std::path::Path;

/// The array that an axis takes its values from, unless the text is a range or a file's name.
pub(super) fn own_axis(spec: Option<&str>, members: &[Member]) -> Option<usize> {
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
pub(super) fn named(key: &str, members: &[Member], file: &str) -> Result<Vec<usize>, InputError> {
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
pub(super) fn only(
    archive: &mut Archive<impl Read + Seek>,
    members: &[Member],
    figure: &Figure,
    (axes, takes_first_slice): ([Option<usize>; 2], bool),
    file: &str,
) -> Result<usize, InputError> {
    let left: Vec<usize> = (0..members.len()).filter(|i| !axes.contains(&Some(*i))).collect();
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
    let first = [&fit, &readable, &left].into_iter().find_map(|l| l.first());
    let what = format!("holds {} arrays, {why}: {}", members.len(), list(members.iter()));
    let key = quoted(&members[first.copied().unwrap_or(0)].name);
    Err(InputError::usage(file, what).with_hint(format!("--key {key}")))
}

/// A name that a shell takes as one word.
pub(super) fn quoted(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "._-/".contains(c));
    if plain { name.to_owned() } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

/// Names, shapes and types, or why there are none.
pub(super) fn list<'a>(members: impl Iterator<Item = &'a Member>) -> String {
    let one = |m: &Member| match &m.header {
        Err(_) if m.times.is_some() => {
            let shape = m.shape().map(shape_text).filter(|s| !s.is_empty());
            format!("{} ({}, times)", m.name, shape.unwrap_or_else(|| "one".to_owned()))
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
