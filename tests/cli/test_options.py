"""Every option of every command has an effect, or is refused with the reason.

For each there is a call with it and one without: what they print, write or end in must differ. An
option without a case fails the test, so that none is added that does nothing.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import NamedTuple

import duckdb
import numpy as np
import pyarrow as pa
import pytest
import typer
from pyarrow import csv, parquet

from covey.cli.main import app
from covey.cli.needs import NEEDS
from covey.cli.options import SETTINGS
from covey.measures.risk import sampling

from .running import Ran, covey, said

COMMANDS = typer.main.get_command(app).commands
OPTIONS = [
    (command, parameter.name)
    for command, found in COMMANDS.items()
    for parameter in found.params
    if parameter.param_type_name == "option"
]


class Case(NamedTuple):
    """The option with its value, what both calls have beside it, and the file they read."""

    option: str
    both: str = ""
    file: str = "people.csv"
    released: str = "other.csv"


CALLS = {
    "inspect": "inspect {file}",
    "protect": "protect {file} --out r.csv --k 3 --technique mdav",
    "compare": "compare {file} --k 3,5 --techniques mdav",
    "tune": "tune {file} --k 3,5 --techniques mdav --driving= --max-risk 100",
    "measure": "measure {file} {released} --keys age,income",
    "report": "report {file} --config run.toml",
    "techniques": "techniques",
    "demo": "demo shown --records 200",
}
ROLES = "--identifiers id --keep region,level"
FAST = "--no-measures"
TABLE = "--table persons"
DATABASE = "people.duckdb"

# Options that decide a release, for protect, compare and tune alike.
OF_RELEASES = {
    "identifiers": Case("--identifiers id"),
    "quasi_identifiers": Case("--quasi-identifiers age,income", "--identifiers id"),
    "confidential": Case("--confidential hours", ROLES),
    "strata": Case("--strata level", "--identifiers id --keep region"),
    "weight": Case("--weight weight", ROLES),
    "keep": Case("--keep hours,region,level", "--identifiers id"),
    "ordinal": Case("--ordinal level=low<mid<high", "--identifiers id --keep region"),
    "nominal": Case("--nominal code", ROLES),
    "integers": Case("--integers age", ROLES),
    "importance": Case("--importance age=9", ROLES),
    "missing": Case("--missing pattern", ROLES),
    "min_contributors": Case("--min-contributors 1", ROLES),
    "small_strata": Case("--small-strata merge", "--identifiers id --strata region --keep level"),
    "block_size": Case("--block-size 1000", "", "many.csv"),
    "encoding": Case("--encoding utf-16-le", ROLES, "wide.csv"),
    "table": Case(TABLE, "--identifiers id", DATABASE),
    "query": Case("--query select~age,hours~from~persons", "", DATABASE),
    "order_by": Case("--order-by other", "--table ties --keep other", DATABASE),
}
EXACT = Case("--exact", ROLES)
COMPARED = {
    "config": Case("--config roles.toml"),
    "loss": Case("--loss g_il", ROLES),
    "risk": Case("--risk distance_linkage", ROLES),
    "keys": Case("--keys age", ROLES),
    "map": Case("--map map.svg", ROLES),
    "save": Case("--save tried.json", ROLES),
    "force": Case("--force", f"{ROLES} --map old.svg"),
    "json": Case("--json", ROLES),
    "quiet": Case("--quiet", ROLES),
}
CASES: dict[str, dict[str, Case]] = {
    "inspect": {
        "save_config": Case("--save-config new.toml"),
        "encoding": Case("--encoding utf-16-le", "", "wide.csv"),
        "table": Case(TABLE, "", DATABASE),
        "query": Case("--query select~age~from~persons", "", DATABASE),
        "order_by": Case("--order-by other", "--table ties", DATABASE),
        "force": Case("--force", "--save-config old.toml"),
        "json": Case("--json"),
    },
    "protect": {
        **{name: case._replace(both=f"{case.both} {FAST}") for name, case in OF_RELEASES.items()},
        "out": Case("--out q.csv", f"{ROLES} {FAST}"),
        "into": Case("--into released", f"{TABLE} --identifiers id --out new.duckdb", DATABASE),
        "k": Case("--k 4", f"{ROLES} {FAST}"),
        "technique": Case("--technique vmdav", f"{ROLES} {FAST}"),
        "parameters": Case("--set seeds=diameter", f"{ROLES} {FAST}"),
        "config": Case("--config roles.toml", FAST),
        "internal": Case("--internal i.html", ROLES),
        "external": Case("--external e.html", ROLES),
        "title": Case("--title Wages", f"{ROLES} --external e.html"),
        "publisher": Case("--publisher Office", f"{ROLES} --external e.html"),
        "contact": Case("--contact us@office", f"{ROLES} --external e.html"),
        "save_config": Case("--save-config new.toml", f"{ROLES} {FAST}"),
        "save_script": Case("--save-script new.py", f"{ROLES} {FAST}"),
        "measures": Case("--no-measures", ROLES),
        "keep_order": Case("--keep-order", f"{ROLES} {FAST}"),
        "force": Case("--force", f"{ROLES} {FAST} --save-config old.toml"),
        "json": Case("--json", f"{ROLES} {FAST}"),
        "quiet": Case("--quiet", f"{ROLES} {FAST}"),
        "memory_limit": Case("--memory-limit 1GB --out r.parquet", ROLES),
        "work_dir": Case("--work-dir work --out r.parquet", ROLES),
        "scheduler": Case("--scheduler nonsense --out r.parquet", ROLES),
        "rules": Case("--rule age>=16", f"{ROLES} --save-config new.toml"),
        "thresholds": Case("--threshold record_linkage=0", ROLES),
        "exact": EXACT,
    },
    "compare": {
        **OF_RELEASES,
        **COMPARED,
        "exact": EXACT,
        "k": Case("--k 4", ROLES),
        "techniques": Case("--techniques vmdav", ROLES),
        "loss_weight": Case("--loss-weight 0.9", ROLES),
    },
    "tune": {
        **OF_RELEASES,
        **COMPARED,
        "exact": EXACT,
        "max_risk": Case("--max-risk 0", ROLES),
        "k": Case("--k 4", ROLES),
        "techniques": Case("--techniques vmdav", ROLES),
        "driving": Case("--driving 2", ROLES),
        "save_config": Case("--save-config new.toml", ROLES),
        "rules": Case("--rule age>=16", f"{ROLES} --save-config new.toml"),
        "thresholds": Case("--threshold g_dr=9", f"{ROLES} --save-config new.toml"),
    },
    "measure": {
        "keys": Case("--keys age"),
        "identifier": Case("--id id"),
        "confidential": Case("--confidential hours"),
        "loss_weight": Case("--loss-weight 0.9"),
        "exact": Case("--exact"),
        "table": Case(TABLE, "", DATABASE),
        "query": Case("--query select~*~from~persons", "", DATABASE),
        "order_by": Case("--order-by income", TABLE, DATABASE),
        "released_table": Case("--released-table persons", released=DATABASE),
        "json": Case("--json"),
        "quiet": Case("--quiet"),
    },
    "report": {
        "config": Case("--config roles.toml", "--external e.html"),
        "internal": Case("--internal i.html", "--external e.html"),
        "external": Case("--external e.html", "--internal i.html"),
        "released": Case("--released other.csv", "--internal i.html"),
        "released_table": Case("--released-table persons", "--internal i.html"),
        "alternatives": Case("--alternatives tried.json", "--internal i.html"),
        "title": Case("--title Wages", "--external e.html"),
        "publisher": Case("--publisher Office", "--external e.html"),
        "contact": Case("--contact us@office", "--external e.html"),
        "force": Case("--force", "--internal old.html"),
        "quiet": Case("--quiet", "--internal i.html"),
    },
    "techniques": {"json": Case("--json")},
    "demo": {
        "records": Case("--records 150"),
        "force": Case("--force"),
        "quiet": Case("--quiet"),
    },
}
# Tried where a server is started: tests/app/test_server.py.
OF_THE_APP = {"port", "browser", "max_size"}
# Refused, whatever else is given.
REFUSED = {("compare", "rules"): "--rule age>=16", ("compare", "thresholds"): "--threshold g_dr=9"}


# -- the files -----------------------------------------------------------------------------


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """A small survey in several forms, and what other commands have made of it."""
    place = tmp_path_factory.mktemp("files")
    people = make_people(60)
    csv.write_csv(people, place / "people.csv")
    csv.write_csv(make_people(2500).select(["age", "hours", "income"]), place / "many.csv")
    text = (place / "people.csv").read_text().replace("low", "lów")
    (place / "wide.csv").write_bytes(text.encode("utf-16-le"))
    make_database(place / DATABASE, people)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        arguments = [*ROLES.split(), "--k", 3, "--technique", "mdav"]
        assert covey("protect", "people.csv", *arguments, "--out", "other.csv", "--keep-order",
                     "--save-config", "run.toml").code == 0  # fmt: skip
        assert covey("compare", "people.csv", *ROLES.split(), "--k", 3, "--techniques", "mdav",
                     "--save", "tried.json").code == 0  # fmt: skip
    (place / "roles.toml").write_text('k = 4\nidentifiers = ["id"]\nkeep = ["region", "level"]\n')
    for old in ("old.svg", "old.toml", "old.html"):
        (place / old).write_text("old")
    return place


def make_people(n: int) -> pa.Table:
    rng = np.random.default_rng(5)
    age = rng.integers(16, 90, n).astype(float)
    age[rng.permutation(n)[: n // 3]] = np.nan
    return pa.table(
        {
            "id": [f"p{i:05d}" for i in range(n)],
            "age": pa.array(age, from_pandas=True, mask=np.isnan(age)).cast(pa.int64()),
            "hours": rng.integers(0, 60, n),
            "income": rng.lognormal(8, 1, n).round(2),
            "code": rng.integers(1, 4, n),
            "weight": rng.uniform(1, 9, n).round(3),
            "level": [("low", "mid", "high")[i % 3] for i in range(n)],
            "region": ["small" if i < 2 else "large" for i in range(n)],
        }
    )


def make_database(path: Path, people: pa.Table) -> None:
    """Persons, and a table in which the order of rows decides ties."""
    ties = pa.table({"x": [0, 1] * 10, "y": [0, 0, 1, 1] * 5, "other": list(range(20, 0, -1))})
    with duckdb.connect(str(path)) as connection:
        for name, table in (("persons", people.drop(["region", "level"])), ("ties", ties)):
            connection.register("given", table)
            connection.execute(f"create table {name} as select * from given")


@pytest.fixture
def call(files, folder):
    """Run a command in a folder of its own, with all the files."""

    def run(command: str, case: Case, option: str, name: str) -> tuple[Ran, dict[str, bytes]]:
        place = folder / name
        shutil.copytree(files, place)
        if command == "demo" and "force" in case.option:
            (place / "shown").mkdir()
            (place / "shown" / "survey.csv").write_text("old")
        asked = CALLS[command].format(file=case.file, released=case.released).split()
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(place)
            if "--exact" in case.option:  # these files are too small for a sample
                patch.setattr(sampling, "MOST_WORK", 1.0)
                patch.setattr(sampling, "FEWEST_SAMPLED", 10)
            words = [word.replace("~", " ") for word in f"{case.both} {option}".split()]
            result = covey(*asked, *words)
        left = {p.name: p.read_bytes() for p in place.iterdir() if p.is_file()}
        return result, left

    return run


# -- the tests -----------------------------------------------------------------------------


def test_every_option_has_a_case():
    known = {(command, name) for command, cases in CASES.items() for name in cases}
    known |= set(REFUSED) | {("app", name) for name in OF_THE_APP}
    assert known == set(OPTIONS)


def test_every_setting_is_an_option_of_three_commands():
    for command in ("protect", "compare", "tune"):
        assert set(SETTINGS) <= {name for one, name in OPTIONS if one == command}


WITH_AN_EFFECT = [(command, name) for command, cases in CASES.items() for name in cases]


@pytest.mark.parametrize(("command", "name"), WITH_AN_EFFECT)
def test_an_option_has_an_effect(call, command, name):
    case = CASES[command][name]
    plain, plain_files = call(command, case, "", "without")
    result, files = call(command, case, case.option, "with")
    assert "Traceback" not in result.err + plain.err
    assert (outcome(result), steady(files)) != (outcome(plain), steady(plain_files))
    if name != "scheduler":  # there is no cluster, which is said
        assert 0 in (result.code, plain.code), result.err + plain.err


def outcome(result: Ran) -> tuple[int, str]:
    """Code and output; messages of mistakes too, since a check is an effect."""
    return result.code, result.out + (result.err if result.code else "")


def steady(files: dict[str, bytes]) -> dict[str, bytes]:
    """What is the same in every run: of files that hold times or random names, only that they are.

    Of the internal report the figures count, but for the record of how they were made.
    """
    timed = (".duckdb", ".svg", "i.html", "tried.json")
    found = {name: b"" if name.endswith(timed) else content for name, content in files.items()}
    if "i.json" in found:
        figures = json.loads(found["i.json"])
        del figures["provenance"]
        found["i.json"] = json.dumps(figures).encode()
    return found


@pytest.mark.parametrize("command", sorted(CALLS))
def test_the_same_call_has_the_same_effect(call, command):
    """Otherwise the test above would show nothing."""
    reports = "--external e.html --internal i.html"
    both = {"report": reports, "protect": f"{ROLES} {reports}"}
    case = Case("", both.get(command, ROLES if command in ("compare", "tune") else ""))
    first, second = (call(command, case, "", name) for name in ("first", "second"))
    assert first[0] == second[0]
    assert first[0].code == 0, first[0].err
    assert steady(first[1]) == steady(second[1])


IDLE = [
    ("protect", "--title T", "--title is the title of the reports"),
    ("protect", "--publisher P", "--publisher is for the external report"),
    ("protect", "--contact C --internal i.html", "--contact is for the external report"),
    ("protect", "--title T --memory-limit 1GB", "--title is the title of the reports"),
    ("protect", "--keep-order --memory-limit 1GB", "--keep-order needs the whole release"),
    ("protect", "--rule age>=16", "--rule is for the internal report"),
    ("protect", "--threshold g_dr=9 --no-measures", "--threshold is a limit on risk"),
    ("protect", "--exact --no-measures", "--exact is about risk"),
    ("protect", "--json --quiet", "--json prints what --quiet holds back"),
    ("protect", "--small-strata merge", "--small-strata is for strata"),
    ("protect", "--into t", "--into is for databases; "),
    ("protect", "--into t --memory-limit 1GB", "--into is for databases; "),
    ("protect", "--config roles.toml --small-strata merge", "--small-strata is for strata"),
    ("compare", "--config roles.toml --small-strata merge", "--small-strata is for strata"),
    ("tune", "--config roles.toml --small-strata merge", "--small-strata is for strata"),
    ("protect", "--table t", "table is for databases"),
    ("protect", "--query select~1", "query is for databases"),
    ("protect", "--order-by age", "order_by is for databases"),
    ("inspect", "--force", "--force replaces files, but none is to be written"),
    ("inspect", "--table t", "table is for databases"),
    ("compare", "--force", "--force replaces files"),
    ("compare", "--rule age>=16", "--rule has no effect on a comparison"),
    ("compare", "--threshold g_dr=9", "--threshold has no effect on a comparison"),
    ("compare", "--json --quiet", "--json prints what --quiet holds back"),
    ("compare", "--small-strata merge", "--small-strata is for strata"),
    ("tune", "--force", "--force replaces files"),
    ("tune", "--rule age>=16", "--rule does not change the search"),
    ("tune", "--threshold g_dr=9", "--threshold does not change the search"),
    ("tune", "--json --quiet", "--json prints what --quiet holds back"),
    ("tune", "--small-strata merge", "--small-strata is for strata"),
    ("measure", "--json --quiet", "--json prints what --quiet holds back"),
    ("measure", "--order-by age", "order_by is for databases"),
    ("measure", "--released-table t", "--released-table is for databases"),
    ("report", "--released-table t --internal i.html", "--released-table is a table of a database"),
    (
        "report",
        "--released-table t --released other.csv --internal i.html",
        "--released-table is for databases",
    ),
    ("report", "--alternatives tried.json --external e.html", "--alternatives is for the internal"),
    ("report", "--publisher P --internal i.html", "--publisher is for the external report"),
    ("report", "--contact C --internal i.html", "--contact is for the external report"),
]


@pytest.mark.parametrize(("command", "option", "message"), IDLE)
def test_an_option_without_effect_is_refused(call, files, command, option, message):
    result, left = call(command, Case(option), option, "with")
    assert result.code == 2, result.out
    assert message in said(result.err)
    assert set(left) == {path.name for path in files.iterdir()}


@pytest.mark.parametrize("command", ["protect", "tune"])
def test_small_strata_may_be_kept_for_later(call, command):
    option = "--small-strata merge --save-config new.toml"
    result, left = call(command, Case(option, ROLES), option, "with")
    assert result.code == 0, result.err
    assert b'small_strata = "merge"' in left["new.toml"]


@pytest.mark.parametrize("more", ["", "--memory-limit 1GB"])
def test_an_encoding_of_a_file_that_has_none(call, files, more):
    parquet.write_table(make_people(30), files / "people.parquet")
    case = Case("--encoding latin-1", f"{more} --out r.parquet", "people.parquet")
    result, _ = call("protect", case, case.option, "with")
    assert result.code == 2
    assert "An encoding can be given for" in said(result.err)


def test_every_need_has_a_case():
    refused = {(command, word) for command, options, _ in IDLE for word in options.split()}
    for need in NEEDS:
        for option in need.options:
            found = [p for found in COMMANDS.values() for p in found.params if p.name == option]
            written = {name for p in found for name in (*p.opts, *p.secondary_opts)}
            assert written, f"{option} is no option of any command"
            for command in need.commands or [None]:
                assert any(name in written and command in (None, one) for one, name in refused), (
                    command,
                    option,
                )
