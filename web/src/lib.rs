//! The library as a WebAssembly module: a host copies a file and a figure in, and reads a PNG or the text of an error back.
//!
//! `cargo build --release -p gridscope-web --target wasm32-unknown-unknown` makes it; `web/draw.mjs` is a host.
//! A host calls [`allocate`] for each input, writes its bytes there, calls [`draw`], and then reads [`length`] bytes at the
//! address that it returned.

use gridscope::figure::Figure;
use gridscope::input::{Format, ReadOptions, open_bytes, read_figure};
use std::cell::RefCell;

/// Bytes that inputs and grids may take: a module has 4 GiB of addresses in all.
const MEMORY: u64 = 1 << 30;

thread_local! {
    static INPUTS: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
    static RESULT: RefCell<(bool, Vec<u8>)> = const { RefCell::new((false, Vec::new())) };
}

/// Makes room for the next input of `len` bytes; returns its address.
#[expect(unsafe_code, reason = "a host calls exported functions by their names")]
#[unsafe(no_mangle)]
pub extern "C" fn allocate(len: usize) -> *const u8 {
    INPUTS.with_borrow_mut(|inputs| {
        inputs.push(vec![0; len]);
        inputs.last().map_or(std::ptr::null(), |input| input.as_ptr())
    })
}

/// Draws the first input, a data file, as the second one, a figure in TOML, describes it; takes both. Returns the address of a
/// PNG, or of the text of an error.
#[expect(unsafe_code, reason = "a host calls exported functions by their names")]
#[unsafe(no_mangle)]
pub extern "C" fn draw() -> *const u8 {
    let inputs = INPUTS.take();
    let drawn = match inputs.as_slice() {
        [data, figure] => png(data, figure),
        other => Err(format!("{} inputs, not a data file and a figure", other.len())),
    };
    RESULT.with_borrow_mut(|result| {
        *result = match drawn {
            Ok(png) => (true, png),
            Err(text) => (false, text.into_bytes()),
        };
        result.1.as_ptr()
    })
}

/// The length of what [`draw`] returned.
#[expect(unsafe_code, reason = "a host calls exported functions by their names")]
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    RESULT.with_borrow(|result| result.1.len())
}

/// Whether [`draw`] returned a picture: 1, or 0 for an error.
#[expect(unsafe_code, reason = "a host calls exported functions by their names")]
#[unsafe(no_mangle)]
pub extern "C" fn is_picture() -> u32 {
    RESULT.with_borrow(|result| u32::from(result.0))
}

/// A data file as a figure.
///
/// # Errors
/// Faults of either file, in words.
pub fn png(data: &[u8], figure: &[u8]) -> Result<Vec<u8>, String> {
    let figure: Figure = read_figure(figure, "figure", Format::Toml).map_err(|e| e.to_string())?;
    let loaded = open_bytes(data.to_vec(), "data", &figure, &ReadOptions::default(), MEMORY)
        .map_err(|e| e.to_string())?;
    let png = gridscope::render_png(&figure, &loaded.grids).map_err(|e| e.to_string())?;
    Ok(png.picture)
}
