//! What `go test -bench` prints: a line for each benchmark among others, with pairs of a number and its unit. It is rewritten as CSV.

use super::reader::{Contents, Input};
use super::rewritten::{of_named_csv, quoted};
use super::sniff::Head;
use crate::bytes::text_from;
use crate::error::InputError;
use gridscope_core::lint::LintName;
use std::collections::{HashMap, HashSet};

/// Cells that benchmarks make in any case.
const MOST_CELLS: u64 = 1 << 20;

/// Whether a text has such lines, and no table above them.
pub(super) fn is_go_bench(head: &Head) -> bool {
    let is_other = |line: &&str| {
        let word = line.split_whitespace().next().unwrap_or_default();
        word.is_empty()
            || matches!(word, "goos:" | "goarch:" | "pkg:" | "cpu:" | "PASS" | "ok" | "?" | "---" | "FAIL")
    };
    head.lines().is_some_and(|text| {
        let first = text.lines().find(|line| !is_other(line));
        first.is_some_and(|line| line.starts_with("Benchmark"))
            && text.lines().any(|line| benchmark(line).is_some())
    })
}

/// The name of a benchmark, its iterations, and its measurements with their units.
type Benchmark<'l> = (&'l str, &'l str, Vec<(&'l str, &'l str)>);

fn benchmark(line: &str) -> Option<Benchmark<'_>> {
    let mut words = line.split_whitespace();
    let name = words.next().filter(|name| name.starts_with("Benchmark"))?;
    let iterations = words.next().filter(|n| n.parse::<u64>().is_ok())?;
    let words: Vec<&str> = words.collect();
    let pairs: Vec<(&str, &str)> = words.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    let are_measured = !pairs.is_empty()
        && words.len().is_multiple_of(2)
        && pairs.iter().all(|p| p.0.parse::<f64>().is_ok());
    let mut units = HashSet::new();
    (are_measured && pairs.iter().all(|pair| units.insert(pair.1))).then_some((name, iterations, pairs))
}

/// The benchmarks, a row each, which keeps the number of its line: `name` without the number of processors, where all have the same,
/// `iterations`, and a column for each unit; where there are several packages, they are the column `pkg`.
///
/// # Errors
/// No UTF-8, and as for other tables of text.
pub(super) fn open(input: &mut Input) -> Result<Contents, InputError> {
    let file = input.request.file;
    let (bytes, held) = input.bytes()?;
    let text = text_from(&bytes, 0, file)?;
    // By the place of their lines.
    let mut found: Vec<(usize, Benchmark)> = Vec::new();
    let (mut lost, mut others) = (0, 0);
    for (at, line) in text.lines().enumerate() {
        match benchmark(line) {
            Some(one) => found.push((at, one)),
            None => {
                lost += usize::from(line.starts_with("Benchmark"));
                others += usize::from(!line.trim().is_empty());
            }
        }
    }
    let (mut units, mut places): (Vec<&str>, HashMap<&str, usize>) = (Vec::new(), HashMap::new());
    for (_, unit) in found.iter().flat_map(|(_, (_, _, pairs))| pairs) {
        places.entry(unit).or_insert_with(|| {
            units.push(unit);
            units.len() - 1
        });
    }
    let cells = (found.len() as u64).saturating_mul(units.len() as u64 + 3);
    if cells > MOST_CELLS.max(4 * text.len() as u64) {
        let what = format!("{} benchmarks with {} units between them", found.len(), units.len());
        return Err(InputError::limit(file, what));
    }
    if lost > 0 {
        let what = format!("{file}: {lost} lines begin as benchmarks and have no result on the line");
        input.lints.add(LintName::ShortRows, lost as u64, what);
    }
    let processors =
        |name: &'_ str| name.rsplit_once('-').map(|(_, n)| n.to_owned()).filter(|n| n.parse::<u32>().is_ok());
    let first = found.first().and_then(|(_, (name, ..))| processors(name));
    let are_alike = first.is_some() && found.iter().all(|(_, (name, ..))| processors(name) == first);
    let of = |line: &str| line.strip_prefix("pkg:").map(|pkg| pkg.trim().to_owned());
    let has_packages = text.lines().filter_map(of).count() > 1;
    let (mut csv, mut package, mut is_first) = (String::new(), String::new(), true);
    let mut rows = found.iter().peekable();
    for (at, line) in text.lines().enumerate() {
        package = of(line).unwrap_or(package);
        if let Some((_, (name, iterations, pairs))) = rows.next_if(|(row, _)| *row == at) {
            let name: &str =
                if are_alike { name.rsplit_once('-').map_or(name, |parts| parts.0) } else { name };
            let mut cells = vec![quoted(name), (*iterations).to_owned()];
            if has_packages {
                cells.insert(0, quoted(&package));
            }
            let mut values = vec![""; units.len()];
            pairs.iter().for_each(|(value, unit)| values[places[unit]] = value);
            cells.extend(values.into_iter().map(str::to_owned));
            if std::mem::take(&mut is_first) {
                // Names take the line above, or that of the first row where there is none.
                csv.pop();
                let before = if has_packages { "pkg,name,iterations" } else { "name,iterations" };
                let names: Vec<String> = units.iter().map(|unit| quoted(unit)).collect();
                csv.push_str(&format!("{before},{}\n", names.join(",")));
            }
            csv.push_str(&cells.join(","));
        }
        csv.push('\n');
    }
    held.keep();
    of_named_csv(csv, format!("{file}: benchmarks of Go, {others} other lines"), input)
}
