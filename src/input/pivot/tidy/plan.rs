//! The plan by which the rows of a tidy table are read: columns, conditions, keys and aggregates.

use crate::figure::{Agg, Figure, StripAxis};
use crate::input::error::InputError;
use crate::input::loaded::Needs;
use crate::input::pivot::filter::Condition;
use crate::input::pivot::keys::Domain;
use crate::input::table::Schema;

/// The columns that make a tidy table's grids.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roles {
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
    /// The columns that say where a row stands: x, y, panel.
    pub fn keys(&self) -> Vec<usize> {
        self.x.iter().chain(&self.y).chain(&self.panel).copied().collect()
    }
}

/// What a pair is made of: codes of a key column, or those of an earlier pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    Key(usize),
    Step(usize),
}

/// How rows are read.
#[derive(Debug)]
pub struct Plan<'f> {
    pub roles: Roles,
    pub schema: &'f Schema,
    pub conditions: Vec<Condition>,
    pub pending: Option<Condition>,
    pub nodata: Option<f64>,
    pub strip: Option<(StripAxis, usize)>,
    /// Columns whose texts a cell shows.
    pub texts: Vec<usize>,
    /// Columns in which rows of one cell may differ, where that is told.
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
    /// What a cell shows, and what its texts need.
    pub aggregates: Vec<Agg>,
}

impl<'f> Plan<'f> {
    /// Of these roles.
    ///
    /// # Errors
    /// Unknown columns, a condition that does not fit, a domain on an axis of several columns.
    pub fn new(
        roles: &Roles,
        schema: &'f Schema,
        figure: &'f Figure,
        needs: &Needs,
        file: Option<usize>,
    ) -> Result<Self, InputError> {
        let condition = |c: &String| Condition::parse(c, schema);
        let conditions = figure
            .data
            .filter
            .iter()
            .flat_map(|f| &f.0)
            .map(condition)
            .collect::<Result<Vec<_>, _>>()?;
        let pending = figure.data.pending.as_ref().map(condition).transpose()?;
        let strip = figure
            .strip
            .as_ref()
            .map(|s| Ok::<_, InputError>((s.axis, schema.column(&s.column)?)))
            .transpose()?;
        let texts = needs
            .columns
            .iter()
            .map(|c| schema.column(c))
            .collect::<Result<Vec<_>, _>>()?;
        let keys = roles.keys();
        let taken = |c: &usize| keys.contains(c) || roles.values.contains(c);
        // Who asks for an aggregate knows that rows fall together.
        let others = if figure.data.agg.is_some() {
            Vec::new()
        } else {
            (0..schema.width()).filter(|c| !taken(c)).collect()
        };
        let mut columns = keys;
        columns.extend(
            roles
                .values
                .iter()
                .chain(strip.as_ref().map(|s| &s.1))
                .chain(&texts)
                .chain(&others),
        );
        columns.extend(conditions.iter().chain(&pending).map(Condition::column));
        columns.sort_unstable();
        columns.dedup();
        let mut steps = Vec::new();
        let mut chain = |from: usize, n: usize| {
            (from + 1..from + n).fold(Operand::Key(from), |outer, key| {
                steps.push([outer, Operand::Key(key)]);
                Operand::Step(steps.len() - 1)
            })
        };
        let axes = [chain(0, roles.x.len()), chain(roles.x.len(), roles.y.len())];
        steps.push(axes);
        if roles.panel.is_some() {
            steps.push([
                Operand::Step(steps.len() - 1),
                Operand::Key(roles.x.len() + roles.y.len()),
            ]);
        }
        let mut domains = Vec::new();
        for (n, spec, word) in [(roles.x.len(), &figure.x, "x"), (roles.y.len(), &figure.y, "y")] {
            if n > 1 && spec.domain.is_some() {
                return Err(InputError::usage(
                    &schema.file,
                    format!("a domain needs one column on {word}, not {n}"),
                ));
            }
            domains.extend((0..n).map(|_| spec.domain.as_ref().map(Domain::new)));
        }
        domains.extend(roles.panel.map(|_| None));
        let mut aggregates = vec![figure.data.agg.unwrap_or_default()];
        aggregates.extend(&needs.aggregates);
        let (roles, nodata, some_panels) = (roles.clone(), figure.data.nodata, figure.panel_order.is_some());
        Ok(Self {
            some_panels,
            roles,
            schema,
            conditions,
            pending,
            nodata,
            strip,
            texts,
            others,
            columns,
            file,
            steps,
            axes,
            domains,
            aggregates,
        })
    }

    /// Where a column stands among those that are read.
    pub fn place(&self, column: usize) -> usize {
        self.columns.partition_point(|c| *c < column)
    }

    /// Columns whose texts get codes: the keys, the strip's, those that cells show.
    pub fn coded(&self) -> Vec<usize> {
        let strip = self.strip.iter().map(|s| s.1);
        self.roles
            .keys()
            .into_iter()
            .chain(strip)
            .chain(self.texts.iter().copied())
            .collect()
    }
}
