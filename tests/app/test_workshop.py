"""The workshop with real work: open, choose, protect, compare, report, and what goes wrong."""

from __future__ import annotations

import errno
import json
import os
import signal
import sqlite3
import time
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from covey.app import failing
from covey.app.choices import Choices
from covey.app.jobs import CANCELLED, DONE, FAILED
from covey.app.results import Run, Upload
from covey.app.side_by_side import treat_alike
from covey.app.working import Compare, Protect
from covey.app.workshop import Workshop
from covey.datasets.survey import EDUCATION
from covey.errors import CoveyError, InvalidParameter, SchemaError
from covey.progress import Stage
from covey.sources import FileProblem, Reading
from tests.cli.running import covey
from tests.release.independent import read_back, smallest_class

from .chores import Wait
from .conftest import opened, over

PEOPLE = "name,age,income,town\n" + "".join(
    f"p{i},{20 + i % 50},{1000 + 37 * i % 900},{'ab'[i % 2]}\n" for i in range(60)
)


def protected(workshop: Workshop, **choices: object) -> Run:
    """The run that comes of these choices."""
    workshop.choose("protect", technique="mdav", **choices)
    job = over(workshop.protect())
    assert job.state == DONE, job.message
    return workshop.runs[job.result.number]


@pytest.fixture(scope="module")
def survey_run(make_workshop) -> tuple[Workshop, Run]:
    """The example, protected as a person would."""
    workshop = make_workshop()
    assert over(workshop.open_example()).state == DONE
    workshop.choose("roles", roles={"occupation": "confidential"})
    workshop.choose("roles", kinds={"education": "ordinal"}, orders={"education": EDUCATION})
    return workshop, protected(workshop, k=5)


class TestOpening:
    def test_what_is_seen(self, workshop):
        assert opened(workshop, PEOPLE).state == DONE
        found = workshop.state.opened
        assert (found.name, found.format, found.n_records) == ("people.csv", "CSV", 60)
        assert found.rows[0] == ("p0", "20", "1000", "a")
        assert [column.role for column in found.columns][:2] == ["identifier", "quasi-identifier"]
        town = found.columns[3]
        assert (town.levels, town.smallest) == (("a", "b"), 30)
        assert town.sketch["counts"] == [30, 30]
        assert sum(found.columns[1].sketch["counts"]) == 60
        assert workshop.state.choices.roles["name"] == "identifier"

    @pytest.mark.parametrize(
        ("content", "name", "message"),
        [
            ("", "empty.csv", "empty.csv"),
            ("a,b\n", "header.csv", "header.csv has a header line but no records."),
            ("a,b\n1,2\n3\n", "ragged.csv", "ragged.csv"),
            (b"\x00\x01\x02\xff" * 100, "noise.csv", "noise.csv"),
            (b"not a workbook", "sheet.xlsx", "sheet.xlsx"),
            (b"not parquet", "data.parquet", "data.parquet"),
            (b"not a database", "data.duckdb", "data.duckdb"),
            (b"not stata", "data.dta", "data.dta"),
        ],
    )
    def test_a_bad_file_is_a_message_in_its_own_name(self, workshop, content, name, message):
        steps = len(workshop.history.steps)
        job = opened(workshop, content, name)
        assert job.state == FAILED
        assert message in job.message
        for inside in (str(workshop.folder), "upload-", "Error", "Traceback"):
            assert inside not in job.message
        assert len(workshop.history.steps) == steps

    def test_cells_that_look_like_formulas_or_pages_are_text(self, workshop):
        text = 'name,"<img src=x onerror=a()>",c\n=1+1,<script>alert(1)</script>,@SUM(A1)\n' * 1
        opened(workshop, text + "+2,-3,|calc\n")
        found = workshop.state.opened
        assert found.columns[1].name == "<img src=x onerror=a()>"
        assert found.rows[0] == ("=1+1", "<script>alert(1)</script>", "@SUM(A1)")

    def test_a_database_with_one_table_is_read(self, workshop, tmp_path):
        with duckdb.connect(str(tmp_path / "one.duckdb")) as database:
            database.sql(
                "create table people as select range as age, range*2 as pay from range(30)"
            )
        opened(workshop, (tmp_path / "one.duckdb").read_bytes(), "one.duckdb")
        assert workshop.state.opened.n_records == 30
        assert workshop.state.opened.reading.table == "people"

    def test_a_database_with_two_tables_asks(self, workshop, tmp_path):
        with sqlite3.connect(tmp_path / "two.sqlite") as database:
            database.execute("create table first as select 1 as a")
            database.execute("create table second (a integer, b integer)")
            database.executemany("insert into second values (?, ?)", [(i, i % 7) for i in range(9)])
        database.close()
        job = opened(workshop, (tmp_path / "two.sqlite").read_bytes(), "two.sqlite")
        found = workshop.state.opened
        assert (found.tables, found.is_ready) == (("first", "second"), False)
        assert workshop.problem() == "Open a file first."
        over(workshop.open(job.result.upload.number, table="second"))
        assert workshop.state.opened.n_records == 9

    def test_a_database_is_read_and_nothing_beside_it(self, workshop, tmp_path):
        """A view may point anywhere on the computer, or to a server."""
        (tmp_path / "secret.csv").write_text("a,b\n4711,1\n")
        with duckdb.connect(str(tmp_path / "sly.duckdb")) as database:
            database.sql(f"create view people as from read_csv('{tmp_path / 'secret.csv'}')")
        job = opened(workshop, (tmp_path / "sly.duckdb").read_bytes(), "sly.duckdb")
        assert job.state == FAILED
        assert "reads files beside the database" in job.message

    @pytest.mark.parametrize("work", ["protect", "compare"])
    def test_no_work_reads_beside_a_database(self, tmp_path, work):
        """Not even work on a table that was never looked at."""
        (tmp_path / "secret.csv").write_text("a,b\n" + "4711,1\n" * 9)
        with duckdb.connect(str(tmp_path / "sly.duckdb")) as database:
            database.sql(f"create view people as from read_csv('{tmp_path / 'secret.csv'}')")
        upload = Upload(1, tmp_path / "sly.duckdb", "sly.duckdb", 1)
        roles, kinds = dict.fromkeys("ab", "quasi-identifier"), dict.fromkeys("ab", "continuous")
        choices = Choices(roles=roles, detected=kinds)
        asked = (1, upload, Reading(table="people"), choices)
        tasks = {
            "protect": Protect(*asked, tmp_path / "run"),
            "compare": Compare(*asked, ("mdav",), (3,)),
        }
        with pytest.raises(CoveyError, match="reads files beside the database"):
            tasks[work].do(lambda *_: None)

    def test_columns_of_lists_and_parts_are_shown(self, workshop, tmp_path):
        rows = range(30)
        table = pa.table(
            {
                "age": [20 + i % 9 for i in rows],
                "list": [[i % 2] for i in rows],
                "parts": [{"a": i % 2} for i in rows],
                "map": pa.array([[("a", i % 2)] for i in rows], pa.map_(pa.string(), pa.int64())),
            }
        )
        pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
        job = opened(workshop, (tmp_path / "a.parquet").read_bytes(), "a.parquet")
        assert job.state == DONE, job.message
        for column in workshop.state.opened.columns[1:]:
            assert (column.sketch, column.levels, column.smallest) == (None, (), None)
            assert column.role == "not named"

    def test_another_encoding(self, workshop):
        job = opened(workshop, "näme,age\n".encode("latin-1") + b"a,1\n" * 5)
        over(workshop.open(job.result.upload.number, encoding="latin-1"))
        assert workshop.state.opened.columns[0].name == "näme"
        wrong = over(workshop.open(job.result.upload.number, encoding="klingon"))
        assert "klingon" in wrong.message


class TestChoosing:
    def test_every_change_is_a_step_with_a_name(self, workshop):
        opened(workshop, PEOPLE)
        step = workshop.choose("roles", roles={"age": "confidential"})
        assert (step.name, step.place) == ("age: confidential", "roles")
        assert workshop.choose("protect", k=7).name == "k: 7"
        assert workshop.choose("protect", k=7) is workshop.history.current
        assert workshop.choose("roles", kinds={"income": "integer"}).state.choices.kinds
        assert not workshop.choose("roles", kinds={"income": None}).state.choices.kinds

    def test_undo_three_steps(self, workshop):
        opened(workshop, PEOPLE)
        before = workshop.state
        for change in ({"k": 4}, {"missing": "pattern"}, {"roles": {"age": "kept"}}):
            workshop.choose("protect", **change)
        after = workshop.state
        for _ in range(3):
            workshop.undo()
        assert workshop.state == before
        for _ in range(3):
            workshop.redo()
        assert workshop.state == after

    def test_parameters_belong_to_their_technique(self, workshop):
        opened(workshop, PEOPLE)
        workshop.choose("protect", technique="vmdav", parameters={"gamma": 0.5})
        workshop.choose("protect", technique="mdav")
        assert workshop.state.choices.parameters == {}

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"k": 1}, "k must be a whole number of at least 2"),
            ({"roles": {"agee": "kept"}}, "Did you mean 'age'"),
            ({"roles": {"age": "boss"}}, "no role 'boss'"),
            ({"kinds": {"age": "colour"}}, "no kind 'colour'"),
            ({"missing": "guess"}, "missing must be one of"),
            ({"rules": {"a": "age >= "}}, "cannot be read"),
            ({"rules": {"a": "agee >= 16"}}, "Did you mean 'age'"),
            ({"rules": {"a": "town >= 16"}}, "no column of numbers 'town'"),
        ],
    )
    def test_what_can_never_be_right_is_refused_at_once(self, workshop, change, message):
        opened(workshop, PEOPLE)
        step = workshop.history.current
        with pytest.raises((InvalidParameter, SchemaError), match=message):
            workshop.choose("protect", **change)
        assert workshop.history.current is step

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"roles": {"age": "kept", "income": "kept", "town": "kept"}}, "quasi-identifier"),
            ({"kinds": {"town": "number"}}, "'town' cannot be used as numbers: it holds text."),
            ({"k": 61}, "60 records are too few for one group of k=61. Lower k."),
            ({"technique": "vmdav", "parameters": {"gamma": -1}}, "Gamma must be"),
            ({"rules": {"a": "age >= 16"}, "roles": {"age": "not named"}}, "'age' is not released"),
            ({"technique": "vmdav", "parameters": {"gama": 1}}, "gama"),
        ],
    )
    def test_what_cannot_be_protected_is_said_before_trying(self, workshop, change, message):
        opened(workshop, PEOPLE)
        assert workshop.problem() is None
        workshop.choose("protect", **change)
        assert message in workshop.problem()
        jobs = len(workshop.jobs.all)
        with pytest.raises(InvalidParameter):
            workshop.protect()
        assert len(workshop.jobs.all) == jobs

    def test_too_many_categories_for_an_order_are_said(self, workshop):
        rows = "".join(f"{i},t{i % 61},{'ab'[i % 2]}\n" for i in range(600))
        opened(workshop, "age,town,size\n" + rows)
        town, size = workshop.state.opened.columns[1:]
        assert (town.can_be_ordered, size.can_be_ordered) == (False, True)
        workshop.choose("roles", roles={"town": "quasi-identifier"}, kinds={"town": "ordinal"})
        assert "'town' has 61 categories, too many to be put in order" in workshop.problem()
        workshop.choose("roles", roles={"town": "confidential"})
        assert workshop.problem() is None

    def test_nothing_is_chosen_before_a_file_is_open(self, make_workshop):
        with pytest.raises(InvalidParameter, match="Open a file first"):
            make_workshop().choose("protect", k=3)


class TestProtecting:
    def test_the_download_keeps_its_promise(self, survey_run):
        _, run = survey_run
        released = read_back(run.folder / run.files["data"])
        keys = [
            n for n, role in run.choices.roles.items() if role in ("quasi-identifier", "stratum")
        ]
        assert len(released) == 2000
        assert "person_id" not in released.columns
        assert smallest_class(released, keys) >= 5
        parquet = pyarrow.parquet.read_table(run.folder / run.files["parquet"])
        assert parquet.num_rows == 2000

    def test_page_and_command_line_show_the_same_figures(self, survey_run, tmp_path, monkeypatch):
        """The same file and settings, by the command: every line and every number is the same."""
        workshop, run = survey_run
        monkeypatch.chdir(tmp_path)
        Path("survey.csv").write_bytes(workshop.state.opened.upload.path.read_bytes())
        settings = (run.folder / run.files["settings"]).read_text()
        Path("run.toml").write_text(settings)
        call = ("protect", "survey.csv", "--config", "run.toml", "--out", "released.csv")
        printed = covey(*call, "--json")
        assert printed.code == 0, printed.err
        by_command, by_page = json.loads(printed.out), json.loads(json.dumps(run.figures))
        for place in ("outputs", "files"):
            by_command.pop(place)
        for place in ("outputs", "seconds"):
            by_page.pop(place)
        by_command.pop("seconds")
        assert by_page == by_command
        lines = covey(*call, "--force").out
        for name, text in run.lines.items():
            assert name in lines
            assert " ".join(text.split()) in " ".join(lines.split())
        assert Path("released.csv").read_bytes() == (run.folder / run.files["csv"]).read_bytes()

    def test_the_report_shows_the_same_figures(self, survey_run):
        _, run = survey_run
        percents = {risk["measure"]: risk["after"] for risk in run.content["risks"]}
        assert run.figures["evaluation"]["g_dr"] in percents.values()
        assert run.candidate.risk == run.figures["evaluation"]["g_dr"]
        assert run.candidate.loss == run.figures["evaluation"]["il"]["percent"]

    def test_nothing_shows_where_the_file_lies(self, survey_run):
        workshop, run = survey_run
        for what in ("settings", "script", "internal", "external"):
            text = (run.folder / run.files[what]).read_text()
            assert str(workshop.folder) not in text
            assert "upload-" not in text
        assert "'survey.csv'" in (run.folder / run.files["script"]).read_text()
        assert "survey.csv" in (run.folder / run.files["internal"]).read_text()

    def test_the_script_makes_the_same_release(self, survey_run, tmp_path, monkeypatch):
        workshop, run = survey_run
        monkeypatch.chdir(tmp_path)
        Path("survey.csv").write_bytes(workshop.state.opened.upload.path.read_bytes())
        exec((run.folder / run.files["script"]).read_text(), {})
        assert Path("released.csv").read_bytes() == (run.folder / run.files["csv"]).read_bytes()

    def test_charts_are_drawn(self, survey_run):
        _, run = survey_run
        assert run.pictures["groups_map"].startswith("<svg")
        assert len(run.pictures["distributions"]) == len(run.content["distributions"])

    def test_k_above_the_smallest_stratum(self, workshop):
        rows = "".join(f"{i},{i % 7},{'x' if i < 3 else 'y'}\n" for i in range(40))
        opened(workshop, "age,income,region\n" + rows)
        workshop.choose("protect", k=5, technique="mdav")
        job = over(workshop.protect())
        assert job.state == FAILED
        assert "1 of 2 strata have fewer than k=5 records" in job.message
        assert "--" not in job.message
        assert "small_strata=" not in job.message
        assert workshop.run is None
        workshop.choose("protect", small_strata="suppress")
        assert over(workshop.protect()).state == DONE
        assert workshop.run.lines["suppressed"] == "3 records"

    def test_text_among_numbers_is_explained(self, workshop):
        rows = "".join(f"{i if i % 20 else 'unknown'},{i}\n" for i in range(60))
        opened(workshop, "age,income\n" + rows)
        workshop.choose("roles", roles={"age": "quasi-identifier"})
        job = over(workshop.protect())
        assert "'age' holds text: 3 of 60 values are not numeric" in job.message
        assert "--" not in job.message

    @pytest.mark.parametrize(
        "name", ["../../etc/passwd.csv", "a b<c>&'\".csv", "è" * 300, "=x.csv"]
    )
    def test_strange_names_give_safe_files(self, workshop, name):
        from covey.app.uploads import ending_of, shown_name

        shown = shown_name(name)
        upload = workshop.uploads.add(shown, ending_of(shown))
        upload.path.write_text("age,pay\n" + "31,5\n47,9\n" * 4)
        over(workshop.open(upload.number))
        run = protected(workshop)
        for file in run.files.values():
            assert (run.folder / file).resolve().parent == run.folder
            assert all(sign.isalnum() or sign in "-_." for sign in file)
            assert len(file.encode()) < 200

    def test_formats_come_back_as_they_came(self, workshop, tmp_path):
        table = pa.table({"age": np.arange(40) % 9, "pay": np.arange(40.0)})
        pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
        opened(workshop, (tmp_path / "a.parquet").read_bytes(), "a.parquet")
        run = protected(workshop)
        assert run.files["data"].endswith(".parquet")
        assert run.files["csv"].endswith(".csv")

    def test_a_format_that_cannot_hold_the_release_is_told(self, workshop, tmp_path):
        """Stata has no names with dots; the other formats have."""
        table = pa.table({"my.age": np.arange(40) % 9, "pay": np.arange(40.0)})
        pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
        opened(workshop, (tmp_path / "a.parquet").read_bytes(), "a.parquet")
        state = workshop.state
        renamed = state.opened.upload._replace(name="a.dta")
        workshop.history.add(
            "x", "open", state.changed(opened=replace(state.opened, upload=renamed))
        )
        run = protected(workshop)
        assert run.files["data"].endswith(".csv")
        assert "dta" not in run.files
        assert run.notes[0].startswith("Not written as .dta: ")

    def test_a_full_disk_is_told_as_such(self):
        """Whatever file it is that does not fit."""
        full = FileProblem("a.csv could not be written: No space left on device.")
        full.__context__ = OSError(errno.ENOSPC, "No space left on device")
        assert failing.in_plain_words(full, None) == failing.DISK


class TestJobsAndSteps:
    def test_a_result_moves_whoever_waited_for_it(self, survey_run):
        workshop, run = survey_run
        step = workshop.history.current
        assert (step.name, step.place, step.state.run) == ("Protected: MDAV, k = 5", "look", 1)
        assert workshop.run is run

    def test_a_result_does_not_move_whoever_went_on(self, workshop):
        opened(workshop, PEOPLE)
        workshop.choose("protect", technique="mdav")
        job = workshop.protect()
        assert job.name == "Protect with MDAV, k = 3"
        here = workshop.choose("protect", k=4)
        over(job)
        assert workshop.history.current is here
        result = workshop.history.steps[-1]
        assert result.base == job.step
        assert workshop.go_to(result.number).state.run == job.result.number

    def test_two_runs_queue_and_both_are_kept(self, workshop):
        opened(workshop, PEOPLE)
        workshop.choose("protect", technique="mdav", k=3)
        first = workshop.protect()
        workshop.choose("protect", k=6)
        second = workshop.protect()
        over(second)
        assert [run.choices.k for run in workshop.runs_of_file()] == [3, 6]
        assert workshop.run.choices.k == 6
        workshop.look_at(first.result.number)
        assert (workshop.run.choices.k, workshop.state.choices.k) == (3, 3)

    def test_cancel_in_mid_run(self, make_workshop):
        workshop = make_workshop()
        over(workshop.open_example())
        workshop.choose("protect", technique="nearoptimal", parameters={"time_limit": 300.0})
        job = workshop.protect()
        while job.stage is not Stage.GROUPING:
            assert not job.is_over, job.message
            time.sleep(0.01)
        time.sleep(0.5)
        job.cancel()
        asked = time.monotonic()
        over(job, 10)
        assert time.monotonic() - asked < 4
        assert job.state == CANCELLED
        assert workshop.run is None
        assert not list(workshop.folder.glob("run-*"))
        assert protected(workshop).number == 2

    def test_a_worker_that_is_killed_loses_its_job_only(self, make_workshop):
        workshop = make_workshop()
        over(workshop.open_example())
        workshop.choose("protect", technique="nearoptimal", parameters={"time_limit": 300.0})
        job = workshop.protect()
        while job.stage is not Stage.GROUPING:
            time.sleep(0.01)
        job.work.folder.mkdir()
        (job.work.folder / "half.csv").write_text("a\n")
        os.kill(workshop.worker_pid, signal.SIGKILL)
        assert over(job, 10).state == FAILED
        assert not job.work.folder.exists()
        assert "memory" in job.message
        assert workshop.state.opened is not None
        assert protected(workshop).lines["k"].startswith("3 asked for")


class TestComparing:
    def test_runs_and_what_was_tried_on_one_map(self, make_workshop):
        workshop = make_workshop()
        opened(workshop, PEOPLE)
        assert workshop.runs_compared() is None
        run = protected(workshop, k=4)
        job = over(workshop.compare(["mdav", "vmdav"], [3, 4]))
        assert job.state == DONE, job.message
        assert workshop.history.current.name == "Compared 4 releases"
        together = workshop.runs_compared()
        assert len(together.candidates) == 4  # mdav with k = 4 is the run
        assert together.candidates[0] is run.candidate
        tried = workshop.comparison.comparison.find("mdav", 4)
        assert (tried.loss, tried.risk) == (run.candidate.loss, run.candidate.risk)
        better = together.which_is_better(*together.candidates[:2])
        assert "mdav k=4" in better
        opened(workshop, PEOPLE)
        assert workshop.runs_compared() is None

    def test_only_what_treats_the_columns_alike_is_held_against_each_other(self, workshop):
        opened(workshop, PEOPLE)
        first = protected(workshop, k=3)
        workshop.choose("roles", roles={"income": "confidential"})
        second = protected(workshop, k=5)
        third = protected(workshop, k=7)
        assert workshop.runs_of_file() == [first, second, third]
        assert workshop.runs_compared().candidates == (second.candidate, third.candidate)
        workshop.look_at(first.number)
        assert workshop.runs_compared().candidates == (first.candidate,)

    @pytest.mark.parametrize(
        "change",
        [
            {"missing": "pattern"},
            {"min_contributors": 2},
            {"small_strata": "suppress"},
            {"importance": {"age": 2.0}},
            {"kinds": {"age": "integer"}},
            {"roles": {"name": "not named"}},
        ],
    )
    def test_whatever_changes_a_release_is_no_like(self, workshop, change):
        opened(workshop, PEOPLE)
        choices = workshop.state.choices
        assert not treat_alike(choices, choices.changed(**change))
        for other in ({"k": 7}, {"technique": "mdav"}, {"rules": {"a": "age >= 1"}}):
            assert treat_alike(choices, choices.changed(**other))

    def test_a_comparison_after_a_change_of_roles_is_shown(self, workshop):
        opened(workshop, PEOPLE)
        run = protected(workshop, k=3)
        workshop.choose("roles", roles={"income": "confidential"})
        assert workshop.left_out == (0, 0)
        job = over(workshop.compare(["mdav"], [4, 5]))
        assert workshop.runs_compared().candidates == job.result.comparison.candidates
        assert workshop.left_out == (1, 0)
        workshop.look_at(run.number)
        assert workshop.runs_compared().candidates == (run.candidate,)
        assert workshop.left_out == (0, 2)
        over(workshop.describe(title="Run"))
        assert workshop.jobs.all[-1].work.tried is None, "of other columns"

    def test_what_was_tried_is_made_as_it_was_tried(self, workshop):
        opened(workshop, PEOPLE)
        workshop.choose("protect", missing="pattern", min_contributors=2)
        compared = over(workshop.compare(["mdav"], [4])).result
        (candidate,) = compared.comparison.candidates
        tried_with = workshop.state.choices
        workshop.choose("roles", roles={"income": "kept", "town": "kept"})
        workshop.choose("protect", missing="group", min_contributors=1, rules={"a": "age >= 1"})
        job = over(workshop.make(candidate))
        assert job.state == DONE, job.message
        made = job.result
        assert treat_alike(made.choices, tried_with)
        assert (made.choices.technique, made.choices.k) == ("mdav", 4)
        assert (made.candidate.loss, made.candidate.risk) == (candidate.loss, candidate.risk)
        assert made.choices.rules == {"a": "age >= 1"}
        assert workshop.runs_compared().candidates == (made.candidate,)

    def test_what_was_not_tried_with_this_file_is_not_made(self, workshop):
        opened(workshop, PEOPLE)
        (candidate,) = over(workshop.compare(["mdav"], [4])).result.comparison.candidates
        opened(workshop, PEOPLE)
        with pytest.raises(InvalidParameter, match="not tried"):
            workshop.make(candidate)

    def test_a_run_of_another_file_is_not_looked_at(self, workshop):
        opened(workshop, PEOPLE)
        run = protected(workshop)
        opened(workshop, PEOPLE)
        for number in (run.number, 4711):
            with pytest.raises(InvalidParameter, match="not of the file that is open"):
                workshop.look_at(number)
        assert workshop.run is None

    def test_tables_of_a_database_are_files_of_their_own(self, workshop, tmp_path):
        with duckdb.connect(str(tmp_path / "two.duckdb")) as database:
            for name in ("first", "second"):
                database.sql(f"create table {name} as select range%9 as a, range b from range(30)")
        job = opened(workshop, (tmp_path / "two.duckdb").read_bytes(), "two.duckdb")
        runs = {}
        for name in ("first", "second"):
            over(workshop.open(job.result.upload.number, table=name))
            runs[name] = protected(workshop)
            assert workshop.runs_of_file() == [runs[name]]
        assert runs["second"].lines["original"] == "second in two.duckdb: 30 records"

    def test_too_few_records_are_a_message(self, workshop):
        opened(workshop, PEOPLE)
        job = over(workshop.compare(["mdav"], [100]))
        assert job.state == FAILED
        assert "60 records are too few for one group of k=100" in job.message


class TestReports:
    def test_a_title_is_a_step_and_is_in_the_reports(self, survey_run):
        workshop, run = survey_run
        assert "Wages 2026" not in (run.folder / "external.html").read_text()
        job = over(workshop.describe(title="Wages 2026 <b>", publisher="The Office", contact=""))
        assert job.state == DONE, job.message
        for page in ("internal.html", "external.html"):
            text = (run.folder / page).read_text()
            assert "Wages 2026 &lt;b&gt;" in text
        assert "The Office" in (run.folder / "external.html").read_text()
        assert workshop.state.about.publisher == "The Office"
        workshop.undo()
        over(workshop.jobs.all[-1])
        assert "Wages 2026" not in (run.folder / "external.html").read_text()

    def test_what_was_tried_beside_it(self, make_workshop):
        """The run that is reported is marked, and not the one with the best score."""
        workshop = make_workshop()
        opened(workshop, PEOPLE)
        for k in (3, 10):
            protected(workshop, k=k)
        for run in workshop.runs_of_file():
            workshop.look_at(run.number)
            over(workshop.describe(title=f"Run {run.number}"))
            marked = workshop.jobs.all[-1].work.tried["candidates"]
            assert [(point["k"], point["chosen"]) for point in marked] == [
                (3, run.choices.k == 3),
                (10, run.choices.k == 10),
            ]
            assert "MDAV" in (run.folder / "internal.html").read_text()

    def test_reports_that_were_not_written_are_not_up_to_date(self, make_workshop):
        workshop = make_workshop()
        opened(workshop, PEOPLE)
        run = protected(workshop)
        assert workshop.reports_are_current
        busy = workshop.jobs.submit("protect", "busy", 0, Wait(30))
        job = workshop.describe(title="New")
        assert (workshop.reports_are_current, workshop.reports_are_being_written) == (False, True)
        job.cancel()
        assert (workshop.reports_are_current, workshop.reports_are_being_written) == (False, False)
        assert "New" not in (run.folder / "external.html").read_text()
        busy.cancel()
        over(workshop.describe(title="New"))
        assert workshop.reports_are_current
        workshop.undo()
        over(workshop.jobs.all[-1])
        assert workshop.reports_are_current
        assert "New" not in (run.folder / "external.html").read_text()

    def test_there_must_be_a_run(self, workshop):
        opened(workshop, PEOPLE)
        with pytest.raises(InvalidParameter, match="Protect the file first"):
            workshop.describe(title="x")
