"""Times with a zone: an hour that the clock shows twice is two hours, in wide frames, tables, lists and nested axes."""

import datetime as dt
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from readback import only

import gridscope as gs

pytestmark = pytest.mark.filterwarnings("ignore::gridscope.LintWarning")
ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC"]


@given(st.sampled_from(ZONES), st.integers(0, 365 * 24), st.integers(1, 12), st.sampled_from(["h", "15min", "D"]))
def test_as_many_columns_as_instants(zone, hours, length, step):
    start = pd.Timestamp("2024-01-01", tz="UTC") + pd.Timedelta(hours=hours)
    times = pd.date_range(start, periods=length, freq=step).tz_convert(zone)
    values = np.arange(float(length))
    tidy = pd.DataFrame({"t": times, "c": "a", "v": values})
    for table in (tidy, {"t": times.to_pydatetime().tolist(), "c": ["a"] * length, "v": values}):
        np.testing.assert_array_equal(only(gs.heatmap(table, x="t", y="c", value="v")).values, [values])
    wide = only(gs.heatmap(pd.DataFrame([values], columns=times)))
    np.testing.assert_array_equal(wide.values, [values])
    assert len(set(wide.columns.labels)) == length
    nested = pd.DataFrame([values], columns=pd.MultiIndex.from_product([["a"], times]))
    np.testing.assert_array_equal(only(gs.heatmap(nested)).values, [values])


def test_the_clock_is_that_of_the_zone_unless_it_shows_an_hour_twice():
    times = pd.date_range("2024-07-01 08:00", periods=3, freq="h", tz="Europe/Berlin", name="time")
    axis = only(gs.heatmap(pd.DataFrame([[1, 2, 3]], columns=times))).columns
    assert axis.to_pandas().equals(times.tz_localize(None)) and axis.name == "time"
    year = pd.date_range("2024-01-01", periods=366, freq="D", tz="Europe/Berlin", name="time")
    assert only(gs.heatmap(pd.DataFrame([range(366)], columns=year))).columns.to_pandas().equals(year.tz_localize(None))
    autumn = pd.date_range("2024-10-27 00:00", periods=5, freq="h", tz="Europe/Berlin", name="time")
    axis = only(gs.heatmap(pd.DataFrame([[1, 2, 3, 4, 5]], columns=autumn))).columns
    assert axis.to_pandas().equals(autumn.tz_convert("UTC").tz_localize(None)) and axis.name == "time (UTC)"


def test_datetimes_of_python_with_a_zone():
    zone = ZoneInfo("Europe/Berlin")
    times = [dt.datetime(2024, 10, 27, 2, fold=fold, tzinfo=zone) for fold in (0, 1)]
    grid = only(gs.heatmap({"t": times, "c": ["a", "a"], "v": [1, 2]}, x="t", y="c", value="v"))
    assert grid.values.tolist() == [[1, 2]]


def test_times_are_named_alike_in_frames_and_tables():
    days = pd.to_datetime(["2020-01-01", "2020-01-02"])
    tidy = pd.DataFrame({"d": days, "x": [1, 1], "y": [1, 2], "v": [1, 2]})
    assert only(gs.heatmap(tidy, x="d", y="y", value="v")).columns.labels == ["2020-01-01", "2020-01-02"]
    assert [g.name for g in gs.heatmap(tidy, x="x", y="y", value="v", panel="d").grids] == ["2020-01-01", "2020-01-02"]
    assert [g.name for g in gs.heatmap(tidy, x="x", y="y", value="v", panel="d", panel_order=[days[1]]).grids] == ["2020-01-02"]
    wide = pd.DataFrame([[1, 2]], columns=days)
    for key in ("2020-01-01", days[0], dt.date(2020, 1, 1)):
        assert only(gs.heatmap(wide, x_labels={key: "A"})).columns.labels == ["A", "2020-01-02"], key
    hours = pd.date_range("2024-07-01T08:00", periods=2, freq="h", tz="Europe/Berlin")
    plain = only(gs.heatmap(pd.DataFrame([[1, 2]], columns=hours))).columns.labels
    for key in (plain[0], hours[0], hours[0].tz_localize(None)):
        renamed = only(gs.heatmap(pd.DataFrame([[1, 2]], columns=hours), x_labels={key: "A"})).columns.labels
        assert renamed == ["A", plain[1]], key
    zoned = pd.DataFrame({"t": hours, "y": [1, 1], "v": [1, 2]})
    assert only(gs.heatmap(zoned, x="t", y="y", value="v", x_order=list(hours[::-1]))).values.tolist() == [[2, 1]]


def test_close_times_and_durations_have_labels_of_their_own():
    fine = only(gs.heatmap(pd.DataFrame([[1, 2, 3]], columns=pd.date_range("2020-01-01", periods=3, freq="us"))))
    assert len(set(fine.columns.labels)) == 3
    spans = only(gs.heatmap(pd.DataFrame([[1, 2]], columns=pd.to_timedelta([1, 2], unit="h"))))
    assert list(spans.columns.labels) == ["1:00:00", "2:00:00"]


def test_truth_values_are_keys_of_labels():
    table = {"d": [True, False], "y": [1, 1], "v": [1, 2]}
    assert "A" in only(gs.heatmap(table, x="d", y="y", value="v", x_labels={True: "A"})).columns.labels
