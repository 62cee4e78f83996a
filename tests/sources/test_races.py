"""Of two runs that find a place free and write to it at the same moment, one is refused."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from covey.errors import InvalidParameter
from covey.pipeline import atomic_folder
from covey.pipeline.atomic_folder import place_new_folder
from covey.pipeline.parquet_folder import ParquetFolder
from covey.sources import Table, whole, write_table
from covey.sources.files_as_sources import FileSource
from covey.sources.whole import Together, filling, place_new, write_text

from .racing import ROUNDS, outcomes


def table(who: int) -> pa.Table:
    return pa.table({"who": [who] * 5})


def write_csv(path: Path, who: int) -> None:
    write_table(table(who), path.with_suffix(".csv"))


def write_parquet(path: Path, who: int) -> None:
    """As a streamed release is written."""
    FileSource(path.with_suffix(".parquet")).write(table(who).schema, table(who).to_batches())


def write_settings(path: Path, who: int) -> None:
    from covey.release import Settings

    Settings(k=who + 2).write(path.with_suffix(".toml"))


def write_json(path: Path, who: int) -> None:
    write_text(path.with_suffix(".json"), f'{{"who": {who}}}')


def write_folder(path: Path, who: int) -> None:
    ParquetFolder(path).write(table(who).schema, table(who).to_batches())


def write_duckdb(path: Path, who: int) -> None:
    written = table(who)
    Table(path.with_suffix(".duckdb"), table="r").write(written.schema, written.to_batches())


def write_sqlite(path: Path, who: int) -> None:
    written = table(who)
    Table(path.with_suffix(".sqlite"), table="r").write(written.schema, written.to_batches())


def write_without_links(path: Path, who: int) -> None:
    """On a file system that knows no second names."""

    def refuse(*_given: object, **_named: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    link, os.link = os.link, refuse
    try:
        write_csv(path, who)
    finally:
        os.link = link


def write_folder_in_two_steps(path: Path, who: int) -> None:
    """On a system that cannot move a folder only to a free name."""
    atomic_folder._renamed = lambda *_given: False
    write_folder(path, who)


def who_is_in(path: Path) -> list[int]:
    if path.is_dir():
        return parquet.read_table(path)["who"].to_pylist()
    if path.suffix == ".csv":
        return [int(line) for line in path.read_text().split()[1:]]
    if path.suffix == ".parquet":
        return parquet.read_table(path)["who"].to_pylist()
    if path.suffix in (".duckdb", ".sqlite"):
        return Table(path, table="r").read().table["who"].to_pylist()
    text = path.read_text()
    return [1] * 5 if "1" in text or "k = 3" in text else [2] * 5


WRITES = (
    *(write_csv, write_parquet, write_settings, write_json, write_folder),
    *(write_duckdb, write_sqlite, write_without_links, write_folder_in_two_steps),
)


@pytest.fixture(scope="module")
def raced(tmp_path_factory):
    """All of them, written by one pair of processes: where, and what became of each round."""
    folder = tmp_path_factory.mktemp("raced")
    return folder, outcomes(WRITES, folder)


@pytest.mark.parametrize("name", [write.__name__ for write in WRITES])
def test_one_of_two_is_refused(raced, name):
    folder, found = raced[0] / name, raced[1][name]
    assert len(found) == ROUNDS
    for pair in found:
        assert sorted(text == "written" for text in pair) == [False, True], pair
        (refusal,) = [text for text in pair if text != "written"]
        assert refusal.startswith("InvalidParameter: "), refusal
        assert "exists already" in refusal or "somebody else meanwhile" in refusal
    left = sorted(folder.iterdir())
    assert sorted(path.stem for path in left) == sorted(f"round-{i}" for i in range(ROUNDS))
    for path in left:
        assert who_is_in(path) in ([1] * 5, [2] * 5)


def test_what_somebody_else_wrote_survives_a_refusal(tmp_path):
    """Of several files, one is taken meanwhile: that one stays, and the others are taken back."""
    files = Together()
    files.add(tmp_path / "a.txt", filling(b"ours"))
    files.add(tmp_path / "b.txt", filling(b"ours"))
    (tmp_path / "b.txt").write_text("theirs")
    with pytest.raises(InvalidParameter, match=r"b\.txt exists already"):
        files.__exit__(None, None, None)
    assert [path.name for path in tmp_path.iterdir()] == ["b.txt"]
    assert (tmp_path / "b.txt").read_text() == "theirs"


def test_what_appears_meanwhile_is_replaced_when_forced(tmp_path):
    with Together(force=True) as files:
        files.add(tmp_path / "a.txt", filling(b"ours"))
        (tmp_path / "a.txt").write_text("theirs")
    assert (tmp_path / "a.txt").read_text() == "ours"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_forced_file_comes_back_when_the_rest_fails(tmp_path):
    """One that appeared meanwhile too: it is somebody's."""
    files = Together(force=True)
    files.add(tmp_path / "a.txt", filling(b"ours"))
    files.add(tmp_path / "b.txt", filling(b"ours"))
    (tmp_path / "a.txt").write_text("theirs")
    files._place = _failing_at(files._place, "b.txt")
    with pytest.raises(InvalidParameter, match="refused"):
        files.__exit__(None, None, None)
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "theirs"


def _failing_at(step, name):
    def place(temporary, path):
        if path.name == name:
            raise InvalidParameter("refused")
        return step(temporary, path)

    return place


@pytest.mark.parametrize("ending", ["duckdb", "sqlite"])
def test_a_database_that_appears_meanwhile_stays(tmp_path, ending):
    path, written = tmp_path / f"new.{ending}", table(2)
    staged = Table(path, table="r").stage(written.schema, written.to_batches(), force=False)
    Table(path, table="other").write(table(1).schema, table(1).to_batches())
    with pytest.raises(InvalidParameter, match="made by somebody else meanwhile"):
        staged.keep()
    staged.drop()
    assert Table(path, table="other").read().table["who"].to_pylist() == [1] * 5
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    Table(path, table="r").write(written.schema, written.to_batches())


def test_a_busy_new_database_is_not_removed(tmp_path):
    """One that somebody makes and locks at the same moment is theirs."""
    path = tmp_path / "new.sqlite"
    staged = Table(path, table="r").stage(table(1).schema, table(1).to_batches(), force=False)
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("create table theirs (a)")
    with pytest.raises(InvalidParameter):
        staged.keep()
    staged.drop()
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("select name from sqlite_master").fetchall() == [("theirs",)]


@pytest.mark.skipif(sys.platform == "win32", reason="links of POSIX")
def test_a_link_to_nowhere_is_something(tmp_path):
    (tmp_path / "full").write_text("ours")
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(FileExistsError):
        place_new(tmp_path / "full", tmp_path / "link")
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileExistsError):
        place_new_folder(tmp_path / "folder", tmp_path / "link")


def test_a_name_that_was_claimed_is_given_back(tmp_path, monkeypatch):
    def refuse(*_given, **_named):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(whole.FileProblem):
        write_text(tmp_path / "a.txt", "ours")
    assert list(tmp_path.iterdir()) == []
