"""Times gridscope from a table to a picture, beside pandas, polars, pyarrow and numpy, which read and aggregate the same file.

    python benches/reading.py target/release/gridscope FOLDER [--rows 10000000] [--rounds 5]

Writes missing files to FOLDER: ROWS rows of lr (100 numbers), model (100 texts), seed, loss. All programs compute the same grid
of 100 x 100 means. The time of gridscope is that of its whole process, including the picture; a peer's starts after its imports
and ends with the grid. All programs take turns in one run; times are medians. Needs numpy, pandas, polars, pyarrow.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

import numpy as np

TABLES = ["t.csv", "t_snappy.parquet", "t_zstd.parquet", "t.arrow", "t_lz4.arrow"]
LINES = "t.jsonl"
ARRAYS = ["a.npy", "a_stored.npz", "a_deflate.npz"]
AGGREGATES = ["mean", "median", "min", "max", "sum", "count", "std", "first", "last"]

PEERS = {
    "polars": """
import polars as pl
lf = {"csv": pl.scan_csv, "parquet": pl.scan_parquet, "arrow": pl.scan_ipc, "jsonl": pl.scan_ndjson}[kind](path)
rest = time.perf_counter()
lf.group_by("lr", "model").agg(getattr(pl.col("loss"), agg)()).collect()
""",
    "pandas": """
import pandas as pd
read = {"csv": pd.read_csv, "parquet": pd.read_parquet, "arrow": pd.read_feather, "jsonl": lambda p: pd.read_json(p, lines=True)}[kind]
columns = {} if kind in ("csv", "jsonl") else {"columns": ["lr", "model", "loss"]}
if kind == "csv":
    columns = {"usecols": ["lr", "model", "loss"]}
frame = read(path, **columns)
rest = time.perf_counter()
frame.pivot_table(index="model", columns="lr", values="loss", aggfunc=agg)
""",
    "pyarrow": """
import pyarrow as pa, pyarrow.csv, pyarrow.parquet, pyarrow.feather, pyarrow.json, pyarrow.compute
columns = ["lr", "model", "loss"]
table = {
    "csv": lambda: pa.csv.read_csv(path, convert_options=pa.csv.ConvertOptions(include_columns=columns)),
    "parquet": lambda: pa.parquet.read_table(path, columns=columns),
    "arrow": lambda: pa.feather.read_table(path, columns=columns),
    "jsonl": lambda: pa.json.read_json(path),
}[kind]()
rest = time.perf_counter()
table.group_by(["lr", "model"]).aggregate([("loss", agg)])
""",
    "numpy": """
import numpy as np
array = np.load(path)
array = array if path.endswith("npy") else array["a"]
rest = time.perf_counter()
np.nanmin(array), np.nanmax(array)
""",
}
# Imports run before the clock starts.
FRAME = """
import sys, time, json
path, kind, agg = sys.argv[1:4]
source = sys.stdin.read()
for line in source.splitlines():
    if line.startswith("import"):
        exec(line)
start = time.perf_counter()
exec(source)
end = time.perf_counter()
print(json.dumps([end - start, end - rest]))
"""


def make(folder, rows):
    import polars as pl
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet

    r = np.random.default_rng(1)
    lr = np.round(np.logspace(-5, -1, 100), 9)[r.integers(0, 100, rows)]
    model = np.array([f"model-{i}" for i in range(100)])[r.integers(0, 100, rows)]
    frame = pl.DataFrame({"lr": lr, "model": model, "seed": r.integers(0, 1000, rows), "loss": r.normal(2, 0.5, rows)})
    frame.write_csv(f"{folder}/t.csv")
    table = frame.to_arrow().cast(pa.schema([("lr", pa.float64()), ("model", pa.string()), ("seed", pa.int64()), ("loss", pa.float64())]))
    for codec in ["snappy", "zstd"]:
        pa.parquet.write_table(table, f"{folder}/t_{codec}.parquet", compression=codec)
    pa.feather.write_feather(table, f"{folder}/t.arrow", compression="uncompressed")
    pa.feather.write_feather(table, f"{folder}/t_lz4.arrow", compression="lz4")
    frame.head(rows // 10).write_ndjson(f"{folder}/{LINES}")
    a = r.normal(0, 1, (5000, 5000)).astype("f4")
    np.save(f"{folder}/a.npy", a)
    np.savez(f"{folder}/a_stored.npz", a=a)
    np.savez_compressed(f"{folder}/a_deflate.npz", a=a)


def peer(name, path, agg):
    kind = path.rsplit(".", 1)[1]
    # pyarrow has other names for some aggregates.
    agg = {"pyarrow": {"std": "stddev", "median": "approximate_median"}}.get(name, {}).get(agg, agg)
    args = [sys.executable, "-c", FRAME, path, kind, agg]
    return json.loads(subprocess.run(args, input=PEERS[name], capture_output=True, check=True, text=True).stdout)


def ours(program, path, agg):
    """The time of a whole process in seconds, and its peak of memory in MB."""
    args = [program, "render", path, "-o", os.path.join(os.path.dirname(path), "out.png"), "--backend", "cpu", "-q"]
    if not path.endswith(("npy", "npz")):
        args += ["--x", "lr", "--y", "model", "--value", "loss", "--agg", agg]
    start = time.perf_counter()
    done = subprocess.run(["/usr/bin/time", "-f", "%M", *args], check=True, stderr=subprocess.PIPE, text=True)
    return [time.perf_counter() - start, int(done.stderr.split()[-1]) / 1024]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    if not os.path.exists(f"{args.folder}/a_deflate.npz"):
        make(args.folder, args.rows)
    cases = [(f, ["polars", "pandas", "pyarrow"], "mean") for f in [*TABLES, LINES]]
    cases += [(f, ["numpy"], "") for f in ARRAYS]
    cases += [("t_snappy.parquet", ["polars", "pandas"], agg) for agg in AGGREGATES[1:]]
    for file, peers, agg in cases:
        path = os.path.join(args.folder, file)
        times = {name: [] for name in ["gridscope", *peers]}
        for _ in range(args.rounds):
            times["gridscope"].append(ours(args.program, path, agg))
            for name in peers:
                times[name].append(peer(name, path, agg))
        own = statistics.median(t[0] for t in times["gridscope"])
        memory = max(t[1] for t in times["gridscope"])
        line = [f"{file} {agg}: gridscope {own:.3f} s, {memory:.0f} MB"]
        for name in peers:
            whole, rest = (statistics.median(t[i] for t in times[name]) for i in (0, 1))
            line.append(f"{name} {whole:.3f} s (without reading {rest:.3f}), ratio {own / whole:.2f}")
        print("; ".join(line), flush=True)


main()
