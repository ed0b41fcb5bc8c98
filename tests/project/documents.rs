//! README, book and contributor's guide: links have targets, chapters are listed, flags in command lines exist, and the
//! tables of warnings and figure keys are complete.

use gridscope::{LintKind, LintName};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

const COMMANDS: [&str; 10] =
    ["view", "render", "info", "check", "export", "bench", "colormaps", "devices", "schema", "completions"];

/// Flags of other programs that documents name without the program.
const FOREIGN: [&str; 2] = ["--no-default-features", "--features"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn chapters() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(root().join("docs/src"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "md"))
        .collect();
    found.sort();
    assert!(found.len() > 15, "{found:?}");
    found
}

fn documents() -> Vec<PathBuf> {
    let others = [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "fuzz/README.md",
        "benches/RESULTS.md",
        "examples/figures/README.md",
    ];
    others.iter().map(|p| root().join(p)).chain(chapters()).collect()
}

/// The lines of a document, each with whether it is in a block of code.
fn lines(text: &str) -> impl Iterator<Item = (bool, &str)> {
    text.lines().scan(false, |fenced, line| {
        let fence = line.trim_start().starts_with("```");
        let within = *fenced && !fence;
        *fenced ^= fence;
        Some((within || fence, line))
    })
}

/// The targets of a line's links and pictures.
fn links(line: &str) -> Vec<&str> {
    line.match_indices("](")
        .filter_map(|(i, _)| line[i + 2..].split_once(')'))
        .map(|(target, _)| target)
        .collect()
}

/// The anchors of the headings of a document.
fn anchors(text: &str) -> BTreeSet<String> {
    lines(text)
        .filter(|(code, line)| !code && line.starts_with('#'))
        .map(|(_, line)| {
            line.trim_start_matches('#')
                .trim()
                .to_lowercase()
                .chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
                .map(|c| if c == ' ' { '-' } else { c })
                .collect()
        })
        .collect()
}

#[test]
fn relative_links_have_targets() {
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for document in documents() {
        let text = read(&document);
        let targets = lines(&text).filter(|(code, _)| !code).flat_map(|(_, line)| links(line));
        for target in targets.filter(|t| !t.contains("://") && !t.starts_with("mailto:")) {
            seen += 1;
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = if path.is_empty() { document.clone() } else { document.parent().unwrap().join(path) };
            let is_there = file.exists() && (anchor.is_empty() || anchors(&read(&file)).contains(anchor));
            if !is_there {
                wrong.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(seen > 50, "{seen} links");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn documents_name_files_that_exist() {
    let mut count = 0;
    for document in ["CONTRIBUTING.md", "fuzz/README.md", "benches/RESULTS.md"] {
        let text = read(&root().join(document));
        let spans = lines(&text).filter(|(code, _)| !code).flat_map(|(_, l)| l.split('`').skip(1).step_by(2));
        let is_path = |s: &&str| {
            let folder = s.split('/').next().unwrap_or_default();
            s.contains('/') && !s.contains([' ', '<']) && !folder.is_empty() && root().join(folder).is_dir()
        };
        let named: Vec<&str> = spans.filter(is_path).collect();
        let missing: Vec<_> = named.iter().filter(|f| !root().join(f).exists()).collect();
        assert!(missing.is_empty(), "{document}: {missing:?}");
        count += named.len();
    }
    assert!(count > 25, "{count}");
}

#[test]
fn the_summary_lists_every_chapter_once() {
    let summary = read(&root().join("docs/src/SUMMARY.md"));
    let mut listed: Vec<&str> = summary.lines().flat_map(links).collect();
    listed.sort_unstable();
    let names = chapters();
    let names: Vec<String> =
        names.iter().map(|p| p.file_name().unwrap().to_string_lossy().into_owned()).collect();
    let wanted: Vec<&str> = names.iter().map(String::as_str).filter(|n| *n != "SUMMARY.md").collect();
    assert_eq!(listed, wanted);
}

fn printed(arguments: &[&str]) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_gridscope")).args(arguments).output().unwrap();
    assert!(run.status.success(), "{arguments:?}");
    String::from_utf8(run.stdout).unwrap()
}

/// The flags of each command by its `--help`; those without a command are under "".
fn known() -> BTreeMap<&'static str, BTreeSet<String>> {
    let of = |command: &'static str| {
        let arguments = [command, "--help"];
        let text = printed(&arguments[usize::from(command.is_empty())..]);
        let flags = text
            .lines()
            .filter(|l| l.trim_start().starts_with('-'))
            .flat_map(|l| l.split([' ', ',', '=', '[']))
            .filter(|w| w.len() > 1 && w.starts_with('-'));
        (command, flags.map(str::to_owned).collect())
    };
    COMMANDS.into_iter().chain([""]).map(of).collect()
}

/// The words of a shell line up to its comment; blanks within quotes do not separate words.
fn words(line: &str) -> Vec<String> {
    let (mut out, mut quoted) = (vec![String::new()], false);
    for c in line.split(" #").next().unwrap_or(line).chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => out.push(String::new()),
            _ => out.last_mut().unwrap().push(c),
        }
    }
    out.retain(|w| !w.is_empty());
    out
}

#[test]
fn command_lines_name_flags_that_exist() {
    let known = known();
    let all: BTreeSet<&String> = known.values().flatten().collect();
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for document in documents() {
        let text = read(&document).replace("\\\n", " ");
        let place = |what: &str| format!("{}: {what}", document.display());
        // Command lines, in blocks and between backticks.
        let spans = lines(&text).filter(|(code, _)| !code).flat_map(|(_, l)| l.split('`').skip(1).step_by(2));
        let blocks = lines(&text).filter(|(code, _)| *code).map(|(_, l)| l.trim());
        for line in spans.chain(blocks) {
            let words = words(line);
            let ours = match words.first().map(String::as_str) {
                Some("gridscope" | "target/release/gridscope") => &words[1..],
                Some("cargo") => match words.iter().position(|w| w == "--") {
                    Some(i) if words[1] == "run" && !line.contains("--example") => &words[i + 1..],
                    _ => continue,
                },
                Some(flag) if flag.starts_with("--") && !FOREIGN.contains(&flag) => {
                    let name = flag.split('=').next().unwrap_or(flag).to_owned();
                    if name.len() > 2 && !all.contains(&name) {
                        wrong.push(place(flag));
                    }
                    continue;
                }
                _ => continue,
            };
            seen += 1;
            let command = ours.first().map_or("", String::as_str);
            let command = COMMANDS.into_iter().find(|c| *c == command).unwrap_or("");
            for word in ours.iter().filter(|w| w.len() > 1 && w.starts_with('-')) {
                let name = word.split('=').next().unwrap_or(word);
                let is_number = name[1..].starts_with(|c: char| c.is_ascii_digit());
                if !is_number && !known[command].contains(name) {
                    wrong.push(place(&format!("{line}: {command} has no {name}")));
                }
            }
        }
    }
    assert!(seen > 40, "{seen} command lines");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_book_lists_all_warnings() {
    let text = read(&root().join("docs/src/warnings.md"));
    let listed: BTreeMap<&str, &str> = text
        .lines()
        .filter_map(|l| l.strip_prefix("| `")?.split_once("` | "))
        .map(|(name, rest)| (name, rest.split(" |").next().unwrap_or(rest)))
        .collect();
    let about = |name: &LintName| match name.kind() {
        LintKind::Data => "data",
        LintKind::Picture => "picture",
        LintKind::Note => "note",
        kind => panic!("{kind:?} has no word in the book"),
    };
    let wanted = LintName::ALL.iter().map(|n| (n.as_str(), about(n))).collect();
    assert_eq!(listed, wanted);
}

#[test]
fn the_book_lists_all_keys_of_figure_files() {
    let schema: serde_json::Value = serde_json::from_str(&printed(&["schema"])).unwrap();
    let text = read(&root().join("docs/src/figure-files.md"));
    // `[section]` | keys; `top level` has those without a section.
    let listed: BTreeMap<&str, BTreeSet<&str>> = text
        .lines()
        .filter_map(|l| l.strip_prefix("| ")?.split_once(" | "))
        .map(|(section, keys)| {
            let name = section.trim_matches(|c| matches!(c, '`' | '[' | ']'));
            let keys = keys.split('`').skip(1).step_by(2);
            (name, keys.collect())
        })
        .collect();
    let keys = |of: &serde_json::Value| -> Vec<String> {
        of["properties"].as_object().unwrap().keys().cloned().collect()
    };
    let mut missing = Vec::new();
    let mut check = |section: &str, keys: Vec<String>| {
        let found = listed.get(section).cloned().unwrap_or_default();
        let lacks = keys.into_iter().filter(|k| !found.contains(k.as_str()));
        missing.extend(lacks.map(|k| format!("{section}: {k}")));
    };
    let sections = [
        ("data", "Data"),
        ("x", "AxisSpec"),
        ("view", "ViewSpec"),
        ("color", "ColorSpec"),
        ("panels.NAME", "PanelSpec"),
        ("annotations", "Annotations"),
        ("reduce", "ReduceSpec"),
        ("size", "Size"),
        ("cluster", "Cluster"),
        ("strip", "Strip"),
        ("lints", "LintSpec"),
    ];
    for (section, definition) in sections {
        check(section, keys(&schema["$defs"][definition]));
    }
    let own: BTreeSet<&str> = sections
        .iter()
        .map(|s| s.0.trim_end_matches(".NAME"))
        // The keys of `[[panel]]` are those of `[data]` and `[panels.NAME]`.
        .chain(["y", "panel"])
        .collect();
    let top = keys(&schema);
    check("top level", top.into_iter().filter(|k| !own.contains(k.as_str())).collect());
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn what_everyone_reads_first_stays_short() {
    for document in ["README.md", "CONTRIBUTING.md"] {
        let count = read(&root().join(document)).lines().count();
        assert!((50..200).contains(&count), "{document} has {count} lines");
    }
}
