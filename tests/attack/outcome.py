"""One table from beginning to end: a release, a refusal, or something that must not be."""

from __future__ import annotations

import contextlib
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import pandas as pd
import pyarrow as pa

import covey
from covey.errors import CellFailed, CoveyError, DisclosureWarning, GuaranteeViolated
from covey.pipeline.chunks import in_chunks
from covey.settings.treatment import BLOCK
from tests.attack.check import wrong
from tests.attack.columns import PRIVATE
from tests.attack.places import Given, as_arrow, cells_of, put, read
from tests.attack.requests import Request, request

# One table of so many is protected twice, is measured, or is inspected.
ONE_OF = 8


class Outcome(NamedTuple):
    """What became of a table: "release", "refusal", "exception" or "violation", and why."""

    number: int
    word: str
    why: str = ""

    @property
    def is_failure(self) -> bool:
        return self.word in ("exception", "violation")

    def __str__(self) -> str:
        return f"{self.word}: {self.why}\n  again: python -m tests.attack --table {self.number}"


def attempt(number: int) -> Outcome:
    """Protect the table with a number, and look at what was released."""
    asked = request(number)
    with tempfile.TemporaryDirectory() as name, _short(asked):
        folder = Path(name)
        given = put(asked, folder)
        before = set(folder.iterdir())
        try:
            return _released(asked, given, folder)
        except (GuaranteeViolated, CellFailed) as error:  # our bug, whatever the table
            return Outcome(number, "exception", _trace(error))
        except CoveyError as error:
            left = sorted(path.name for path in set(folder.iterdir()) - before)
            return _refusal(number, error, asked, left)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt | SystemExit):
                raise
            return Outcome(number, "exception", _trace(error))


def _released(asked: Request, given: Given, folder: Path) -> Outcome:
    number = asked.number
    found, suppressed = _protected(asked, given, folder / "once")
    problems = wrong(asked, given, found, suppressed)
    if number % ONE_OF == 0:
        again, _ = _protected(asked, given, folder / "twice")
        if not again.map(repr).equals(found.map(repr)):
            problems.append("the same call gives another release")
        if _bytes(folder / "once") != _bytes(folder / "twice"):
            problems.append("the same call gives another file")
    return (
        Outcome(number, "violation", "; ".join(problems))
        if problems
        else Outcome(number, "release")
    )


def _protected(asked: Request, given: Given, folder: Path) -> tuple[pd.DataFrame, int]:
    """The released cells as somebody else reads them, and how many records were suppressed."""
    folder.mkdir()
    path = folder / ("released/" if asked.out == "folder/" else f"released.{asked.out}")
    in_table = {"table": "released"} if path.suffix in (".duckdb", ".sqlite") else {}
    wanted = {**asked.asked, **given.beside}
    if asked.streamed:
        into = {"into": "released"} if in_table else {}
        out = f"{path}/" if asked.out == "folder/" else path
        release = covey.protect(given.data, **wanted, out=out, memory_limit="256MB", **into)
        return read(path), release.suppressed
    release = covey.protect(given.data, **wanted)
    _looked_at(asked.number, release, given)
    if asked.out == "memory":
        return cells_of(_in_memory(release)), release.suppressed
    release.write(path, **in_table)
    return read(path), release.suppressed


def _in_memory(release: Any) -> pa.Table:
    """The data that users are given, or the table where these do not turn into one (maps)."""
    data = release.data
    try:
        return as_arrow(data)
    except pa.ArrowException:
        return release.table


def _looked_at(number: int, release: Any, given: Given) -> None:
    """What people do with a release and its original, which may refuse but not break."""
    if number % ONE_OF == 1:
        release.measure()
    elif number % ONE_OF == 2:
        str(release)
        settings = type(release.settings).from_toml(release.settings.to_toml())
        same = settings.to_dict() == release.settings.to_dict()
        assert same, "settings come back from TOML as others"
    elif number % ONE_OF == 3:
        covey.inspect(given.data, **given.beside)


def _refusal(number: int, error: CoveyError, asked: Request, left: list[str]) -> Outcome:
    """A refusal that shows no value, says what to do in sentences, and leaves nothing behind."""
    message = str(error)
    strata = [str(asked.table[name].to_pylist()) for name in asked.asked["strata"]]
    if PRIVATE in message and not any(PRIVATE in text for text in strata):
        return Outcome(number, "violation", "a refusal shows a value")
    if "changed while they were read" in message:
        return Outcome(number, "violation", message)
    if not message.rstrip().endswith((".", "?")):
        return Outcome(number, "violation", f"a refusal that is no sentence: {message}")
    if [name for name in left if name not in ("once", "twice")]:
        return Outcome(number, "violation", f"a refusal leaves {left} behind")
    return Outcome(number, "refusal", f"{type(error).__name__}: {message}")


@contextlib.contextmanager
def _short(asked: Request) -> Iterator[None]:
    """Searches end soon, blocks and chunks may be small, and a warning is an error."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", DisclosureWarning)
        patched = {"covey.refining.improving.DEFAULT_EFFORT": 20.0}
        if asked.cut is not None:
            patched["covey.release.run.READ"] = asked.cut
            patched["covey.pipeline.survey.LEAST_SAMPLE"] = 3 * asked.cut
            stack.enter_context(mock.patch.dict(vars(BLOCK), minimum=2))
            stack.enter_context(mock.patch.object(in_chunks, "__defaults__", (asked.cut,)))
        for name, value in patched.items():
            stack.enter_context(mock.patch(name, value))
        yield


def _bytes(folder: Path) -> list[bytes]:
    """What is in the files of a folder; a database has times and random numbers of its own."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [path.read_bytes() for path in files if path.suffix not in (".duckdb", ".sqlite")]


def _trace(error: BaseException) -> str:
    """The error and where it came from."""
    lines = traceback.format_exception(error)
    return "".join(lines[-8:]).strip()
