"""Tables of databases are those of files with the same rows."""

from __future__ import annotations

import math
import os
import random
import sqlite3
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import gridscope as gs

pytestmark = pytest.mark.filterwarnings("ignore::gridscope.LintWarning")


def database(folder: Path, rows: pd.DataFrame, name: str = "runs") -> Path:
    path = folder / "a?b#%20.sqlite"
    with sqlite3.connect(path) as connection:
        rows.to_sql(name, connection, index=False)
    connection.close()
    return path


def rows_of(seed: int) -> pd.DataFrame:
    """Rows with repeated cells, missing ones, missing values, and texts that need quotes."""
    r = random.Random(seed)
    names = ["a", 'b"c', "d'e", "f,g", " h", "数"]
    some = [(r.choice(names), r.randrange(4), r.random() if r.random() < 0.9 else math.nan) for _ in range(60)]
    return pd.DataFrame(some, columns=['na"me', "step", "loss"])


@pytest.mark.parametrize("agg", ["mean", "median", "max", "count", "first", "std", "q25"])
def test_a_table_is_that_of_a_file(tmp_path: Path, agg: str) -> None:
    for seed in range(int(os.environ.get("GRIDSCOPE_CASES", "3"))):
        folder = tmp_path / str(seed)
        folder.mkdir()
        rows = rows_of(seed)
        path = database(folder, rows)
        rows.to_parquet(folder / "runs.parquet")
        options = {"x": "step", "y": 'na"me', "value": "loss", "agg": agg}
        of_file = gs.read(folder / "runs.parquet", **options)
        sql = """SELECT * FROM "runs" -- all of them;"""
        for of_database in [
            gs.read(path, **options),
            gs.read(path, from_="runs", **options),
            gs.read(path, sql=sql, **options),
            gs.read(db=f"sqlite:{path}", from_='"runs"', **options),
        ]:
            [a], [b] = of_file.grids, of_database.grids
            if agg == "mean":
                np.testing.assert_allclose(a.values, b.values, rtol=1e-14)
            else:
                np.testing.assert_array_equal(a.values, b.values)
            assert (a.columns.labels, a.rows.labels) == (b.columns.labels, b.rows.labels)
            assert [lint.name for lint in of_file.lints] == [lint.name for lint in of_database.lints]


def test_the_engine_groups_rows_or_gives_the_columns_of_the_figure(tmp_path: Path) -> None:
    path = database(tmp_path, rows_of(1).assign(other="x" * 1000))
    options = {"x": "step", "y": 'na"me', "value": "loss"}
    [query] = gs.read(path, agg="mean", **options).info()["queries"]
    assert (query["way"], query["why"]) == ("groups", None)
    assert query["rows"] == len(rows_of(1).groupby(['na"me', "step"]))
    assert "other" not in query["sql"]
    [query] = gs.read(path, agg="median", **options).info()["queries"]
    assert query["sql"] == 'SELECT "na""me", "step", "loss" FROM "runs"'
    assert (query["way"], query["rows"]) == ("rows", 60)
    assert "median" in query["why"]


#: Options under which rows are grouped by SQLite, and under which they are not.
GROUPED = [
    {"agg": "mean"},
    {"agg": "sum", "where": "step > 1"},
    {"agg": "count", "where": ["step != 2", 'na"me != a']},
    {"agg": "max", "min_count": 3},
    {"agg": "mean", "annot": "{n} {max:.2f} {mean(other)}"},
    {"agg": "min", "y_domain": ["a", "f,g"]},
    {"panel": 'na"me', "y": "step", "x": "other"},
]
ROWS = [{"agg": "std"}, {"agg": "median"}, {"missing": ["0"]}, {"value": "loss * 2"}, {"x": "bin(step, 2, quantile)"}]


@pytest.mark.parametrize("options", GROUPED + ROWS, ids=str)
def test_groups_are_the_rows_of_a_file(tmp_path: Path, options: dict[str, object]) -> None:
    for seed in range(int(os.environ.get("GRIDSCOPE_CASES", "2"))):
        folder = tmp_path / str(seed)
        folder.mkdir()
        rows = rows_of(seed).assign(other=lambda r: r.step % 2)
        path = database(folder, rows)
        rows.to_parquet(folder / "runs.parquet")
        keywords = {"x": "step", "y": 'na"me', "value": "loss"} | options
        of_file, of_database = (gs.read(source, **keywords) for source in (folder / "runs.parquet", path))
        for a, b in zip(of_file.grids, of_database.grids, strict=True):
            np.testing.assert_allclose(a.values, b.values, rtol=1e-14)
            assert (a.columns.labels, a.rows.labels) == (b.columns.labels, b.rows.labels)
        counts = [[(lint.name, lint.count) for lint in figure.lints] for figure in (of_file, of_database)]
        assert counts[0] == counts[1]
        [query] = of_database.info()["queries"]
        assert query["way"] == ("groups" if options in GROUPED else "rows")


def test_what_an_engine_cannot_add_is_added_here(tmp_path: Path) -> None:
    for name, values in {
        # Beyond 64 bits, a text, a blob.
        "wide": [2**62, 2**62, 2**62],
        "mixed": [1.5, "2.5", 3.5],
        "large": [1e308, 1e308, 1e308],
    }.items():
        path = tmp_path / f"{name}.sqlite"
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE t (x, y, v)")
            connection.executemany("INSERT INTO t VALUES (1, 2, ?)", [(v,) for v in values])
        connection.close()
        figure = gs.read(path, x="x", y="y", value="v", agg="mean")
        wanted = np.mean([float(v) / 4 for v in values]) * 4
        try:
            [[mean]] = figure.grids[0].values.tolist()
            assert mean == wanted, name
        except gs.InputError as error:
            # The driver takes the type of a column from its first rows.
            assert name == "mixed", error  # noqa: PT017


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    path = database(tmp_path, rows_of(1))
    with pytest.raises(gs.InputError, match="no such table: nope") as error:
        gs.read(path, from_="nope", x="step", y='na"me', value="loss").grids
    assert error.value.hint == "tables: runs"
    with pytest.raises(gs.InputError, match="database refuses"):
        gs.read(path, sql="DROP TABLE runs").grids
    with pytest.raises(gs.GridscopeError, match="password") as failure:
        gs.read(db="postgresql://me:hush@host/name", sql="SELECT 1").grids
    assert "hush" not in str(failure.value)
    with pytest.raises(gs.GridscopeError, match="no driver 'nonsense'"):
        gs.read(db="nonsense:there", sql="SELECT 1").grids
    (tmp_path / "a.csv").write_text("x,y,v\n1,2,3\n")
    with pytest.raises(gs.GridscopeError, match="for databases"):
        gs.read(tmp_path / "a.csv", from_="runs", x="x", y="y", value="v").grids
    # What follows the first query is not run.
    gs.read(path, sql="SELECT 1 AS a, 2 AS b); DROP TABLE runs; SELECT (2").grids
    rest = pd.read_sql("SELECT COUNT(*) AS n FROM runs", sqlite3.connect(path))
    assert rest["n"][0] == 60
