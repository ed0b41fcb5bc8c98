//! `gridscope check`: the warnings that drawing would give.

use super::Outcome;
use super::args::CheckArgs;
use super::load::{fonts, load};
use super::say;
use crate::render::prepare;
use crate::report;
use crate::timing::Phases;
use serde_json::Value;

pub(super) fn run(args: &CheckArgs) -> Outcome {
    let json = say::json_output(&args.source.run, &[])?;
    let job = load(&args.source)?;
    let mut fonts = fonts(&job.figure)?;
    let grids = &job.loaded.grids;
    let prepared = prepare(&job.figure, grids, &mut fonts, &mut Phases::new())?;
    let mut lints = job.loaded.lints.clone();
    lints.append(prepared.lints.clone());
    let code = say::lints(&lints, &job.policy, args.source.run.quiet);
    let stats = grids.iter().zip(&prepared.stats).zip(&prepared.colours.panels);
    let panels: Value = stats.map(|((g, s), p)| report::panel(g, s, Some((p.below, p.above)))).collect();
    let scales = report::scales(&prepared.frame, &prepared.colours);
    let value = report::versioned([("panels", panels), ("scales", scales), ("lints", report::lints(&lints, &job.policy))]);
    say::write_json(json, &value)?;
    Ok(code)
}
