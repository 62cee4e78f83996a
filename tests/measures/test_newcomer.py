"""A measure is one file: with nothing else to edit, everything that lists measures knows it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

MEASURE = '''
"""Values that nothing was done to."""

from typing import Any, NamedTuple

import numpy as np

from covey.measures.measure import Measure, Need
from covey.measures.pairs import read_pair


class Unchanged(NamedTuple):
    """Unchanged values, in percent."""

    percent: float


def unchanged(original: Any, released: Any) -> Unchanged:
    """Share of values that are released as they were."""
    pair = read_pair(original, released)
    return Unchanged(100.0 * float(np.mean(pair.original == pair.released)))


DECLARED = Measure(
    name="unchanged_{kind}",
    label="unchanged values ({kind})",
    meaning="Values that are released as they were.",
    kind="{kind}",
    function=unchanged,
    take=lambda inputs: unchanged(inputs.numbers, inputs.numbers),
    needs=(Need.RECORDS, Need.NUMBERS),
    before={before},
    limit={before},
)
'''

# What a newcomer's folder would be if it were the house's: its files are found beside the others.
SCRIPT = """
import contextlib, io, json, sys, warnings
import pyarrow as pa
import covey
import covey.measures.loss, covey.measures.risk

folder = sys.argv[1]
covey.measures.loss.__path__.append(f"{folder}/loss")
covey.measures.risk.__path__.append(f"{folder}/risk")

table = pa.table({"a": [1.0, 2.0, 3.0, 9.0, 11.0, 13.0], "b": [3.0, 1.0, 2.0, 8.0, 9.0, 7.0]})
release = covey.protect(table, 3, "mdav", thresholds={"unchanged_risk": 10.0})
evaluation = release.evaluation
found = {"evaluation": [evaluation.unchanged_loss.percent, evaluation.unchanged_risk.percent]}
found["printed"] = str(evaluation)
found["frame"] = evaluation.to_frame().to_pydict()["measure"]

from covey.release.describing.internal import internal_content
from covey.release.describing.summary_lines import limits_exceeded

content = internal_content(release)
found["losses"], found["risks"] = content["overall_losses"], content["risks"]
found["checks"] = content["verdict"]["checks"]
found["exceeded"] = limits_exceeded(release)

compared = covey.compare(table, [2, 3], ["mdav"], loss="unchanged_loss", risk="unchanged_risk")
found["compared"] = str(compared)

from covey.sources import write_table

write_table(table, f"{folder}/original.csv")
release.write(f"{folder}/released.csv", order="original")
from covey.cli import main

sys.argv = ["covey", "measure", f"{folder}/original.csv", f"{folder}/released.csv", "--json"]
said = io.StringIO()
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(said):
    main.run()
found["command"] = json.loads(said.getvalue())

from covey.app.pages.limits import risks

found["limits"] = risks()
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    pytest.importorskip("nicegui")
    folder: Path = tmp_path_factory.mktemp("newcomer")
    for kind in ("loss", "risk"):
        text = MEASURE.replace("{kind}", kind).replace("{before}", str(kind == "risk"))
        (folder / kind).mkdir()
        (folder / kind / "unchanged.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT, str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_an_evaluation_has_it(found):
    assert found["evaluation"][0] == found["evaluation"][1] > 0
    assert "  unchanged values (loss) " in found["printed"]
    assert "  unchanged values (risk) " in found["printed"]
    assert {"unchanged_loss", "unchanged_risk"} <= set(found["frame"])


def test_the_command_prints_it(found):
    printed = found["command"]
    assert [printed[name]["percent"] for name in ("unchanged_loss", "unchanged_risk")] == found[
        "evaluation"
    ]


def test_the_report_lists_it(found):
    losses = {row["measure"]: row["percent"] for row in found["losses"]}
    assert losses["unchanged values (loss)"] == found["evaluation"][0]
    risks = {row["measure"]: row for row in found["risks"]}
    row = risks["unchanged values (risk)"]
    assert row["before"] == 100.0
    assert row["after"] == found["evaluation"][1]
    assert row["meaning"] == "Values that are released as they were."
    assert (row["threshold"], row["passed"]) == (10.0, False)


def test_a_limit_can_be_set_on_it(found):
    checks = {check["name"]: check["passed"] for check in found["checks"]}
    assert checks["unchanged values (risk) within its limit"] is False
    assert found["exceeded"][0].startswith("unchanged_risk is ")


def test_candidates_are_compared_by_it(found):
    assert "loss: unchanged values (loss); risk: unchanged values (risk)" in found["compared"]


def test_the_app_offers_a_limit_on_it(found):
    assert found["limits"]["unchanged_risk"] == "unchanged values (risk)"
    assert "unchanged_loss" not in found["limits"]
