//! Stores written by hand.

use gridscope::figure::Figure;
use gridscope::grid::{Cell, Grid, State};
use gridscope::input::{InputError, Loaded, ReadOptions, open};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// Bytes that a store's data may take in these tests.
pub const LIMIT: u64 = 256 << 20;

/// A store in a folder of its own.
pub struct Store(pub TempDir);

impl Store {
    pub fn new() -> Self {
        Store(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> PathBuf {
        self.0.path().join("s.zarr")
    }

    pub fn put(&self, key: &str, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.path().join(key);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    pub fn json(&self, key: &str, value: &Value) -> &Self {
        self.put(key, value.to_string())
    }

    pub fn open(&self, figure: &Figure) -> Result<Loaded, InputError> {
        let needs = ReadOptions { fingerprints: true, ..ReadOptions::default() };
        open(&[self.path().to_str().unwrap().to_owned()], figure, &needs, LIMIT)
    }

    pub fn grid(&self) -> Grid {
        let mut grids = self.open(&Figure::default()).unwrap_or_else(|e| panic!("{e}")).grids;
        assert_eq!(grids.len(), 1);
        grids.remove(0)
    }

    pub fn error(&self, figure: &Figure) -> InputError {
        self.open(figure).map(|l| l.grids.iter().try_for_each(Grid::load)).expect_err("was read")
    }
}

pub fn v2(shape: &[u64], chunks: &[u64], dtype: &str, fill: Value) -> Value {
    json!({"zarr_format": 2, "shape": shape, "chunks": chunks, "dtype": dtype, "order": "C", "fill_value": fill, "filters": null,
           "compressor": null})
}

pub fn v3(shape: &[u64], chunks: &[u64], dtype: &str, fill: Value, codecs: Value) -> Value {
    json!({"zarr_format": 3, "node_type": "array", "shape": shape, "data_type": dtype, "fill_value": fill, "codecs": codecs,
           "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunks}},
           "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}}})
}

pub fn little() -> Value {
    json!({"name": "bytes", "configuration": {"endian": "little"}})
}

pub fn with(mut value: Value, key: &str, other: Value) -> Value {
    value[key] = other;
    value
}

pub fn key(name: &str) -> Figure {
    let mut f = Figure::default();
    f.data.key = Some(name.to_owned());
    f
}

/// The bits of a remainder, for polynomials of 32 reflected bits.
pub fn crc(polynomial: u32, bytes: &[u8]) -> u32 {
    let step = |c: u32| (c >> 1) ^ (polynomial & 0u32.wrapping_sub(c & 1));
    !bytes.iter().fold(!0, |c, b| (0..8).fold(c ^ u32::from(*b), |c, _| step(c)))
}

/// A gzip stream of one stored block.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let n = bytes.len() as u16;
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1];
    out.extend(n.to_le_bytes());
    out.extend((!n).to_le_bytes());
    out.extend(bytes);
    out.extend(crc(0xedb8_8320, bytes).to_le_bytes());
    out.extend(u32::from(n).to_le_bytes());
    out
}

/// All cells; NaN where there is no data.
pub fn cells(g: &Grid) -> Vec<Vec<f64>> {
    g.load().unwrap();
    let at = |r, c| match g.at(r, c) {
        Cell::Value(v) => v.as_f64(),
        Cell::Empty(state) => {
            assert_eq!(state, State::Absent);
            f64::NAN
        }
    };
    (0..g.height()).map(|r| (0..g.width()).map(|c| at(r, c)).collect()).collect()
}

pub fn bytes(values: &[i16]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_be_bytes()).collect()
}

/// A gzip stream of stored blocks.
pub fn gzip_long(bytes: &[u8]) -> Vec<u8> {
    bytes.chunks(60_000).flat_map(gzip).collect()
}
