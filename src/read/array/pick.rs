//! Which arrays of a container are meant: those that a key names, or the only one that can be drawn.

use super::choose;
use crate::error::InputError;
use crate::panel_files::check_count;
use crate::shell_word::is_match;
use gridscope_core::figure::Figure;
use gridscope_core::text::clean;

/// Arrays that a message lists.
const LISTED: usize = 20;

/// An array of a container.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidate {
    /// Its path.
    pub path: String,
    /// Its shape and type in a few words, or why it is not read.
    pub what: String,
    /// Elements along each axis; none of an array that is not read.
    pub shape: Option<Vec<usize>>,
    /// The names of its axes, which may be empty.
    pub axes: Vec<String>,
}

impl Candidate {
    fn is_plane(&self, file: &str, figure: &Figure) -> bool {
        let shape = self.shape.as_deref().filter(|s| s.len() > 1);
        shape.is_some_and(|shape| choose((shape, &self.axes), file, figure).is_ok())
    }
}

/// Lines to copy from, one for each array, with what else the figure has to say of it.
pub(crate) fn listed(found: &[Candidate], file: &str, figure: &Figure) -> String {
    let line = |c: &Candidate| {
        let chosen = c.shape.as_ref().map(|shape| choose((shape, &c.axes), file, figure));
        let way = chosen.and_then(Result::err).and_then(|e| e.way).map(|way| format!(" {way}"));
        format!("--key '{}'{}  ({})", clean(&c.path), way.unwrap_or_default(), clean(&c.what))
    };
    // Lone numbers are no grids.
    let arrays: Vec<&Candidate> = found.iter().filter(|c| c.shape.as_deref() != Some(&[])).collect();
    let mut out: Vec<String> = arrays.iter().take(LISTED).copied().map(line).collect();
    if arrays.len() > LISTED {
        out.push(format!("and {} more", arrays.len() - LISTED));
    }
    if out.is_empty() { "it holds no array".to_owned() } else { out.join("; ") }
}

/// The place in the list of the array that is meant: the only one, coordinates of others left out, or the only one of which the
/// figure's options leave a plane.
///
/// # Errors
/// When there is none, or several could be meant.
pub(crate) fn lone(found: &[Candidate], file: &str, figure: &Figure) -> Result<usize, InputError> {
    let is_coordinate = |c: &Candidate| {
        let own = c.path.rsplit('/').next().unwrap_or_default();
        let of_others = |other: &Candidate| {
            other.path != c.path
                && other.shape.as_ref().is_some_and(|s| s.len() > 1)
                && other.axes.iter().any(|a| a == own)
        };
        c.shape.as_ref().is_some_and(|s| s.len() == 1) && found.iter().any(of_others)
    };
    let mut left: Vec<usize> = (0..found.len()).filter(|i| !is_coordinate(&found[*i])).collect();
    let planes: Vec<usize> = left.iter().copied().filter(|i| found[*i].is_plane(file, figure)).collect();
    if left.len() > 1 && planes.len() == 1 {
        left = planes;
    }
    match left[..] {
        [one] => Ok(one),
        _ => {
            let what = format!("holds {} arrays: choose one", left.len());
            let left: Vec<Candidate> = left.into_iter().map(|i| found[i].clone()).collect();
            let mut arrays: Vec<&Candidate> = left.iter().filter(|c| c.shape.is_some()).collect();
            // A plane comes first, rows of numbers last.
            arrays.sort_by_key(|c| c.shape.as_ref().map_or(0, Vec::len).checked_sub(2).unwrap_or(usize::MAX));
            let keys = arrays.into_iter().map(|c| (c.path.clone(), clean(&c.what))).collect();
            Err(InputError::usage(file, what).with_hint(listed(&left, file, figure)).with_keys(keys))
        }
    }
}

/// The places of the arrays that a key with `*` names, or a list of keys.
///
/// # Errors
/// When it names none, or too many.
pub(crate) fn matching(
    found: &[Candidate],
    (file, figure): (&str, &Figure),
    key: &str,
) -> Result<Vec<usize>, InputError> {
    let (mut places, mut is_taken) = (Vec::new(), vec![false; found.len()]);
    for part in key.split(',').map(|part| part.trim().trim_matches('/')) {
        let is_named = |i: &usize| is_match(part, &found[*i].path, Some('/'));
        if !(0..found.len()).any(|i| is_named(&i)) {
            let what = format!("no array is called '{part}'");
            return Err(InputError::usage(file, what).with_hint(listed(found, file, figure)));
        }
        let named = (0..found.len()).filter(is_named);
        places.extend(named.filter(|&i| !std::mem::replace(&mut is_taken[i], true)));
    }
    let n = places.len();
    check_count(n, file, || format!("'{key}' names {n} arrays"))?;
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_keys_and_patterns_names_arrays_in_its_order() {
        let one =
            |path: &str| Candidate { path: path.to_owned(), shape: Some(vec![2, 2]), ..Candidate::default() };
        let all = ["loss", "run/a", "run/b", "run/deep/a"].map(one);
        let of = |key: &str| matching(&all, ("f.h5", &Figure::default()), key);
        assert_eq!(of("run/*").unwrap(), [1, 2]);
        assert_eq!(of("run/b, loss,/run/*/").unwrap(), [2, 0, 1]);
        assert_eq!(of("loss,none").unwrap_err().what, "no array is called 'none'");
    }
}
