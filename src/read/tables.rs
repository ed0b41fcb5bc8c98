//! Tables and arrays of any source to grids.

use super::array::{ArraySource, Places, grids_of_source, load};
use super::budget::Budget;
use super::error::InputError;
use super::loaded::{Loaded, ReadOptions};
use super::open::baseline;
use super::panel_files::{make_unique, name_by_file};
use super::pivot::read_all;
use super::postprocess::{Around, apply_own};
use super::table::TableSource;
use gridscope_core::figure::Figure;
use gridscope_core::grid::{Grid, HiddenCells, State};
use gridscope_core::lint::Lints;
use std::path::Path;
use std::sync::Arc;

/// The grids of tables from any source, as [`open`](fn@super::open) gives those of files: rows of tidy tables together, any
/// other table as a panel, with the mask, the axis values and the view of the figure. What is held in memory is taken off
/// the budget; that includes the rows of a source that can be [read once](super::Reads::Once), where the figure leaves open
/// what only a look at the rows can say.
///
/// ```
/// use gridscope_core::figure::{Data, Figure, List};
/// use gridscope_read::{Budget, ReadOptions, ColumnValues, Column, ColumnTable, load_tables};
/// use gridscope_core::lint::Lints;
///
/// let column = |name: &str, cells| Column { name: name.to_owned(), cells, valid: None };
/// let columns = vec![
///     column("rate", ColumnValues::F64(vec![0.1, 0.2, 0.1, 0.2])),
///     column("layers", ColumnValues::I64(vec![2, 2, 4, 4])),
///     column("loss", ColumnValues::F32(vec![0.9, 0.7, 0.5, 0.6])),
/// ];
/// let named = |name| Some(List::from_flag(name));
/// let data = Data { x: named("rate"), y: named("layers"), value: named("loss"), ..Data::default() };
/// let figure = Figure { data, ..Figure::default() };
///
/// let table = ColumnTable::new("runs", columns, &figure.data, &mut Lints::default())?;
/// let loaded = load_tables(vec![Box::new(table)], &figure, &ReadOptions::default(), &Budget::usual())?;
/// assert_eq!((loaded.grids[0].height(), loaded.grids[0].width()), (2, 2));
/// # Ok::<(), gridscope_read::InputError>(())
/// ```
///
/// # Errors
/// Whatever is wrong with the rows, options of the figure that do not fit the tables, tidy tables whose columns differ, too
/// little memory.
pub fn load_tables(
    tables: Vec<Box<dyn TableSource>>,
    figure: &Figure,
    needs: &ReadOptions,
    budget: &Arc<Budget>,
) -> Result<Loaded, InputError> {
    let name = tables.first().map_or(String::new(), |t| t.schema().file.clone());
    let opened = tables.into_iter().map(|t| (t, Lints::default())).collect();
    let mut loaded = read_all(opened, figure, needs, budget)?;
    make_unique(&mut loaded.grids, 0, &mut loaded.lints);
    let read = |path: Option<&str>, other: Option<&Figure>| {
        let again = path.map(str::to_owned).into_iter().collect::<Vec<_>>();
        baseline(&again, figure, other, needs, budget)
    };
    let around = Around { budget, lints: &mut loaded.lints, read_baseline: Some(&read) };
    loaded.grids = apply_own(loaded.grids, &[], figure, Path::new(""), &name, around)?;
    Ok(loaded)
}

/// An array with a name.
#[derive(Debug)]
pub struct NamedArray {
    /// How messages call it, and its panel where there are several arrays.
    pub name: String,
    /// Quantity of its values, or nothing.
    pub value_name: String,
    /// Its elements.
    pub source: Box<dyn ArraySource>,
    /// Class of each of its elements, where it is not just its value: numbers of the same shape and the same axes. 0 is a value, 1
    /// a cell that is hidden on request, 2 no data ([`State::Absent`]), 3 [`State::Masked`], 4 [`State::Pending`].
    pub states: Option<Box<dyn ArraySource>>,
    /// A text for each of its elements, in C order; drawn by the template `{column:annot}`.
    pub texts: Option<Vec<String>>,
}

/// The name of the texts of cells.
const TEXTS: &str = "annot";

/// The grids of arrays from any source, as [`open`](fn@super::open) gives those of files, with the mask, the axis values and the
/// view of the figure. Arrays of [`STORED_FROM`](super::STORED_FROM) elements and more stay in their source.
///
/// ```
/// use gridscope_core::figure::Figure;
/// use gridscope_read::{Budget, NamedArray, StridedArray, load_arrays};
///
/// let memory: Vec<u8> = (0..6u8).collect();
/// let source = StridedArray::new(memory, "|u1", vec![2, 3], vec![3, 1], 0, "counts")?;
/// let array = NamedArray {
///     name: "counts".to_owned(),
///     value_name: "cells".to_owned(),
///     source: Box::new(source),
///     states: None,
///     texts: None,
/// };
/// let loaded = load_arrays(vec![array], &Figure::default(), &Budget::usual())?;
/// assert_eq!(loaded.grids[0].at(1, 2).as_f64(), 5.0);
/// # Ok::<(), gridscope_read::InputError>(())
/// ```
///
/// # Errors
/// As [`grids_of_source`] for each array; states of another shape; options of the figure that do not fit.
pub fn load_arrays(
    arrays: Vec<NamedArray>,
    figure: &Figure,
    budget: &Arc<Budget>,
) -> Result<Loaded, InputError> {
    let name = arrays.first().map_or(String::new(), |array| array.name.clone());
    let (mut loaded, several) = (Loaded::default(), arrays.len() > 1);
    for NamedArray { name, value_name, source, states, texts } in arrays {
        let mut grids = if let Some(texts) = texts {
            let source: Arc<dyn ArraySource> = Arc::from(source);
            let places = Places(Arc::clone(&source));
            let mut grids = grids_of_source(Box::new(source), &name, figure, budget)?;
            set_texts(&mut grids, places, &texts, &name, figure, budget)?;
            grids
        } else {
            grids_of_source(source, &name, figure, budget)?
        };
        if let Some(states) = states {
            set_states(&mut grids, states, &name, figure, budget)?;
        }
        for grid in grids.iter_mut().filter(|_| !value_name.is_empty()) {
            grid.set_value_name(&value_name);
        }
        if several {
            name_by_file(&mut grids, &name);
        }
        loaded.grids.append(&mut grids);
    }
    make_unique(&mut loaded.grids, 0, &mut loaded.lints);
    let read = |path: Option<&str>, other: Option<&Figure>| {
        let again = path.map(str::to_owned).into_iter().collect::<Vec<_>>();
        baseline(&again, figure, other, &ReadOptions::default(), budget)
    };
    let around = Around { budget, lints: &mut loaded.lints, read_baseline: Some(&read) };
    loaded.grids = apply_own(loaded.grids, &[], figure, Path::new(""), &name, around)?;
    Ok(loaded)
}

/// Gives the cells of an array's grids the texts of its elements.
fn set_texts(
    grids: &mut [Grid],
    places: Places,
    texts: &[String],
    file: &str,
    figure: &Figure,
    budget: &Arc<Budget>,
) -> Result<(), InputError> {
    let count: usize = places.shape().iter().product();
    if texts.len() != count {
        let what = format!("{} texts for {count} elements", texts.len());
        return Err(InputError::usage(file, what));
    }
    let mut plain = figure.clone();
    plain.data.nodata = None;
    let of = grids_of_source(Box::new(places), file, &plain, budget)?;
    for (grid, places) in grids.iter_mut().zip(&of) {
        load(places, file, budget)?;
        let (height, width) = (places.height(), places.width());
        let place = |i: usize| places.at(i / width, i % width).as_f64() as usize;
        let own = (0..height * width).map(|i| texts[place(i)].clone()).collect();
        grid.set_texts(TEXTS, own).map_err(|e| InputError::refused(file, "", e))?;
    }
    Ok(())
}

/// Gives the cells of an array's grids the states that another array of its shape says.
fn set_states(
    grids: &mut [Grid],
    states: Box<dyn ArraySource>,
    file: &str,
    figure: &Figure,
    budget: &Arc<Budget>,
) -> Result<(), InputError> {
    let mut plain = figure.clone();
    // It is a number of the values.
    plain.data.nodata = None;
    let codes = grids_of_source(states, file, &plain, budget)?;
    let shape = |grid: &Grid| (grid.height(), grid.width());
    if !grids.iter().map(shape).eq(codes.iter().map(shape)) {
        return Err(InputError::usage(file, "the mask has another shape than the array"));
    }
    for (grid, codes) in grids.iter_mut().zip(&codes) {
        load(grid, file, budget)?;
        load(codes, file, budget)?;
        let (height, width) = shape(grid);
        let mut hidden = vec![false; height * width];
        for (row, column) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
            let code = codes.at(row, column).as_f64();
            let state = match code {
                0.0 => continue,
                1.0 => {
                    hidden[row * width + column] = true;
                    continue;
                }
                2.0 => State::Absent,
                3.0 => State::Masked,
                4.0 => State::Pending,
                _ => {
                    let what =
                        format!("the mask has {code} at row {row}, column {column}, which is no state");
                    return Err(InputError::usage(file, what).with_hint("true or false; or 0 to 4"));
                }
            };
            grid.set_state(row, column, state);
        }
        if hidden.contains(&true) {
            grid.hide(HiddenCells::Listed(Arc::new(hidden), width));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::array::{Array, ArrayAxis, LabelledArray};
    use super::*;
    use gridscope_core::figure::List;
    use gridscope_core::grid::{Cell, Number, Values};

    fn source(shape: &[usize], values: Vec<f64>) -> Box<dyn ArraySource> {
        Box::new(Array { shape: shape.to_vec(), data: Values::F64(values) })
    }

    fn named(name: &str, source: Box<dyn ArraySource>, states: Option<Box<dyn ArraySource>>) -> NamedArray {
        NamedArray { name: name.to_owned(), value_name: "v".to_owned(), source, states, texts: None }
    }

    #[test]
    fn states_go_with_their_elements() {
        let mut figure = Figure::default();
        figure.data.transpose = Some(true);
        figure.data.panel = Some(List::from_flag("axis:0"));
        figure.data.nodata = Some(3.0);
        // Its cells are turned around, and their states with them.
        let axis = |coordinates: Option<Vec<f64>>| ArrayAxis { coordinates, ..ArrayAxis::default() };
        let axes: Arc<[ArrayAxis]> = [axis(None), axis(Some(vec![1.0, 0.0])), axis(None)].into();
        let labelled = |values: Vec<f64>| {
            let array = Array { shape: vec![2, 2, 3], data: Values::F64(values) };
            Box::new(LabelledArray::new(array, axes.clone(), "a").unwrap()) as Box<dyn ArraySource>
        };
        let mut codes = vec![0.0; 12];
        codes[6..].copy_from_slice(&[1.0, 2.0, 3.0, 4.0, 0.0, 0.0]);
        let values = labelled((0..12).map(f64::from).collect());
        let array = named("a", values, Some(labelled(codes)));
        let grids = load_arrays(vec![array], &figure, &Budget::usual()).unwrap().grids;
        let [first, second] = grids.as_slice() else { panic!("two panels") };
        assert_eq!(
            (first.at(0, 1), first.at(1, 0)),
            (Cell::Value(Number::F64(0.0)), Cell::Value(Number::F64(4.0)))
        );
        assert_eq!(first.at(0, 0), Cell::Empty(State::Masked), "nodata");
        let states: Vec<_> = (0..3).map(|row| second.at(row, 1).state()).collect();
        assert_eq!(states, [Some(State::Masked), Some(State::Absent), Some(State::Masked)]);
        assert_eq!((second.at(0, 0).state(), second.at(1, 0).as_f64()), (Some(State::Pending), 10.0));
        assert_eq!((second.hidden_cells(State::Masked), second.value_name()), (1, "v"));
        let mut array = named("a", labelled((0..12).map(f64::from).collect()), None);
        array.texts = Some((0..12).map(|i| format!("t{i}")).collect());
        let grids = load_arrays(vec![array], &figure, &Budget::usual()).unwrap().grids;
        let texts = &grids[1].texts()[TEXTS];
        let wanted: Vec<String> = [9, 6, 10, 7, 11, 8].iter().map(|i| format!("t{i}")).collect();
        assert_eq!(*texts, wanted);
        assert_eq!(grids[1].at(0, 0).as_f64(), 9.0);
    }

    #[test]
    fn several_arrays_are_named_and_wrong_options_are_refused() {
        let two = || {
            let of = |name| named(name, source(&[1, 2], vec![1.0, 2.0]), None);
            vec![of("a"), of("a"), of("b")]
        };
        let load = |figure: &Figure| load_arrays(two(), figure, &Budget::usual());
        let grids = load(&Figure::default()).unwrap().grids;
        assert_eq!(grids.iter().map(Grid::name).collect::<Vec<_>>(), ["a", "a (2)", "b"]);
        let mut figure = Figure::default();
        figure.data.value = Some(List::from_flag("v"));
        assert!(load(&figure).is_err());
        let states = Some(source(&[2, 1], vec![0.0; 2]));
        let wrong = named("a", source(&[1, 2], vec![1.0, 2.0]), states);
        let e = load_arrays(vec![wrong], &Figure::default(), &Budget::usual()).unwrap_err();
        assert_eq!(e.to_string(), "a: the mask has another shape than the array");
        let states = Some(source(&[1, 2], vec![0.0, 7.0]));
        let wrong = named("a", source(&[1, 2], vec![1.0, 2.0]), states);
        let e = load_arrays(vec![wrong], &Figure::default(), &Budget::usual()).unwrap_err();
        assert_eq!(e.what, "the mask has 7 at row 0, column 1, which is no state");
    }
}
