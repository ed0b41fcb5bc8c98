//! Which rows an engine may group, so that cells travel and not rows; and the query that asks for it.
//!
//! The answer is read as any table is: a row of it has the keys of its group, the least value, and beside these what is known of
//! all values. So an engine need not know what a key is here, only a finer one: rows that it puts together have the same cell.

use super::address::Engine;
use super::query::{ROWS, Rows, quoted};
use crate::expression::{Expression, Function, parse, parse_prefix};
use crate::loaded::ReadOptions;
use crate::pivot::{are_open, axes, names_of, statistics_of};
use crate::table::{GroupValues, Grouping};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, TimeUnit};
use gridscope_core::figure::{Agg, Figure, Order, OrderWord, Quantity, TableKind};
use gridscope_core::grid::Number;

/// A query that groups rows.
#[derive(Debug)]
pub(super) struct Grouped {
    pub sql: String,
    /// The number of columns that are read as those of a table: keys, then the least values.
    visible: usize,
    /// The columns of values, and whether each has a variance.
    values: Vec<(String, bool)>,
}

/// A column as a figure uses it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Use {
    /// Its texts are keys.
    raw: bool,
    /// Parts of its times are.
    parts: Vec<Function>,
    /// Numbers that it is compared with.
    compared: Vec<f64>,
    /// Its numbers are aggregated.
    values: bool,
}

impl Grouped {
    /// The query for the figure over these rows, of which it needs these columns; or why each row must travel.
    pub(super) fn new(
        figure: &Figure,
        needs: &ReadOptions,
        fields: &[&Field],
        rows: &Rows,
        engine: Engine,
    ) -> Result<Self, &'static str> {
        if !engine.groups() {
            return Err("what this engine adds was not tried");
        }
        let uses = uses(figure, needs, fields)?;
        let mut aggregates = vec![figure.data.agg.unwrap_or_default()];
        aggregates.extend(statistics_of(figure, needs).into_iter().map(|statistic| statistic.agg));
        aggregates.extend(conditions_on_columns(figure).into_iter().filter_map(|(_, agg)| agg));
        if aggregates.iter().any(|a| matches!(a, Agg::Median | Agg::Quantile(_) | Agg::First | Agg::Last)) {
            return Err("medians, quantiles, first and last need each value");
        }
        let has_spread = aggregates.iter().any(|a| a.is_spread());
        let mut inner: Vec<String> = Vec::new();
        let (mut select, mut groups) = (Vec::new(), Vec::new());
        let mut is_ordered = by_rows(figure);
        for (i, (field, of)) in fields.iter().zip(&uses).enumerate().filter(|(_, (_, of))| !of.values) {
            let (name, key) = (quoted(field.name()), format!("g.k{i}"));
            let kind = field.data_type();
            let is_text = engine.is_untyped()
                || matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
            inner.push(format!("{name}{} AS k{i}", if is_text { engine.exact_texts() } else { "" }));
            let finer = if of.raw { None } else { finer(&key, kind, of, engine) };
            is_ordered |= finer.is_none() && (is_text || !kind.is_numeric() && !kind.is_temporal());
            match finer {
                Some(finer) => {
                    select.push(format!("MIN({key}) AS {name}"));
                    groups.extend(finer);
                }
                None => {
                    select.push(format!("{key} AS {name}"));
                    groups.push(key);
                }
            }
        }
        let mut values = Vec::new();
        let mut parts = vec![format!("COUNT(*) AS {}", quoted(ROWS))];
        for (i, (field, of)) in fields.iter().zip(&uses).enumerate().filter(|(_, (_, of))| of.values) {
            let (name, value, kind) = (quoted(field.name()), format!("g.v{i}"), field.data_type());
            let is_real = *kind == DataType::Float64;
            let is_whole = kind.is_integer() && *kind != DataType::UInt64;
            if !is_real && !is_whole && !engine.is_untyped() {
                return Err("values of this type are added here");
            }
            if has_spread && !(is_real && engine.has_variance()) {
                return Err("spreads of these values are computed here");
            }
            // NaN is no value.
            inner.push(match is_real && !engine.is_untyped() {
                true => format!("NULLIF({name}, CAST('NaN' AS FLOAT8)) AS v{i}"),
                false => format!("{name} AS v{i}"),
            });
            select.push(format!("MIN({value}) AS {name}"));
            if !of.compared.is_empty() {
                // The least value meets a condition as all of its group do.
                groups.extend(finer(&value, kind, of, engine).ok_or("a condition compares the values")?);
            }
            let sum = engine.sum(&value, is_real);
            parts.extend([format!("COUNT({value})"), format!("MAX({value})"), sum]);
            if has_spread {
                parts.push(format!("VAR_SAMP({value})"));
            }
            values.push((field.name().clone(), has_spread));
        }
        if groups.is_empty() {
            return Err("no column is a key");
        }
        if is_ordered {
            inner.push("ROW_NUMBER() OVER () AS n".to_owned());
        }
        let visible = select.len();
        select.extend(parts);
        let order = if is_ordered { " ORDER BY MIN(g.n)" } else { "" };
        let sql = format!(
            "SELECT {} FROM (SELECT {} FROM {}) AS g GROUP BY {}{order}",
            select.join(", "),
            inner.join(", "),
            rows.from(),
            groups.join(", ")
        );
        Ok(Self { sql, visible, values })
    }

    /// A query for a row whose value is a text or a blob, where columns hold anything.
    pub(super) fn odd_values(&self, rows: &Rows, engine: Engine) -> Option<String> {
        let odd = |(name, _): &(String, bool)| {
            format!("TYPEOF({}) NOT IN ('integer', 'real', 'null')", quoted(name))
        };
        let any: Vec<String> = self.values.iter().map(odd).collect();
        (engine.is_untyped() && !any.is_empty())
            .then(|| format!("SELECT 1 FROM {} WHERE {} LIMIT 1", rows.from(), any.join(" OR ")))
    }

    /// The answer as a table, and what each of its rows stands for; `None` where a part has another type than was asked for, or the
    /// engine has no number for a sum.
    pub(super) fn split(&self, batches: &[RecordBatch]) -> Option<(Vec<RecordBatch>, Grouping)> {
        let mut grouping = Grouping::default();
        grouping.values.extend(self.values.iter().map(|(name, _)| (name.clone(), Vec::new())));
        let mut visible = Vec::new();
        for batch in batches {
            let keys = batch.project(&(0..self.visible).collect::<Vec<_>>()).ok()?;
            visible.push(keys);
            let mut parts = batch.columns()[self.visible..].iter();
            grouping.rows.extend(counts(parts.next()?)?);
            let leasts = batch.columns()[..self.visible].iter().skip(self.visible - self.values.len());
            for ((_, of), ((_, has_variance), least)) in
                grouping.values.iter_mut().zip(self.values.iter().zip(leasts))
            {
                let (least, count) = (numbers(least)?, counts(parts.next()?)?);
                let (greatest, sum) = (numbers(parts.next()?)?, numbers(parts.next()?)?);
                let variance = if *has_variance { numbers(parts.next()?)? } else { Vec::new() };
                // What the engine could not add. One value has no variance.
                let finite = |list: &[Number], i: usize| list.get(i).is_none_or(|n| n.as_f64().is_finite());
                let is_lost = |i: usize| {
                    let is_added = finite(&sum, i) && (count[i] < 2 || finite(&variance, i));
                    count[i] > 0 && finite(&least, i) && finite(&greatest, i) && !is_added
                };
                if (0..count.len()).any(is_lost) {
                    return None;
                }
                of.extend(count.iter().enumerate().map(|(i, &count)| GroupValues {
                    count,
                    greatest: greatest[i],
                    sum: sum[i],
                    squares: match variance.get(i) {
                        Some(variance) if count > 1 => variance.as_f64() * (count - 1) as f64,
                        _ => 0.0,
                    },
                }));
            }
        }
        Some((visible, grouping))
    }
}

/// Whether the order of rows decides that of an axis whatever its keys are.
fn by_rows(figure: &Figure) -> bool {
    let orders = [&figure.x.order, &figure.y.order];
    orders.into_iter().flatten().any(|order| *order == Order::Word(OrderWord::Data))
}

/// Columns that conditions on cells compare, and their aggregates.
fn conditions_on_columns(figure: &Figure) -> Vec<(String, Option<Agg>)> {
    let column = |condition: gridscope_core::figure::CellCondition| match condition.quantity {
        Quantity::Column { agg, name } => Some((name, agg)),
        _ => None,
    };
    figure.cell_conditions().into_iter().filter_map(column).collect()
}

/// How the figure uses each column, or why rows are not grouped for it.
fn uses(figure: &Figure, needs: &ReadOptions, fields: &[&Field]) -> Result<Vec<Use>, &'static str> {
    let data = &figure.data;
    let headers: Vec<String> = fields.iter().map(|f| f.name().clone()).collect();
    let at = |name: &str| headers.iter().position(|h| h == name);
    let (Some(x), Some(y)) = axes(figure) else { return Err("columns are chosen by what they hold") };
    if matches!(data.table, Some(TableKind::Wide | TableKind::Matrix)) || data.correlate.is_some() {
        return Err("the table is no tidy one");
    }
    if data.paired.is_some() || !needs.picks.is_empty() {
        return Err("single rows are asked for");
    }
    if data.nodata.is_some() || data.missing.is_some() || data.pending.is_some() {
        return Err("some values stand for none");
    }
    if are_open(figure) {
        return Err("columns are chosen by what they hold");
    }
    let mut uses = vec![Use::default(); fields.len()];
    for name in data.value.iter().flat_map(|list| &list.0) {
        uses[at(name).ok_or("values are computed here")?].values = true;
    }
    for statistic in statistics_of(figure, needs) {
        let named = |name: &String| at(name).ok_or("values are computed here");
        if let Some(name) = &statistic.column {
            uses[named(name)?].values = true;
            continue;
        }
        // A column that is named like the aggregate may be meant.
        for name in names_of(&statistic) {
            if let Some(column) = at(&name).filter(|c| fields[*c].data_type().is_numeric()) {
                uses[column].values = true;
            }
        }
    }
    let lists = x.0.iter().chain(&y.0).map(String::as_str).chain(data.panel_names());
    let strips = figure.strip.iter().flat_map(|s| &s.0).map(|s| s.column.as_str());
    let splits = [&figure.x.split, &figure.y.split].into_iter().flatten();
    let splits = splits.flat_map(|l| &l.0).chain(&data.pair_by).chain(&needs.columns).map(String::as_str);
    for name in lists.chain(strips).chain(splits) {
        match at(name) {
            Some(column) => uses[column].raw = true,
            None => used(&parse(name, &headers).map_err(|_| "a name is not a column")?, &mut uses)?,
        }
    }
    for (name, _) in conditions_on_columns(figure) {
        if let Some(column) = at(&name).filter(|c| !uses[*c].raw) {
            uses[column].values = true;
        }
    }
    for condition in data.filter.iter().flat_map(|f| &f.0) {
        let condition = condition.trim();
        let (expression, end) = parse_prefix(condition, &headers).map_err(|_| "a condition is read here")?;
        match (&expression, number_compared(&condition[end..])) {
            (Expression::Column(column), Some(number)) => uses[*column].compared.push(number),
            _ => used(&expression, &mut uses)?,
        }
    }
    let is_both = |of: &Use| of.values && (of.raw || !of.parts.is_empty());
    match uses.iter().any(is_both) {
        true => Err("a column is key and value"),
        false => Ok(uses),
    }
}

/// Notes the columns of an expression.
fn used(expression: &Expression, uses: &mut [Use]) -> Result<(), &'static str> {
    match expression {
        Expression::Call(function, of) if function.takes_time() => match of.as_slice() {
            [Expression::Column(column)] => uses[*column].parts.push(*function),
            _ => of.iter().try_for_each(|of| used(of, uses))?,
        },
        Expression::Column(column) => uses[*column].raw = true,
        Expression::Number(_) => {}
        Expression::Negative(of) | Expression::Extract(of, _) => used(of, uses)?,
        Expression::Pair(_, a, b) => [a, b].into_iter().try_for_each(|of| used(of, uses))?,
        Expression::Call(_, of) => of.iter().try_for_each(|of| used(of, uses))?,
        Expression::Bin(of, cut) if !cut.counts_rows() => used(of, uses)?,
        Expression::Bin(..) => return Err("quantiles and ranks need each row"),
    }
    Ok(())
}

/// The number with which a condition compares, behind its column.
fn number_compared(rest: &str) -> Option<f64> {
    let rest = rest.trim_start();
    let signs = ["<=", ">=", "!=", "==", "<", ">", "="];
    let text = signs.iter().find_map(|sign| rest.strip_prefix(sign))?.trim();
    let is_plain = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    text.parse().ok().filter(|v: &f64| is_plain && v.is_finite())
}

/// Keys that part rows at least as the uses of a column do; none where its own values are the only such.
fn finer(key: &str, kind: &DataType, of: &Use, engine: Engine) -> Option<Vec<String>> {
    let is_time = matches!(
        kind,
        DataType::Timestamp(
            TimeUnit::Second | TimeUnit::Millisecond | TimeUnit::Microsecond | TimeUnit::Nanosecond,
            None
        )
    );
    if engine.is_untyped() {
        return None;
    }
    if !of.parts.is_empty() {
        if !is_time || !of.compared.is_empty() {
            return None;
        }
        let unit = match &of.parts {
            parts if parts.contains(&Function::Minute) => "minute",
            parts if parts.contains(&Function::Hour) => "hour",
            _ => "day",
        };
        return Some(vec![format!("DATE_TRUNC('{unit}', {key})")]);
    }
    if of.compared.is_empty() || !(kind.is_integer() || *kind == DataType::Float64) {
        return None;
    }
    let is_nan = match kind {
        DataType::Float64 => format!(" WHEN {key} = CAST('NaN' AS FLOAT8) THEN 4"),
        _ => String::new(),
    };
    // Near the number, where equality may be wider here, each value is a key of its own.
    let of_number = |v: &f64| {
        let width = (1e-9 * v.abs()).max(1e-300);
        let real = |v: f64| format!("CAST({v:?} AS FLOAT8)");
        let (low, high) = (real(v - width), real(v + width));
        [
            format!(
                "CASE WHEN {key} IS NULL THEN 3{is_nan} WHEN {key} < {low} THEN 0 WHEN {key} > {high} THEN 1 ELSE 2 END"
            ),
            format!("CASE WHEN {key} >= {low} AND {key} <= {high} THEN {key} END"),
        ]
    };
    Some(of.compared.iter().flat_map(of_number).collect())
}

/// Numbers of rows.
fn counts(column: &ArrayRef) -> Option<Vec<u64>> {
    let list = numbers(column)?;
    list.into_iter().map(|n| u64::try_from(n.whole()?).ok()).collect()
}

/// The numbers of a column; NaN where there is none, as a sum of infinities may be.
fn numbers(column: &ArrayRef) -> Option<Vec<Number>> {
    fn of<T: ArrowPrimitiveType>(column: &ArrayRef, number: impl Fn(T::Native) -> Number) -> Vec<Number> {
        let one = |v: Option<T::Native>| v.map_or(Number::F64(f64::NAN), &number);
        column.as_primitive::<T>().iter().map(one).collect()
    }
    Some(match column.data_type() {
        DataType::Null => vec![Number::F64(f64::NAN); column.len()],
        DataType::Int8 => of::<Int8Type>(column, |v| Number::I64(v.into())),
        DataType::Int16 => of::<Int16Type>(column, |v| Number::I64(v.into())),
        DataType::Int32 => of::<Int32Type>(column, |v| Number::I64(v.into())),
        DataType::Int64 => of::<Int64Type>(column, Number::I64),
        DataType::UInt8 => of::<UInt8Type>(column, |v| Number::I64(v.into())),
        DataType::UInt16 => of::<UInt16Type>(column, |v| Number::I64(v.into())),
        DataType::UInt32 => of::<UInt32Type>(column, |v| Number::I64(v.into())),
        DataType::Float64 => of::<Float64Type>(column, Number::F64),
        _ => return None,
    })
}
