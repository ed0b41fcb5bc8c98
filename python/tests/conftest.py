"""What the tests share: small tables, the number of random cases, and a Matplotlib without a display."""

from __future__ import annotations

import os
import sys

import hypothesis
import matplotlib
import numpy as np
import pandas as pd
import pytest
from paths import EXAMPLES

matplotlib.use("agg")

# GRIDSCOPE_CASES=N is the number of random cases, as in the tests of the program.
hypothesis.settings.register_profile(
    "cases",
    max_examples=int(os.environ.get("GRIDSCOPE_CASES", "12")),
    deadline=None,
    derandomize="GRIDSCOPE_CASES" not in os.environ,
    database=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.function_scoped_fixture],
)
hypothesis.settings.load_profile("cases")


@pytest.fixture
def sweep() -> pd.DataFrame:
    """The 80 rows of a published figure: dataset, window, ratio, pass1."""
    return pd.read_csv(EXAMPLES / "r1_llama.csv")


@pytest.fixture
def matrix() -> np.ndarray:
    return np.random.default_rng(5).normal(size=(4, 8))


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
