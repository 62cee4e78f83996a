"""Loaders: where files are looked for, what is checked, what is said when offline."""

from __future__ import annotations

import hashlib
import io
import re
import urllib.error
from pathlib import Path

import numpy as np
import pytest

from covey import datasets
from covey.datasets import benchmarks, fetching
from covey.datasets.fetching import DatasetUnavailable
from covey.errors import InvalidParameter, MissingExtra, SchemaError, install_command


def test_shapes(census, tarragona, eia10, eia11):
    assert census.shape == (1080, 13)
    assert tarragona.shape == (834, 13)
    assert eia10.shape == (4092, 10)
    assert eia11.shape == (4092, 11)
    np.testing.assert_array_equal(eia11[:, 1:], eia10)


def test_unknown_version():
    with pytest.raises(InvalidParameter, match="eia12"):
        datasets.load_eia("eia12")


@pytest.fixture
def small_file(monkeypatch, tmp_path):
    """A tiny file in R's format (a = 1, 2, 3; b = 4, 5, 6.5), served instead of the network."""
    pytest.importorskip("rdata")
    content = Path(__file__).with_name("tiny.rda").read_bytes()
    asked = []

    def serve(url, timeout):
        asked.append(url)
        return io.BytesIO(content)

    monkeypatch.setattr("urllib.request.urlopen", serve)
    monkeypatch.delenv("COVEY_DATA", raising=False)
    monkeypatch.setenv("COVEY_CACHE", str(tmp_path / "cache"))
    digest = hashlib.sha256(content).hexdigest()
    return benchmarks.BenchmarkFile("tiny.csv", "tiny.rda", digest, (3, 2)), asked


def test_download_is_converted_and_cached(small_file):
    file, asked = small_file
    table = benchmarks._load(file)
    assert table.to_pydict() == {"a": [1.0, 2.0, 3.0], "b": [4.0, 5.0, 6.5]}
    assert len(asked) == 1
    benchmarks._load(file)
    assert len(asked) == 1, "the second time the cache serves"


def test_a_wrong_checksum_is_refused(small_file, tmp_path):
    file, asked = small_file
    with pytest.raises(DatasetUnavailable, match="checksum does not match"):
        benchmarks._load(file._replace(sha256="0" * 64))
    assert len(asked) == len(fetching.REVISIONS)
    assert not list(tmp_path.glob("cache/*"))


def test_a_wrong_shape_is_refused(small_file):
    file, _ = small_file
    with pytest.raises(SchemaError, match="it is another file"):
        benchmarks._load(file._replace(shape=(4, 2)))


def test_offline(monkeypatch, tmp_path):
    def no_route(*_args, **_kwargs):
        raise urllib.error.URLError("no route to host")

    monkeypatch.setattr("urllib.request.urlopen", no_route)
    monkeypatch.delenv("COVEY_DATA", raising=False)
    monkeypatch.setenv("COVEY_CACHE", str(tmp_path))
    with pytest.raises(DatasetUnavailable, match=r"no route to host.*offline.*COVEY_DATA"):
        datasets.load_census()


def test_named_folder_without_the_file(monkeypatch, tmp_path):
    monkeypatch.setenv("COVEY_DATA", str(tmp_path))
    with pytest.raises(DatasetUnavailable, match=r"no census\.csv in it"):
        datasets.load_census()


def test_cache_folder(monkeypatch):
    pytest.importorskip("platformdirs")
    monkeypatch.delenv("COVEY_CACHE", raising=False)
    assert "covey" in str(fetching.cache_folder())


def test_missing_extra_names_the_extra(monkeypatch):
    monkeypatch.delenv("COVEY_CACHE", raising=False)
    monkeypatch.setitem(__import__("sys").modules, "platformdirs", None)
    with pytest.raises(MissingExtra, match=re.escape(install_command("datasets"))):
        fetching.cache_folder()
