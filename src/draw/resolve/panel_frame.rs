//! The panels of a figure: names, titles, axes as they are drawn, the parts that are shown.

use super::bars::BarFrame;
use super::drawn_labels::panel_names;
use super::marks::PanelMark;
use super::overrides::Overrides;
use gridscope_core::figure::Figure;
use gridscope_core::grid::{Axis, Grid};
use gridscope_core::notation::Literal;
use gridscope_core::scale::NumberFormat;
use gridscope_core::text::{clean, filled, rich, rich_pieces};
use gridscope_core::view::Part;

/// One panel.
#[derive(Clone, Debug)]
pub struct PanelFrame {
    /// Its value, as lints name it.
    pub name: String,
    /// Text over it.
    pub title: String,
    /// The axis along the bottom, labels as drawn.
    pub columns: Axis,
    /// The axis down the side, labels as drawn.
    pub rows: Axis,
    /// Index of its scale.
    pub scale: usize,
    /// Marked cells.
    pub marks: Vec<PanelMark>,
    /// Its own number format.
    pub fmt: Option<NumberFormat>,
    /// The part of the columns that its body shows; none: all.
    pub part_x: Option<Part>,
    /// The part of the rows that its body shows; none: all.
    pub part_y: Option<Part>,
}

/// The panels of the figure, with the labels of their axes as they are drawn.
pub(super) fn panels(
    figure: &Figure,
    overrides: &Overrides,
    grids: &[Grid],
    bars: &[BarFrame],
    has_facets: bool,
    axes: impl Iterator<Item = (Axis, Axis)>,
    mut marks: Vec<Vec<PanelMark>>,
) -> Vec<PanelFrame> {
    let mut scale_of = vec![0; grids.len()];
    bars.iter().enumerate().for_each(|(b, bar)| bar.panels.iter().for_each(|&i| scale_of[i] = b));
    let template = figure.panel_title.as_ref().map(|t| rich_pieces(t.split("{panel}")));
    let names: Vec<&str> = grids.iter().map(Grid::name).collect();
    let drawn_names = panel_names(&names);
    let mut panel_columns = figure.data.panel_names();
    let lone_column = panel_columns.next().filter(|_| panel_columns.next().is_none());
    grids
        .iter()
        .zip(axes)
        .enumerate()
        .map(|(i, (g, (columns, rows)))| {
            let spec = figure.panels.get(g.name());
            let title = match (spec.and_then(|s| s.title.as_ref()), &template) {
                (Some(t), _) => rich(t),
                (None, Some(pieces)) => filled(pieces, std::iter::repeat(drawn_names[i].as_str())),
                (None, None) if grids.len() == 1 && figure.title.is_some() => String::new(),
                (None, None) if has_facets => String::new(),
                (None, None) => match lone_column {
                    _ if g.caption().is_some() => clean(g.caption().unwrap_or_default()),
                    Some(column) if g.name().parse::<f64>().is_ok() => {
                        clean(&format!("{column} = {}", drawn_names[i]))
                    }
                    _ => clean(g.name()),
                },
            };
            let (part_x, part_y) = match overrides.view(i) {
                Some(view) => (Some(view.x), Some(view.y)),
                None => {
                    let own = |own: Option<&Literal<Part>>, all: &Option<Literal<Part>>| {
                        own.or(all.as_ref()).map(|p| **p)
                    };
                    (
                        own(spec.and_then(|s| s.view_x.as_ref()), &figure.view.x),
                        own(spec.and_then(|s| s.view_y.as_ref()), &figure.view.y),
                    )
                }
            };
            PanelFrame {
                name: g.name().to_owned(),
                title,
                columns,
                rows,
                scale: scale_of[i],
                marks: std::mem::take(&mut marks[i]),
                fmt: spec
                    .and_then(|s| s.fmt.as_deref())
                    .or(figure.annotations.fmt.as_deref())
                    .map(|fmt| fmt.of_values(g.value_name())),
                part_x,
                part_y,
            }
        })
        .collect()
}
