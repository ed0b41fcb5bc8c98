//! The class `Data`: data that are read once and drawn as often as is wanted.

use crate::axes::axes;
use crate::chunked::Chunked;
use crate::errors::Failure;
use crate::figures::figure;
use crate::grids;
use crate::held::{budget, of_arrays, of_files, of_tables};
use crate::link::Link;
use crate::lints::{Lint, listed};
use crate::numpy;
use crate::sparse::sparse;
use crate::stoppable::Stoppable;
use crate::stream::Table;
use crate::work::Stage;
use gridscope::embedding::{
    DrawOptions, Held, PictureAs, PictureFormat, describe, draw, figure_json, figure_of_file, report, serves,
};
use gridscope::figure::Figure;
use gridscope::grid::Grid;
use gridscope::input::{ArraySource, InputError, LabelledArray, NamedArray};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::Arc;

/// An array for Python: name, array, axes, name of its values, mask, whatever else must live as long as the array, and a text for
/// each element.
type ArrayInput<'py> = (
    String,
    Bound<'py, PyAny>,
    Vec<Bound<'py, PyDict>>,
    String,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
    Option<Vec<String>>,
);

/// A picture, its width and height, and its warnings.
type Drawn<'py> = (Bound<'py, PyBytes>, (u32, u32), Vec<Lint>);

/// What messages call the array of a mask.
const MASK: &str = "mask";

/// Data that were read once.
#[pyclass(frozen, module = "gridscope._core")]
#[derive(Debug)]
pub(crate) struct Data {
    pub(crate) held: Arc<Held>,
    /// The figure that they were read for.
    pub(crate) figure: Arc<Figure>,
    pub(crate) link: Link,
    /// Objects that must live as long as the data.
    _owners: Vec<Py<PyAny>>,
}

impl Data {
    fn new(held: Held, figure: Arc<Figure>, link: Link, owners: Vec<Py<PyAny>>) -> Self {
        Self { held: Arc::new(held), figure, link, _owners: owners }
    }

    fn stage<'a, 'py>(&'a self, name: &'a str, progress: Option<&'a Bound<'py, PyAny>>) -> Stage<'a, 'py> {
        Stage { name, progress, link: &self.link, elements: self.cells() as u64 }
    }
}

/// What links data to the call that reads them, what must live as long as they, and the elements that a pass reads; 0 where nobody
/// knows.
#[derive(Default)]
struct Read {
    link: Link,
    owners: Vec<Py<PyAny>>,
    elements: u64,
}

impl Read {
    /// An array of this shape; of more than two axes a figure may choose a part.
    fn add(&mut self, shape: &[usize]) {
        self.elements += if let [rows, columns] = shape { (rows * columns) as u64 } else { 0 };
    }
}

/// Reads data with the work of `read`, which gets the figure and what links it to the call.
fn read(
    py: Python<'_>,
    text: &str,
    progress: Option<&Bound<'_, PyAny>>,
    Read { link, owners, elements }: Read,
    read: impl FnOnce(&Figure, &Link) -> Result<Held, gridscope::Error> + Send + 'static,
) -> PyResult<Data> {
    let figure = Arc::new(figure(py, text)?);
    let stage = Stage { name: "reading", progress, link: &link, elements };
    let (own, linked) = (Arc::clone(&figure), link.clone());
    let held = stage.run(py, move || read(&own, &linked))?;
    Ok(Data::new(held, figure, link, owners))
}

/// An array with axes.
fn labelled(
    py: Python<'_>,
    source: impl ArraySource + 'static,
    given: &[Bound<'_, PyDict>],
    (file, link): (&str, &Link),
) -> PyResult<Box<dyn ArraySource>> {
    let axes = axes(given, source.shape().len(), file)?;
    let source = Stoppable { source, link: link.clone(), counts: file != MASK };
    let made = LabelledArray::new(source, axes, file);
    Ok(Box::new(made.map_err(|e| Failure::from(e).raise(py))?))
}

/// An array whose states and texts are its own.
fn lone(source: Box<dyn ArraySource>, name: String, value_name: String) -> NamedArray {
    NamedArray { source, states: None, name, value_name, texts: None }
}

#[pymethods]
impl Data {
    /// Reads files of data by the keys of a figure, given as JSON.
    #[staticmethod]
    #[pyo3(signature = (paths, figure, progress=None))]
    fn files(
        py: Python<'_>,
        paths: Vec<String>,
        figure: &str,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let memory = budget();
        read(py, figure, progress.as_ref(), Read::default(), move |figure, _| of_files(paths, figure, memory))
    }

    /// The figure of a figure file as JSON, and its files of data.
    #[staticmethod]
    fn figure_file(py: Python<'_>, path: &str) -> PyResult<(String, Vec<String>)> {
        let found = figure_of_file(path).map_err(|e| Failure::from(e).raise(py))?;
        let Some((figure, files)) = found else {
            let e = InputError::usage(path, "not a figure file, but data").with_hint("gridscope.read");
            return Err(Failure::from(e).raise(py));
        };
        let absolute = |file: String| std::path::absolute(&file).map_or(file, |p| p.display().to_string());
        Ok((figure_json(&figure), files.into_iter().map(absolute).collect()))
    }

    /// Reads tables that have `__arrow_c_stream__` or `__arrow_c_array__`.
    #[staticmethod]
    #[pyo3(signature = (tables, figure, progress=None))]
    fn tables(
        py: Python<'_>,
        tables: Vec<(String, Bound<'_, PyAny>)>,
        figure: &str,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let opened =
            tables.iter().map(|(name, table)| Table::of(table, name)).collect::<PyResult<Vec<_>>>()?;
        let memory = budget();
        read(py, figure, progress.as_ref(), Read::default(), move |figure, link| {
            of_tables(opened, figure, memory, link)
        })
    }

    /// Makes grids of arrays of numpy, or of what numpy makes arrays of.
    #[staticmethod]
    #[pyo3(signature = (arrays, figure, progress=None))]
    fn arrays(
        py: Python<'_>,
        arrays: Vec<ArrayInput<'_>>,
        figure: &str,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (mut named, mut all) = (Vec::new(), Read::default());
        for (name, array, axes, value_name, mask, owner, texts) in arrays {
            let mask = mask.map(|mask| labelled(py, numpy::array(&mask, MASK)?, &axes, (MASK, &all.link)));
            let source = numpy::array(&array, &name)?;
            all.add(source.shape());
            named.push(NamedArray {
                source: labelled(py, source, &axes, (&name, &all.link))?,
                states: mask.transpose()?,
                name,
                value_name,
                texts,
            });
            all.owners.extend(owner.map(Bound::unbind));
        }
        let memory = budget();
        read(py, figure, progress.as_ref(), all, move |figure, _| of_arrays(named, figure, memory))
    }

    /// Makes a grid of an array in chunks: `read` gets a slice for each axis and gives these elements; `fold`, if there is one, folds
    /// all chunks of a plane where they lie.
    #[staticmethod]
    #[pyo3(signature = (name, shape, dtype, read, axes, value_name, figure, progress=None, *, chunks=None, fold=None))]
    fn windows(
        py: Python<'_>,
        name: String,
        shape: Vec<usize>,
        dtype: &str,
        read: Bound<'_, PyAny>,
        axes: Vec<Bound<'_, PyDict>>,
        value_name: String,
        figure: &str,
        progress: Option<Bound<'_, PyAny>>,
        chunks: Option<Vec<usize>>,
        fold: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut all = Read::default();
        all.add(&shape);
        let source = Chunked::new(&name, shape, (dtype, chunks), read, all.link.clone())?.folded_by(fold);
        let named = lone(labelled(py, source, &axes, (&name, &all.link))?, name, value_name);
        let memory = budget();
        self::read(py, figure, progress.as_ref(), all, move |figure, _| {
            of_arrays(vec![named], figure, memory)
        })
    }

    /// Makes a grid of the elements of a sparse matrix; the others are absent.
    #[staticmethod]
    #[pyo3(signature = (name, shape, row_indices, column_indices, values, axes, value_name, figure))]
    fn sparse(
        py: Python<'_>,
        name: String,
        shape: (usize, usize),
        row_indices: Bound<'_, PyAny>,
        column_indices: Bound<'_, PyAny>,
        values: Bound<'_, PyAny>,
        axes: Vec<Bound<'_, PyDict>>,
        value_name: String,
        figure: &str,
    ) -> PyResult<Self> {
        let all = Read::default();
        let source = sparse(&name, shape, (&row_indices, &column_indices, &values))?;
        let named = lone(labelled(py, source, &axes, (&name, &all.link))?, name, value_name);
        let memory = budget();
        read(py, figure, None, all, move |figure, _| of_arrays(vec![named], figure, memory))
    }

    /// Draws a figure of the data: the bytes of its file (`png`, `svg`, `pdf`) or pixels (`rgba`), its size in pixels, and the
    /// warnings about it.
    #[pyo3(signature = (figure, format, *, bare=false, metadata=true, progress=None))]
    fn draw<'py>(
        &self,
        py: Python<'py>,
        figure: &str,
        format: &str,
        bare: bool,
        metadata: bool,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Drawn<'py>> {
        let figure = Arc::new(crate::figures::figure(py, figure)?);
        let format = match format {
            "png" => PictureAs::File(PictureFormat::Png),
            "svg" => PictureAs::File(PictureFormat::Svg),
            "pdf" => PictureAs::File(PictureFormat::Pdf),
            "rgba" => PictureAs::Rgba,
            other => {
                let e = InputError::usage("", format!("format '{other}' is none of png, svg, pdf, rgba"));
                return Err(Failure::from(e).raise(py));
            }
        };
        let mut options = DrawOptions::default();
        (options.bare, options.metadata) = (bare, metadata);
        let (held, own) = (Arc::clone(&self.held), Arc::clone(&figure));
        let stage = self.stage("drawing", progress.as_ref());
        let picture = stage.run(py, move || draw(&own, &held, format, options))?;
        let size = (picture.size.w, picture.size.h);
        Ok((PyBytes::new(py, &picture.bytes), size, listed(&picture.lints, &figure)))
    }

    /// Report on a picture, as the JSON object of `render --json`.
    fn report(&self, py: Python<'_>, figure: &str) -> PyResult<String> {
        let (held, figure) = (Arc::clone(&self.held), crate::figures::figure(py, figure)?);
        self.stage("drawing", None).run(py, move || Ok(report(&figure, &held)?.to_string()))
    }

    /// Description of the data, as the JSON object of `info --json`.
    fn info(&self, py: Python<'_>) -> PyResult<String> {
        let (held, figure) = (Arc::clone(&self.held), Arc::clone(&self.figure));
        self.stage("reading", None).run(py, move || Ok(describe(&figure, &held)?.to_string()))
    }

    /// The grids: names, numbers and states as bytes, and axes.
    fn grids<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let held = Arc::clone(&self.held);
        let cells = self.stage("reading", None).run(py, move || grids::cells(&held))?;
        let of = |(grid, cells)| grids::described(py, grid, cells);
        self.held.loaded.grids.iter().zip(&cells).map(of).collect()
    }

    /// How many cells all grids have.
    fn cells(&self) -> usize {
        self.held.loaded.grids.iter().map(Grid::len).sum()
    }

    /// Whether the data serve another figure, so that they need not be read again.
    fn serves(&self, py: Python<'_>, figure: &str) -> PyResult<bool> {
        Ok(serves(&self.figure, &crate::figures::figure(py, figure)?))
    }

    /// The warnings about the data, which arose when they were read.
    fn lints(&self) -> Vec<Lint> {
        listed(&self.held.loaded.lints, &self.figure)
    }

    /// How the data were read, in words.
    fn summary(&self) -> &str {
        &self.held.loaded.summary
    }

    /// The files of the data.
    #[pyo3(name = "file_names")]
    fn names_of_files(&self) -> Vec<String> {
        self.held.files.clone()
    }

    fn __repr__(&self) -> String {
        let grids = &self.held.loaded.grids;
        let sides: Vec<String> =
            grids.iter().take(3).map(|g| format!("{} x {}", g.height(), g.width())).collect();
        let more = if grids.len() > 3 { ", ..." } else { "" };
        format!("<gridscope._core.Data: {}{more}>", sides.join(", "))
    }
}
