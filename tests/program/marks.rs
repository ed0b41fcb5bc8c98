//! The commands of the chapter about marks.

use crate::support::place::Place;
use std::path::Path;

#[test]
fn the_commands_of_the_chapter_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let p = Place::empty();
    p.write(
        "runs.csv",
        std::fs::read(root.join("examples/marks/runs.csv")).unwrap(),
    );
    let text = std::fs::read_to_string(root.join("docs/src/marks.md")).unwrap();
    let mut count = 0;
    for line in text.lines().filter_map(|line| line.strip_prefix("gridscope ")) {
        // Words in quotes stay together.
        let parts = line.split('\'').enumerate();
        let words: Vec<&str> = parts
            .flat_map(|(i, part)| match i % 2 {
                0 => part.split_whitespace().collect::<Vec<_>>(),
                _ => vec![part],
            })
            .collect();
        let ran = p.run(&words);
        assert!(
            ran.code == Some(0) && !ran.err.contains("warning"),
            "{line}: {}",
            ran.err
        );
        count += 1;
    }
    assert!(count > 0);
    let figure = text
        .split("```toml\n")
        .nth(1)
        .and_then(|t| t.split("```").next())
        .unwrap();
    let data =
        "[data]\nfile = \"runs.csv\"\nx = \"lr\"\ny = \"dropout\"\nvalue = \"accuracy\"\nagg = \"mean\"\n";
    p.write("f.toml", format!("{data}{figure}"));
    p.ends(0, "render f.toml -o f.png");
}
