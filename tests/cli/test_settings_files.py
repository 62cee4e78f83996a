"""One settings file, one release: from the command line, from Python, and again."""

from __future__ import annotations

import subprocess
import sys

import pytest

import covey as package
from covey.cli.reading import column_names, group_sizes, orders, parameter_values, rules
from covey.datasets.survey import EDUCATION
from covey.errors import InvalidParameter

from .conftest import ROLES
from .running import covey, in_a_process

EVERYTHING = (
    *ROLES, "--k", 4, "--confidential", "occupation", "--integers", "age,hours",
    "--ordinal", f"education={'<'.join(EDUCATION)}", "--importance", "age=2",
    "--rule", "net: gross_income - income_tax = net_income",
    "--threshold", "record_linkage=50", "--min-contributors", 2,
)  # fmt: skip
TECHNIQUES = (
    ("--technique", "rgmat", "--set", "random_state=7", "--set", "max_epochs=50"),
    ("--technique", "iamat", "--set", "refine=windows"),
    ("--technique", "mdav", "--set", "variables=['age','gross_income']"),
)


@pytest.mark.parametrize("technique", TECHNIQUES)
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_same_bytes_again(survey, folder, technique, ending):
    first, again, python = (folder / f"{name}.{ending}" for name in ("first", "again", "python"))
    made = covey("protect", survey, "--out", first, *EVERYTHING, *technique,
                 "--save-config", "run.toml", "--no-measures")  # fmt: skip
    assert made.code == 0, made.err
    repeated = covey("protect", survey, "--out", again, "--config", "run.toml",
                     "--save-config", "again.toml")  # fmt: skip
    assert repeated.code == 0, repeated.err
    with pytest.warns(package.errors.DisclosureWarning):  # two contributors
        package.protect(survey, settings="run.toml").write(python)
    assert first.read_bytes() == again.read_bytes() == python.read_bytes()
    assert (folder / "run.toml").read_bytes() == (folder / "again.toml").read_bytes()


@pytest.mark.full_effort
def test_the_same_bytes_from_another_process(survey, folder):
    covey("protect", survey, "--out", "first.csv", *ROLES, "--save-config", "run.toml")
    done = in_a_process("protect", survey, "--out", "again.csv", "--config", "run.toml", cwd=folder)
    assert done.code == 0, done.err
    assert (folder / "first.csv").read_bytes() == (folder / "again.csv").read_bytes()


@pytest.mark.full_effort
def test_the_script_makes_the_same_bytes(survey, folder):
    covey("protect", survey, "--out", "first.csv", *ROLES, "--save-script", "make.py")
    (folder / "elsewhere").mkdir()
    script = folder / "make.py"
    done = subprocess.run([sys.executable, script], cwd=folder / "elsewhere", check=False)
    assert done.returncode == 0
    assert (folder / "elsewhere/released.csv").read_bytes() == (folder / "first.csv").read_bytes()


def test_options_go_before_the_file(survey, folder):
    (folder / "run.toml").write_text('k = 5\ntechnique = "vmdav"\n[parameters]\ngamma = 1.1\n')
    for arguments, k, technique in (
        ([], 5, "VMDAV"),
        (["--k", 4], 4, "VMDAV"),
        (["--technique", "mdav"], 5, "MDAV"),  # the parameters are those of vmdav and go
    ):
        result = covey("protect", survey, *ROLES, *arguments, "--config", "run.toml",
                       "--out", "r.csv", "--force", "--no-measures")  # fmt: skip
        assert result.code == 0, result.err
        assert f"{k} asked for" in result.out
        assert f" {technique}, guarantee" in result.out


class TestWhatIsWrittenBehindOptions:
    def test_lists(self):
        assert column_names(None, "--keep") is None
        assert column_names(["a, b", "c"], "--keep") == ["a", "b", "c"]
        assert group_sizes("3, 5") == [3, 5]
        with pytest.raises(InvalidParameter, match="--keep names no column"):
            column_names([" ,"], "--keep")

    def test_values(self):
        found = parameter_values(["a=1", "b=1.5", "c=[1, 2]", "d=True", "e=word", "f=x=y"])
        assert found == {"a": 1, "b": 1.5, "c": [1, 2], "d": True, "e": "word", "f": "x=y"}

    def test_orders_and_rules(self):
        assert orders(["size=S < M < L", "level"]) == {"size": ("S", "M", "L"), "level": ()}
        assert rules(["net: a - b = c", "a >= 1"]) == {"net": "a - b = c", "a >= 1": "a >= 1"}
