//! The marks of each panel: which of its cells they name, and what the key of the figure says of them.

use super::bars::changed_label;
use super::error::ResolveError;
use gridscope_core::figure::{Agg, CellCondition, Figure, Mark, MarkStyle, MarkedCells, Mask};
use gridscope_core::grid::{Axis, Grid, Number, State};
use gridscope_core::text::{clean, rich};

/// A mark of a panel.
#[derive(Clone, Debug)]
pub struct PanelMark {
    /// As the user wrote the cells.
    pub text: String,
    /// How the cells look.
    pub style: MarkStyle,
    /// Text in the figure's key; none: it has no key.
    pub key: Option<String>,
    /// Which cells.
    pub cells: PanelCells,
}

/// Which cells of a panel are marked.
#[derive(Clone, Debug)]
pub enum PanelCells {
    /// None.
    Nothing,
    /// Those of the greatest value.
    Max,
    /// Those of the least value.
    Min,
    /// Those of the greatest, or of the least, value of each row or column.
    OfEach {
        /// The greatest.
        greatest: bool,
        /// Of each row, or of each column.
        of_rows: bool,
    },
    /// Those of some rows and columns; none: of all.
    Lines {
        /// The rows, ascending.
        rows: Option<Vec<usize>>,
        /// The columns, ascending.
        columns: Option<Vec<usize>>,
    },
    /// Those that meet a condition; the aggregate is that of the values.
    Condition(CellCondition, Agg),
    /// Those that the grid lists under the mark's text.
    Listed,
}

/// The marks of each panel.
///
/// # Errors
/// A place or a condition that no panel has, with the nearest keys.
pub(super) fn panel_marks(figure: &Figure, grids: &[Grid]) -> Result<Vec<Vec<PanelMark>>, ResolveError> {
    let mut out: Vec<Vec<PanelMark>> = Vec::with_capacity(grids.len());
    // Marks by their texts: whether some panel has such cells, and why the first has none.
    let mut met: Vec<(&str, Result<(), String>)> = Vec::new();
    for grid in grids {
        let own = figure.panels.get(grid.name()).and_then(|panel| panel.mark.as_ref());
        let marks = own.or(figure.annotations.mark.as_ref());
        let mut list = Vec::new();
        for mark in marks.iter().flat_map(|marks| &marks.0) {
            let found = cells(mark, grid, figure);
            let known = match met.iter_mut().find(|m| m.0 == mark.text()) {
                Some(known) => known,
                None => {
                    met.push((mark.text(), Err(String::new())));
                    let last = met.len() - 1;
                    &mut met[last]
                }
            };
            match (&found, &known.1) {
                (Ok(_), _) => known.1 = Ok(()),
                (Err(why), Err(first)) if first.is_empty() => known.1 = Err(why.clone()),
                _ => {}
            }
            list.push(PanelMark {
                text: mark.text().to_owned(),
                style: mark.style(),
                key: mark.key().map(|key| match (&found, &mark.label) {
                    (_, Some(label)) => rich(label),
                    (Ok(PanelCells::Condition(condition, _)), None) => {
                        // After a comparison or a score, the condition is one of what the bar names.
                        let changed = changed_label(grid);
                        clean(&condition.spoken(changed.as_deref().unwrap_or(grid.value_name())))
                    }
                    _ => clean(key),
                }),
                cells: found.unwrap_or(PanelCells::Nothing),
            });
        }
        out.push(list);
    }
    match met.into_iter().find_map(|(text, why)| Some((text, why.err()?))) {
        Some((text, why)) => Err(ResolveError::key("mark", format!("'{}': {why}", clean(text)))),
        None => Ok(out),
    }
}

/// The keys of a figure's marks, each once, in the order of the panels.
pub(super) fn mark_keys<'a>(marks: impl Iterator<Item = &'a PanelMark>) -> Vec<(MarkStyle, String)> {
    let mut out: Vec<(MarkStyle, String)> = Vec::new();
    for mark in marks {
        let entry = mark.key.as_ref().map(|key| (mark.style, key.clone()));
        out.extend(entry.filter(|entry| !out.contains(entry)));
    }
    out
}

/// The cells of a grid that a mark names, or why there are none.
fn cells(mark: &Mark, grid: &Grid, figure: &Figure) -> Result<PanelCells, String> {
    let agg = figure.data.agg.unwrap_or_default();
    let condition = |condition: CellCondition| match condition.test(grid, agg) {
        Some(_) => Ok(PanelCells::Condition(condition, agg)),
        None => Err(format!(
            "a cell has no such number; a condition compares value, an aggregate of its rows such as n or std, \
             the key of an axis, or, in a tidy table, another column ({})",
            axes(grid)
        )),
    };
    match &mark.cells {
        MarkedCells::Lines(line) => {
            Ok(PanelCells::OfEach { greatest: line.is_greatest(figure.data.better), of_rows: line.of_rows })
        }
        MarkedCells::Max => Ok(PanelCells::Max),
        MarkedCells::Min => Ok(PanelCells::Min),
        MarkedCells::Condition(own) => condition(own.clone()),
        MarkedCells::File(_) => Ok(PanelCells::Listed),
        MarkedCells::Place(keys) => match (mark.condition(), keys.first()) {
            (Some(own), Some((name, _))) if grid.side_named(name).is_none() && !is_panel(name, figure) => {
                condition(own)
            }
            _ => place(keys, grid, figure),
        },
        _ => Ok(PanelCells::Nothing),
    }
}

fn is_panel(name: &str, figure: &Figure) -> bool {
    figure.data.panel.as_ref().is_some_and(|l| l.0 == [name])
}

/// `axes: ratio, window`
fn axes(grid: &Grid) -> String {
    let name = |axis: &Axis, plain: &str| {
        let own = Some(axis.name.as_str()).filter(|name| !name.is_empty());
        clean(own.unwrap_or(plain))
    };
    format!("axes: {}, {}", name(grid.columns(), "column"), name(grid.rows(), "row"))
}

/// Entry of the figure's key for cells that conditions mask: nothing else explains why they are empty.
pub(super) fn masked_key(figure: &Figure, grids: &[Grid]) -> Option<String> {
    let value_name = grids.first().map_or("", Grid::value_name);
    let masks = figure.data.mask.iter().flat_map(|masks| &masks.0);
    let conditions = masks.filter_map(|mask| match mask {
        Mask::Condition(condition) => Some(condition.spoken(value_name)),
        _ => None,
    });
    let conditions: Vec<String> = conditions.collect();
    let hides = |grid: &Grid| grid.hidden_cells(State::Masked) > 0;
    (!conditions.is_empty() && grids.iter().any(hides))
        .then(|| clean(&format!("masked: {}", conditions.join(" or "))))
}

/// Entry of the figure's key for values that scales hide.
pub(super) fn hidden_key(grids: &[Grid], hidden: impl Iterator<Item = [Option<f64>; 2]>) -> Option<String> {
    let value_name = grids.first().map_or("", Grid::value_name);
    let mut said: Vec<String> = Vec::new();
    for [below, above] in hidden {
        for (sign, v) in [("<", below), (">", above)] {
            let Some(condition) = v.and_then(|v| format!("value {sign} {}", Number::F64(v)).parse().ok())
            else {
                continue;
            };
            let text = CellCondition::spoken(&condition, value_name);
            if !said.contains(&text) {
                said.push(text);
            }
        }
    }
    (!said.is_empty()).then(|| clean(&format!("hidden: {}", said.join(" or "))))
}

/// The rows and columns of these keys.
fn place(keys: &[(String, String)], grid: &Grid, figure: &Figure) -> Result<PanelCells, String> {
    let mut sides: [Option<Vec<usize>>; 2] = [None, None];
    for (name, key) in keys {
        if is_panel(name, figure) {
            let same = |a: &str, b: &str| a == b || a.parse::<f64>().is_ok_and(|a| b.parse() == Ok(a));
            if !same(grid.name(), key) {
                return Err(format!("no panel {} {}", clean(name), clean(key)));
            }
            continue;
        }
        let Some((is_row, part)) = grid.side_named(name) else {
            let both = grid.rows().name == *name && grid.columns().name == *name;
            return Err(match both {
                true => format!("both axes are named {}; write x={key} or y={key}", clean(name)),
                false => format!("no axis is named {}; {}", clean(name), axes(grid)),
            });
        };
        let axis = if is_row { grid.rows() } else { grid.columns() };
        let mut found = axis.cells_named(part, key);
        if found.is_empty() {
            return Err(axis.unknown_key(part, name, key));
        }
        let side = &mut sides[usize::from(is_row)];
        if let Some(others) = side {
            found.retain(|i| others.contains(i));
            if found.is_empty() {
                return Err(format!("no cell has {} {} and the keys before it", clean(name), clean(key)));
            }
        }
        *side = Some(found);
    }
    let [columns, rows] = sides;
    Ok(PanelCells::Lines { rows, columns })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::grid::Values;

    fn said(mark: &str) -> Result<String, String> {
        let words = |w: &[&str]| w.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        let rows = Axis::category("model", words(&["gpt", "llama"]));
        let columns = Axis::number("ratio", vec![0.1, 0.2, 0.3], words(&["0.1", "0.2", "0.3"]));
        let mut grid = Grid::new(rows, columns, Values::F64(vec![0.0; 6]), &[]).unwrap();
        grid.set_field("mean(p)", vec![0.0; 6]).unwrap();
        let mut figure = Figure::default();
        figure.annotations.mark = Some(mark.parse().unwrap());
        let marks = panel_marks(&figure, &[grid]).map_err(|e| e.to_string())?;
        Ok(format!("{:?}", marks[0][0].cells))
    }

    #[test]
    fn places_are_keys_of_the_axes() {
        assert!(said("ratio=0.30, model=gpt").unwrap().ends_with("{ rows: Some([0]), columns: Some([2]) }"));
        assert!(said("model=llama").unwrap().ends_with("{ rows: Some([1]), columns: None }"));
        assert!(said("x=0.2").unwrap().contains("columns: Some([1])"));
        assert!(said("p = 0").unwrap().starts_with("Condition"));
        assert!(said("ratio = 0.1").unwrap().starts_with("Lines"));
        let wrong = said("ratio=0.25").unwrap_err();
        assert!(
            wrong.starts_with("mark: 'ratio=0.25': no cell has ratio 0.25; the nearest: 0.2, 0.3"),
            "{wrong}"
        );
        let wrong = said("model=lama").unwrap_err();
        assert!(wrong.ends_with("the nearest: llama"), "{wrong}");
        assert!(
            said("width=2, ratio=0.1").unwrap_err().contains("no axis is named width; axes: ratio, model")
        );
        assert!(said("q < 2").unwrap_err().contains("axes: ratio, model"));
    }
}
