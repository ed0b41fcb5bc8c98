//! The plan by which the rows of a tidy table are read: columns, conditions, keys and aggregates.

use super::panels::{Sides, sides};
use crate::error::InputError;
use crate::loaded::ReadOptions;
use crate::pivot::columns::{SideColumn, side_columns};
use crate::pivot::filter::Condition;
use crate::pivot::keys::Domain;
use crate::table::Schema;
use gridscope_core::figure::{Agg, Better, Figure, Quantity, Statistic};
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

/// Operand of a pair: codes of a key column, or those of an earlier pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    Key(usize),
    Step(usize),
}

/// A further column of numbers, whose aggregates cells show.
#[derive(Debug)]
pub(super) struct Further {
    pub column: usize,
    pub aggregates: Vec<Agg>,
}

/// Further numbers of each cell.
#[derive(Debug)]
pub(super) struct FieldPlan {
    /// The names that templates use.
    pub names: Vec<String>,
    pub agg: Agg,
    /// The place among the further columns; none is the value.
    pub further: Option<usize>,
    /// The place among the further columns of one that has the name of the aggregate. Where no cell has several rows, a table of
    /// aggregates is drawn, and the column is meant.
    pub namesake: Option<usize>,
}

/// A text of a cell, that of one row.
#[derive(Debug)]
pub(super) struct PickPlan {
    pub name: String,
    /// Whether the row has the greatest value; else the least.
    pub greatest: bool,
    /// The place among `texts`.
    pub text: usize,
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
    pub along: Vec<SideColumn<'f>>,
    /// Columns of whose texts a cell has some: those along the axes, those that it shows, those of one row.
    pub texts: Vec<usize>,
    /// The places, in `texts`, of the columns whose texts a cell shows.
    pub shown: Range<usize>,
    /// Columns in which rows of one cell may differ, where that is reported.
    pub others: Vec<usize>,
    /// All columns that are read.
    pub columns: Vec<usize>,
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
    /// Rows and columns of panels, where the figure names them.
    pub facets: Option<Sides>,
    /// Whether pairs of them that no row is in are left out.
    pub drops_empty: bool,
    /// Aggregates of the value that a cell and its texts show. None is `best` or `worst`: they are `max` and `min` here.
    pub aggregates: Vec<Agg>,
    /// Aggregates of other columns, for its texts.
    pub further: Vec<Further>,
    /// Fields of its texts, by name.
    pub fields: Vec<FieldPlan>,
    pub picks: Vec<PickPlan>,
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
    ) -> Result<Self, InputError> {
        let condition = |c: &String| Condition::parse(c, schema);
        let filter = figure.data.filter.as_ref().map_or(&[][..], |f| &f.0);
        let conditions = filter.iter().map(condition).collect::<Result<Vec<_>, _>>()?;
        let pending = figure.data.pending.as_ref().map(condition).transpose()?;
        let along = side_columns(figure);
        let texts = along.iter().map(|side| side.column);
        let texts = texts.chain(needs.columns.iter().map(String::as_str));
        let mut texts = texts.map(|c| schema.column(c)).collect::<Result<Vec<_>, _>>()?;
        let shown = along.len()..texts.len();
        let resolved = |agg: Agg| resolved(agg, figure.data.better, &schema.file);
        let mut picks = Vec::new();
        for pick in &needs.picks {
            if roles.values.is_empty() {
                let what = format!("{pick} goes by values, and rows are counted");
                return Err(InputError::usage(&schema.file, what)
                    .with_hint("name the column of the values: --value COL"));
            }
            picks.push(PickPlan {
                name: pick.to_string(),
                greatest: resolved(pick.by)? == Agg::Max,
                text: texts.len(),
            });
            texts.push(schema.column(&pick.column)?);
        }
        let mut aggregates = vec![resolved(figure.data.agg.unwrap_or_default())?];
        let mut further: Vec<Further> = Vec::new();
        let mut fields = Vec::new();
        let mut wanted = statistics(figure, needs);
        for statistic in compared(figure, &roles.keys(), &roles.values, schema) {
            if !wanted.contains(&statistic) {
                wanted.push(statistic);
            }
        }
        let keys = roles.keys();
        let mut with_further = |column: usize, agg: Agg| {
            let at = further.iter().position(|f| f.column == column).unwrap_or(further.len());
            if at == further.len() {
                further.push(Further { column, aggregates: Vec::new() });
            }
            further[at].aggregates.push(agg);
            at
        };
        for statistic in wanted {
            let (agg, names) = (resolved(statistic.agg)?, names(&statistic));
            let (mut place, mut namesake) = (None, None);
            if let Some(name) = &statistic.column {
                place = Some(with_further(schema.column(name)?, agg));
            } else {
                aggregates.push(agg);
                let mut others = schema.own().filter(|c| !keys.contains(c) && !roles.values.contains(c));
                let column = others.find(|c| names.contains(&schema.headers[*c]));
                namesake = column.map(|column| with_further(column, Agg::Mean));
            }
            fields.push(FieldPlan { names, agg, further: place, namesake });
        }
        // Who asks for an aggregate knows that rows fall together.
        let is_reported = figure.data.agg.is_none();
        let is_other = |c: &usize| !keys.contains(c) && !roles.values.contains(c);
        let others: Vec<usize> = schema.own().filter(|_| is_reported).filter(is_other).collect();
        let tested = conditions.iter().chain(&pending).map(Condition::column);
        let used = [&keys, &roles.values, &texts, &others];
        let numbers = further.iter().map(|f| f.column);
        let columns: BTreeSet<usize> =
            used.into_iter().flatten().copied().chain(tested).chain(numbers).collect();
        let (axes, panel, steps) = steps(roles);
        let facets = sides(figure, roles.values.len(), schema)?;
        let ordered = [&figure.panel_order, &figure.panel_row_order, &figure.panel_column_order];
        let some_panels = ordered.into_iter().any(Option::is_some);
        let ordering = if filter.is_empty() || some_panels { Vec::new() } else { roles.panel.clone() };
        Ok(Self {
            some_panels,
            ordering,
            panel,
            facets,
            drops_empty: figure.data.drop_empty == Some(true),
            nodata: figure.data.nodata,
            along,
            domains: domains(roles, figure, schema)?,
            columns: columns.into_iter().collect(),
            roles: roles.clone(),
            schema,
            conditions,
            pending,
            texts,
            others,
            steps,
            axes,
            aggregates,
            shown,
            further,
            fields,
            picks,
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

    /// The number of value columns; a count without a column has one.
    pub(super) fn values(&self) -> usize {
        self.roles.values.len().max(1)
    }
}

/// The further numbers of each cell that are asked for, each once.
pub(crate) fn statistics(figure: &Figure, needs: &ReadOptions) -> Vec<Statistic> {
    let mut out: Vec<Statistic> = Vec::new();
    let compared = figure.condition_aggregates().into_iter().map(Statistic::of_value);
    let counted = figure.data.min_count.map(|_| Statistic::of_value(Agg::Count));
    for statistic in needs.statistics.iter().cloned().chain(counted).chain(compared) {
        if !out.contains(&statistic) {
            out.push(statistic);
        }
    }
    out
}

/// The names that templates use for an aggregate.
pub(crate) fn names(statistic: &Statistic) -> Vec<String> {
    let name = statistic.to_string();
    match statistic.agg {
        // `n` is short for `count`.
        Agg::Count => vec![name.replacen("count", "n", 1), name],
        _ => vec![name],
    }
}

/// The aggregate that `best` or `worst` is.
///
/// # Errors
/// When nobody said which values are better.
pub(crate) fn resolved(agg: Agg, better: Option<Better>, file: &str) -> Result<Agg, InputError> {
    agg.resolved(better).ok_or_else(|| {
        let what = format!("'{agg}' needs to know which values are better");
        InputError::usage(file, what)
            .with_hint("--better higher, or --better lower for losses, errors and times")
    })
}

/// Operands that make a place along x and along y and a panel, and the pairs by which a row gets its cell.
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
        domains.extend(columns.iter().map(|c| spec.domain.as_ref().map(Domain::new).or_else(|| bins(c))));
    }
    domains.extend(roles.panel.iter().map(|_| None));
    Ok(domains)
}

/// Names of axes and of their positions, where no column has them.
const AXES: [&str; 4] = ["x", "y", "row", "column"];

/// Columns that the conditions of marks and masks compare, besides `keys`, those of axes and panels, and besides the only value.
pub(super) fn compared(figure: &Figure, keys: &[usize], values: &[usize], schema: &Schema) -> Vec<Statistic> {
    let known = |name: &str| schema.headers.iter().position(|h| h == name);
    let mut out = Vec::new();
    for condition in figure.cell_conditions() {
        let Quantity::Column { agg, name } = &condition.quantity else {
            continue;
        };
        let is_plain = agg.is_none();
        let is_role = known(name).is_some_and(|c| keys.contains(&c) || values == [c]);
        let is_axis = known(name).is_none() && AXES.contains(&name.as_str());
        if !(is_plain && (is_role || is_axis)) {
            out.extend(condition.quantity.statistic(figure.data.agg.unwrap_or_default()));
        }
    }
    out
}
