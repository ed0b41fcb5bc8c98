//! The plan by which the rows of a tidy table are read: columns, conditions, keys and aggregates.

use crate::figure::{Agg, Figure};
use crate::input::error::InputError;
use crate::input::loaded::ReadOptions;
use crate::input::pivot::filter::Condition;
use crate::input::pivot::keys::Domain;
use crate::input::pivot::side_columns::{SideColumn, side_columns};
use crate::input::table::Schema;
use std::collections::BTreeSet;
use std::ops::Range;

/// The columns that make a tidy table's grids.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Roles {
    /// Along the bottom, the outer first.
    pub x: Vec<usize>,
    /// Down the side, the outer first.
    pub y: Vec<usize>,
    /// The values; none counts rows.
    pub values: Vec<usize>,
    /// The panels.
    pub panel: Option<usize>,
}

impl Roles {
    /// The columns that say which cell a row belongs to: x, y, panel.
    pub(crate) fn keys(&self) -> Vec<usize> {
        self.x.iter().chain(&self.y).chain(&self.panel).copied().collect()
    }
}

/// What a pair is made of: codes of a key column, or those of an earlier pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    Key(usize),
    Step(usize),
}

/// How rows are read.
#[derive(Debug)]
pub(super) struct TidyPlan<'f> {
    pub roles: Roles,
    pub schema: &'f Schema,
    pub conditions: Vec<Condition>,
    pub pending: Option<Condition>,
    pub nodata: Option<f64>,
    /// The columns along the axes: strips, then splits.
    pub sides: Vec<SideColumn<'f>>,
    /// Columns of whose texts a cell has some: those along the axes, then those that it shows.
    pub texts: Vec<usize>,
    /// Columns in which rows of one cell may differ, where that is reported.
    pub others: Vec<usize>,
    /// All columns that are read.
    pub columns: Vec<usize>,
    /// The column that holds the file's name, in none of the files.
    pub file: Option<usize>,
    /// The pairs that make a cell's code from the codes of its keys; the last is the cell's.
    pub steps: Vec<[Operand; 2]>,
    /// The codes of a place along x and along y.
    pub axes: [Operand; 2],
    /// The domains of the key columns.
    pub domains: Vec<Option<Domain>>,
    /// Whether panels may be left out.
    pub some_panels: bool,
    /// The panel column, where rows that do not count take part in the order of panels.
    pub ordering: Option<usize>,
    /// What a cell shows, and what its texts need.
    pub aggregates: Vec<Agg>,
}

impl<'f> TidyPlan<'f> {
    /// Of these roles.
    ///
    /// # Errors
    /// Unknown columns, a condition that does not fit, a domain on an axis of several columns.
    pub(super) fn new(
        roles: &Roles,
        schema: &'f Schema,
        figure: &'f Figure,
        needs: &ReadOptions,
        file: Option<usize>,
    ) -> Result<Self, InputError> {
        let condition = |c: &String| Condition::parse(c, schema);
        let filter = figure.data.filter.as_ref().map_or(&[][..], |f| &f.0);
        let conditions = filter.iter().map(condition).collect::<Result<Vec<_>, _>>()?;
        let pending = figure.data.pending.as_ref().map(condition).transpose()?;
        let sides = side_columns(figure);
        let along = sides.iter().map(|side| side.column);
        let texts = along.chain(needs.columns.iter().map(String::as_str));
        let texts = texts.map(|c| schema.column(c)).collect::<Result<Vec<_>, _>>()?;
        let keys = roles.keys();
        // Who asks for an aggregate knows that rows fall together.
        let is_reported = figure.data.agg.is_none();
        let is_other = |c: &usize| !keys.contains(c) && !roles.values.contains(c);
        let others: Vec<usize> = schema.own().filter(|_| is_reported).filter(is_other).collect();
        let tested = conditions.iter().chain(&pending).map(Condition::column);
        let used = [&keys, &roles.values, &texts, &others];
        let columns: BTreeSet<usize> = used.into_iter().flatten().copied().chain(tested).collect();
        let (axes, steps) = steps(roles);
        let mut aggregates = vec![figure.data.agg.unwrap_or_default()];
        aggregates.extend(&needs.aggregates);
        Ok(Self {
            some_panels: figure.panel_order.is_some(),
            ordering: roles
                .panel
                .filter(|_| !filter.is_empty() && figure.panel_order.is_none()),
            nodata: figure.data.nodata,
            sides,
            domains: domains(roles, figure, schema)?,
            columns: columns.into_iter().collect(),
            roles: roles.clone(),
            schema,
            conditions,
            pending,
            texts,
            others,
            file,
            steps,
            axes,
            aggregates,
        })
    }

    /// The place of a column among those that are read.
    pub(super) fn place(&self, column: usize) -> usize {
        self.columns.partition_point(|c| *c < column)
    }

    /// Columns whose texts get codes: the keys, and those of whose texts a cell has some.
    pub(super) fn coded(&self) -> Vec<usize> {
        let mut columns = self.roles.keys();
        columns.extend(&self.texts);
        columns
    }

    /// The places, in `texts`, of the columns whose texts a cell shows.
    pub(super) fn shown(&self) -> Range<usize> {
        self.sides.len()..self.texts.len()
    }
}

/// What makes a place along x and along y, and the pairs by which a row gets its cell.
fn steps(roles: &Roles) -> ([Operand; 2], Vec<[Operand; 2]>) {
    let mut steps = Vec::new();
    let mut chain = |from: usize, n: usize| {
        (from + 1..from + n).fold(Operand::Key(from), |outer, key| {
            steps.push([outer, Operand::Key(key)]);
            Operand::Step(steps.len() - 1)
        })
    };
    let (nx, ny) = (roles.x.len(), roles.y.len());
    let axes = [chain(0, nx), chain(nx, ny)];
    steps.push(axes);
    if roles.panel.is_some() {
        steps.push([Operand::Step(steps.len() - 1), Operand::Key(nx + ny)]);
    }
    (axes, steps)
}

/// The domains of the key columns.
fn domains(roles: &Roles, figure: &Figure, schema: &Schema) -> Result<Vec<Option<Domain>>, InputError> {
    let mut domains = Vec::new();
    for (columns, spec, word) in [(&roles.x, &figure.x, "x"), (&roles.y, &figure.y, "y")] {
        let n = columns.len();
        if n > 1 && spec.domain.is_some() {
            let what = format!("a domain needs one column on {word}, not {n}");
            return Err(InputError::usage(&schema.file, what));
        }
        // An axis of bins has all of them, empty ones too.
        let bins = |c: &usize| schema.bins(*c).map(|b| Domain::of_keys(&b.labels));
        domains.extend(
            columns
                .iter()
                .map(|c| spec.domain.as_ref().map(Domain::new).or_else(|| bins(c))),
        );
    }
    domains.extend(roles.panel.map(|_| None));
    Ok(domains)
}
