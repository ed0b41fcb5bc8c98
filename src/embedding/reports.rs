//! The objects of `--json` for held data: of a picture, of the data, of changes.

use super::picture::{Held, policy, whole};
use gridscope_core::figure::{Better, Figure};
use gridscope_core::grid::ScanRequest;
use gridscope_core::lint::Lints;
use gridscope_draw::error::Error;
use gridscope_draw::{comparison, report};
use gridscope_read::load;
use serde_json::{Value, json};

/// Report on a picture of the data: the object of `render --json`, without the facts about its file.
///
/// # Errors
/// As [`draw`](super::draw).
pub fn report(figure: &Figure, held: &Held) -> Result<Value, Error> {
    let (prepared, _, own) = whole(figure, held, &|_| Ok(()))?;
    let grids = &held.loaded.grids;
    let mut panels = report::panels(&prepared.frame, grids, &prepared.stats, &prepared.colours);
    report::add_marks(&mut panels, grids, &prepared.frame, &prepared.marking);
    let mut lints = held.loaded.lints.clone();
    lints.append(own);
    Ok(report::versioned(report::reading(&held.loaded).into_iter().chain([
        ("panels", panels),
        ("scales", report::scales(&prepared.frame, &prepared.colours)),
        ("reduction", json!(prepared.colours.reduce.word())),
        ("lints", report::lints(&lints, &policy(figure))),
    ])))
}

/// Description of the data: the object of `info --json`.
///
/// # Errors
/// Cells that cannot be read.
pub fn describe(figure: &Figure, held: &Held) -> Result<Value, Error> {
    Ok(report::versioned(
        report::reading(&held.loaded).into_iter().chain([
            ("panels", panels(held)?),
            ("lints", report::lints(&held.loaded.lints, &policy(figure))),
        ]),
    ))
}

fn panels(held: &Held) -> Result<Value, Error> {
    let panel = |grid| Ok(report::panel(grid, &grid.scan(&ScanRequest::default())?.stats, None));
    held.loaded.grids.iter().map(panel).collect()
}

/// Changes from data `before`: the object of `check --against --json`. `tolerance` is an amount or a share, as `0.5` or
/// `2%`.
///
/// # Errors
/// A tolerance that is none, cells that cannot be read or do not fit in memory.
pub fn compare(
    figure: &Figure,
    (now, before): (&Held, &Held),
    better: Better,
    tolerance: Option<&str>,
) -> Result<Value, Error> {
    let tolerance = tolerance.map(str::parse::<comparison::Tolerance>).transpose();
    let tolerance =
        tolerance.map_err(|e| gridscope_read::InputError::usage("", format!("tolerance: {e}")))?;
    let mut panels_of = Vec::new();
    for held in [now, before] {
        let file = held.files.first().map_or("", String::as_str);
        for grid in &held.loaded.grids {
            load(grid, file, &held.budget)?;
        }
        panels_of.push(&held.loaded.grids);
    }
    let found = comparison::compare(panels_of[0], panels_of[1], better, tolerance.unwrap_or_default());
    let mut lints: Lints = now.loaded.lints.clone();
    lints.append(found.lints);
    Ok(report::versioned(report::reading(&now.loaded).into_iter().chain([
        ("panels", panels(now)?),
        ("lints", report::lints(&lints, &policy(figure))),
        ("against", json!({"file": before.files.first(), "panels": found.panels})),
    ])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::grid::Grid;
    use gridscope_read::{Budget, Loaded};

    fn held(values: [f64; 4]) -> Held {
        Held {
            loaded: Loaded {
                grids: vec![Grid::from_rows(2, 2, values.to_vec()).unwrap()],
                ..Loaded::default()
            },
            files: Vec::new(),
            budget: Budget::usual(),
        }
    }

    #[test]
    fn reports_say_what_is_shown_and_what_is_held() {
        let (figure, held) = (Figure::default(), held([1.0, 2.0, f64::NAN, 4.0]));
        let shown = report(&figure, &held).unwrap();
        assert_eq!(shown["panels"][0]["max"]["value"], 4.0);
        assert_eq!((&shown["reduction"], &shown["scales"][0]["vmax"]), (&json!("mean"), &json!(4.0)));
        assert_eq!(shown["lints"][0]["name"], "nan");
        let is = describe(&figure, &held).unwrap();
        assert_eq!(is["panels"][0]["counts"]["nan"], 1);
        assert!(is.get("scales").is_none());
    }

    #[test]
    fn changes_are_counted() {
        let (now, before) = (held([1.0, 2.0, 3.0, 4.0]), held([1.0, 2.5, 3.0, 3.0]));
        let found = |tolerance| compare(&Figure::default(), (&now, &before), Better::Higher, tolerance);
        let value = found(None).unwrap();
        assert_eq!(value["lints"][0]["name"], "regressed");
        assert_eq!(value["against"]["panels"][0]["improved"], 1);
        assert_eq!(found(Some("0.6")).unwrap()["lints"], json!([]));
        assert_eq!(found(Some("much")).unwrap_err().exit_code(), 2);
    }
}
