//! Which cases a run measures, known by name before the first of them begins.

use super::input::Shape;
use super::measure::How;
use super::views::{View, standard};
use crate::figure::Reduce;
use crate::geom::PxSize;

/// One line of the report.
pub(super) struct Case {
    pub grid: Shape,
    /// What is shown: `whole`, `mid`, `one`, `pan`, or the file of views.
    pub view: String,
    pub views: Vec<View>,
    pub how: How,
}

/// What all grids of a run share.
pub(super) struct Settings {
    pub sizes: Vec<PxSize>,
    pub reduces: Vec<Reduce>,
    /// The name and the views of a file, in place of the standard ones.
    pub views: Option<(String, Vec<View>)>,
    pub runs: u32,
    pub warmup: u32,
}

impl Case {
    /// What the same case is called in every report.
    pub fn name(&self) -> String {
        let (g, PxSize { w, h }) = (&self.grid, self.how.size);
        format!(
            "{} {}x{} {} {} {w}x{h}",
            g.name,
            g.rows,
            g.columns,
            self.view,
            self.how.reduce.word()
        )
    }
}

/// The cases of a grid.
pub(super) fn cases(grid: &Shape, settings: &Settings) -> Vec<Case> {
    let Settings {
        sizes,
        reduces,
        views,
        runs,
        warmup,
    } = settings;
    let mut out = Vec::new();
    for size in sizes {
        let all = match views {
            Some(named) => vec![named.clone()],
            None => standard(grid.columns as u32, grid.rows as u32, *size, *runs),
        };
        for reduce in reduces {
            for (view, views) in &all {
                // A pan has as many frames as runs; views of a file are walked through as often.
                let rounds = if settings.views.is_none() && views.len() > 1 {
                    1
                } else {
                    *runs
                };
                let how = How {
                    size: *size,
                    reduce: *reduce,
                    rounds,
                    warmup: *warmup,
                };
                out.push(Case {
                    grid: grid.clone(),
                    view: view.clone(),
                    views: views.clone(),
                    how,
                });
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(views: Option<(String, Vec<View>)>) -> Settings {
        let sizes = vec![PxSize { w: 8, h: 4 }, PxSize { w: 5, h: 5 }];
        Settings {
            sizes,
            reduces: vec![Reduce::Mean, Reduce::Max],
            views,
            runs: 7,
            warmup: 2,
        }
    }

    #[test]
    fn every_size_reduction_and_view_is_a_case_of_its_own_name() {
        let grid = Shape {
            name: "generated".to_owned(),
            rows: 20,
            columns: 30,
        };
        let all = cases(&grid, &settings(None));
        let mut names: Vec<String> = all.iter().map(Case::name).collect();
        assert_eq!(
            (names.len(), names[0].as_str()),
            (16, "generated 20x30 whole mean 8x4")
        );
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 16);
        assert!(
            all.iter()
                .all(|c| c.views.len() * c.how.rounds as usize == 7 && c.how.warmup == 2)
        );
    }

    #[test]
    fn views_of_a_file_stand_alone() {
        let view = View {
            x0: 0.0,
            x1: 9.0,
            y0: 0.0,
            y1: 9.0,
        };
        let grid = Shape {
            name: "a.npy".to_owned(),
            rows: 9,
            columns: 9,
        };
        let all = cases(&grid, &settings(Some(("v.json".to_owned(), vec![view; 3]))));
        assert_eq!(all.len(), 4);
        assert_eq!(
            (all[3].name(), all[3].how.rounds, all[3].views.len()),
            ("a.npy 9x9 v.json max 5x5".to_owned(), 7, 3)
        );
    }
}
