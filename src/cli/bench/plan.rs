//! The cases of a run.

use super::super::bench_args::BenchView;
use super::input::Shape;
use super::measure::CaseSettings;
use super::views::{View, standard};
use gridscope_core::figure::Reduce;
use gridscope_core::geom::PxSize;

/// A combination of grid, views, size and reduction: a line of the report.
pub(super) struct Case {
    pub grid: Shape,
    /// The name of the views: `whole`, `mid`, `one`, `pan`, or their file.
    pub view: String,
    pub views: Vec<View>,
    pub settings: CaseSettings,
}

/// The settings of a run, for all grids.
pub(super) struct RunSettings {
    pub sizes: Vec<PxSize>,
    pub reduces: Vec<Reduce>,
    /// The name and the views of a file, which replace the standard ones.
    pub views: Option<(String, Vec<View>)>,
    /// The standard views; none: all of them.
    pub chosen: Vec<BenchView>,
    /// The number of labels to draw in place of cells.
    pub labels: Option<u32>,
    /// Whether first frames are compared with the CPU's.
    pub check: bool,
    /// Whether cells are generated whenever they are read.
    pub streams: bool,
    pub runs: u32,
    pub warmup: u32,
}

impl Case {
    /// The name, by which cases of different reports are compared.
    pub(super) fn name(&self) -> String {
        let (g, PxSize { w, h }) = (&self.grid, self.settings.size);
        format!("{} {}x{} {} {} {w}x{h}", g.name, g.rows, g.columns, self.view, self.settings.reduce.word())
    }
}

/// The cases of a grid.
pub(super) fn cases(grid: &Shape, settings: &RunSettings) -> Vec<Case> {
    let RunSettings { sizes, reduces, views: from_file, chosen, labels, check, streams: _, runs, warmup } =
        settings;
    let is_chosen = |name: &str| chosen.is_empty() || chosen.iter().any(|v| v.word() == name);
    let mut out = Vec::new();
    for size in sizes {
        let all = match from_file {
            Some(named) => vec![named.clone()],
            None => standard(grid.columns as u32, grid.rows as u32, *size, *runs),
        };
        let all: Vec<(String, Vec<View>)> = match labels {
            Some(n) => all.into_iter().take(1).map(|(_, views)| (format!("{n} labels"), views)).collect(),
            None if from_file.is_none() => all.into_iter().filter(|(name, _)| is_chosen(name)).collect(),
            None => all,
        };
        for reduce in reduces {
            for (view, views) in &all {
                // A pan has one view per run, so it is drawn once; all other views are drawn once per run.
                let rounds = if from_file.is_none() && views.len() > 1 { 1 } else { *runs };
                let settings = CaseSettings {
                    size: *size,
                    reduce: *reduce,
                    rounds,
                    warmup: *warmup,
                    labels: *labels,
                    check: *check && labels.is_none(),
                };
                out.push(Case { grid: grid.clone(), view: view.clone(), views: views.clone(), settings });
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(views: Option<(String, Vec<View>)>) -> RunSettings {
        let sizes = vec![PxSize { w: 8, h: 4 }, PxSize { w: 5, h: 5 }];
        RunSettings {
            sizes,
            reduces: vec![Reduce::Mean, Reduce::Max],
            views,
            chosen: Vec::new(),
            labels: None,
            check: false,
            streams: false,
            runs: 7,
            warmup: 2,
        }
    }

    #[test]
    fn every_size_reduction_and_view_is_a_case_with_another_name() {
        let grid = Shape { name: "generated".to_owned(), rows: 20, columns: 30 };
        let all = cases(&grid, &settings(None));
        let mut names: Vec<String> = all.iter().map(Case::name).collect();
        assert_eq!((names.len(), names[0].as_str()), (16, "generated 20x30 whole mean 8x4"));
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 16);
        assert!(
            all.iter().all(|c| c.views.len() * c.settings.rounds as usize == 7 && c.settings.warmup == 2)
        );
    }

    #[test]
    fn views_are_chosen_and_labels_replace_them() {
        let grid = Shape { name: "generated".to_owned(), rows: 20, columns: 30 };
        let names = |s: &RunSettings| cases(&grid, s).iter().map(|c| c.view.clone()).collect::<Vec<_>>();
        let mut of = settings(None);
        of.reduces.truncate(1);
        of.chosen = vec![BenchView::Pan, BenchView::Whole];
        assert_eq!(names(&of), ["whole", "pan", "whole", "pan"]);
        of.labels = Some(12);
        assert_eq!(names(&of), ["12 labels", "12 labels"]);
    }

    #[test]
    fn views_of_a_file_replace_the_standard_ones() {
        let view = View { x0: 0.0, x1: 9.0, y0: 0.0, y1: 9.0 };
        let grid = Shape { name: "a.npy".to_owned(), rows: 9, columns: 9 };
        let all = cases(&grid, &settings(Some(("v.json".to_owned(), vec![view; 3]))));
        assert_eq!(all.len(), 4);
        assert_eq!(
            (all[3].name(), all[3].settings.rounds, all[3].views.len()),
            ("a.npy 9x9 v.json max 5x5".to_owned(), 7, 3)
        );
    }
}
