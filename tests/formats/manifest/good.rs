//! Good files of every kind, made here; a kind a file or a folder of files.

use crate::support::archive::zipped;
use crate::support::npy::npy;
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file that is drawn with its options, and what is beside it or in it.
#[derive(Clone)]
pub struct Good {
    /// The argument of the program: one of `files`, or the folder that holds them.
    pub name: String,
    pub files: Vec<(String, Vec<u8>)>,
    pub options: Vec<String>,
    /// The output of `info` for it, the first line and the rest.
    pub said: [&'static str; 2],
}

impl Good {
    /// Writes the files to a folder; gives the path of what is drawn.
    pub fn put(&self, folder: &Path) -> PathBuf {
        for (name, bytes) in &self.files {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        folder.join(&self.name)
    }
}

pub fn good(name: &str, bytes: impl Into<Vec<u8>>, options: &str, said: [&'static str; 2]) -> Good {
    let options = options.split(' ').filter(|o| !o.is_empty()).map(str::to_owned).collect();
    Good { name: name.to_owned(), files: vec![(name.to_owned(), bytes.into())], options, said }
}

fn beside(mut good: Good, name: &str, bytes: impl Into<Vec<u8>>) -> Good {
    good.files.push((name.to_owned(), bytes.into()));
    good
}

/// Options for [`tidy`] and for [`records`].
pub const TIDY: &str = "-x lr -y model -z acc";

/// A tidy table: three models and two rates, twice each.
pub fn tidy() -> String {
    let row = |i: usize| format!("m{},{},{},{}\n", i % 3, [0.01, 0.1][i / 3 % 2], i, i / 6);
    "model,lr,acc,seed\n".to_owned() + &(0..12).map(row).collect::<String>()
}

fn records(nested: bool) -> Vec<String> {
    let row = |i: usize| match (["9m", "10m"][i % 2], [0.1, 0.01][i / 2], i) {
        (model, lr, i) if nested => {
            json!({"config": {"lr": lr, "model": model}, "acc": i, "tags": ["a"]}).to_string()
        }
        (model, lr, i) => json!({"lr": lr, "model": model, "acc": i}).to_string(),
    };
    (0..4).map(row).collect()
}

/// A store, version 2 or 3: four chunks, one of which is not there.
fn store(version: u8) -> Good {
    let (meta, key) = if version == 2 { (".zarray", ".") } else { ("zarr.json", "/") };
    let text = if version == 2 {
        json!({"zarr_format": 2, "shape": [4, 4], "chunks": [2, 2], "dtype": "<f4", "order": "C", "fill_value": 0, "filters": null,
               "compressor": {"id": "zlib", "level": 1}})
    } else {
        let transpose = json!({"name": "transpose", "configuration": {"order": [1, 0]}});
        let little = json!({"name": "bytes", "configuration": {"endian": "little"}});
        json!({"zarr_format": 3, "node_type": "array", "shape": [4, 4], "data_type": "float32", "fill_value": "NaN",
               "codecs": [transpose, little, {"name": "gzip", "configuration": {"level": 1}}], "dimension_names": ["y", "x"],
               "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 2]}},
               "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}}})
    };
    let said = if version == 2 { "Zarr v2 array" } else { "Zarr v3 array" };
    let mut made = Good {
        name: format!("v{version}.zarr"),
        files: Vec::new(),
        options: Vec::new(),
        said: [said, "4 rows x 4 columns"],
    };
    made.files.push((format!("{}/{meta}", made.name), text.to_string().into_bytes()));
    for (r, c) in [(0, 0), (0, 1), (1, 0)] {
        let values: Vec<u8> =
            (0..4).flat_map(|i| ((r * 2 + c) as f32 + i as f32 * 10.0).to_le_bytes()).collect();
        let packed = if version == 2 {
            let mut out = ZlibEncoder::new(Vec::new(), Compression::fast());
            out.write_all(&values).and_then(|()| out.finish()).unwrap()
        } else {
            let mut out = GzEncoder::new(Vec::new(), Compression::fast());
            out.write_all(&values).and_then(|()| out.finish()).unwrap()
        };
        let chunk = if version == 2 { format!("{r}{key}{c}") } else { format!("c{key}{r}{key}{c}") };
        made.files.push((format!("{}/{chunk}", made.name), packed));
    }
    made
}

/// One of every kind that this build reads.
pub fn all() -> Vec<Good> {
    let array = || npy("(2, 3)", &[1.5, 2.0, 3.0, 4.0, 5.0, 1e300]);
    let members = [
        ("x.npy", npy("(3,)", &[30.0, 10.0, 20.0])),
        ("z.npy", array()),
        ("y.npy", npy("(2,)", &[0.0, 5.0])),
    ];
    let toml = "title = \"T\"\n[data]\nfile = \"d.csv\"\nx = \"lr\"\ny = \"model\"\nvalue = \"acc\"\nagg = \"max\"\nwhere = \"seed = 1\"\n\
                [color]\ncmap = \"magma\"\nvmin = 0\nvmax = 20.5\n[x]\nlabel = \"rate\"\nticks = 3\n[view]\nrows = \"0:2\"\n\
                [size]\nwidth = \"9cm\"\ndpi = 100\nfont_size = \"8pt\"\n[annotations]\nshow = \"on\"\nfmt = \".2f\"\n";
    let figure = r#"{"title": "T", "data": {"file": "d.csv", "x": "lr", "y": ["model"], "value": "acc"}, "color": {"norm": "log"}}"#;
    let grid = ["grid: 3 rows x 2 columns", "(number, 2): 0.01, 0.1"];
    let semicolons = "\"lr \"\"x\"\"\";\"mo\ndel\";acc\r\n0,1;a;1,5\r\n0,2;b;2,5\r\n";
    let pandas = r#"{"columns": [0, 1, 2], "index": [0, 1], "data": [[1, 2, 9007199254740993], [4, 5, 6]]}"#;
    let axes = "--key z --x-values x --y-values y";
    let mut made = vec![
        good("tidy.csv", tidy(), TIDY, grid),
        good(
            "words.csv",
            semicolons,
            "--table tidy -x acc -y acc --agg count --delimiter ;",
            ["grid: 2 rows", "(category, 2): 1,5, 2,5"],
        ),
        good(
            "wide.csv",
            "model,1,2,4\na,0.5,0.25,1\nb,nan,2,-inf\nc,1e300,,3\n",
            "",
            ["wide table", "3 rows x 3 columns"],
        ),
        good(
            "matrix.tsv",
            "1\t2\t3\n4\t5\t6\n",
            "--table matrix --header none",
            ["matrix", "2 rows x 3 columns"],
        ),
        good("a.npy", array(), "", ["array of 2 x 3", "min 1.5, max 1e300"]),
        good("a.npz", zipped(&members), axes, ["array z (2 x 3, f64)", "(number, 3): 10, 20, 30"]),
        good(
            "records.json",
            format!("[{}]", records(false).join(",")),
            TIDY,
            ["grid: 2 rows x 2 columns", "4 values"],
        ),
        good(
            "lines.jsonl",
            records(true).join("\n"),
            "-x config.lr -y config.model -z acc",
            ["grid: 2 rows", "min 0, max 3, mean 1.5"],
        ),
        good("columns.json", pandas, "", ["2 rows x 3 columns", "6 values (integers)"]),
        good(
            "flat.json",
            "{\"width\":3,\"height\":2,\"values\":[1,2,3,4,5,6.5]}",
            "",
            ["array of 2 x 3", "max 6.5"],
        ),
        good(
            "nan.json",
            "[[1,NaN],[-Infinity,4]]",
            "--json-nan",
            ["array of 2 x 2", "3 values (f64), 1 no value, 1 -inf"],
        ),
        beside(
            good("figure.toml", toml, "", ["grid: 2 rows x 2 columns of acc", "min 6, max 10"]),
            "d.csv",
            tidy(),
        ),
        beside(good("figure.json", figure, "", ["grid: 3 rows x 2 columns", "mean 5.5"]), "d.csv", tidy()),
    ];
    made.extend([store(2), store(3)]);
    made.extend(super::columns::all());
    made
}
