"""Writes derived.csv, a table, and derived.tsv, what pandas and numpy make of columns derived from it.

    python derived.py     # pandas, numpy
"""

from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).parent
rng = np.random.default_rng(7)
n = 300
table = pd.DataFrame(
    {
        "t": pd.to_datetime("2023-11-20") + pd.to_timedelta(rng.integers(0, 500 * 86400, n), unit="s"),
        "a": np.round(rng.normal(0, 3, n), 3),
        "b": np.round(10 ** rng.uniform(-5, 3, n), 9),
        "k": rng.integers(-40, 40, n),
        "name": rng.choice(["Ada", "ada", "Bo", "bO", "Çe"], n),
    }
)
table.loc[::29, "a"] = np.nan
table.loc[7, "b"] = 0
table.to_csv(HERE / "derived.csv", index=False, date_format="%Y-%m-%d %H:%M:%S")
table = pd.read_csv(HERE / "derived.csv", parse_dates=["t"])
t, a, b, k = table.t, table.a, table.b, table.k

lines = []


def keys(text, values):
    """The rows of each key, by its text."""
    for key, count in values.dropna().astype(str).value_counts().sort_index().items():
        lines.append(f"{text}\tkey\t{key}\t{count}")


def bins(text, values, edges):
    counts, edges = np.histogram(values.dropna(), edges)
    lines.append(f"{text}\tedges\t{' '.join(repr(float(e)) for e in edges)}\t{' '.join(map(str, counts))}")


def number(text, values):
    values = values.replace([np.inf, -np.inf], np.nan) if "log" in text else values
    lines.append(f"{text}\tmean\t\t{float(values.mean())!r}")


keys("hour(t)", t.dt.hour)
keys("minute(t)", t.dt.minute)
keys("weekday(t)", t.dt.day_name().str[:3])
keys("day(t)", t.dt.day)
keys("month(t)", t.dt.month_name().str[:3])
keys("year(t)", t.dt.year)
keys("week(t)", t.dt.isocalendar().week)
keys("date(t)", t.dt.strftime("%Y-%m-%d"))
keys("yearmonth(t)", t.dt.strftime("%Y-%m"))
keys("quarter(t)", t.dt.year.astype(str) + "Q" + t.dt.quarter.astype(str))
keys("lower(name)", table.name.str.lower())
keys("upper(name)", table.name.str.upper())
keys("round(a)", a.round().astype("Int64"))
keys("abs(k)", k.abs())
keys("floor(k / 10)", np.floor(k / 10).astype(int))
number("100 * a", 100 * a)
number("a - b", a - b)
number("(a + 2) * -b / 3", (a + 2) * -b / 3)
number("a ** 2", a**2)
number("-a ^ 2", -(a**2))
number("sqrt(b)", np.sqrt(b))
number("exp(a)", np.exp(a))
number("round(a, 1)", a.round(1))
with np.errstate(divide="ignore"):
    number("log10(b)", np.log10(b))
    number("ln(b) / log2(b + 3)", np.log(b) / np.log2(b + 3))
bins("bin(a, 7)", a, 7)
bins("bin(k, 20)", k, 20)
bins("bin(b, edges=0,1e-4,1e-2,1,1000)", b, [0, 1e-4, 1e-2, 1, 1000])
bins("bin(b, 9, log)", b[b > 0], np.geomspace(b[b > 0].min(), b.max(), 10))
bins("bin(a, width=2.5)", a, np.arange(np.floor(a.min() / 2.5), np.floor(a.max() / 2.5) + 2) * 2.5)
counts = pd.qcut(a, 4).value_counts(sort=False)
edges = np.quantile(a.dropna(), np.linspace(0, 1, 5))
bins("bin(a, 4, quantile)", a, edges)
(HERE / "derived.tsv").write_text("\n".join(lines) + "\n")
