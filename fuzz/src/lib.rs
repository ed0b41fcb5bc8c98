//! Common parts of the fuzz targets: bytes to grids under a small limit, and what counts as a crash.

use gridscope::figure::{Figure, List};
use gridscope::grid::{Grid, ScanRequest};
use gridscope::input::{InputError, Loaded, ReadOptions, is_decoding, open, open_bytes};
use std::path::Path;

/// The most bytes that data may take in memory.
const LIMIT: u64 = 64 << 20;

/// Any panic ends the run, but those that the guard around the decoders of others turns into errors.
pub fn abort_on_panic() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !is_decoding() {
            report(info);
            std::process::abort();
        }
    }));
}

/// Reads bytes as a file, and every cell of the grids that they give.
pub fn read(bytes: &[u8], name: &str, figure: &Figure) {
    look(open_bytes(
        bytes.to_vec(),
        name,
        figure,
        &ReadOptions::default(),
        LIMIT,
    ));
}

/// Reads a store that stands in a folder.
pub fn read_store(folder: &Path) {
    look(open(
        &[folder.display().to_string()],
        &Figure::default(),
        &ReadOptions::default(),
        LIMIT,
    ));
}

fn look(loaded: Result<Loaded, InputError>) {
    match loaded {
        Ok(loaded) => loaded.grids.iter().for_each(look_at),
        Err(e) => assert!(!e.to_string().is_empty()),
    }
}

/// A grid is as large as its axes say, and its cells can be read or say why not.
fn look_at(grid: &Grid) {
    assert_eq!(
        (grid.height(), grid.width()),
        (grid.rows().len(), grid.columns().len())
    );
    if grid.load().is_err() {
        return;
    }
    assert_eq!(grid.len(), grid.height() * grid.width());
    if let Ok(scan) = grid.scan(&ScanRequest::default()) {
        let stats = scan.stats;
        assert!(
            stats
                .min
                .is_none_or(|min| stats.max.is_some_and(|max| min.as_f64() <= max.as_f64()))
        );
    }
}

/// How a table is read: by its content, or tidy by the places of its columns.
pub fn table_figure(choice: u8) -> Figure {
    let mut figure = Figure::default();
    if choice & 1 == 0 {
        return figure;
    }
    let list = |names: &[&str]| Some(List(names.iter().map(|n| (*n).to_owned()).collect()));
    figure.data.x = list(if choice & 2 == 0 {
        &["column 1"]
    } else {
        &["column 1", "column 4"]
    });
    figure.data.y = list(&["column 2"]);
    figure.data.value = list(&["column 3"]);
    figure.data.panel = (choice & 4 != 0).then(|| "column 4".into());
    figure.data.filter = if choice & 8 == 0 {
        None
    } else {
        list(&["\"column 3\" > 0", "\"column 1\" != x"])
    };
    figure.data.pending = (choice & 16 != 0).then(|| "\"column 2\" = 1".to_owned());
    figure.data.agg = serde_json::from_str(
        ["null", "\"median\"", "\"last\"", "\"count\"", "\"std\""][usize::from(choice >> 5) % 5],
    )
    .unwrap();
    figure
}
