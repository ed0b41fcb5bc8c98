//! One panel of several on a page of its own: with the room that the others need, so that bodies of as many rows and columns
//! are in the same place whichever panel is shown.

use super::least_room::LeastRoom;
use super::page::Page;
use super::search::{fit_page, fit_page_with};
use crate::resolve::{Frame, ResolveError};
use gridscope_core::text::Measure;

/// Colour scales beyond these are not looked at: each costs a page.
const MOST_SCALES: usize = 8;
/// The most rounds: more room may turn labels, which need more again.
const ROUNDS: usize = 3;

/// The panels whose surroundings may need the most: the first one of each scale, for its bar, and the one with the longest
/// title, among those with the rows and columns of this one.
fn others(frame: &Frame, panel: usize) -> Vec<usize> {
    let size = |p: usize| (frame.panels[p].columns.len(), frame.panels[p].rows.len());
    let alike: Vec<usize> = (0..frame.panels.len()).filter(|p| size(*p) == size(panel)).collect();
    let longest = alike.iter().copied().max_by_key(|p| frame.panels[*p].title.chars().count());
    let mut scales: Vec<usize> = Vec::new();
    let mut out: Vec<usize> = Vec::new();
    for &p in &alike {
        let scale = frame.panels[p].scale;
        if !scales.contains(&scale) && scales.len() < MOST_SCALES {
            scales.push(scale);
            out.push(p);
        }
    }
    out.extend(longest.filter(|p| !out.contains(p)));
    out.retain(|p| *p != panel);
    out
}

/// The page of one panel.
///
/// # Errors
/// As [`fit_page`].
pub(super) fn page_of_one(frame: &Frame, panel: usize, m: &mut dyn Measure) -> Result<Page, ResolveError> {
    let own = frame.alone(panel);
    let mut page = fit_page(&own, m)?;
    let others: Vec<Frame> = others(frame, panel)
        .into_iter()
        .map(|p| Frame { states: frame.states_of_all.clone(), ..frame.alone(p) })
        .collect();
    let mut least = LeastRoom::default();
    least.grow(&mut page);
    for _ in 0..ROUNDS {
        let before = least.clone();
        for other in &others {
            // A page that is too small for another panel has room for this one.
            if let Ok(mut other) = fit_page_with(other, least.clone(), m) {
                least.grow(&mut other);
            }
        }
        if least == before {
            break;
        }
        let Ok(roomy) = fit_page_with(&own, least.clone(), m) else {
            break;
        };
        page = roomy;
        least.grow(&mut page);
    }
    Ok(page)
}
