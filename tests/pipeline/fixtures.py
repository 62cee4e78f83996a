"""Tables with everything in them, and small cells to divide them into."""

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet


def mixed(n=6000, seed=5):
    """Numbers, whole numbers, dates, categories, gaps, weights, strata, an identifier."""
    rng = np.random.default_rng(seed)
    day = np.datetime64("2001-01-01") + rng.integers(0, 9000, n)
    return pa.table(
        {
            "person": [f"p{i}" for i in range(n)],
            "income": pa.array(rng.lognormal(size=n), mask=rng.random(n) < 0.05),
            "age": rng.integers(18, 90, n),
            "born": pa.array(day.astype("datetime64[D]")),
            "job": pa.array(rng.choice(["baker", "clerk", "smith", "nurse"], n)),
            "grade": pa.array(rng.integers(1, 6, n)),
            "region": pa.array(rng.choice(["north", "south"], n, p=[0.8, 0.2])),
            "weight": rng.uniform(0.5, 3.0, n),
            "debt": rng.integers(0, 100, n),
        }
    )


ASKED = {
    "k": 4,
    "technique": "iamat",
    "identifiers": ["person"],
    "confidential": ["debt"],
    "strata": ["region"],
    "weight": "weight",
    "ordinal": ["grade"],
    "integers": ["age"],
    "block_size": 1000,
}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "original.parquet"
    parquet.write_table(mixed(), path, row_group_size=1700)
    return path


@pytest.fixture
def numbers(tmp_path):
    rng = np.random.default_rng(1)
    values = rng.normal(size=(9000, 3))
    path = tmp_path / "numbers.parquet"
    parquet.write_table(pa.table({f"v{j}": values[:, j] for j in range(3)}), path)
    return path
