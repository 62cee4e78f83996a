"""A look at a release that knows nothing of Covey: plain pandas."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd


def read_back(path: Path) -> pd.DataFrame:
    """A file as pandas reads it."""
    readers = {".csv": pd.read_csv, ".parquet": pd.read_parquet, ".dta": pd.read_stata}
    return readers[path.suffix](path)


def read_as_text(path: Path) -> pd.DataFrame:
    """Cells of a CSV file as they stand in it: not even an empty one is anything but text."""
    return pd.read_csv(path, dtype=str, keep_default_na=False, skip_blank_lines=False)


def smallest_class(frame: pd.DataFrame, keys: Sequence[str] | None = None) -> int:
    """Records in the smallest class that is equal in `keys`; missing equals missing."""
    keys = list(frame.columns if keys is None else keys)
    return int(frame.groupby(keys, dropna=False, observed=True).size().min())
