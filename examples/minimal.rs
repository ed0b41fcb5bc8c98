//! Draws values from memory to `minimal.png`.

use gridscope::{Grid, Plot};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let values = (0..96).map(|i| f64::from(i / 12) * (f64::from(i % 12) * 0.5).sin()).collect();
    let lints = Plot::new([Grid::from_rows(8, 12, values)?]).save("minimal.png")?;
    lints.0.iter().for_each(|lint| eprintln!("{lint}"));
    Ok(())
}
