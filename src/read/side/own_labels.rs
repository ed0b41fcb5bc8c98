//! Labels of axes that a figure gives in place of the data's own.

use crate::InputError;
use crate::array::AxisValues;
use crate::budget::{Budget, read_side_file};
use crate::pivot::renamed;
use crate::position::Place;
use gridscope_core::figure::{AxisLabels, Figure};
use gridscope_core::grid::{Axis, AxisKind, Grid};
use gridscope_core::lint::Lints;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Cells whose positions are written out as labels.
const MOST_CELLS: usize = 5_000_000;
/// Bytes of a label: its text, and its place while keys are found.
const LABEL: u64 = 160;

/// Gives the axes of the grids the labels that `x.labels` and `y.labels` name: an array of the file of the grid, else a file, whose
/// path starts at `base`. Names of no label of any
/// grid are reported.
///
/// # Errors
/// Not a label for each cell of an axis; a file that cannot be read, or is no list of texts; more labels than memory holds.
pub(crate) fn apply_own_labels(
    grids: &mut [Grid],
    own: &[Arc<AxisValues>],
    figure: &Figure,
    base: &Path,
    file: &str,
    budget: &Arc<Budget>,
    lints: &mut Lints,
) -> Result<(), InputError> {
    for (side, spec) in [("x", &figure.x), ("y", &figure.y)] {
        let axis_of = if side == "x" { Grid::columns } else { Grid::rows };
        if spec.labels.is_empty() {
            continue;
        }
        let mut axes: Vec<Axis> = grids.iter().map(|grid| axis_of(grid).clone()).collect();
        let cells = axes.iter().map(|axis| axis.len() * axis.levels.len().max(1)).sum::<usize>();
        if cells > MOST_CELLS {
            let what = format!(
                "{side}.labels: {cells} cells, and an axis with labels of its own ends at {MOST_CELLS}"
            );
            return Err(InputError::limit(file, what));
        }
        budget
            .take(LABEL * cells as u64)
            .map_err(|s| s.of(file, format_args!("{side}.labels of {cells} cells")))?;
        match &spec.labels {
            AxisLabels::Of(of) => {
                axes.iter_mut().filter(|axis| axis.levels.is_empty()).for_each(number_cells);
                let most = axes.iter().map(|axis| axis.levels.len()).max().unwrap_or(0);
                let level = |l: usize| -> Vec<&str> {
                    axes.iter().filter_map(|a| a.levels.get(l)).flatten().map(String::as_str).collect()
                };
                let levels: Vec<Vec<&str>> = (0..most).map(level).collect();
                let name = axes.first().map_or("", |axis| axis.name.as_str());
                let name = if name.is_empty() { side } else { name };
                let texts = renamed(name, &levels, &by_label(of, &axes), file, lints)?;
                for label in axes.iter_mut().flat_map(|a| &mut a.levels).flatten() {
                    if let Some(text) = texts.get(label.as_str()) {
                        label.clone_from(text);
                    }
                }
            }
            AxisLabels::Each(labels) => each(&mut axes, labels, side, file)?,
            AxisLabels::File(path)
                if own.iter().any(|own| own.labels[usize::from(side == "y")].is_some()) =>
            {
                for (axis, own) in axes.iter_mut().zip(own) {
                    if let Some(labels) = &own.labels[usize::from(side == "y")] {
                        each(std::slice::from_mut(axis), labels, side, path)?;
                    }
                }
            }
            AxisLabels::File(path) => {
                each(&mut axes, &labels_of_file(&base.join(path), path, budget)?, side, path)?;
            }
        }
        for (grid, axis) in grids.iter_mut().zip(axes) {
            let set = if side == "x" { grid.set_columns(axis) } else { grid.set_rows(axis) };
            set.map_err(|e| InputError::refused(file, "", e))?;
        }
    }
    Ok(())
}

/// The same texts, those of numbers that are coordinates of a cell by the label of this.
fn by_label(of: &BTreeMap<String, String>, axes: &[Axis]) -> BTreeMap<String, String> {
    let mut out = of.clone();
    for axis in axes
        .iter()
        .filter(|axis| axis.levels.len() == 1 && matches!(axis.kind, AxisKind::Number | AxisKind::Log))
    {
        let Some(centers) = (0..axis.len()).map(|i| axis.center(i)).collect::<Option<Vec<f64>>>() else {
            continue;
        };
        for (key, text) in of {
            let Ok(v) = key.trim().parse::<f64>() else { continue };
            // Coordinates ascend.
            let slack = 1e-12 * v.abs();
            let at = centers.partition_point(|c| *c < v - slack);
            if let Some(label) =
                axis.levels[0].get(at).filter(|label| centers[at] <= v + slack && *label != key)
            {
                out.remove(key);
                out.entry(label.clone()).or_insert_with(|| text.clone());
            }
        }
    }
    out
}

/// Writes out positions as labels.
fn number_cells(axis: &mut Axis) {
    axis.levels = vec![(0..axis.len()).map(|i| axis.label(i)).collect()];
}

/// Gives each cell of these axes a label.
fn each(axes: &mut [Axis], labels: &[String], side: &str, file: &str) -> Result<(), InputError> {
    for axis in axes {
        if axis.levels.len() > 1 {
            let what = format!("{side}.labels: the axis is of several columns, and a list is of one");
            return Err(InputError::usage(file, what).with_hint(format!("--{side}-labels OLD=NEW")));
        }
        if labels.len() != axis.len() {
            let what = format!("{} labels, but the {side} axis has {} cells", labels.len(), axis.len());
            return Err(
                InputError::usage(file, what).with_hint(format!("--{side}-labels OLD=NEW for some of them"))
            );
        }
        if axis.kind == AxisKind::Index {
            axis.kind = AxisKind::Category;
        }
        axis.levels = vec![labels.to_vec()];
    }
    Ok(())
}

/// The labels of a file: a JSON list of texts, or one in each line.
fn labels_of_file(path: &Path, file: &str, budget: &Arc<Budget>) -> Result<Vec<String>, InputError> {
    let hint = "a label in each line, or a JSON list of them";
    let (bytes, _held) = read_side_file(path, file, budget).map_err(|e| e.with_hint(hint))?;
    let text = std::str::from_utf8(&bytes).map_err(|e| {
        InputError::refused(file, Place::byte(e.valid_up_to() as u64), "not UTF-8 text").with_hint(hint)
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().starts_with('[')
        && let Ok(AxisLabels::Each(labels)) = serde_json::from_str(text)
    {
        return Ok(labels);
    }
    Ok(text.lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labelled(grid: Grid, labels: AxisLabels, base: &Path) -> Result<(Grid, Lints), String> {
        let mut figure = Figure::default();
        figure.x.labels = labels;
        let (mut grids, mut lints) = ([grid], Lints::default());
        apply_own_labels(&mut grids, &[], &figure, base, "a.npy", &Budget::new(1 << 20), &mut lints)
            .map_err(|e| e.to_string())?;
        let [grid] = grids;
        Ok((grid, lints))
    }

    fn texts(grid: &Grid) -> String {
        let labels: Vec<String> = (0..grid.width()).map(|i| grid.columns().label(i)).collect();
        labels.join(" ")
    }

    fn grid(axis: Axis) -> Grid {
        let mut grid = Grid::from_rows(1, axis.len(), vec![0.0; axis.len()]).unwrap();
        grid.set_columns(axis).unwrap();
        grid
    }

    fn of(pairs: &[(&str, &str)]) -> AxisLabels {
        AxisLabels::Of(pairs.iter().map(|(k, t)| ((*k).to_owned(), (*t).to_owned())).collect())
    }

    #[test]
    fn keys_are_positions_numbers_bins_and_the_texts_of_each_level() {
        let here = Path::new("");
        let words = |list: &[&str]| list.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        let (out, lints) =
            labelled(grid(Axis::index("", 4).slice(1..4)), of(&[("2", "two"), ("9", "x")]), here).unwrap();
        assert_eq!((texts(&out).as_str(), out.columns().kind), ("1 two 3", AxisKind::Index));
        assert_eq!(lints.0[0].text, "labels of 'x': no key is '9'");
        let numbers = Axis::number("r", vec![0.5, 1e-3], words(&["0.5", "1e-3"]));
        let (out, _) = labelled(grid(numbers), of(&[("0.50", "half"), ("0.001", "small")]), here).unwrap();
        assert_eq!((texts(&out).as_str(), out.columns().center(1)), ("half small", Some(1e-3)));
        // The label itself wins over the same number in other words.
        let one = grid(Axis::number("r", vec![1.0], words(&["1"])));
        let (out, _) = labelled(one, of(&[("1", "exact"), ("1.0", "other")]), here).unwrap();
        assert_eq!(texts(&out), "exact");
        let thirds = grid(Axis::number("t", vec![0.0, 1.0 / 3.0], words(&["0", "0.333333"])));
        assert_eq!(
            texts(&labelled(thirds, of(&[("0.3333333333333333", "third")]), here).unwrap().0),
            "0 third"
        );
        let bins = Axis::category("h", words(&["0–10", "10–20"]));
        assert_eq!(texts(&labelled(grid(bins), of(&[("10-20", "late")]), here).unwrap().0), "0–10 late");
        let nested = Axis::nested("m, s", vec![words(&["a", "b"]), words(&["1", "1"])]);
        let (out, _) = labelled(grid(nested), of(&[("b", "ours"), ("1", "seed")]), here).unwrap();
        assert_eq!(texts(&out), "a, seed ours, seed");
    }

    #[test]
    fn a_list_or_a_file_has_a_label_for_each_cell() {
        let dir = tempfile::tempdir().unwrap();
        let list = |list: &[&str]| AxisLabels::Each(list.iter().map(|t| (*t).to_owned()).collect());
        let of_file = |text: &str| {
            std::fs::write(dir.path().join("t.txt"), text).unwrap();
            labelled(grid(Axis::index("", 3)), AxisLabels::File("t.txt".to_owned()), dir.path())
                .map(|(grid, _)| texts(&grid))
        };
        let three = labelled(grid(Axis::index("", 3)), list(&["the", "the", "cat"]), dir.path());
        assert_eq!(texts(&three.unwrap().0), "the the cat");
        assert_eq!(of_file("\u{feff}the\r\n[x\n cat\n"), Ok("the [x  cat".to_owned()));
        assert_eq!(of_file(r#" ["a", "b c", 3]"#), Ok("a b c 3".to_owned()));
        let few = of_file("a\nb\n").unwrap_err();
        assert!(few.starts_with("t.txt: 2 labels, but the x axis has 3 cells"), "{few}");
        let gone = labelled(grid(Axis::index("", 3)), AxisLabels::File("no.txt".to_owned()), dir.path());
        assert!(gone.unwrap_err().contains("no.txt: cannot be read"));
        let nested = Axis::nested("m, s", vec![vec!["a".to_owned()], vec!["1".to_owned()]]);
        assert!(labelled(grid(nested), list(&["x"]), dir.path()).unwrap_err().contains("several columns"));
        assert!(
            labelled(grid(Axis::index("", 20_000)), of(&[("1", "a")]), dir.path())
                .unwrap_err()
                .contains("memory")
        );
    }
}
