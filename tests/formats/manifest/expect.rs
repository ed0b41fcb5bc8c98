//! Expectations from the words of a manifest's line.

use gridscope::input::read_npy;
use std::path::Path;

/// How a run is to end.
#[derive(Debug, PartialEq)]
pub enum Outcome {
    /// A picture, at once or with the options that the program asks for; or a refusal for one of these reasons.
    Drawn(Vec<String>),
    /// A refusal with one of these words, any where there are none; `#` means a line and a column.
    Refused(Vec<String>),
    /// One or the other.
    Either,
}

/// Words of a clause that excuses the files it names from the rest of its line.
const EXCUSES: [&str; 5] = ["may be read", "may be refused", "may be supported", "either", "or warn"];
/// Words for what is not a grid, whatever its format.
const NO_GRID: [&str; 2] = ["holds no plain numbers", "no data rows"];
/// Words for a store that holds no array.
const NO_STORE: [&str; 1] = ["zip archive"];
/// Words for what a good table may lack.
const NO_COLUMNS: [&str; 2] = ["no column that is read", "Feather file of version 1"];

/// The expectation of a line, with the table of folders in the corpus's own README.
///
/// # Errors
/// Words that this test does not know.
pub fn expected(file: &Path, name: &str, says: &str, readme: &str) -> Result<Outcome, String> {
    let verb = says.split([' ', ':', ';', ',', '(']).next().unwrap_or_default();
    let excuses =
        excuses(name, says).or_else(|| folder(name, readme).and_then(|row| self::excuses(name, row)));
    let choice = [" or read", " or draw", " or refuse", "or warn"]
        .iter()
        .any(|w| says.split('(').next().is_some_and(|s| s.contains(w)));
    Ok(match verb {
        "accept" if says.starts_with("accept or ") => Outcome::Either,
        "accept" if says.contains("0-d") => array(file),
        "accept" => {
            let mut reasons: Vec<&str> = NO_GRID.to_vec();
            reasons.extend(NO_STORE.iter().filter(|_| name.starts_with("zarr/")));
            reasons.extend(NO_COLUMNS.iter().filter(|_| says.contains("columns")));
            let mut reasons: Vec<String> = reasons.into_iter().map(str::to_owned).collect();
            // A codec is refused by its name; what a reader may not know is refused in any words.
            reasons.extend(excuses.map(|e| if says.contains("by codec name") { e } else { String::new() }));
            Outcome::Drawn(reasons)
        }
        "refuse" if says.contains("naming the dtype") => Outcome::Refused(vec![dtype(name)]),
        "refuse" | "bomb" if choice || excuses.is_some() => Outcome::Either,
        "refuse" if says.contains("line/column") => {
            Outcome::Refused(vec!["#".to_owned(), "is empty".to_owned()])
        }
        "refuse" | "bomb" => Outcome::Refused(Vec::new()),
        // What truths hold is compared where it is needed; as inputs they are files like others.
        "either" | "truth" | "" => Outcome::Either,
        "see" if case(name, readme).is_some_and(|c| refuses(c, file)) => Outcome::Refused(Vec::new()),
        "see" => Outcome::Either,
        _ => return Err(format!("{name}: what does '{says}' ask?")),
    })
}

/// The word by which a clause excuses a file: those that stand right before what it says.
fn excuses(name: &str, says: &str) -> Option<String> {
    let clauses = says.split(['(', ')', ';', '.']);
    let named = clauses.filter_map(|c| EXCUSES.iter().filter_map(|e| c.find(e)).min().map(|end| &c[..end]));
    let base = name.trim_end_matches('/').rsplit('/').next().unwrap_or(name);
    let matches = |word: &&str| match word.strip_suffix('*') {
        Some(start) => base.starts_with(start),
        None => {
            word.len() > 2
                && !["and", "all", "refuse"].contains(word)
                && name.contains(word.trim_end_matches('s'))
        }
    };
    let last = |n: &'_ str| n.rfind(", ").map_or(0, |i| i + 2);
    named.flat_map(|n| n[last(n)..].split([' ', '/', ':'])).find(matches).map(str::to_owned)
}

/// The row of the README's table of folders for the folder of a file.
fn folder<'a>(name: &str, readme: &'a str) -> Option<&'a str> {
    let parts: Vec<&str> = name.split('/').collect();
    let row = |l: &&str| {
        let cell = l.trim_start_matches("| ").split(" | ").next().unwrap_or_default();
        parts.len() > 2
            && cell.starts_with(&format!("{}/", parts[0]))
            && cell.split([' ', ',', '/']).any(|w| w == parts[1])
    };
    readme
        .lines()
        .filter(|l| l.starts_with("| "))
        .find(row)
        .and_then(|l| l.trim_end_matches(" |").rsplit(" | ").next())
}

/// The row of the README's table of single cases for a file.
fn case<'a>(name: &str, readme: &'a str) -> Option<&'a str> {
    let base = name.rsplit('/').next()?;
    let rows = readme.split("one right answer").nth(1)?.lines().filter(|l| l.starts_with("| "));
    rows.filter_map(|l| l.trim_start_matches("| ").split_once(" | "))
        .find(|r| r.0.contains(base))
        .map(|r| r.1)
}

/// Whether the answer of a case is a refusal and nothing else; one case speaks of what is not UTF-8, not all its files are so.
fn refuses(answer: &str, file: &Path) -> bool {
    if answer.starts_with("not UTF-8") && std::fs::read_to_string(file).is_ok() {
        return false;
    }
    let first = answer.split(": ").find(|part| part.starts_with("refuse")).unwrap_or_default();
    first.starts_with("refuse") && !first.starts_with("refuse or")
}

/// The expectation from an array's shape: no cell is a refusal, more than two axes a question.
fn array(file: &Path) -> Outcome {
    let shape = read_npy(&std::fs::read(file).unwrap(), "a").map(|a| a.shape).unwrap_or_default();
    if shape.is_empty() || shape.contains(&0) {
        Outcome::Refused(vec!["no cells".to_owned(), "0-d".to_owned()])
    } else {
        Outcome::Drawn(Vec::new())
    }
}

/// The word that a file of the folder `npy/refuse` is refused with, from its name.
fn dtype(name: &str) -> String {
    let base = name.rsplit('/').next().unwrap_or(name);
    let word = match base.split_once('.').unwrap_or((base, "")) {
        ("astype_copy", _) | (_, "pkl") => "pickle",
        ("bytes_str", _) => "byte strings",
        ("unicode_str", _) => "strings",
        ("longdouble_f16", _) => "longdouble",
        ("structured_grid", _) => "structured",
        (n, _) if n.contains("obj") => "Python pickles are never loaded",
        (n, _) => n,
    };
    word.to_owned()
}

#[test]
fn words_of_every_kind_are_understood() {
    let readme = "| parquet/bad, fuzz, bomb | 9 | us | bad: refuse (flips: either). fuzz: either |\n| npz/good, bad | 9 | us | bad: refuse; \
                  duplicate_names: refuse or warn |\n| specs/json, toml | 9 | us | given as figure specs: n_* and all \
                  TOML refuse with line and column, i_*/y_* either; open brackets |\n## cases with one right answer\n| a/bom.csv, a/b.csv | first header is `id` |\n\
                  | a/latin.csv | not UTF-8: refuse with the byte offset |\n| a/nul.csv | refuse or read; never a panic |\n";
    let of = |name: &str, says: &str| expected(Path::new(name), name, says, readme);
    let (refused, drawn) = (Ok(Outcome::Refused(Vec::new())), |reasons: &[&str]| {
        let all = NO_GRID.iter().chain(reasons).map(|r| (*r).to_owned()).collect();
        Ok(Outcome::Drawn(all))
    });
    assert_eq!(of("grids/a.csv", "accept"), drawn(&[]));
    assert_eq!(
        of("zarr/a/bz2.zarr/", "accept (pcodec/zfp/bz2 may be refused by codec name)"),
        drawn(&["zip archive", "bz2"])
    );
    assert_eq!(
        of("arrow/good/a", "accept numeric columns, refuse nested/union columns by name"),
        drawn(&NO_COLUMNS)
    );
    for name in ["parquet/bad/cut.parquet", "npz/bad/crc.npz", "zarr/bad/a/"] {
        assert_eq!(of(name, "refuse"), refused, "{name}");
    }
    assert_eq!(of("parquet/bad/a-1.parquet", "refuse (b-2 may be read)"), refused);
    for (name, says) in [
        ("parquet/bad/flip_3.parquet", "refuse"),
        ("npz/bad/duplicate_names.npz", "refuse"),
        ("parquet/bad/b-2.parquet", "refuse (b-2 may be read)"),
        ("specs/json/i_1.json", "refuse with line/column (i_* and y_*: either)"),
        ("specs/json/y_1.json", "refuse"),
        ("npz/bomb/a.npz", "refuse under the default limit or draw within it"),
        ("parquet/fuzz/a", "either"),
        ("norms.json", "truth"),
        ("csv/a/bom.csv", "see README"),
        ("csv/a/nul.csv", "see README"),
    ] {
        assert_eq!(of(name, says), Ok(Outcome::Either), "{name}");
    }
    assert_eq!(of("csv/a/latin.csv", "see README"), refused);
    assert_eq!(
        of("specs/toml/a.toml", "refuse with line/column"),
        Ok(Outcome::Refused(vec!["#".into(), "is empty".into()]))
    );
    assert_eq!(of("specs/json/n_1.json", "refuse"), refused);
    assert_eq!(
        of("npy/refuse/void.npy", "refuse, naming the dtype"),
        Ok(Outcome::Refused(vec!["void".into()]))
    );
    assert!(of("a.csv", "perhaps").is_err());
}
