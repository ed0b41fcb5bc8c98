//! Which columns of a table are or could be x, y, value and panel.

pub(super) use crate::shell_word::flag;

use super::columns::{labels_of, named, side_columns};
use super::explain::{answers, thousands_of};
use super::factors::{Factors, MAX_PANELS, Rows, factors, keys_of};
use super::numerals::verdicts;
use super::profile::{
    ColumnKind, LOOKED_AT, Profile, counts_rows, is_id, is_row_number, numbers_rows, numeric, profiles,
};
use super::runs::are_stamps;
use super::tidy::Roles;
use crate::budget::Budget;
use crate::error::InputError;
use crate::numeral::{Numeral, Verdict};
use crate::table::{Reads, Schema, TableSource, count, listed};
use gridscope_core::figure::{Agg, Figure, List};
use std::cmp::Reverse;
use std::sync::Arc;

/// Names of columns that repeat a measurement rather than place it.
const REPEATS: [&str; 21] = [
    "cnt",
    "seed",
    "run",
    "trial",
    "fold",
    "repeat",
    "rep",
    "replicate",
    "repetition",
    "split",
    "iteration",
    "iter",
    "warmup",
    "family_index",
    "per_family_instance_index",
    "id",
    "run_id",
    "trial_id",
    "setup_id",
    "repetition_index",
    "run_index",
];
/// Parts of the names of measurements.
const MEASURES: [&str; 15] = [
    "score",
    "acc",
    "loss",
    "error",
    "f1",
    "auc",
    "auroc",
    "pass",
    "reward",
    "bleu",
    "rouge",
    "perplexity",
    "metric",
    "latency",
    "ece",
];
/// Words in the names of measurements.
const MEASURED: [&str; 27] = [
    "ns",
    "rss",
    "memory",
    "mean",
    "median",
    "rmse",
    "mae",
    "mse",
    "mape",
    "r2",
    "precision",
    "recall",
    "iou",
    "dice",
    "psnr",
    "ssim",
    "fid",
    "wer",
    "cer",
    "ndcg",
    "mrr",
    "throughput",
    "speedup",
    "runtime",
    "objective",
    "gflops",
    "fps",
];
/// Words in the names of columns that say how far a measurement may be off, or its rank.
const SPREADS: [&str; 18] = [
    "std",
    "sd",
    "stdev",
    "stddev",
    "stderr",
    "se",
    "sem",
    "ci",
    "ci95",
    "uncertainty",
    "unc",
    "var",
    "variance",
    "iqr",
    "mad",
    "rank",
    "der",
    "grad",
];
/// Names of results of tests of a measurement, without signs and blanks.
const TESTS: [&str; 12] =
    ["pvalue", "pval", "p", "padj", "qvalue", "qval", "fdr", "tvalue", "zvalue", "fvalue", "prt", "prz"];
/// Words in the names of lists of repeated measurements.
const REPEATED: [&str; 9] =
    ["duration", "durations", "time", "times", "timings", "seconds", "samples", "values", "runs"];
/// Words in the names of numbers that only tell things apart.
const CHECKS: [&str; 8] = ["timestamp", "epoch_time", "checksum", "hash", "digest", "crc", "crc32", "seed"];
/// Columns that are compared with those before them.
const MOST_TWINS: usize = 12;
/// The most moments that are columns each.
const MOST_MOMENTS: usize = 60;
/// Cells of a figure that is suggested.
const MAX_CELLS: usize = 4_000_000;

/// The refusal of a table whose columns say nothing: lists them, and proposes x, y, value and panel, or the columns of a
/// wide table. It takes a few passes over the rows.
pub(super) fn ask_for_columns(
    table: &dyn TableSource,
    why: &str,
    figure: &Figure,
    budget: &Arc<Budget>,
) -> InputError {
    let (profiles, rows) = match known(table, why, figure, budget) {
        Ok(read) => read,
        Err(fault) => return fault,
    };
    let lists = table.schema().lists.iter().map(|name| format!("{name} (list)"));
    let mut list: Vec<String> = profiles
        .iter()
        .take(20)
        .map(|p| format!("{} ({}, {} distinct)", p.name, p.kind.word(), p.distinct))
        .collect();
    if profiles.len() > 20 {
        list.push(format!("… ({} in all)", count(profiles.len(), "column")));
    }
    list.extend(lists.take(20));
    let way = as_wide(table, figure)
        .or_else(|| of_texts(table, &profiles, figure, budget).ok().flatten())
        .or_else(|| of_rows(table, &profiles, rows, budget))
        .or_else(|| suggest_wide(table, &profiles, budget))
        .or_else(|| suggest_means(&profiles, rows, table.schema()));
    let of = if rows < LOOKED_AT { String::new() } else { format!(" in the first {}", count(rows, "row")) };
    let error = InputError::usage(&table.schema().file, format!("{why}; columns{of}: {}", list.join(", ")));
    let is_number = |p: &Profile| p.kind.is_number();
    match way {
        Some(way) => error.with_way(way),
        None if profiles.iter().any(is_number) => {
            error.with_hint("--x COL --y COL --value COL, or --table wide|matrix")
        }
        None => {
            // Each moment of many is a column of its own: hours and weekdays are few.
            let time = profiles.iter().find(|p| p.kind == ColumnKind::Time && p.distinct > MOST_MOMENTS);
            let by_time = time.map(|time| {
                let other =
                    profiles.iter().find(|p| p.kind != ColumnKind::Time && p.distinct <= MOST_MOMENTS);
                let y = other.map_or_else(|| format!("weekday({})", time.name), |p| p.name.clone());
                format!("{} {}", flag("--x", &format!("hour({})", time.name)), flag("--y", &y))
            });
            let keys = by_time.as_deref().unwrap_or("--x COL --y COL");
            error.with_hint(format!("no column holds numbers only; {keys} --agg count counts rows"))
        }
    }
}

/// The options by which a table that was taken for a wide one is a tidy one, if they show and the memory is enough to look.
pub(super) fn suggest_tidy(table: &dyn TableSource, figure: &Figure, budget: &Arc<Budget>) -> Option<String> {
    let (profiles, rows) = known(table, "it may be a tidy table", figure, budget).ok()?;
    of_rows(table, &profiles, rows, budget)
}

/// The options for a tidy table of so many rows.
fn of_rows(
    table: &dyn TableSource,
    profiles: &[Profile],
    rows: usize,
    budget: &Arc<Budget>,
) -> Option<String> {
    let is_text = |c: &usize| !profiles[*c].kind.is_number() && profiles[*c].distinct == rows;
    let texts = (0..profiles.len()).filter(is_text);
    let label = if table.reads() == Reads::Once { None } else { labels_of(table, texts, budget).ok()? };
    let is_name = |label: usize| {
        !numbers_rows(table, label).unwrap_or(false) && !are_stamps(table, label).unwrap_or(false)
    };
    let is_labelled = label.is_some_and(is_name);
    let rows = Rows { table, count: rows };
    // Columns that say the same are one.
    let mut profiles = profiles.to_vec();
    let may_be = |p: &Profile| (2..=rows.count / 2).contains(&p.distinct) && p.kind != ColumnKind::Empty;
    let keys: Vec<usize> = (0..profiles.len()).filter(|&c| may_be(&profiles[c])).take(MOST_TWINS).collect();
    for (at, &column) in keys.iter().enumerate() {
        let is_again = |&before: &usize| {
            profiles[before].kind != ColumnKind::Empty
                && profiles[before].distinct == profiles[column].distinct
                && rows.go_together(before, column)
        };
        if let Some(before) = keys[..at].iter().copied().find(|before| is_again(before)) {
            // A setting says more than what went along with it, and a name more than a number.
            let says = |c: usize| (is_setting(&profiles[c].name), !profiles[c].kind.is_number());
            let again = if says(column) > says(before) { before } else { column };
            (profiles[again].kind, profiles[again].distinct) = (ColumnKind::Empty, 0);
        }
    }
    suggest(&profiles, &rows, is_labelled, table.schema())
}

/// The columns in short, those with `%` or parted thousands as numbers, and the number of rows.
pub(super) fn known(
    table: &dyn TableSource,
    why: &str,
    figure: &Figure,
    budget: &Arc<Budget>,
) -> Result<(Vec<Profile>, usize), InputError> {
    let (mut profiles, rows) = profiles(table, why, budget)?;
    let texts: Vec<usize> = (0..profiles.len())
        .filter(|&c| matches!(profiles[c].kind, ColumnKind::Text | ColumnKind::Unit))
        .filter(|_| table.reads() == Reads::Any)
        .collect();
    let written = verdicts(&[table], &texts, &figure.data, budget)?;
    for (column, verdict) in texts.into_iter().zip(written) {
        if matches!(verdict, Verdict::Written(_)) {
            profiles[column].kind = ColumnKind::Number;
        }
    }
    Ok((profiles, rows))
}

/// Advice about columns whose texts may mean values.
fn of_texts(
    table: &dyn TableSource,
    profiles: &[Profile],
    figure: &Figure,
    budget: &Arc<Budget>,
) -> Result<Option<String>, InputError> {
    let is_text = |c: &usize| matches!(profiles[*c].kind, ColumnKind::Text | ColumnKind::Unit);
    let texts: Vec<usize> = (0..profiles.len()).filter(is_text).collect();
    let numbers = profiles.iter().filter(|p| p.kind.is_number()).count();
    if table.reads() == Reads::Once || numbers > 1 {
        return Ok(None);
    }
    let signs = thousands_of(&[table], &texts, 2 - numbers, &figure.data, budget)?;
    if signs.is_some() || numbers > 0 {
        return Ok(signs);
    }
    answers(table, &texts, &figure.data, budget)
}

/// The options that the figure has, for a wide table, where they name its rows and several columns.
fn as_wide(table: &dyn TableSource, figure: &Figure) -> Option<String> {
    let data = &figure.data;
    let (None, Some(List(names)), None) = (&data.x, &data.value, data.panel_names().next()) else {
        return None;
    };
    let schema = table.schema();
    let rows = data.y.as_ref().map(|y| named(y, &[], schema)).transpose().ok()?;
    let rows = rows.unwrap_or_default();
    let columns = named(&List(names.clone()), &rows, schema).ok()?;
    if rows.len() > 1 || columns.len() < 2 || figure.x.column.is_some() || data.table.is_some() {
        return None;
    }
    let y = rows.first().map(|&c| format!(" {}", flag("--y", &name(c, schema))));
    let value = flag("--value", &List::to_flag(names));
    Some(format!("--table wide{} {value}", y.unwrap_or_default()))
}

/// The option for the column of these that is most likely the value.
fn suggest_value(columns: &[usize], schema: &Schema) -> String {
    let is_measure = |c: &&usize| is_measure_name(&schema.headers[**c]);
    let best = columns.iter().find(is_measure).or(columns.last());
    best.map_or_else(String::new, |&c| flag("--value", &name(c, schema)))
}

/// The options for a wide table with the first texts that all differ as labels.
fn suggest_wide(table: &dyn TableSource, profiles: &[Profile], budget: &Arc<Budget>) -> Option<String> {
    if table.reads() == Reads::Once {
        return None;
    }
    let schema = table.schema();
    let is_text = |c: &usize| !profiles[*c].kind.is_number() && profiles[*c].kind != ColumnKind::Empty;
    let texts = (0..profiles.len()).filter(is_text);
    let label = labels_of(table, texts, budget).ok().flatten()?;
    let numbers_rows = |c: usize| c < label && counts_rows(table, c).unwrap_or(false);
    let values: Vec<usize> = (0..profiles.len())
        .filter(|&c| profiles[c].kind.is_number() && profiles[c].distinct > 0 && !numbers_rows(c))
        .collect();
    if values.is_empty() || !schema.has_header {
        return None;
    }
    let y = flag("--y", &name(label, schema));
    // Without a list of columns, those that are left out are named.
    if (0..profiles.len()).any(|c| c != label && is_text(&c)) {
        return Some(format!("--table wide {y}"));
    }
    let names: Vec<String> = values.iter().take(20).map(|&c| name(c, schema)).collect();
    Some(format!("--table wide {y} {}", flag("--value", &names.join(","))))
}

/// The options for the means of columns of numbers by the texts of the first column in which they recur.
fn suggest_means(profiles: &[Profile], rows: usize, schema: &Schema) -> Option<String> {
    let recurs = |p: &Profile| p.kind == ColumnKind::Text && (2..=rows / 2).contains(&p.distinct);
    let y = profiles.iter().position(recurs)?;
    let numbers: Vec<String> = (0..profiles.len())
        .filter(|&i| profiles[i].kind == ColumnKind::Number)
        .take(20)
        .map(|i| name(i, schema))
        .collect();
    let (y, value) = (flag("--y", &name(y, schema)), flag("--value", &numbers.join(",")));
    (numbers.len() > 1).then(|| format!("--table wide {y} {value} --agg mean"))
}

/// The columns of a table that place its rows, and the measurement there.
pub(super) fn placed(profiles: &[Profile], rows: &Rows) -> Option<(Factors, usize)> {
    let is_measure = |i: usize| is_measure(profiles, i);
    let repeats = |i: usize| is_repeat(&profiles[i].name);
    let may_be = settings(profiles, rows.count);
    let found = factors(profiles, rows, |i| !is_measure(i) && !repeats(i) && may_be(i), repeats)?;
    let taken = [Some(found.x), Some(found.y), found.panel];
    let last = taken.into_iter().flatten().max().unwrap_or(0);
    let value = measured(profiles, last, |i| !taken.contains(&Some(i)) && !repeats(i))?;
    Some((found, value))
}

/// Groups of columns that hold the settings of a run, as loggers name them: `config.lr`.
const SETTINGS: [&str; 9] =
    ["args", "cfg", "config", "hparams", "hyperparameters", "param", "parameters", "params", "settings"];

/// Whether a column is one of a group of settings, and no number of a repetition.
fn is_setting(name: &str) -> bool {
    let group = name.split_once(['.', '/']).map_or("", |(group, _)| group).to_lowercase();
    SETTINGS.contains(&group.as_str()) && !is_repeat(name)
}

/// Whether a column may be an axis: any, but where two or more settings of a group vary, these alone.
fn settings(profiles: &[Profile], rows: usize) -> impl Fn(usize) -> bool {
    let varies = |p: &Profile| is_setting(&p.name) && (2..=rows / 2).contains(&p.distinct);
    let found: Vec<usize> = (0..profiles.len()).filter(|&i| varies(&profiles[i])).collect();
    move |i| found.len() < 2 || found.contains(&i)
}

/// The options for a tidy table of these columns.
pub(super) fn tidy(found: Factors, value: usize, schema: &Schema) -> String {
    let [x, y, value] =
        [("--x", found.x), ("--y", found.y), ("--value", value)].map(|(f, c)| flag(f, &name(c, schema)));
    let panel = found.panel.map(|p| format!(" {}", flag("--panel", &name(p, schema))));
    format!("{x} {y} {value}{}", panel.unwrap_or_default())
}

/// Whether a name is that of a column that tells repeated rows apart, by the part behind its last dot.
fn is_repeat(name: &str) -> bool {
    let name = name.rsplit('.').next().unwrap_or(name);
    REPEATS.contains(&name.to_lowercase().as_str()) || is_row_number(name)
}

/// Whether a column has the name of a measurement.
fn is_measure(profiles: &[Profile], i: usize) -> bool {
    profiles[i].distinct > 1 && is_measure_name(&profiles[i].name)
}

/// Whether a name is that of a measurement, by the part behind its last dot.
pub(super) fn is_measure_name(name: &str) -> bool {
    let name = name.rsplit('.').next().unwrap_or(name).to_lowercase();
    let is_value = has_word(&name, &["value"]) && !is_test(&name);
    // A short part begins a word: `auc` is not in `saucie`.
    let begins = |part: &str| name.split(|c: char| !c.is_alphanumeric()).any(|word| word.starts_with(part));
    MEASURES.iter().any(|m| if m.len() < 5 && *m != "loss" { begins(m) } else { name.contains(m) })
        || is_value
        || has_word(&name, &MEASURED)
        || has_word(&name, &SPREADS)
}

/// Whether a name is that of the result of a test of another number: `p-value`, `t value`, `padj`.
fn is_test(name: &str) -> bool {
    let plain: String = name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    TESTS.contains(&plain.as_str())
}

/// Whether a name has one of these words among others.
fn has_word(name: &str, words: &[&str]) -> bool {
    let name = name.to_lowercase();
    name.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word))
}

/// The column of these that is most likely a measurement, behind the `last` of the keys rather than before; what numbers the rows
/// measures nothing.
fn measured(profiles: &[Profile], last: usize, may_be: impl Fn(usize) -> bool) -> Option<usize> {
    let of = |i: usize| &profiles[i];
    let numbers_rows =
        |i: usize| is_id(&of(i).name) || of(i).kind == ColumnKind::Integer && is_row_number(&of(i).name);
    let are = (0..profiles.len()).filter(|&i| of(i).kind.is_number() && may_be(i) && !numbers_rows(i));
    let all: Vec<usize> = are.collect();
    // What hardly changes is not what is looked for.
    let most = all.iter().map(|&i| of(i).distinct).max().unwrap_or(0);
    all.into_iter().max_by_key(|&i| {
        let name = of(i).name.as_str();
        let own = name.rsplit('.').next().unwrap_or_default().to_lowercase();
        let is_named = own == "value" || MEASURES.contains(&own.as_str());
        let is_mean = has_word(name, &["mean", "avg", "average", "median"]);
        // Another column says how far it may be off.
        let is_off = |p: &Profile| {
            p.name.strip_prefix(name).is_some_and(|rest| has_word(rest, &SPREADS) && rest.len() < 14)
        };
        let has_spread = profiles.iter().any(is_off);
        let is_held_out = has_word(name, &["test", "val", "valid", "validation", "eval"]);
        let is_measured = has_spread || is_measure(profiles, i);
        let is_number = of(i).kind != ColumnKind::Truth && !has_word(name, &CHECKS);
        let tells = (
            is_number,
            of(i).is_filled,
            !has_word(name, &SPREADS) && !is_test(name),
            is_named || of(i).distinct * 4 >= most,
            is_measured,
            is_named,
            has_spread,
            is_mean,
            is_held_out,
        );
        (tells, i > last, of(i).kind, of(i).distinct, Reverse(i))
    })
}

/// The options for what is most likely a tidy table of these columns and rows; `is_labelled` says whether a column of texts names
/// each row.
fn suggest(profiles: &[Profile], rows: &Rows, is_labelled: bool, schema: &Schema) -> Option<String> {
    let of = |i: usize| &profiles[i];
    if let [_, _, ..] = schema.lists.as_slice()
        && let Some(paired) = of_pairs(profiles, rows.count, schema)
    {
        return Some(paired);
    }
    if let Some(list) = schema
        .lists
        .iter()
        .find(|name| is_measure_name(name) || has_word(name, &REPEATED))
        .or(schema.lists.first())
        && !(0..profiles.len()).any(|i| is_measure(profiles, i) && of(i).kind.is_number())
        && let Some(found) = factors(profiles, rows, |_| true, |i| is_repeat(&profiles[i].name))
    {
        let [x, y] = [("--x", found.x), ("--y", found.y)].map(|(f, c)| flag(f, &name(c, schema)));
        let panel = found.panel.map(|p| format!(" {}", flag("--panel", &name(p, schema))));
        return Some(format!("{x} {y} {}{} --agg mean", flag("--value", list), panel.unwrap_or_default()));
    }
    if let Some((found, value)) = placed(profiles, rows) {
        return Some(tidy(found, value, schema));
    }
    let Some(value) = measured(profiles, 0, |_| true) else {
        return suggest_count(profiles, rows.count, schema);
    };
    if let Some((nested, value)) = nested(profiles, rows) {
        return Some(of_nested(nested, value, profiles, schema));
    }
    // An axis repeats its keys: each is in two rows at least.
    let repeats = |i: usize| is_repeat(&profiles[i].name);
    // Where each row has a name, few values make a table of settings.
    let most = if is_labelled { rows.count / 8 } else { rows.count / 2 };
    let may_be = settings(profiles, rows.count);
    let is_key =
        |i: &usize| *i != value && (2..=most).contains(&of(*i).distinct) && !repeats(*i) && may_be(*i);
    let is_set = |i: &usize| {
        let kind = of(*i).kind;
        kind != ColumnKind::Truth && !(kind.is_number() && is_measure(profiles, *i))
    };
    // What is measured or only true or false is an axis where there is nothing else.
    let has_set = (0..profiles.len()).filter(is_key).filter(is_set).count() > 1;
    let is_key = |i: &usize| is_key(i) && (!has_set || is_set(i));
    let (mut numbers, mut texts): (Vec<usize>, Vec<usize>) = (0..profiles.len())
        .filter(is_key)
        .partition(|&i| of(i).kind.is_number() || of(i).kind == ColumnKind::Time);
    let uneven = rows.are_uneven(&numbers);
    let even = numbers.iter().zip(uneven).filter(|(_, uneven)| !uneven).map(|(i, _)| *i);
    let even: Vec<usize> = even.collect();
    if even.len() + texts.len() > 1 {
        numbers = even;
    }
    // What says which settings it is of was measured.
    let keys: Vec<usize> = numbers.iter().chain(&texts).copied().take(MOST_TWINS).collect();
    let determined = rows.determined(&keys, |column| of(column).distinct);
    let is_own = |&i: &usize| match of(i).kind {
        ColumnKind::Number => !determined.iter().any(|(by, is)| [*by, *is].contains(&i)),
        _ => determined.iter().filter(|(by, _)| *by == i).count() < 2,
    };
    if numbers.iter().copied().filter(|i| is_own(i)).count() + texts.len() > 1 {
        numbers.retain(is_own);
    }
    // The two with the most keys, the later of them along x; texts of many more keys come before the second.
    numbers.sort_by_key(|&i| (Reverse(of(i).distinct), i));
    let most = texts.iter().map(|&i| of(i).distinct).max().unwrap_or(0);
    if numbers.get(1).is_some_and(|&second| 2 * most >= 3 * of(second).distinct) {
        numbers.truncate(1);
    }
    let rows = rows.count;
    let (mut x, y) = if numbers.len() >= 2 {
        texts.extend(numbers.split_off(2));
        (vec![numbers[0].max(numbers[1])], numbers[0].min(numbers[1]))
    } else {
        let most = |i: &&usize| (of(**i).kind == ColumnKind::Unit, of(**i).distinct);
        let y = *texts.iter().max_by_key(most)?;
        texts.retain(|&i| i != y);
        (numbers, y)
    };
    let fewest = texts.iter().copied().min_by_key(|&i| of(i).distinct);
    let panel = if x.is_empty() {
        fewest.filter(|&i| texts.len() > 1 && of(i).distinct <= MAX_PANELS)
    } else {
        fewest.filter(|&i| of(i).distinct <= MAX_PANELS)
    };
    if x.is_empty() {
        x.extend(texts.into_iter().filter(|&i| Some(i) != panel));
    }
    if x.is_empty() {
        return None;
    }
    let keys = |columns: &[usize]| -> usize {
        columns.iter().fold(1, |n, &i| n.saturating_mul(of(i).distinct.max(1)))
    };
    let panels = panel.map_or(1, |p| of(p).distinct.max(1));
    // Several columns of an axis are the combinations that occur.
    let cells = keys(&x).min(rows).saturating_mul(of(y).distinct).saturating_mul(panels);
    if cells > MAX_CELLS {
        return None;
    }
    let taken = || x.iter().copied().chain([y]).chain(panel);
    let value =
        measured(profiles, taken().max().unwrap_or(0), |i| taken().all(|key| key != i)).unwrap_or(value);
    let names = |columns: &[usize]| {
        let names: Vec<String> = columns.iter().map(|&i| name(i, schema)).collect();
        names.join(",")
    };
    let (x, y, value) =
        (flag("--x", &names(&x)), flag("--y", &names(&[y])), flag("--value", &names(&[value])));
    let panel = panel.map_or_else(String::new, |p| format!(" {}", flag("--panel", &name(p, schema))));
    Some(format!("{x} {y} {value}{panel}"))
}

/// The options for two lists beside a text that names each row: places and values, as `dates` and `values`.
fn of_pairs(profiles: &[Profile], rows: usize, schema: &Schema) -> Option<String> {
    let is_name = |p: &Profile| p.kind == ColumnKind::Text && p.distinct == rows;
    let y = profiles.iter().position(is_name)?;
    let is_value = |name: &&String| is_measure_name(name) || has_word(name, &REPEATED);
    let value = schema.lists.iter().rev().find(is_value).or(schema.lists.last())?;
    let x = schema.lists.iter().find(|name| *name != value)?;
    Some(format!("{} {} {}", flag("--x", x), flag("--y", &name(y, schema)), flag("--value", value)))
}

/// The fewest columns whose combinations are in one row each, and the measurement there.
fn nested(profiles: &[Profile], rows: &Rows) -> Option<(Vec<usize>, usize)> {
    let repeats = |i: usize| is_repeat(&profiles[i].name);
    let keys = keys_of(profiles, rows, |i| !is_measure(profiles, i) && !repeats(i), repeats)?;
    let last = keys.iter().copied().max().unwrap_or(0);
    let value = measured(profiles, last, |i| !keys.contains(&i) && !repeats(i))?;
    Some((keys, value))
}

/// The options for columns of which the one with the most numbers or times is along x, and the others nest.
fn of_nested(mut keys: Vec<usize>, value: usize, profiles: &[Profile], schema: &Schema) -> String {
    let along = |&c: &usize| {
        let Profile { kind, distinct, .. } = profiles[c];
        (kind == ColumnKind::Time, kind.is_number(), if kind.is_number() { distinct } else { 0 }, c)
    };
    let x = keys.iter().copied().max_by_key(along).unwrap_or_default();
    keys.retain(|&c| c != x);
    let y: Vec<String> = keys.iter().map(|&c| name(c, schema)).collect();
    let [x, value] = [x, value].map(|c| name(c, schema));
    format!("{} {} {}", flag("--x", &x), flag("--y", &y.join(",")), flag("--value", &value))
}

/// The options for a count of rows by the first two columns of texts that repeat, the first down the side.
fn suggest_count(profiles: &[Profile], rows: usize, schema: &Schema) -> Option<String> {
    let repeats = |c: &usize| (2..=rows / 2).contains(&profiles[*c].distinct);
    let mut keys = (0..profiles.len()).filter(repeats);
    let (y, x) = (keys.next()?, keys.next()?);
    if profiles[x].distinct.saturating_mul(profiles[y].distinct) > MAX_CELLS {
        return None;
    }
    let (x, y) = (flag("--x", &name(x, schema)), flag("--y", &name(y, schema)));
    Some(format!("{x} {y} --agg count"))
}

/// A column as an item of a list: by its name, or by its place where the name does not say which column it is.
pub(super) fn name(column: usize, schema: &Schema) -> String {
    let header = &schema.headers[column];
    let by_name = schema.column(header).is_ok_and(|c| c == column);
    let plain = !header.contains(gridscope_core::text::steers);
    let placed = format!("column {}", column + 1);
    if by_name && plain || schema.column(&placed).is_ok_and(|c| c != column) {
        List::to_flag(&[header])
    } else {
        placed
    }
}

/// The columns given for x and y, those of a transposed table swapped.
pub(crate) fn axes(figure: &Figure) -> (Option<&List>, Option<&List>) {
    let x = figure.data.x.as_ref().or(figure.x.column.as_ref());
    let y = figure.data.y.as_ref().or(figure.y.column.as_ref());
    if figure.data.transpose == Some(true) { (y, x) } else { (x, y) }
}

/// Whether the rows must be read to find the columns that make the grids.
pub(crate) fn are_open(figure: &Figure) -> bool {
    figure.data.value.is_none() && figure.data.agg != Some(Agg::Count)
}

/// The columns whose values make the panels: those of rows and of columns of panels, or those of `panel`. A header may have
/// commas of its own.
fn panels(figure: &Figure, schema: &Schema) -> Result<Vec<usize>, InputError> {
    let data = &figure.data;
    if data.has_facets() {
        let sides = data.panel_row.iter().chain(&data.panel_column);
        return sides.map(|name| schema.column(name)).collect();
    }
    let Some(List(names)) = &data.panel else {
        return Ok(Vec::new());
    };
    let of = |names: &[String]| -> Result<Vec<usize>, InputError> {
        names.iter().map(|name| schema.column(name)).collect()
    };
    of(names).or_else(|e| {
        let whole = schema.column(&names.join(",")).map(|column| vec![column]);
        whole.or_else(|_| match names.as_slice() {
            [one] if one.contains(',') => of(&List::from_items(one, true).0).map_err(|_| e),
            _ => Err(e),
        })
    })
}

/// The columns that make the grids, and how the numbers of a value that nobody named are written; `schema` is that of all
/// tables together. The rows are read if [`are_open`] says so.
///
/// # Errors
/// Unknown columns, no column or several that could be the value, whatever is wrong with the rows, too little memory.
pub(super) fn roles(
    tables: &[&dyn TableSource],
    schema: &Schema,
    figure: &Figure,
    (x, y): (&List, &List),
    budget: &Arc<Budget>,
) -> Result<(Roles, Option<(usize, Numeral)>), InputError> {
    let mut roles = Roles { x: named(x, &[], schema)?, y: named(y, &[], schema)?, ..Roles::default() };
    let ask = |why| Err(ask_for_columns(tables[0], why, figure, budget));
    if roles.x.is_empty() || roles.y.is_empty() {
        return ask("a tidy table needs --x and --y");
    }
    roles.panel = panels(figure, schema)?;
    if let Some(value) = &figure.data.value {
        roles.values = named(value, &roles.keys(), schema)?;
        return Ok((roles, None));
    }
    if figure.data.agg == Some(Agg::Count) {
        return Ok((roles, None));
    }
    let along = side_columns(figure).into_iter();
    let along: Vec<usize> = along.filter_map(|s| schema.column(s.column).ok()).collect();
    let taken = |c: &usize| roles.keys().contains(c) || along.contains(c);
    let left: Vec<usize> = tables[0].schema().own().filter(|c| !taken(c)).collect();
    let (are_numeric, _) = numeric(tables, &left, false, budget)?;
    let of = |wanted: Option<bool>| {
        let columns = left.iter().zip(&are_numeric).filter(move |c| *c.1 == wanted);
        columns.map(|c| *c.0)
    };
    let mut numbers: Vec<(usize, Option<Numeral>)> = of(Some(true)).map(|c| (c, None)).collect();
    let texts: Vec<usize> = of(Some(false)).collect();
    let looked = verdicts(tables, &texts, &figure.data, budget)?;
    numbers.extend(texts.into_iter().zip(looked).filter_map(|(c, verdict)| match verdict {
        Verdict::Written(numeral) => Some((c, Some(numeral))),
        _ => None,
    }));
    numbers.sort_unstable_by_key(|n| n.0);
    match numbers.as_slice() {
        [(value, numeral)] => {
            roles.values = vec![*value];
            Ok((roles, numeral.map(|n| (*value, n))))
        }
        [] => ask("no column of numbers is left for --value"),
        many => {
            let names: Vec<String> = many.iter().map(|c| schema.headers[c.0].clone()).collect();
            let what = format!("which column is --value? {}", listed(&names));
            let columns: Vec<usize> = many.iter().map(|c| c.0).collect();
            Err(InputError::usage(&schema.file, what).with_hint(suggest_value(&columns, schema)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::csv::CsvTable;
    use gridscope_core::figure::Data;
    use gridscope_core::lint::Lints;

    /// The hint for a table of so many rows: of each column its name, what its values are and how many, 0 where each row has its own.
    fn hint(columns: &[(&str, ColumnKind, usize)], rows: usize) -> Option<String> {
        let cell = |kind: ColumnKind, n: usize| match kind {
            ColumnKind::Integer => n.to_string(),
            ColumnKind::Number => format!("{:.2}", n as f64 * 1.25),
            ColumnKind::Time => format!("2024-{:02}-{:02}", n / 28 + 1, n % 28 + 1),
            ColumnKind::Unit => format!("{}B", n + 1),
            // Letters alone: digits would make an order.
            _ => format!("{n}").bytes().map(|digit| char::from(digit - b'0' + b'a')).collect(),
        };
        let names: Vec<&str> = columns.iter().map(|c| c.0).collect();
        let mut text = names.join(",");
        for row in 0..rows {
            let (mut rest, mut cells) = (row, Vec::new());
            for (_, kind, distinct) in columns.iter().rev() {
                let own = if *distinct == 0 { row * 7919 % 100_003 } else { rest % distinct };
                rest /= distinct.max(&1);
                cells.push(cell(*kind, own));
            }
            cells.reverse();
            text += &format!("\n{}", cells.join(","));
        }
        let (budget, mut lints) = (Budget::usual(), Lints::default());
        let table =
            CsvTable::read(text.into_bytes(), "t.csv", &Data::default(), &mut lints, &budget).unwrap();
        suggest_tidy(&table, &Figure::default(), &budget)
    }

    #[test]
    fn suggestions_are_what_a_person_would_choose() {
        use ColumnKind::{Integer, Number, Text, Time, Unit};
        let is = |columns: &[(&str, ColumnKind, usize)], rows, hinted: &str| {
            assert_eq!(hint(columns, rows).as_deref(), Some(hinted));
        };
        let sweep =
            [("dataset", Text, 4), ("window", Integer, 4), ("ratio", Number, 5), ("pass1", Number, 0)];
        is(&sweep, 80, "--x ratio --y window --value pass1 --panel dataset");
        let progress =
            [("benchmark", Text, 8), ("size", Unit, 6), ("progress", Number, 26), ("accuracy", Number, 0)];
        is(&progress, 1248, "--x progress --y size --value accuracy --panel benchmark");
        let topics = [
            ("metric", Text, 2),
            ("topic", Text, 57),
            ("model", Text, 6),
            ("method", Text, 4),
            ("value", Number, 0),
        ];
        is(&topics, 2736, "--x model,method --y topic --value value --panel metric");
        let seeds =
            [("lr", Number, 4), ("batch size", Integer, 3), ("seed", Integer, 5), ("loss", Number, 0)];
        is(&seeds, 60, "--x 'batch size' --y lr --value loss");
        let needle = [
            ("context_length", Integer, 35),
            ("depth_percent", Number, 50),
            ("version", Integer, 2),
            ("score", Number, 0),
        ];
        is(&needle, 3500, "--x depth_percent --y context_length --value score --panel version");
        let loads = [("day", Time, 30), ("host", Text, 6), ("load", Number, 0)];
        is(&loads, 180, "--x day --y host --value load");
        let rag = [("retriever", Text, 2), ("chunks", Text, 1), ("k", Integer, 4), ("recall", Number, 0)];
        is(&rag, 8, "--x k --y retriever --value recall");
        let preds = [("id", Integer, 0), ("y_true", Text, 3), ("y_pred", Text, 3)];
        is(&preds, 18, "--x y_pred --y y_true --agg count");
        let classes = [("true", Text, 5), ("pred", Text, 4)];
        is(&classes, 400, "--x pred --y true --agg count");
        assert_eq!(hint(&[("name", Text, 0), ("v", Number, 0)], 9), None);
        let many = [("a", Integer, 0), ("b", Integer, 0), ("v", Number, 0)];
        assert_eq!(hint(&many, 10_000), None);
    }

    #[test]
    fn columns_are_named_so_that_they_are_found() {
        let names = ["v", "v", "", "a,b", "c\\", "-x", " d", "\"e\"", "\"f, g"].map(str::to_owned).to_vec();
        let schema = Schema::named("t.csv", names, &Data::default(), &mut Lints::default());
        for column in 0..schema.width() {
            let List(read) = List::from_flag(&name(column, &schema));
            assert_eq!(schema.column(&read.join("|")), Ok(column), "{read:?}");
        }
        assert_eq!((flag("--x", "-x"), flag("--y", "a b")), ("--x=-x".into(), "--y 'a b'".into()));
    }
}
