//! Arrays to grids: one for the plane that the options leave, or one for each index of the axis of panels.

use super::axis_type::{since_1970, sorted, timed, typed};
use super::options::{
    PanelAxes, Slices, no_key, no_table_options, panel_axes, plane_axes, shape_text, slices, too_many_axes,
};
use super::projection::{ProjectBy, Projected, Projection, strip_within};
use super::source::{ApartPlane, ArrayFault, ArraySource, Window};
use super::stored::{fits, load};
use super::strided::Array;
use crate::InputError;
use crate::budget::Budget;
use crate::panel_files::check_count;
use gridscope_core::calendar::iso_texts;
use gridscope_core::figure::{AxisSpec, AxisType, Figure};
use gridscope_core::grid::{
    ApartScans, Axis, AxisKind, Buffer, CELL_BYTES, CellSource, Facet, FacetValue, Grid, GridError, Number,
    Part, SaidName, ScanPlan, SlicedAxis, SourceError, State, Values,
};
use std::ops::Range;
use std::sync::Arc;

/// An array of this many elements stays in its source and is read by windows; a smaller one is read at once.
pub const STORED_FROM: usize = 1 << 18;

/// Bytes of a grid, and of a label of its axes.
const GRID: u64 = 1024;
const LABEL: u64 = 100;

/// The grids of an array in memory.
///
/// # Errors
/// When the options do not leave two dimensions, or the array has no element.
pub fn grids_of_array(array: Array, file: &str, figure: &Figure) -> Result<Vec<Grid>, InputError> {
    grids_of_lone_source(Box::new(array), file, figure, &Budget::new(u64::MAX))
}

/// The grids of the only array of a file: `key`, which names one of several, is refused.
///
/// # Errors
/// As [`grids_of_source`].
pub(crate) fn grids_of_lone_source(
    source: Box<dyn ArraySource>,
    file: &str,
    figure: &Figure,
    budget: &Arc<Budget>,
) -> Result<Vec<Grid>, InputError> {
    no_key(file, figure)?;
    grids_of_source(source, file, figure, budget)
}

/// The grids of an array of any format; messages call it `file`.
///
/// `slice`, `panel = "axis:N"` and `transpose` of the figure choose the planes. Arrays of [`STORED_FROM`] elements and more stay in
/// their source; what smaller ones take in memory is taken off the budget.
///
/// # Errors
/// When the options do not leave two dimensions, the array has no element, cannot be read, or takes more memory than there is.
pub fn grids_of_source(
    mut source: Box<dyn ArraySource>,
    file: &str,
    figure: &Figure,
    budget: &Arc<Budget>,
) -> Result<Vec<Grid>, InputError> {
    let names: Vec<String> = (0..source.shape().len()).map(|a| source.axis_name(a).to_owned()).collect();
    let choice = choose((source.shape(), &names), file, figure)?;
    let is_transposed = figure.data.transpose == Some(true);
    // Values that the figure gives come before those of the array.
    let (of_rows, of_columns) = if is_transposed { (&figure.x, &figure.y) } else { (&figure.y, &figure.x) };
    let plane = &choice.plane;
    let (rows, rows_fall) = with_strips(&*source, plane.row_axis, plane.rows, of_rows, file)?;
    let column_axis = Some(plane.column_axis);
    let (columns, columns_fall) = with_strips(&*source, column_axis, plane.columns, of_columns, file)?;
    let said: Arc<[SaidName]> = (plane.row_axis.into_iter().chain(column_axis))
        .map(|a| SaidName { name: source.axis_name(a).to_owned(), said: source.axis_title(a) })
        .filter(|of| !of.name.is_empty() && !of.said.is_empty() && of.said != of.name)
        .collect();
    let of_axis = |&a: &usize| panel_names(&*source, a, source.shape()[a]);
    let panel_names: Vec<PanelNames> = choice.panel.axes.iter().map(of_axis).collect();
    let labels = |a: &Axis| {
        if a.levels.is_empty() { 0 } else { LABEL * a.len() as u64 }
    };
    let of_grids = (GRID + labels(&rows) + labels(&columns)).saturating_mul(choice.panels as u64);
    let projected = choice.projected.map(|of| of.axis);
    let others: Vec<usize> = choice.panel.axes.iter().copied().chain(projected).collect();
    let slices = sliced_axes(&*source, plane, &others);
    let labelled = slices.iter().filter(|s| s.label(0).is_some());
    let of_slices: u64 = labelled.map(|s| LABEL * s.len() as u64).sum();
    budget.take(of_grids.saturating_add(of_slices)).map_err(|s| s.of(file, "the axes of its panels"))?;

    let cells = plane.len();
    let count = source.shape().iter().try_fold(1usize, |n, side| n.checked_mul(*side));
    let is_in_order = plane.row_axis.is_none_or(|row| row < plane.column_axis);
    let is_whole =
        count == Some(cells) && !rows_fall && !columns_fall && is_in_order && choice.projected.is_none();
    let is_in_memory = source.values().is_some();
    let mut whole = match source.values() {
        Some(values) if is_whole => Some(std::mem::replace(values, Values::F64(Vec::new()))),
        _ => None,
    };
    if is_in_memory && whole.is_none() {
        let all = cells.saturating_mul(choice.panels);
        budget
            .take(CELL_BYTES.saturating_mul(all as u64))
            .map_err(|s| s.of(file, format_args!("planes of {all} elements")))?;
    }
    let strip = match choice.projected {
        Some(_) => strip_within(budget, [plane.rows, plane.columns])
            .map_err(|s| s.of(file, "the cells that are projected at once"))?,
        None => 0,
    };
    let over = choice.projected.map(|of| of.name(source.axis_name(of.axis)));
    // A mean is none of the array's own numbers.
    let of_others = choice.projected.is_none_or(|of| of.by != ProjectBy::Mean);
    let nodata = figure.data.nodata.filter(|_| of_others);
    let source: Arc<dyn ArraySource> = Arc::from(source);
    let refused = |e: GridError| InputError::refused(file, "", e);
    let mut out = Vec::with_capacity(choice.panels);
    for panel in 0..choice.panels {
        let plane = Plane::new(&source, choice.plane(panel), (rows_fall, columns_fall));
        let turned = plane.turned && whole.is_none();
        let cells: Arc<dyn CellSource> = match choice.projected {
            Some(of) => Arc::new(Projection { plane, of, strip, nodata: figure.data.nodata }),
            None => Arc::new(plane),
        };
        let axes = if turned { (columns.clone(), rows.clone()) } else { (rows.clone(), columns.clone()) };
        let mut grid = if is_in_memory {
            let values = match whole.take() {
                Some(values) => values,
                None => Values::from(numbers(&*cells).map_err(|e| InputError::refused(&e.file, "", e.what))?),
            };
            let states = nodata_states(&values, nodata);
            Grid::new(axes.0, axes.1, values, &states).map_err(refused)?
        } else {
            let mut grid = Grid::stored(cells, nodata).map_err(refused)?;
            let is_few = count.is_some_and(|n| n < STORED_FROM);
            // Every pass over a projection that stays in its source would read all indexes again.
            if is_few || choice.projected.is_some() && fits(&grid, budget) {
                load(&grid, file, budget)?;
            }
            grid.set_rows(axes.0).map_err(refused)?;
            grid.set_columns(axes.1).map_err(refused)?;
            grid
        };
        choice.name(panel, &panel_names, &mut grid);
        over.iter().for_each(|over| grid.set_value_name(over));
        grid.set_slices(Arc::clone(&slices));
        grid.set_said(Arc::clone(&said));
        out.push(if is_transposed == turned { grid } else { grid.transposed() });
    }
    Ok(out)
}

/// The axes that a plane shows one index of, with their coordinates; not those of panels and projections, `others`.
fn sliced_axes(source: &dyn ArraySource, plane: &Window, others: &[usize]) -> Arc<[SlicedAxis]> {
    let shown = [plane.row_axis, Some(plane.column_axis)];
    let shape = source.shape();
    let sliced =
        (0..shape.len()).filter(|a| shape[*a] > 1 && !shown.contains(&Some(*a)) && !others.contains(a));
    let of = |a: usize| {
        let labels = axis(source, Some(a), shape[a], &AxisSpec::default(), "");
        let (labels, falls) = labels.unwrap_or_else(|_| (Axis::index(source.axis_name(a), shape[a]), false));
        SlicedAxis::new(a, plane.first[a], labels, falls)
    };
    sliced.map(of).collect()
}

/// The name of an axis, and the texts of its indexes.
type PanelNames = (String, Vec<String>);

/// The names of the panels that an axis makes: its coordinates, where it has some that differ, else its indexes.
fn panel_names(source: &dyn ArraySource, axis: usize, panels: usize) -> PanelNames {
    let name = match source.axis_name(axis) {
        "" => format!("axis {axis}"),
        name => name.to_owned(),
    };
    let labels = self::axis(source, Some(axis), panels, &AxisSpec::default(), "");
    let (labels, falls) = labels.unwrap_or_else(|_| (Axis::index("", panels), false));
    let place = |panel: usize| if falls { panels - 1 - panel } else { panel };
    let texts = (0..panels).map(|panel| labels.label(place(panel))).collect();
    (name, texts)
}

/// Puts the name of their array before the names of its grids.
pub(crate) fn name_by_array(grids: &mut [Grid], array: &str) {
    for grid in grids {
        let name = match grid.name() {
            "" => array.to_owned(),
            panel => format!("{array}, {panel}"),
        };
        grid.set_name(name);
    }
}

/// Says what the values of grids are; names that numpy gives say nothing.
#[cfg(any(feature = "npz", feature = "zarr", feature = "netcdf"))]
pub(crate) fn name_values(grids: &mut [Grid], name: &str) {
    if !name.starts_with("arr_") {
        grids.iter_mut().for_each(|grid| {
            // Of a projection.
            let over = grid.value_name().to_owned();
            grid.set_value_name(if over.is_empty() { name.to_owned() } else { format!("{name}, {over}") });
        });
    }
}

/// An axis as [`axis`] makes it, with the side strips of the array in the order of its cells.
///
/// # Errors
/// As [`axis`].
fn with_strips(
    source: &dyn ArraySource,
    of: Option<usize>,
    len: usize,
    spec: &AxisSpec,
    file: &str,
) -> Result<(Axis, bool), InputError> {
    let (mut made, falls) = axis(source, of, len, spec, file)?;
    made.strips = of.map_or_else(Vec::new, |a| source.strips(a));
    if falls {
        made.strips.iter_mut().for_each(|strip| strip.reverse());
    }
    Ok((made, falls))
}

/// An axis of this many cells: with the array's own coordinates or labels unless the figure gives others, else with indexes; and
/// whether the coordinates fall, so that the cells are to be reversed.
///
/// # Errors
/// Coordinates that the axis's type does not allow.
fn axis(
    source: &dyn ArraySource,
    axis: Option<usize>,
    len: usize,
    spec: &AxisSpec,
    file: &str,
) -> Result<(Axis, bool), InputError> {
    let name = axis.map_or("", |a| source.axis_name(a));
    let own = axis.filter(|_| spec.values.is_none());
    let values = own.and_then(|a| source.coordinates(a));
    let values = values.filter(|v| v.len() == len);
    let may_be_times = matches!(spec.kind, None | Some(AxisType::Time));
    let unit = own.map_or_else(String::new, |a| source.unit(a));
    let times = values.as_ref().and_then(|v| since_1970(v, &unit)).filter(|_| may_be_times);
    let is_time = times.is_some();
    let values = times.or(values);
    let are_finite = |v: &Vec<f64>| v.iter().all(|v| v.is_finite());
    match values.clone().filter(are_finite).and_then(|v| sorted(v, AxisKind::Number).ok()) {
        Some((found, order)) if order.is_none() || found.fell => {
            let made = if is_time { timed(found) } else { typed(found, spec) };
            let refused = |f: ArrayFault| InputError::usage(file, format!("axis '{name}': {}", f.what));
            let mut made = made.map_err(refused)?;
            name.clone_into(&mut made.name);
            Ok((made, order.is_some()))
        }
        _ => {
            let mut levels = own.map_or_else(Vec::new, |a| source.levels(a));
            // Coordinates that neither rise nor fall name the cells.
            let says = |v: &Vec<f64>| v.windows(2).any(|w| w[0] != w[1] && !(w[0].is_nan() && w[1].is_nan()));
            if let Some(values) = values.filter(|v| levels.is_empty() && says(v)) {
                levels.push(names_of(&values, is_time));
            }
            let is_labelled = !levels.is_empty() && levels.iter().all(|level| level.len() == len);
            match spec.kind {
                None | Some(AxisType::Category) if is_labelled => Ok((Axis::nested(name, levels), false)),
                Some(_) if spec.values.is_none() => {
                    let what =
                        format!("axis '{name}' has no coordinates that rise or fall, which 'type' is for");
                    Err(InputError::usage(file, what).with_hint("--x-values A:B, or --y-values"))
                }
                _ => Ok((Axis::index(name, len), false)),
            }
        }
    }
}

/// Coordinates as names, each with all of its digits, or as a time.
fn names_of(values: &[f64], are_times: bool) -> Vec<String> {
    let known: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    let mut times = if are_times { iso_texts(&known).ok().map(Vec::into_iter) } else { None };
    let name = |v: &f64| match times.as_mut().filter(|_| v.is_finite()) {
        Some(times) => times.next().unwrap_or_default(),
        None => Number::F64(*v).to_string(),
    };
    values.iter().map(name).collect()
}

/// Masks for the values that equal the nodata number, compared in the source's own type; empty where none does.
fn nodata_states(values: &Values, nodata: Option<f64>) -> Vec<Option<State>> {
    let hit = |i| nodata.is_some_and(|nodata| values.is_nodata(i, nodata));
    if nodata.is_some() && (0..values.len()).any(hit) {
        (0..values.len()).map(|i| hit(i).then_some(State::Masked)).collect()
    } else {
        Vec::new()
    }
}

/// Roles that the options give to the axes of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The plane of the first panel.
    pub plane: Window,
    /// The axes whose indexes are panels, and the length of each.
    pub panel: PanelAxes,
    lengths: Vec<usize>,
    /// How many panels there are: one where no axis is theirs.
    pub panels: usize,
    /// The axis of which all indexes become one.
    projected: Option<Projected>,
}

impl Choice {
    /// The plane of a panel.
    pub(crate) fn plane(&self, panel: usize) -> Window {
        let mut plane = self.plane.clone();
        for (axis, index) in self.panel.axes.iter().zip(self.indexes(panel)) {
            plane.first[*axis] = index;
        }
        plane
    }

    /// The index of a panel along each axis of panels.
    fn indexes(&self, mut panel: usize) -> Vec<usize> {
        let mut out = vec![0; self.lengths.len()];
        for (index, length) in out.iter_mut().zip(&self.lengths).rev() {
            (*index, panel) = (panel % length, panel / length);
        }
        out
    }

    /// Names the grid of a panel, and puts it into its row and column of panels; `names` are those of each axis of panels.
    fn name(&self, panel: usize, names: &[PanelNames], grid: &mut Grid) {
        let indexes = self.indexes(panel);
        let texts: Vec<String> =
            names.iter().zip(&indexes).map(|((name, texts), i)| format!("{name} = {}", texts[*i])).collect();
        if texts.is_empty() {
            return;
        }
        grid.set_name(texts.join(", "));
        let side = |axis: Option<usize>| {
            let at = self.panel.axes.iter().position(|a| Some(*a) == axis)?;
            let (name, texts) = &names[at];
            Some(FacetValue { name: name.clone(), value: texts[indexes[at]].clone(), place: indexes[at] })
        };
        let [row, column] = self.panel.facets.map(side);
        if row.is_some() || column.is_some() {
            grid.set_facet(Some(Facet { row, column }));
        }
    }
}

/// The rows, columns and panels of an array of this shape; its axes may have names.
///
/// A 1-D array of n is a grid of 1 x n. More than two dimensions need `slice` or `panel = "axis:N"`; axes of length 1
/// drop out by themselves, the first ones first.
///
/// # Errors
/// When the options do not leave two dimensions, name an axis that the array does not have, or the array has no element.
pub(crate) fn choose(
    (shape, names): (&[usize], &[String]),
    file: &str,
    figure: &Figure,
) -> Result<Choice, InputError> {
    no_table_options(file, figure)?;
    if shape.is_empty() {
        let e = InputError::refused(file, "shape ()", "a 0-d array holds one number, not a grid");
        return Err(e.with_hint("save it with two dimensions: array.reshape(1, 1)"));
    }
    let panel = panel_axes(file, figure, shape, names)?;
    let Slices { mut fixed, projected } = slices(file, figure.data.slice.as_ref(), shape, names)?;
    if let Some(p) = panel.axes.iter().find(|&&p| fixed[p].is_some()) {
        let what = format!("axis {p} is both sliced and made into panels");
        return Err(InputError::usage(file, what));
    }
    let [rows, columns] = plane_axes(file, figure, (shape, names), (&fixed, &panel.axes))?;
    let named: Vec<usize> = rows.into_iter().chain(columns).collect();
    let is_free = |a: &usize| fixed[*a].is_none() && !panel.axes.contains(a) && !named.contains(a);
    let mut rest: Vec<usize> = (0..shape.len()).filter(is_free).collect();
    while rest.len() + named.len() > 2 {
        let Some(i) = rest.iter().position(|&a| shape[a] == 1) else {
            break;
        };
        fixed[rest.remove(i)] = Some(0);
    }
    if rest.len() + named.len() > 2 {
        return Err(too_many_axes(file, (shape, names), &[rest, named].concat(), &panel.axes));
    }
    let is_pair = rest.len() + named.len() == 2;
    let mut free = rest.into_iter();
    let row = rows.or_else(|| if is_pair { free.next() } else { None });
    let Some(column) = columns.or_else(|| free.next()) else {
        return Err(match row {
            Some(row) => {
                InputError::usage(file, format!("--y axis:{row}: no other axis is left for columns"))
                    .with_hint(format!("--x axis:{row}, or --transpose"))
            }
            None => {
                let shape = shape_text(shape);
                InputError::usage(file, format!("the slices of shape {shape} leave one number, not a grid"))
            }
        });
    };
    let (rows, columns) = (row.map_or(1, |a| shape[a]), shape[column]);
    let lengths: Vec<usize> = panel.axes.iter().map(|p| shape[*p]).collect();
    let panels = lengths.iter().fold(1usize, |n, length| n.saturating_mul(*length));
    if let Some(p) = panel.axes.first() {
        let of: Vec<String> = panel.axes.iter().map(usize::to_string).collect();
        let what = || match of.as_slice() {
            [one] => format!("axis {one} makes {panels} panels"),
            several => format!("axes {} make {panels} panels", several.join(" and ")),
        };
        check_count(panels, file, what).map_err(|e| {
            e.with_hint(format!(
                "--slice {p}=0 in place of axis {p} draws one panel of it; --panel axis:N takes another axis"
            ))
        })?;
    }
    if let Some(of) = projected.filter(|of| of.length == 0) {
        let what = format!("no cells: axis {}, which is projected, has no element", of.axis);
        return Err(InputError::refused(file, "", what));
    }
    if rows == 0 || columns == 0 || panels == 0 {
        let of = if panel.axes.is_empty() { String::new() } else { format!(" in {panels} panels") };
        let what = format!("no cells: {rows} rows x {columns} columns{of}");
        return Err(InputError::refused(file, "", what));
    }
    if let Some(side) = [rows, columns].into_iter().find(|n| *n > u32::MAX as usize) {
        let what = format!("{side} cells in a row or column: sides end at {}", u32::MAX);
        return Err(InputError::limit(file, what));
    }
    Ok(Choice {
        plane: Window {
            first: fixed.into_iter().map(Option::unwrap_or_default).collect(),
            row_axis: row,
            column_axis: column,
            rows,
            columns,
        },
        panel,
        lengths,
        panels,
        projected,
    })
}

/// Two axes of an array as rows and columns, at one index of each other axis.
#[derive(Debug)]
pub(super) struct Plane {
    source: Arc<dyn ArraySource>,
    whole: Window,
    /// Whether the last row, and the last column, comes first.
    reversed: (bool, bool),
    /// Whether rows and columns are swapped, because the source is read faster so.
    pub turned: bool,
}

impl Plane {
    /// A window of a source as a plane; `reversed` says whether its last row, and its last column, comes first.
    pub(super) fn new(source: &Arc<dyn ArraySource>, whole: Window, reversed: (bool, bool)) -> Self {
        let source = Arc::clone(source);
        let column = whole.column_axis;
        match whole.row_axis.filter(|row| source.reads_by_columns(*row, column)) {
            Some(row) => Self {
                source,
                whole: Window {
                    row_axis: Some(column),
                    column_axis: row,
                    rows: whole.columns,
                    columns: whole.rows,
                    ..whole
                },
                reversed: (reversed.1, reversed.0),
                turned: true,
            },
            None => Self { source, whole, reversed, turned: false },
        }
    }

    /// The same plane at another index of an axis.
    pub(super) fn at(&self, axis: usize, index: usize) -> Self {
        let mut whole = self.whole.clone();
        whole.first[axis] = index;
        Self { source: Arc::clone(&self.source), whole, ..*self }
    }
}

/// The numbers of a whole source.
///
/// # Errors
/// When it cannot be read.
pub(super) fn numbers(source: &dyn CellSource) -> Result<Buffer, SourceError> {
    let mut buffer = source.buffer();
    source.read(0..source.rows(), 0..source.columns(), &mut buffer)?;
    Ok(buffer)
}

impl CellSource for Plane {
    fn is_apart(&self) -> bool {
        self.source.is_apart()
    }

    fn scan_apart(&self, plans: &[ScanPlan], transposed: bool) -> Option<ApartScans> {
        let (window, reversed) = (self.whole.clone(), self.reversed);
        self.source.scan_apart(&ApartPlane { window, reversed, transposed }, plans)
    }

    fn rows(&self) -> usize {
        self.whole.rows
    }

    fn columns(&self) -> usize {
        self.whole.columns
    }

    fn buffer(&self) -> Buffer {
        self.source.buffer()
    }

    fn has_absent(&self) -> bool {
        self.source.has_absent()
    }

    fn read_absent(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        into: &mut Buffer,
        absent: &mut Vec<Part>,
    ) -> Result<(), SourceError> {
        let in_order = |part: Range<usize>, all: usize, reversed: bool| match reversed {
            true => all - part.end..all - part.start,
            false => part,
        };
        let window = self.whole.part(
            in_order(rows, self.whole.rows, self.reversed.0),
            in_order(columns, self.whole.columns, self.reversed.1),
        );
        self.source.read_absent(&window, into, absent)?;
        if self.reversed != (false, false) && !window.is_empty() {
            reverse(into, window.columns, self.reversed);
            for (r, c) in absent {
                *r = in_order(r.clone(), window.rows, self.reversed.0);
                *c = in_order(c.clone(), window.columns, self.reversed.1);
            }
        }
        Ok(())
    }
}

/// Puts the last row, and the last column, first.
fn reverse(numbers: &mut Buffer, columns: usize, reversed: (bool, bool)) {
    fn turn<T>(v: &mut [T], columns: usize, (rows, within): (bool, bool)) {
        // All numbers backwards are the rows backwards, and each of them backwards.
        if rows {
            v.reverse();
        }
        if rows != within {
            v.chunks_exact_mut(columns).for_each(<[T]>::reverse);
        }
    }
    match numbers {
        Buffer::F32 { bits, .. } => turn(bits, columns, reversed),
        Buffer::F64(v) => turn(v, columns, reversed),
        Buffer::I64(v) => turn(v, columns, reversed),
        Buffer::U64(v) => turn(v, columns, reversed),
    }
}

#[cfg(test)]
mod tests;
