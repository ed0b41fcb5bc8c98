"""Figures of databases are those of a file of the same rows: values, warnings, errors; hostile tables; queries that are cancelled."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import adbc_driver_postgresql.dbapi as postgres
import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa

PROGRAM, PLACE, ADDRESS = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
CASES = int(os.environ.get("GRIDSCOPE_CASES", "60"))
#: Of sums of floats, which an engine may add in another order.
BOUND = 1e-12

Options = list[str]


def run(source: Options, options: Options, *flags: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, *source, *options, *flags, "--quiet"], capture_output=True, text=True, cwd=PLACE)


def fill(name: str, rows: pd.DataFrame) -> dict[str, Options]:
    """A table of these rows in each engine, and in a file."""
    rows.to_csv(PLACE / f"{name}.csv", index=False, date_format="%Y-%m-%d %H:%M:%S")
    texts = rows.copy()
    for column in rows.select_dtypes("datetime"):
        texts[column] = rows[column].dt.strftime("%Y-%m-%d %H:%M:%S")
    with sqlite3.connect(PLACE / f"{name}.sqlite") as connection:
        texts.to_sql("t", connection, index=False)
    connection.close()
    with duckdb.connect(str(PLACE / f"{name}.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT * FROM rows")
    with postgres.connect(ADDRESS) as connection, connection.cursor() as cursor:
        cursor.adbc_ingest(name, pa.Table.from_pandas(rows, preserve_index=False), mode="replace")
        connection.commit()
    return {
        "SQLite": [f"{name}.sqlite", "--from", "t"],
        "DuckDB": [f"{name}.duckdb", "--from", "t"],
        "PostgreSQL": ["--db", ADDRESS, "--from", name],
    }


def measurements(seed: int, n: int) -> pd.DataFrame:
    r = np.random.default_rng(seed)
    rows = pd.DataFrame(
        {
            "model": r.choice(["zeta", "alpha", "Beta", "gpt, 4", 'q"x', "é"], n),
            "lr": r.choice([0.1, 0.01, 0.30000000000000004, 0.3], n),
            "bs": r.choice([16, 32, 64], n),
            "seed": r.integers(0, 7, n),
            "step": r.integers(0, 100_000, n),
            "acc": r.normal(50, 20, n),
            "tok": pd.array(r.integers(-(2**40), 2**40, n), dtype="Int64"),
            "t": pd.date_range("2026-01-01", periods=n, freq="13min"),
        }
    )
    rows.loc[r.random(n) < 0.03, "acc"] = np.nan
    rows.loc[r.random(n) < 0.05, "tok"] = pd.NA
    rows.loc[r.random(n) < 0.02, "model"] = None
    return rows


KEYS = [
    "lr", "bs", "model", "seed", "hour(t)", "date(t)", "month(t)", "weekday(t)", "quarter(t)", "minute(t)", "bin(step,5)",
    "bin(step,width=20000)", "bs*2", "log2(bs)", "upper(model)", "bin(step,3,quantile)",
]  # fmt: skip
WHERE = [
    "seed = 3", "seed != 2", "step > 50000", "step <= 77777", "lr < 0.3", "lr = 0.3", "lr != 0.3", "lr >= 0.30000000000000004",
    "bs >= 32", "hour(t) = 5", "model = alpha", "model != alpha", "seed in 1,2", "acc > 0",
]  # fmt: skip
AGGREGATES = [None, "mean", "sum", "count", "min", "max", "std", "var", "sem", "ci95", "median", "best", "first", "q25"]


def figure(r: random.Random) -> Options:
    x, y, panel = r.sample(KEYS, 3)
    out = ["-x", x, "-y", y] + (["--panel", panel] if r.random() < 0.3 else [])
    agg = r.choice(AGGREGATES)
    if agg != "count" or r.random() < 0.5:
        out += ["-z", r.choice(["acc", "tok", "acc,tok"])]
    out += ["--agg", agg] if agg else []
    out += ["--better", "higher"] if agg == "best" else []
    for chance, flag, values in [
        (0.4, "--where", WHERE),
        (0.2, "--min-count", ["2", "20"]),
        (0.2, "--annot", ["{mean:.2f}({n})", "{std(acc)}", "{max(tok)}", "{min}"]),
        (0.1, "--mark", ["tok > 0", "value > 50", "n < 30", "max(acc) > 90"]),
        (0.1, "--x-order", ["value"]),
    ]:
        out += [flag, r.choice(values)] if r.random() < chance else []
    return out


def apart(a: str, b: str) -> str | None:
    """Where two exports differ."""
    first, second = a.splitlines(), b.splitlines()
    if len(first) != len(second):
        return f"{len(first)} and {len(second)} lines"
    for u, v in zip(first, second, strict=True):
        for s, t in zip(u.split(","), v.split(","), strict=False):
            if s == t:
                continue
            try:
                if abs(float(s) - float(t)) <= BOUND * max(abs(float(s)), 1e-3):
                    continue
            except ValueError:
                pass
            return f"{s} and {t}"
    return None


def same(of_file: Options, of_engine: Options, options: Options) -> tuple[str | None, str | None]:
    """How a figure of an engine differs from that of a file, and which way it took."""
    first, second = run(["export", *of_file], options, "-o", "-"), run(["export", *of_engine], options, "-o", "-")
    if first.returncode != second.returncode:
        return f"{first.returncode} {first.stderr} / {second.returncode} {second.stderr}", None
    if first.returncode:
        return None, None
    reports = [json.loads(run(["info", *source], options, "--json").stdout) for source in (of_file, of_engine)]
    warned = [[(lint["name"], lint["count"]) for lint in report["lints"]] for report in reports]
    if warned[0] != warned[1]:
        return f"{warned}", None
    return apart(first.stdout, second.stdout), reports[1]["queries"][0]["way"]


def compare_random_figures() -> None:
    sources = fill("rows", measurements(5, 6000))
    r = random.Random(int(os.environ.get("GRIDSCOPE_SEED", "1")))
    ways: dict[str, int] = {}
    for _ in range(CASES):
        options = figure(r)
        for engine, source in sources.items():
            differs, way = same(["rows.csv"], source, options)
            assert differs is None, f"{engine} {options}: {differs}"
            ways[way or "refused"] = ways.get(way or "refused", 0) + 1
    assert ways.get("groups", 0) > 0 and ways.get("rows", 0) > 0, ways
    print(f"{CASES} figures in {len(sources)} engines are those of the file: {ways}")


def compare_hostile_tables() -> None:
    """Tables that an engine adds otherwise, or not at all."""
    inf, nan = float("inf"), float("nan")
    tables = {
        "nothing": {"v": [None, None, nan, None]},
        "nans": {"v": [nan, 1.0, nan, 2.5]},
        "infinite": {"v": [inf, 1.0, -inf, inf]},
        "large": {"v": [1e308, 1e308, 1e308, -1e308]},
        "beyond": {"v": pd.array([2**62, 2**62, 2**62, 5], dtype="Int64")},
        "exact": {"v": pd.array([2**53 + 1, 2**53 + 3, 7, 2**53 + 5], dtype="Int64")},
        "quotes": {'v"; DROP TABLE t; --': [1.0, 2.0, 3.0, 4.0]},
    }
    for name, columns in tables.items():
        rows = pd.DataFrame({"x": [1, 1, 2, 2], "y": ["a", None, "a", "a"]} | columns)
        value = rows.columns[2]
        for engine, source in fill(f"hostile_{name}", rows).items():
            for agg in ["mean", "sum", "count", "min", "max", "std", "ci95", "median"]:
                options = ["-x", "x", "-y", "y", "-z", value, "--agg", agg]
                if name == "nothing":
                    # A text has no type for what is not there.
                    ended = run(["info", *source], options).returncode
                    assert ended in {0, 3}, f"{engine} {name} {agg}: {ended}"
                    continue
                differs, _ = same([f"hostile_{name}.csv"], source, options)
                assert differs is None, f"{engine} {name} {agg}: {differs}"
    sql = "SELECT i AS x, i AS y, 1.0 AS v FROM range(100000000) t(i)"
    options = ["-x", "x", "-y", "y", "-z", "v", "--agg", "mean", "--max-memory", "100M"]
    limited = run(["info", "--db", "duckdb::memory:", "--sql", sql], options)
    assert limited.returncode == 7, limited
    # DuckDB calls the second one otherwise; of PostgreSQL's two none is chosen.
    for address, code in [("duckdb::memory:", 0), (ADDRESS, 2)]:
        query = "SELECT 1 AS x, 2 AS x, 3 AS v"
        twice = run(["info", "--db", address, "--sql", query], ["-x", "x", "-y", "v", "--agg", "count"])
        assert twice.returncode == code, twice
    print("hostile tables are those of the file, or refused")


def waits_for(sql: str) -> int:
    with postgres.connect(ADDRESS) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE $1", (f"%{sql}%",))
        [[count]] = cursor.fetchall()
    return count


def cancel_queries() -> None:
    """A query does not outlive its run."""
    sql = "SELECT pg_sleep(600), 1 AS x, 2 AS y, 3 AS v"
    source = ["info", "--db", ADDRESS, "--sql", sql, "-x", "x", "-y", "y", "-z", "v"]
    assert waits_for("pg_sleep(600)") == 0
    timed = run(source, [], "--timeout", "1")
    assert timed.returncode == 7, timed
    interrupted = subprocess.Popen([PROGRAM, *source], stderr=subprocess.PIPE, cwd=PLACE)
    while waits_for("pg_sleep(600)") == 0:
        assert interrupted.poll() is None
        time.sleep(0.05)
    interrupted.send_signal(signal.SIGINT)
    _, error = interrupted.communicate()
    assert (interrupted.returncode, error) == (128 + signal.SIGINT, b""), error
    end = time.monotonic() + 60
    while waits_for("pg_sleep(600)") > 0:
        assert time.monotonic() < end, "the query goes on"
        time.sleep(0.05)
    print("queries are cancelled at the end of the time and by Ctrl+C")


def refuse_to_write() -> None:
    for source in (["rows.sqlite"], ["rows.duckdb"], ["--db", ADDRESS]):
        refused = run(["info", *source, "--sql", "SELECT * FROM rows) AS a; DROP TABLE rows; --"], [])
        assert refused.returncode == 3, refused
        assert re.search("refuse", refused.stderr), refused
    with postgres.connect(ADDRESS) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM rows")
        assert cursor.fetchall() == [(6000,)]
    print("no session writes")


compare_random_figures()
compare_hostile_tables()
cancel_queries()
refuse_to_write()
