//! Writes a sweep of 4,000 window sizes x 3,000 ratios as `sweep.npy` (48 MB) and prints the command that draws it.

#[allow(unreachable_pub, reason = "the tests use it too")]
mod surface;

const ROWS: usize = 4000;
const COLUMNS: usize = 3000;

fn main() -> std::io::Result<()> {
    let figures = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/figures");
    let path = std::env::args().nth(1).unwrap_or_else(|| format!("{figures}/sweep.npy"));
    std::fs::write(&path, surface::npy(ROWS, COLUMNS, &surface::surface(ROWS, COLUMNS)))?;
    println!(
        "{path}: {ROWS} x {COLUMNS} cells, {} single-cell optima, two kinds of missing runs",
        surface::OPTIMA.len()
    );
    println!("gridscope render {figures}/sweep.toml {path} -o sweep.png");
    Ok(())
}
