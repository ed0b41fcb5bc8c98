//! Outside JSON and TOML texts given as figure files: refused with line and column. `GRIDSCOPE_CORPUS` names their folder.

use crate::support::corpus::{corpus, files};
use gridscope::input::{Format, read_figure};

fn refused(folder: &str, format: Format) {
    let root = corpus();
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in files(&root.join("specs").join(folder)) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).unwrap();
        match read_figure(&bytes, &name, format) {
            Ok(_) => wrong.push(format!("{name}: read")),
            Err(e) => {
                let numbers = e.place.line.is_some() && e.place.column.is_some();
                if !numbers || e.what.is_empty() || e.to_string().len() > 400 {
                    wrong.push(e.to_string());
                }
                println!("{e}");
            }
        }
        count += 1;
    }
    assert!(count > 0);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn json_texts() {
    refused("json", Format::Json);
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn toml_texts() {
    refused("toml", Format::Toml);
}
