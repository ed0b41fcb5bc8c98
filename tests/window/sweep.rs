//! A figure of 20 methods and 30 lengths, whose scores are known.

use std::path::{Path, PathBuf};

/// The size of its window.
pub const SIZE: (u32, u32) = (700, 530);
/// Its whole view.
pub const WHOLE: [[f64; 2]; 2] = [[0.0, 30.0], [0.0, 20.0]];

/// The score of a cell.
pub fn score(row: usize, column: usize) -> f64 {
    ((row * 37 + column * 101) % 97) as f64 / 4.0
}

/// Writes the figure file and its table.
pub fn sweep(folder: &Path) -> PathBuf {
    let mut text = "method,length,score\n".to_owned();
    for r in 0..20 {
        for c in 0..30 {
            text += &format!("method {r},{},{}\n", c * 10, score(r, c));
        }
    }
    std::fs::write(folder.join("scores.csv"), text).unwrap();
    let words = "title = \"Sweep\"\nsquare = \"off\"\n[data]\nfile = \"scores.csv\"\nx = \"length\"\ny = \"method\"\nvalue = \"score\"\n[y]\norder = \"data\"\n[size]\nwidth = \"700px\"\nheight = \"476px\"\n";
    let path = folder.join("sweep.toml");
    std::fs::write(&path, words).unwrap();
    path
}
