//! Several arrays of a JSON text, under a key that is a list of keys or a pattern of them.

use super::data::open;
use super::form::{asked, candidates};
use super::outline::Node;
use super::tokenizer::{JsonFault, Tokenizer};
use crate::array::{AxisValues, name_by_array};
use crate::budget::Whole;
use crate::error::InputError;
use crate::format::reader::{Contents, Input, Request};
use crate::shell_word::is_match;
use gridscope_core::figure::Figure;

/// Bytes that a text is read as for all of its arrays together.
const MOST_BYTES: u64 = 1 << 26;

/// The paths that the figure's key, a list or a pattern, names; `None` for one that is a path itself.
///
/// # Errors
/// Text that is not JSON.
pub(super) fn paths(text: &str, figure: &Figure, mut keys: usize) -> Result<Option<Vec<String>>, JsonFault> {
    let key = figure.data.key.as_deref().unwrap_or_default();
    let mut tokens = Tokenizer::new(text, figure.data.json_nan == Some(true));
    let top = Node::read(&mut tokens, &mut keys)?;
    if top.find(key).is_some() {
        return Ok(None);
    }
    let all: Vec<String> = candidates(&top, &asked(figure)).into_iter().map(|(path, _)| path).collect();
    let mut found: Vec<String> = Vec::new();
    for part in key.split(',').map(str::trim) {
        let before = found.len();
        let named = all.iter().filter(|path| is_match(part, path, None));
        found.extend(named.cloned());
        if found.len() == before && top.find(part).is_some() {
            found.push(part.to_owned());
        }
        if found.len() == before {
            let what = format!("no table or array is called '{part}'");
            let hint = format!("its keys: {}", crate::table::listed(&all));
            return Err(JsonFault::new(0, what).with_hint_text(hint));
        }
    }
    Ok(Some(found))
}

/// The arrays at these paths, a panel each.
///
/// # Errors
/// As for each of them; a path of a table, and too many bytes to read again and again.
pub(super) fn open_each(
    paths: &[String],
    (bytes, held): Whole,
    input: &mut Input,
) -> Result<Contents, InputError> {
    let Request { file, figure, budget, needs } = input.request;
    let all = (bytes.len() as u64).saturating_mul(paths.len() as u64);
    if all > MOST_BYTES {
        let what = format!("{} arrays of a text of {} bytes", paths.len(), bytes.len());
        return Err(InputError::limit(file, what).with_hint("--key names fewer"));
    }
    let (mut grids, mut summaries) = (Vec::new(), Vec::new());
    for path in paths {
        let mut own = figure.clone();
        own.data.key = Some(path.clone());
        let room = budget.reserve(bytes.len() as u64).map_err(|s| s.of(file, "its bytes"))?;
        let request = Request { file, figure: &own, budget, needs };
        let mut one = Input::whole(request, (bytes.clone(), room));
        let read = open(&mut one)?;
        input.lints.append(one.lints);
        match read {
            Contents::Arrays { grids: mut of, summary, .. } => {
                name_by_array(&mut of, path);
                grids.append(&mut of);
                summaries.push(summary);
            }
            _ => {
                let what = format!("'{path}' is a table, and a key of several names arrays");
                return Err(InputError::usage(file, what).with_hint("--key names one table"));
            }
        }
    }
    drop(held);
    Ok(Contents::Arrays { grids, summary: summaries.join("; "), axis_values: AxisValues::default() })
}
