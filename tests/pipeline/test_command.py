"""`covey protect --memory-limit`, on real files."""

import json

import pytest
from pyarrow import parquet
from typer.testing import CliRunner

from covey.cli.main import app
from covey.errors import InvalidParameter
from tests.pipeline.fixtures import numbers

__all__ = ["numbers"]


def run(*arguments):
    result = CliRunner().invoke(app, [str(part) for part in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


def test_a_file(numbers, tmp_path):
    out, config = tmp_path / "out.parquet", tmp_path / "run.toml"
    options = ["--k", "4", "--technique", "iamat", "--block-size", "1000"]
    shown = run(
        *("protect", numbers, "--out", out, *options),
        *("--memory-limit", "1GB", "--save-config", config),
    )
    assert "4 asked for, 4 achieved" in shown
    assert "9000 records" in shown
    assert "block_size = 1000" in config.read_text()
    assert parquet.read_table(out).num_rows == 9000


def test_a_folder_and_json(numbers, tmp_path):
    shown = run(
        *("protect", numbers, "--out", f"{tmp_path}/parts/", "--technique", "iamat"),
        *("--work-dir", tmp_path / "work", "--json"),
    )
    assert json.loads(shown)["records"] == 9000
    assert not (tmp_path / "work").exists()


def test_what_does_not_go_together(numbers, tmp_path):
    out = ["--out", tmp_path / "out.parquet", "--memory-limit", "1GB"]
    with pytest.raises(InvalidParameter, match="--keep-order needs the whole release"):
        run("protect", numbers, *out, "--keep-order")
    with pytest.raises(InvalidParameter, match="Say where the release goes"):
        run("protect", numbers, "--memory-limit", "1GB")
    with pytest.raises(InvalidParameter, match="such as '2GB'"):
        run("protect", numbers, *out[:2], "--memory-limit", "lots")


def test_a_scheduler_that_is_not_there(numbers, tmp_path):
    dask = pytest.importorskip("dask", reason="needs Dask: pip install 'covey[dask]'")
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "200ms"}),
        pytest.raises(InvalidParameter, match="no Dask scheduler"),
    ):
        run(
            *("protect", numbers, "--out", tmp_path / "out.parquet", "--technique", "iamat"),
            *("--scheduler", "tcp://127.0.0.1:9"),
        )
