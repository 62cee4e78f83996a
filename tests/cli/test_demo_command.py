"""demo: a survey from raw file to two reports."""

from __future__ import annotations

import pandas as pd

from .running import covey, said

FILES = ["external.html", "external.json", "internal.html", "internal.json", "protect.py",
         "released.csv", "run.toml", "survey.csv"]  # fmt: skip


def test_everything_is_made(folder):
    result = covey("demo", "shown", "--records", 200)
    assert result.code == 0, result.err
    assert sorted(path.name for path in (folder / "shown").iterdir()) == FILES
    assert "5 asked for, 5 achieved" in said(result.out)
    key = [name for name in pd.read_csv("shown/released.csv") if name != "occupation"]
    assert pd.read_csv("shown/released.csv").groupby(key, dropna=False).size().min() >= 5


def test_its_settings_make_its_release(folder):
    assert covey("demo", "shown", "--records", 200).code == 0
    covey("protect", "shown/survey.csv", "--config", "shown/run.toml", "--out", "again.csv")
    assert (folder / "again.csv").read_bytes() == (folder / "shown/released.csv").read_bytes()


def test_a_folder_that_cannot_be_made(folder):
    (folder / "file").write_text("old")
    result = covey("demo", "file/shown")
    assert result.code == 2
    assert "Traceback" not in result.err


def test_it_replaces_no_file_of_the_user(folder):
    (folder / "survey.csv").write_text("mine")
    covey("demo", ".", "--records", 100)
    assert (folder / "survey.csv").read_text() == "mine"


def test_nothing_is_left_after_an_error(folder):
    result = covey("demo", "shown", "--records", 3)
    assert result.code == 3
    assert not (folder / "shown").exists()


def test_what_somebody_else_put_there_stays_after_an_error(folder, monkeypatch):
    """Also in a folder that the demo made: another run may have come in between."""
    from covey.cli import demonstrating

    def fail(*_given, **_named):
        (folder / "shown" / "theirs.csv").write_text("theirs")
        raise demonstrating.FileProblem("refused")

    monkeypatch.setattr(demonstrating, "make_release", fail)
    assert covey("demo", "shown", "--records", 100).code != 0
    assert [path.name for path in (folder / "shown").iterdir()] == ["theirs.csv"]
