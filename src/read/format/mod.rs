//! File formats: [`FORMATS`] has a row for each, and a folder or file beside it reads the format's bytes.

mod reader;
mod go_bench;
mod jmh;
mod sections;
mod sniff;
mod markup;
mod rewritten;
mod several;
mod aligned;
mod matrices;
mod compressed;
mod printed;
mod frame;
#[cfg(any(feature = "parquet", feature = "arrow"))]
pub(super) mod decoding;
pub(super) mod csv;
pub(super) mod json;
pub(super) mod npy;
#[cfg(feature = "npz")]
pub(super) mod npz;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "arrow")]
pub(super) mod arrow;
pub(super) mod raw;
#[cfg(feature = "zarr")]
mod zarr;
#[cfg(feature = "netcdf")]
mod netcdf;
#[cfg(feature = "xlsx")]
mod workbook;
#[cfg(feature = "xlsx")]
mod blocks;

pub(crate) use compressed::decompressed;
pub(crate) use reader::{Contents, Input, OneTable, ReadFile, Request};
pub(crate) use several::ALL_TABLES;
#[cfg(not(feature = "adbc"))]
pub(crate) use sniff::unbuilt;

use super::error::InputError;
use sniff::{Head, is_zarr_store};
use std::path::Path;

/// A format that is read.
pub(super) struct Format {
    /// Name of such a file.
    pub name: &'static str,
    recognises: Recognises,
    /// Its reader, or the cargo feature without which a file of it is refused by name.
    reader: Result<Reader, &'static str>,
}

/// Reads a file of a format.
type Reader = fn(&mut Input) -> Result<Contents, InputError>;

/// How a format is recognised.
enum Recognises {
    /// A folder, by its path.
    Folder(fn(&Path) -> bool),
    /// A file, by its first bytes and its name.
    File(fn(&Head) -> bool),
}
use Recognises::{File, Folder};

/// A reader that needs a cargo feature.
macro_rules! with_feature {
    ($feature:tt, $reader:path) => {{
        #[cfg(feature = $feature)]
        let reader: Result<Reader, &str> = Ok($reader);
        #[cfg(not(feature = $feature))]
        let reader: Result<Reader, &str> = Err($feature);
        reader
    }};
}

/// Every format but a table of text. The first one that recognises a file reads it.
static FORMATS: [Format; 25] = [
    Format {
        name: "Zarr store",
        recognises: Folder(is_zarr_store),
        reader: with_feature!("zarr", zarr::open),
    },
    Format {
        name: "NPY file",
        recognises: File(|head| head.starts_with(&[npy::MAGIC])),
        reader: Ok(npy::open),
    },
    Format {
        name: "workbook",
        recognises: File(sniff::is_workbook),
        reader: with_feature!("xlsx", workbook::open),
    },
    Format {
        name: "NPZ archive",
        recognises: File(|head| head.starts_with(&[b"PK\x03\x04", b"PK\x05\x06"])),
        reader: with_feature!("npz", npz::open),
    },
    Format {
        name: "Parquet file",
        recognises: File(|head| head.is_binary() && head.starts_with(&[b"PAR1", b"PARE"])),
        reader: with_feature!("parquet", parquet::open),
    },
    Format {
        name: "Arrow file",
        recognises: File(|head| {
            head.is_binary() && (head.starts_with(&[b"ARROW1"]) || head.is_arrow_stream())
        }),
        reader: with_feature!("arrow", arrow::open),
    },
    Format {
        name: "NetCDF or HDF5 file",
        recognises: File(|head| {
            head.starts_with(&[b"CDF\x01", b"CDF\x02", b"CDF\x05", b"\x89HDF\r\n\x1a\n"])
        }),
        reader: with_feature!("netcdf", netcdf::open),
    },
    Format {
        name: "SQLite database",
        recognises: File(|head| head.starts_with(&[b"SQLite format 3\0"])),
        reader: with_feature!("adbc", crate::database::open_sqlite),
    },
    Format {
        name: "DuckDB database",
        recognises: File(|head| head.bytes.get(8..12) == Some(b"DUCK")),
        reader: with_feature!("adbc", crate::database::open_duckdb),
    },
    Format {
        name: "file of another format",
        recognises: File(|head| sniff::foreign_name(head).is_some()),
        reader: Ok(sniff::open_foreign),
    },
    Format { name: "GCT table", recognises: File(matrices::is_gct), reader: Ok(matrices::open_gct) },
    Format {
        name: "PHYLIP matrix",
        recognises: File(matrices::is_phylip),
        reader: Ok(matrices::open_phylip),
    },
    Format {
        name: "ASCII grid",
        recognises: File(matrices::is_ascii_grid),
        reader: Ok(matrices::open_ascii_grid),
    },
    Format {
        name: "months of years",
        recognises: File(matrices::is_months),
        reader: Ok(matrices::open_months),
    },
    Format { name: "triangle", recognises: File(matrices::is_triangle), reader: Ok(matrices::open_triangle) },
    Format { name: "printed array", recognises: File(printed::is_printed), reader: Ok(printed::open) },
    Format {
        name: "JSON text",
        recognises: File(|head| head.is_json() || head.has_extension(&["json", "jsonl", "ndjson", "biom"])),
        reader: Ok(json::open),
    },
    Format { name: "benchmarks of Go", recognises: File(go_bench::is_go_bench), reader: Ok(go_bench::open) },
    Format { name: "benchmarks of JMH", recognises: File(jmh::is_jmh), reader: Ok(jmh::open) },
    Format { name: "LaTeX table", recognises: File(markup::is_latex), reader: Ok(markup::open_latex) },
    Format {
        name: "Markdown table",
        recognises: File(markup::is_markdown),
        reader: Ok(markup::open_markdown),
    },
    Format { name: "printed frame", recognises: File(frame::is_frame), reader: Ok(frame::open) },
    Format { name: "text with edges", recognises: File(aligned::has_edges), reader: Ok(aligned::open_edged) },
    Format { name: "aligned text", recognises: File(aligned::is_aligned), reader: Ok(aligned::open) },
    Format { name: "text with tables", recognises: File(sections::is_sections), reader: Ok(sections::open) },
];

/// Format of every other file.
static TEXT: Format = Format { name: "table of text", recognises: File(|_| true), reader: Ok(csv::open) };

impl Format {
    /// The format of a folder.
    pub(super) fn of_folder(path: &Path) -> Option<&'static Self> {
        FORMATS.iter().find(|f| matches!(f.recognises, Folder(is) if is(path)))
    }

    /// The format of a file, by its first bytes and its name.
    pub(super) fn of_file(bytes: &[u8], file: &str) -> &'static Self {
        let head = Head { bytes, file: compressed::inner_name(file) };
        let found = FORMATS.iter().find(|f| matches!(f.recognises, File(is) if is(&head)));
        found.unwrap_or(&TEXT)
    }

    /// Contents of a file of this format.
    ///
    /// # Errors
    /// Faults of the bytes or of the options, and a format that this build does not read.
    pub(super) fn read(&self, input: &mut Input) -> Result<Contents, InputError> {
        match self.reader {
            Ok(read) => read(input),
            Err(feature) => Err(sniff::unbuilt(input.request.file, self.name, feature)),
        }
    }
}

#[cfg(test)]
mod tests;
