//! The plan by which the rows of a tidy table are read: columns, conditions, keys and aggregates.

use super::sides::{Sides, sides};
use crate::figure::{Agg, Figure, StripAxis};
use crate::input::error::InputError;
use crate::input::loaded::ReadOptions;
use crate::input::pivot::filter::Condition;
use crate::input::pivot::keys::Domain;
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
    /// The panels, the outer first; rows of panels before columns of panels.
    pub panel: Vec<usize>,
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
    pub strip: Option<StripAxis>,
    /// Columns of whose texts a cell has some: the strip's, then those that it shows.
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
    /// The panel columns, where rows that do not count take part in the order of panels.
    pub ordering: Vec<usize>,
    /// The codes of a panel; none where no column makes panels.
    pub panel: Option<Operand>,
    /// What the rows and columns of panels are, where the figure says so.
    pub facets: Option<Sides>,
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
        let strip = figure.strip.as_ref();
        let texts = strip.map(|s| &s.column).into_iter().chain(&needs.columns);
        let texts = texts.map(|c| schema.column(c)).collect::<Result<Vec<_>, _>>()?;
        let keys = roles.keys();
        // Who asks for an aggregate knows that rows fall together.
        let width = if figure.data.agg.is_some() {
            0
        } else {
            schema.width()
        };
        let is_other = |c: &usize| !keys.contains(c) && !roles.values.contains(c);
        let others: Vec<usize> = (0..width).filter(is_other).collect();
        let tested = conditions.iter().chain(&pending).map(Condition::column);
        let used = [&keys, &roles.values, &texts, &others];
        let columns: BTreeSet<usize> = used.into_iter().flatten().copied().chain(tested).collect();
        let (axes, panel, steps) = steps(roles);
        let facets = sides(figure, roles.values.len(), &schema.file)?;
        let ordered = [
            &figure.panel_order,
            &figure.panel_row_order,
            &figure.panel_column_order,
        ];
        let some_panels = ordered.into_iter().any(Option::is_some);
        let ordering = if filter.is_empty() || some_panels {
            Vec::new()
        } else {
            roles.panel.clone()
        };
        let mut aggregates = vec![figure.data.agg.unwrap_or_default()];
        aggregates.extend(&needs.aggregates);
        Ok(Self {
            some_panels,
            ordering,
            panel,
            facets,
            nodata: figure.data.nodata,
            strip: strip.map(|s| s.axis),
            domains: domains(roles, figure, &schema.file)?,
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
        usize::from(self.strip.is_some())..self.texts.len()
    }
}

/// What makes a place along x and along y and a panel, and the pairs by which a row gets its cell.
fn steps(roles: &Roles) -> ([Operand; 2], Option<Operand>, Vec<[Operand; 2]>) {
    let mut steps = Vec::new();
    let mut chain = |from: usize, n: usize| {
        (from + 1..from + n).fold(Operand::Key(from), |outer, key| {
            steps.push([outer, Operand::Key(key)]);
            Operand::Step(steps.len() - 1)
        })
    };
    let (nx, ny) = (roles.x.len(), roles.y.len());
    let axes = [chain(0, nx), chain(nx, ny)];
    let panels = roles.panel.len();
    let panel = (panels > 0).then(|| chain(nx + ny, panels));
    steps.push(axes);
    if let Some(panel) = panel {
        steps.push([Operand::Step(steps.len() - 1), panel]);
    }
    (axes, panel, steps)
}

/// The domains of the key columns.
fn domains(roles: &Roles, figure: &Figure, file: &str) -> Result<Vec<Option<Domain>>, InputError> {
    let mut domains = Vec::new();
    for (n, spec, word) in [(roles.x.len(), &figure.x, "x"), (roles.y.len(), &figure.y, "y")] {
        if n > 1 && spec.domain.is_some() {
            let what = format!("a domain needs one column on {word}, not {n}");
            return Err(InputError::usage(file, what));
        }
        domains.extend((0..n).map(|_| spec.domain.as_ref().map(Domain::new)));
    }
    domains.extend(roles.panel.iter().map(|_| None));
    Ok(domains)
}
