//! The tables of `gallery.toml`: each is drawn, and its figure keeps all rules.

use super::drawn::{Drawn, plain, words};
use super::rules::{Faults, faults};
use gridscope::Fonts;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A table of the gallery.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Files of the folder `tables`.
    pub files: Vec<String>,
    /// The command's options.
    pub options: String,
    /// The question that the figure answers.
    pub shows: String,
    /// The first labels of the rows, from the top.
    #[serde(default)]
    rows: Vec<String>,
    /// The first labels of the columns, from the left.
    #[serde(default)]
    columns: Vec<String>,
    /// A word of the bar's label.
    #[serde(default)]
    bar: String,
}

impl Entry {
    /// Adds what differs from what the entry says of its figure.
    fn check(&self, drawn: &Drawn, faults: &mut Faults) {
        let (frame, layout) = (&drawn.prepared.frame.panels[0], &drawn.prepared.layout.panels[0]);
        for (wanted, axis, table) in
            [(&self.rows, &frame.rows, &layout.rows), (&self.columns, &frame.columns, &layout.columns)]
        {
            let mut cells: Vec<usize> = (0..axis.len()).collect();
            cells.sort_by(|a, b| table.extent(*a).0.total_cmp(&table.extent(*b).0));
            let labels = cells.iter().map(|i| plain(&axis.label(*i))).take(wanted.len());
            let labels: Vec<String> = labels.collect();
            let wanted: Vec<String> = wanted.iter().map(|w| plain(w)).collect();
            if labels != wanted {
                faults.add("order", format!("{labels:?} for {wanted:?}"));
            }
        }
        let label = &drawn.prepared.frame.bars[0].label;
        if !label.contains(&self.bar) {
            faults.add("bar-label", format!("'{label}' does not say '{}'", self.bar));
        }
    }
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gallery")
}

/// All tables by name.
fn listed() -> BTreeMap<String, Entry> {
    let text = std::fs::read_to_string(folder().join("gallery.toml")).unwrap();
    toml::from_str(&text).unwrap()
}

/// The tables to draw: all, or the one that `GRIDSCOPE_GALLERY` names.
pub fn entries() -> BTreeMap<String, Entry> {
    let (mut all, one) = (listed(), std::env::var("GRIDSCOPE_GALLERY").ok());
    all.retain(|name, _| one.as_ref().is_none_or(|one| one == name));
    all
}

#[test]
fn every_table_of_the_folder_is_small_and_listed() {
    let all = listed();
    assert!(all.len() >= 30, "{} tables", all.len());
    assert!(all.values().all(|e| e.shows.ends_with('.')));
    for file in std::fs::read_dir(folder().join("tables")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(std::fs::metadata(&path).unwrap().len() < 60_000, "{name} is too large");
        assert!(all.values().any(|e| e.files.contains(&name)), "{name} is not listed");
    }
}

#[test]
fn figures_of_the_gallery_keep_the_rules() {
    let (mut fonts, mut failed, all) = (Fonts::new(), Vec::new(), entries());
    for (name, entry) in &all {
        match Drawn::new(&folder().join("tables"), &entry.files, &entry.options, &mut fonts) {
            Ok(drawn) => {
                let mut found = faults(&drawn);
                entry.check(&drawn, &mut found);
                failed.extend(found.lines().into_iter().map(|l| format!("{name}: {l}")));
            }
            Err(refused) => failed.push(format!("{name}: {refused}")),
        }
    }
    assert!(failed.is_empty(), "{} faults in {} figures\n{}", failed.len(), all.len(), failed.join("\n"));
}

/// The chapter of the book shows ten of the tables, each by its own command.
#[test]
fn the_book_draws_ten_tables_by_their_commands() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/gallery.md");
    let (text, all) = (std::fs::read_to_string(book).unwrap(), listed());
    let commands: Vec<&str> = text.lines().filter(|l| l.starts_with("gridscope ")).collect();
    assert_eq!(commands.len(), 10);
    for command in commands {
        let name = command.rsplit(' ').next().and_then(|out| out.strip_suffix(".png")).unwrap_or_default();
        let entry = all.get(name).unwrap_or_else(|| panic!("{command}: no table of this name"));
        let wanted = format!("gridscope render {} {} -o {name}.png", entry.files.join(" "), entry.options);
        assert_eq!(words(command), words(&wanted));
        assert!(text.contains(&format!("/tests/gallery/pictures/{name}.png)")), "{name} is not shown");
    }
}
