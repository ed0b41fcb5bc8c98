//! A variable as a source of grids.

use super::file::NetcdfFile;
use crate::array::{
    ArraySource, Candidate, Conventions, Decode, Dtype, Encoding, Fill, Window, choose, shape_text,
    since_1970, unpacked,
};
use crate::error::InputError;
use crate::table::ColumnValue;
use bytemuck::{NoUninit, Pod};
use gridscope_core::calendar::iso_texts;
use gridscope_core::figure::Figure;
use gridscope_core::grid::{Buffer, SourceError, Values};
use netcdf_reader::{
    Error, NcAttrValue, NcFile, NcReadable, NcSliceInfo, NcSliceInfoElem, NcType, NcVariable,
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Cells that a plane may have: what is not stored costs no bytes, but time.
const MOST_CELLS: usize = 1 << 36;
/// Longer axes keep their indexes: each value has a label in memory.
const MOST_COORDINATES: usize = 100_000;

/// A variable of a file.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    /// Its path: the names of its groups and its own.
    pub path: String,
    pub shape: Vec<usize>,
    /// The names of its axes, or nothing.
    axes: Vec<String>,
    pub stored: NcType,
    pub attributes: Map<String, Value>,
    /// Whether factor and offset, as far as there are some, have single precision.
    pub single_factors: bool,
}

impl Variable {
    pub(super) fn new(variable: &NcVariable, path: String) -> Self {
        let sizes = variable.shape();
        let axis = |d: &netcdf_reader::NcDimension| {
            // The reader's name for an axis that has none.
            let of_size = format!("dim_{}", d.size);
            let is_named = !d.name.starts_with(&of_size) && !d.name.starts_with("phony_dim_");
            if is_named { d.name.clone() } else { String::new() }
        };
        let is_double =
            |key: &str| variable.attribute(key).is_some_and(|a| !matches!(a.value, NcAttrValue::Floats(_)));
        Self {
            path,
            shape: sizes.iter().map(|n| usize::try_from(*n).unwrap_or(usize::MAX)).collect(),
            axes: variable.dimensions().iter().map(axis).collect(),
            stored: variable.dtype().clone(),
            attributes: variable.attributes().iter().map(|a| (a.name.clone(), json(&a.value))).collect(),
            single_factors: !is_double("scale_factor") && !is_double("add_offset"),
        }
    }

    /// What a message lists of it.
    pub(super) fn candidate(&self) -> Candidate {
        let type_name = match (self.number_type(), &self.stored) {
            (Some(dtype), _) => dtype.name().to_owned(),
            (None, NcType::String | NcType::Char) => "texts".to_owned(),
            (None, NcType::Compound { .. }) => "records, which are not read".to_owned(),
            _ => "of a type that is not read".to_owned(),
        };
        Candidate {
            path: self.path.clone(),
            what: format!("{} {type_name}", shape_text(&self.shape)),
            shape: self.number_type().map(|_| self.shape.clone()),
            axes: self.axes.clone(),
        }
    }

    /// The type of its numbers; none of texts and of types that are not read.
    fn number_type(&self) -> Option<Dtype> {
        let stored = match self.stored {
            NcType::Byte => Dtype::I8,
            NcType::UByte => Dtype::U8,
            NcType::Short => Dtype::I16,
            NcType::UShort => Dtype::U16,
            NcType::Int => Dtype::I32,
            NcType::UInt => Dtype::U32,
            NcType::Int64 => Dtype::I64,
            NcType::UInt64 => Dtype::U64,
            NcType::Float => Dtype::F32,
            NcType::Double => Dtype::F64,
            _ => return None,
        };
        Some(Conventions(&self.attributes).dtype(stored))
    }

    /// The type of its numbers.
    ///
    /// # Errors
    /// When it holds none that are read.
    pub(super) fn dtype(&self, file: &str) -> Result<Dtype, InputError> {
        self.number_type().ok_or_else(|| {
            let what = format!("holds no plain numbers: {}", self.candidate().what);
            let e =
                InputError::refused(file, "", what).with_hint("h5py or pandas writes it as CSV or Parquet");
            InputError { place: self.path.as_str().into(), ..e }
        })
    }

    /// The last name of its path.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// The path of its group.
    pub(super) fn group(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |parts| parts.0)
    }

    /// Whether it is a row of numbers or texts; texts may be rows of letters.
    pub(super) fn is_vector(&self) -> bool {
        let is_row_of_texts = self.shape.len() == 2 && matches!(self.stored, NcType::Char);
        self.is_read() && (self.shape.len() == 1 || is_row_of_texts)
    }

    /// The name of its axis, where that is not its own.
    pub(super) fn axis_of_another(&self) -> Option<&str> {
        self.axes.first().map(String::as_str).filter(|axis| !axis.is_empty() && *axis != self.name())
    }

    /// Numbers and texts of which one of its elements consists.
    pub(super) fn values_of_one(&self) -> u64 {
        fn of(stored: &NcType) -> u64 {
            match stored {
                NcType::Compound { fields, .. } => {
                    fields.iter().map(|f| of(&f.dtype)).fold(0, u64::saturating_add)
                }
                NcType::Array { base, dims } => dims.iter().fold(of(base), |n, side| n.saturating_mul(*side)),
                _ => 1,
            }
        }
        of(&self.stored)
    }

    /// Whether it holds texts.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.stored, NcType::String | NcType::Char)
    }

    /// Whether the variable at a path holds the bounds of its cells.
    pub(super) fn is_bounded_by(&self, path: &str) -> bool {
        let (group, own) = path.rsplit_once('/').unwrap_or(("", path));
        let named = |key: &str| self.attributes.get(key).and_then(Value::as_str) == Some(own);
        self.group() == group && ["bounds", "climatology"].into_iter().any(named)
    }

    /// Its numbers as coordinates, and whether they are seconds since 1970.
    ///
    /// # Errors
    /// When it cannot be read, or holds texts.
    pub(super) fn coordinates(&self, file: &NetcdfFile) -> Result<(Vec<f64>, bool), String> {
        let dtype = self.number_type().ok_or_else(|| format!("'{}' holds no numbers", self.path))?;
        let of = Conventions(&self.attributes);
        let values = unpacked(stored(file, self, dtype)?, &of.packing(dtype, self.single_factors));
        let times = since_1970(&values, &of.unit());
        Ok((times.clone().unwrap_or(values), times.is_some()))
    }

    /// Whether it holds numbers or texts.
    pub(super) fn is_read(&self) -> bool {
        self.number_or_text().is_ok()
    }

    /// The type of its numbers; none of texts.
    ///
    /// # Errors
    /// When it holds neither.
    fn number_or_text(&self) -> Result<Option<Dtype>, String> {
        match self.number_type() {
            None if !self.is_text() => Err(format!("'{}' is {}", self.path, self.candidate().what)),
            dtype => Ok(dtype),
        }
    }

    /// Whether it has a text for each place of an axis of another variable, which lists it among its `coordinates`.
    fn names_axis_of(&self, other: &Variable, axis: &str, len: usize) -> bool {
        let listed = other.attributes.get("coordinates").and_then(Value::as_str).unwrap_or_default();
        listed.split_whitespace().any(|name| name == self.name())
            && self.is_text()
            && self.axes.first().is_some_and(|own| own == axis && !own.is_empty())
            && self.shape.first() == Some(&len)
            && self.shape.len() <= 2
    }

    /// Whether it gives the values of an axis of this name and length of the variable at `path`: it is in the same group or in one
    /// around it.
    fn is_axis_of(&self, path: &str, name: &str, len: usize) -> bool {
        let group = |path: &str| path.rsplit_once('/').map_or(String::new(), |p| p.0.to_owned() + "/");
        let is_row_of_texts = self.shape.len() == 2 && matches!(self.stored, NcType::Char);
        self.name() == name
            && self.path != path
            && group(path).starts_with(&group(&self.path))
            && self.shape.first() == Some(&len)
            && (self.shape.len() == 1 || is_row_of_texts)
    }
}

/// The value of an attribute.
fn json(value: &NcAttrValue) -> Value {
    if let Some(text) = value.as_string() {
        return Value::String(text);
    }
    let number = |v: f64| serde_json::Number::from_f64(v).map_or_else(|| "NaN".into(), Value::Number);
    value.as_f64_vec().unwrap_or_default().into_iter().map(number).collect()
}

/// Values of an axis.
#[derive(Clone, Debug, Default)]
struct AxisLabels {
    coordinates: Option<Vec<f64>>,
    unit: String,
    levels: Vec<Vec<String>>,
    title: String,
}

/// All numbers of a variable, as they are stored.
fn stored(file: &NetcdfFile, variable: &Variable, dtype: Dtype) -> Result<Buffer, String> {
    let shape = &variable.shape;
    let last = shape.len().saturating_sub(1);
    let window = Window {
        first: vec![0; shape.len()],
        row_axis: last.checked_sub(1),
        column_axis: last,
        rows: if last > 0 { shape[last - 1] } else { 1 },
        columns: shape.last().copied().unwrap_or(1),
    };
    let mut stored = dtype.buffer();
    read(file, variable, dtype, &window, &mut stored)?;
    Ok(stored)
}

/// The values of a variable of one or two dimensions: times as ISO 8601 writes them.
///
/// # Errors
/// When it cannot be read.
pub(super) fn values(file: &NetcdfFile, variable: &Variable) -> Result<Vec<ColumnValue>, String> {
    let text = |text: String| if text.is_empty() { ColumnValue::Nothing } else { ColumnValue::Text(text) };
    let Some(dtype) = variable.number_or_text()? else {
        let texts = file.read(|f| f.read_variable_as_strings(&variable.path))?;
        // Texts of one letter each are read as one.
        let letters = match (texts.as_slice(), &variable.shape[..]) {
            ([one], [n]) if *n > 1 && one.chars().count() <= *n => {
                let mut letters: Vec<String> = one.chars().map(String::from).collect();
                letters.resize(*n, String::new());
                Some(letters)
            }
            _ => None,
        };
        return Ok(letters.unwrap_or(texts).into_iter().map(text).collect());
    };
    let of = Conventions(&variable.attributes);
    let packing = of.packing(dtype, variable.single_factors);
    let stored = stored(file, variable, dtype)?;
    let is_time = of.unit().contains(" since ");
    if packing.is_plain() && !is_time && !matches!(dtype, Dtype::F32 | Dtype::F64) {
        let numbers = Values::from(stored);
        return Ok((0..numbers.len()).map(|i| ColumnValue::Number(numbers.get(i))).collect());
    }
    let values = unpacked(stored, &packing);
    if let Some(dates) = of.dates(&values) {
        return Ok(dates.into_iter().map(text).collect());
    }
    let times = since_1970(&values, &of.unit()).and_then(|seconds| iso_texts(&seconds).ok());
    Ok(match times {
        Some(times) => times.into_iter().map(text).collect(),
        None => values.into_iter().map(ColumnValue::of_f64).collect(),
    })
}

impl AxisLabels {
    fn read(file: &NetcdfFile, variable: &Variable) -> Result<Self, String> {
        let title = Conventions(&variable.attributes).title(&variable.path);
        let Some(dtype) = variable.number_or_text()? else {
            let texts = file.read(|f| f.read_variable_as_strings(&variable.path))?;
            let is_whole = texts.len() == variable.shape[0];
            let levels = if is_whole { vec![texts] } else { Vec::new() };
            return Ok(Self { levels, title, ..Self::default() });
        };
        let of = Conventions(&variable.attributes);
        let packing = of.packing(dtype, variable.single_factors);
        let values = unpacked(stored(file, variable, dtype)?, &packing);
        // Dates of a model are labels.
        Ok(match of.dates(&values) {
            Some(dates) => Self { levels: vec![dates], title, ..Self::default() },
            None => Self { coordinates: Some(values), unit: of.unit(), levels: Vec::new(), title },
        })
    }
}

/// A variable of numbers.
#[derive(Debug)]
pub(super) struct NetcdfArray {
    file: Arc<NetcdfFile>,
    variable: Variable,
    dtype: Dtype,
    labels: Vec<AxisLabels>,
}

impl NetcdfArray {
    /// A variable whose planes the figure chooses, with the values of its axes.
    ///
    /// # Errors
    /// When it holds no numbers, the options do not leave two dimensions, or a plane has too many cells.
    pub(super) fn new(
        file: &Arc<NetcdfFile>,
        variable: &Variable,
        all: &[Variable],
        figure: &Figure,
    ) -> Result<Self, InputError> {
        let dtype = variable.dtype(&file.name)?;
        let plane = choose((&variable.shape, &variable.axes), &file.name, figure)?.plane;
        if plane.rows.checked_mul(plane.columns).is_none_or(|n| n > MOST_CELLS) {
            let what = format!(
                "{} rows x {} columns: at most {MOST_CELLS} cells are drawn",
                plane.rows, plane.columns
            );
            let e = InputError::limit(&file.name, what);
            return Err(InputError { place: variable.path.as_str().into(), ..e });
        }
        let labels = variable.axes.iter().zip(&variable.shape).map(|(name, len)| {
            // The nearest group comes first, then the texts that are said to go with the axis.
            let found = all.iter().filter(|v| v.is_axis_of(&variable.path, name, *len));
            let nearest = found.max_by_key(|v| v.path.len());
            let nearest = nearest.or_else(|| all.iter().find(|v| v.names_axis_of(variable, name, *len)));
            let nearest = nearest.filter(|_| *len <= MOST_COORDINATES);
            nearest.map_or_else(|| Ok(AxisLabels::default()), |v| AxisLabels::read(file, v))
        });
        let labels = labels.collect::<Result<_, _>>();
        let labels = labels.map_err(|what| InputError::refused(&file.name, "", what))?;
        Ok(Self { file: Arc::clone(file), variable: variable.clone(), dtype, labels })
    }
}

impl ArraySource for NetcdfArray {
    fn shape(&self) -> &[usize] {
        &self.variable.shape
    }

    fn buffer(&self) -> Buffer {
        self.dtype.buffer()
    }

    fn read(&self, window: &Window, into: &mut Buffer) -> Result<(), SourceError> {
        read(&self.file, &self.variable, self.dtype, window, into)
            .map_err(|what| SourceError { file: self.file.name.clone(), what })
    }

    fn axis_name(&self, axis: usize) -> &str {
        &self.variable.axes[axis]
    }

    fn coordinates(&self, axis: usize) -> Option<Vec<f64>> {
        self.labels[axis].coordinates.clone()
    }

    fn levels(&self, axis: usize) -> Vec<Vec<String>> {
        self.labels[axis].levels.clone()
    }

    fn unit(&self, axis: usize) -> String {
        self.labels[axis].unit.clone()
    }

    fn axis_title(&self, axis: usize) -> String {
        self.labels[axis].title.clone()
    }

    fn reads_by_columns(&self, row_axis: usize, column_axis: usize) -> bool {
        row_axis > column_axis
    }
}

/// Reads a window of a variable into a buffer of its type's kind.
///
/// # Errors
/// Why the file cannot be read, in words.
fn read(
    file: &NetcdfFile,
    variable: &Variable,
    dtype: Dtype,
    window: &Window,
    into: &mut Buffer,
) -> Result<(), String> {
    let of_axis = |axis: usize| {
        let start = window.first[axis] as u64;
        let len = match axis {
            _ if axis == window.column_axis => window.columns,
            _ if Some(axis) == window.row_axis => window.rows,
            _ => return NcSliceInfoElem::Index(start),
        };
        NcSliceInfoElem::Slice { start, end: start + len as u64, step: 1 }
    };
    let selection = NcSliceInfo { selections: (0..variable.shape.len()).map(of_axis).collect() };
    let path = variable.path.as_str();
    let bytes = file.read(|f| match variable.stored {
        NcType::Byte => bytes_of::<i8>(f, path, &selection),
        NcType::UByte => bytes_of::<u8>(f, path, &selection),
        NcType::Short => bytes_of::<i16>(f, path, &selection),
        NcType::UShort => bytes_of::<u16>(f, path, &selection),
        NcType::Int => bytes_of::<i32>(f, path, &selection),
        NcType::UInt => bytes_of::<u32>(f, path, &selection),
        NcType::Int64 => bytes_of::<i64>(f, path, &selection),
        NcType::UInt64 => bytes_of::<u64>(f, path, &selection),
        NcType::Float => bytes_of::<f32>(f, path, &selection),
        _ => bytes_of::<f64>(f, path, &selection),
    })?;
    if bytes.len() != window.len() * dtype.size() {
        return Err(format!("'{path}' holds fewer elements than its shape says"));
    }
    let encoding = Encoding { dtype, big_endian: cfg!(target_endian = "big") };
    encoding.fill(into, Decoded { bytes: &bytes, size: dtype.size(), window });
    Ok(())
}

/// The bytes of the selected elements, in the order of the axes and of this machine.
fn bytes_of<T: NcReadable + NoUninit>(
    file: &NcFile,
    path: &str,
    selection: &NcSliceInfo,
) -> Result<Vec<u8>, Error> {
    let numbers = file.read_variable_slice::<T>(path, selection)?;
    Ok(match numbers.as_slice() {
        Some(numbers) => bytemuck::cast_slice(numbers).to_vec(),
        None => numbers.iter().flat_map(|n| bytemuck::bytes_of(n).to_vec()).collect(),
    })
}

/// The bytes of a window, in the order of the axes.
struct Decoded<'a> {
    bytes: &'a [u8],
    size: usize,
    window: &'a Window,
}

impl Fill for Decoded<'_> {
    type Out = ();

    fn fill<T: Pod + Send + Sync>(self, out: &mut Vec<T>, decode: Decode<T>, _: T) {
        let Window { rows, columns, row_axis, column_axis, .. } = *self.window;
        out.clear();
        out.resize(rows * columns, T::zeroed());
        if out.is_empty() {
            return;
        }
        if row_axis.is_none_or(|axis| axis < column_axis) {
            return decode(self.bytes, 1, out);
        }
        for (row, line) in out.chunks_exact_mut(columns).enumerate() {
            decode(&self.bytes[row * self.size..], rows, line);
        }
    }
}
