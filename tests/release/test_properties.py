"""Random tables: a release that keeps every promise, or a clear error; never anything else."""

from __future__ import annotations

import errno
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

import covey
from covey.errors import CoveyError, DisclosureWarning, GuaranteeViolated
from covey.sources.files import FileProblem
from tests.release.independent import read_as_text, smallest_class
from tests.release.random_tables import LEVELS, NUMBERS, Request, requests

RANDOM = settings(
    deadline=None,
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
FEWER = settings(RANDOM, max_examples=60)


def attempt(request: Request):
    """A release, or None after an error that is clear."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DisclosureWarning)
        try:
            return covey.protect(request.table, **request.asked)
        except GuaranteeViolated:
            raise  # our bug, not the user's mistake
        except CoveyError as error:
            event(f"error: {type(error).__name__}")
            message = str(error)
    assert message.endswith("."), "an error says what to do, in sentences"
    return None


def cells(request: Request) -> pd.Series:
    """The cell (stratum, pattern) of each record that groups may not leave, by plain pandas."""
    frame = request.table.to_pandas()
    parts = [
        frame[name].astype(object).where(frame[name].notna(), "?").astype(str)
        for name in request.asked["strata"]
    ]
    if request.asked["missing"] == "pattern":
        parts += [frame[name].isna().astype(str) for name in request.holds]
    whole = pd.Series("", index=frame.index)
    for part in parts:
        whole = whole + "|" + part
    return whole


@RANDOM
@given(requests())
def test_every_class_of_the_release_has_k_records(request):
    release = attempt(request)
    if release is None:
        return
    event(f"release: {request.asked['technique']}")
    frame = release.table.to_pandas()
    assert smallest_class(frame, request.keys) >= request.asked["k"]
    assert "person" not in frame


@RANDOM
@given(requests())
def test_no_record_is_lost_unless_it_is_said(request):
    release = attempt(request)
    if release is None:
        return
    sizes = cells(request).map(cells(request).value_counts())
    small = int((sizes < request.asked["k"]).sum())
    suppressed = small if request.asked["small_strata"] == "suppress" else 0
    assert release.suppressed == suppressed
    assert release.table.num_rows == request.table.num_rows - suppressed
    if request.asked["small_strata"] == "merge" and small:
        assert release.merged
    kept = (sizes >= request.asked["k"]) | (request.asked["small_strata"] != "suppress")
    if request.asked["confidential"]:
        expected = request.table["secret"].to_pandas()[kept.to_numpy()].tolist()
        assert release.table["secret"].to_pandas().tolist() == pytest.approx(expected, nan_ok=True)


def original_of(request, release, name):
    """The original values of the records that were released."""
    return request.table[name].take(release.masked.kept).to_pandas()


def weights_of(request, release):
    if request.asked["weight"] is None:
        return np.ones(release.table.num_rows)
    return original_of(request, release, "w").to_numpy()


@RANDOM
@given(requests())
def test_each_value_is_the_right_one_for_its_group(request):
    release = attempt(request)
    if release is None:
        return
    k, asked = request.asked["k"], request.asked["min_contributors"]
    least = min(3, k) if asked is None else asked
    labels, weights = release.partition.labels, weights_of(request, release)
    for name, kind in request.holds.items():
        values, found = original_of(request, release, name), release.table[name].to_pandas()
        for group in np.unique(labels):
            inside = labels == group
            shared = found[inside]
            known = values[inside].notna()
            if known.sum() < least:
                assert shared.isna().all()
                continue
            if shared.isna().all() and kind not in (*NUMBERS, "days", "moments", "ranks"):
                # Only a category that fewer records of the file have may be withheld.
                held = values.astype(object).map(values.astype(object).value_counts())
                assert held[inside][known].min() < least
                continue
            assert shared.notna().all()
            inside, known = without_rare(values, inside, known, kind, least)
            require_right(
                shared.iloc[0],
                values[inside][known],
                weights[inside][known.to_numpy()],
                kind,
                least,
                rounded=request.asked["integers"] and "whole" in kind,
            )


def without_rare(values, inside, known, kind, least):
    """The members of a group whose category may be released; all of them for other kinds."""
    if kind in (*NUMBERS, "days", "moments", "levels", "ranks"):
        return inside, known
    counts = values.astype(object).map(values.astype(object).value_counts())
    rare = counts.fillna(least).to_numpy(dtype=float) < least
    kept = inside & ~rare
    return kept, known[kept[inside]]


def require_median(shared, numbers, weights, least):
    """The lower median if enough members share it, else the mean of those around it."""
    members = sorted(zip(numbers, weights, strict=True))
    half = (1 - 1e-9) * sum(weight for _, weight in members) / 2
    middle, below = 0, members[0][1]
    while below < half:
        middle += 1
        below += members[middle][1]
    ordered = [number for number, _ in members]
    if ordered.count(ordered[middle]) >= least:
        expected = ordered[middle]
    else:
        first = min(max(middle - (least - 1) // 2, 0), len(ordered) - least)
        expected = round(sum(ordered[first : first + least]) / least)
    assert shared == expected


def require_right(shared, values, weights, kind, least, rounded):
    """The mean, the median or the mode of a group, by the book."""
    if kind in NUMBERS:
        numbers = values.to_numpy(dtype=float)
        mean = float((numbers * (weights / weights.sum())).sum())
        size = float(np.abs(numbers).max())
        assert shared == pytest.approx(mean, rel=1e-9, abs=1e-9 * size + 0.5 * rounded + 1e-300)
        assert numbers.min() - 1e-9 * size <= shared <= numbers.max() + 1e-9 * size
        if rounded:
            assert shared == int(shared)
    elif kind in ("days", "moments"):
        stamps = pd.to_datetime(values)
        start = stamps.min()
        offset = float(((stamps - start).dt.total_seconds() * weights).sum() / weights.sum())
        slack = 43_200.0 if kind == "days" else 0.01
        assert abs((pd.Timestamp(shared) - start).total_seconds() - offset) <= slack * 1.001
    elif kind == "ranks":
        require_median(shared, values.to_numpy(dtype=float), weights, max(least, 1))
    elif kind == "levels":
        places = values.map(LEVELS.index)
        place = LEVELS.index(shared)
        below = weights[(places < place).to_numpy()].sum()
        through = weights[(places <= place).to_numpy()].sum()
        assert 2 * below <= weights.sum() * (1 + 1e-6)
        assert 2 * through >= weights.sum() * (1 - 1e-6)
    else:
        totals = pd.Series(weights).groupby(values.astype(object).to_numpy()).sum()
        assert totals[shared] >= totals.max() * (1 - 1e-9)


@RANDOM
@given(requests())
def test_weights_are_group_means(request):
    release = attempt(request)
    if release is None or request.asked["weight"] is None:
        return
    given_weights = pd.Series(weights_of(request, release))
    expected = given_weights.groupby(release.partition.labels).transform("mean")
    np.testing.assert_allclose(release.table["w"].to_numpy(), expected)


@FEWER
@given(requests(), st.sampled_from([".csv", ".parquet", ".arrow"]))
def test_the_file_keeps_the_promise_too(request, ending):
    with tempfile.TemporaryDirectory() as folder:
        release = attempt(request)
        path = Path(folder) / f"out{ending}"
        if release is not None:
            release.write(path)
            frame = {".csv": read_as_text, ".parquet": pd.read_parquet, ".arrow": pd.read_feather}
            found = frame[ending](path)
            assert len(found) == release.table.num_rows
            assert smallest_class(found, request.keys) >= request.asked["k"]
            assert "person" not in found
        names = [entry.name for entry in Path(folder).iterdir()]
        assert names == ([] if release is None else [path.name])


@FEWER
@given(requests(2, 25, without=("huge measurements",)))
def test_every_release_can_be_measured(request):
    release = attempt(request)
    if release is None:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DisclosureWarning)
        try:
            evaluation = release.evaluate()
        except CoveyError as error:
            event(f"not measured: {str(error)[:40]}")
            return
    assert evaluation.achieved_k.percent >= 0


def test_tiny_values_beside_large_ones_can_be_measured():
    """The smallest numbers a float can hold are no reason to overflow."""
    amounts = [0.0] * 13 + [164_647.0, 234_648.0, 247_303.0, 6.5e-304, 0.0]
    words = ["u"] * 14 + ["v", "u", "v", "u"]
    release = covey.protect(pd.DataFrame({"w": words, "x": amounts}), 2)
    assert release.evaluation.achieved_k.k >= 2


def test_a_release_is_not_suspected_of_rows_in_another_order():
    """A release knows whose record is whose; warnings are errors here."""
    frame = pd.DataFrame({"x": [0.0] * 18 + [1.0], "word": ["a"] * 19, "stratum": [0] * 19})
    release = covey.protect(frame, 3, strata=["stratum"])
    assert release.evaluation.achieved_k.k >= 3


@FEWER
@given(requests(6, 25))
def test_the_same_again(request):
    first = attempt(request)
    if first is not None:
        assert first.table.equals(attempt(request).table)
        chosen = first.settings
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DisclosureWarning)
            again = covey.protect(request.table, settings=type(chosen).from_toml(chosen.to_toml()))
        assert first.table.equals(again.table)


def half_a_file(error):
    """A writer that stops in the middle."""

    def write(table, place, *options, **more):
        Path(place).write_bytes(b"half a fi")
        raise error

    return write


WRITERS = {".csv": "pyarrow.csv.write_csv", ".parquet": "pyarrow.parquet.write_table"}


@pytest.mark.parametrize("ending", WRITERS)
class TestInTheMiddleOfWriting:
    @pytest.fixture
    def release(self):
        return covey.protect(covey.datasets.make_survey(60).select(["age", "hours", "sex"]), 3)

    def test_a_full_disk(self, release, ending, tmp_path, monkeypatch):
        full = OSError(errno.ENOSPC, "No space left on device")
        monkeypatch.setattr(WRITERS[ending], half_a_file(full))
        with pytest.raises(FileProblem, match="No space left"):
            release.write(tmp_path / f"out{ending}")
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(), MemoryError()])
    def test_ctrl_c_and_worse(self, release, ending, error, tmp_path, monkeypatch):
        monkeypatch.setattr(WRITERS[ending], half_a_file(error))
        with pytest.raises(type(error)):
            release.write(tmp_path / f"out{ending}")
        assert list(tmp_path.iterdir()) == []

    def test_an_older_file_survives(self, release, ending, tmp_path, monkeypatch):
        path = tmp_path / f"out{ending}"
        path.write_bytes(b"old")
        monkeypatch.setattr(WRITERS[ending], half_a_file(KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            release.write(path, force=True)
        assert path.read_bytes() == b"old"
        assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
