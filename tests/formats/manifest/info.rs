//! The output of `info` for good files of every kind, each of which is drawn as it stands.

use super::good::all;
use crate::support::place::Place;

#[test]
fn info_says_what_would_be_drawn() {
    let place = Place::empty();
    for good in all() {
        let folder = tempfile::tempdir().unwrap();
        let path = good.put(folder.path());
        let ran = place.limited("info", &path, &good.options).unwrap_or_else(|e| panic!("{e}"));
        let line = |part: &str| ran.text().lines().any(|l| l.contains(part));
        assert!(
            ran.code == Some(0) && good.said.iter().all(|t| line(t)),
            "{}: {}{}",
            good.name,
            ran.text(),
            ran.err
        );
        assert!(line("min ") && line("  x  ") && line("  y  "), "{}: {}", good.name, ran.text());
        for command in ["render", "check"] {
            let ran = place.limited(command, &path, &good.options).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(ran.code, Some(0), "{command} {}: {}", good.name, ran.err);
        }
    }
}
