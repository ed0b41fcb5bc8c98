//! Draws values from memory to `minimal.png`.

use gridscope::{Figure, Grid, render_png};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let values = (0..96).map(|i| f64::from(i / 12) * (f64::from(i % 12) * 0.5).sin()).collect();
    let grid = Grid::from_rows(8, 12, values)?;
    let png = render_png(&Figure::default(), &[grid])?;
    png.lints.0.iter().for_each(|lint| eprintln!("{lint}"));
    std::fs::write("minimal.png", png.picture)?;
    Ok(())
}
