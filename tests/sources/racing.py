"""Two processes that write to the same place, held back until both are about to move."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import BrokenBarrierError
from typing import Any

ROUNDS = 12
Write = Callable[[Path, int], None]


def outcomes(writes: Sequence[Write], folder: Path) -> dict[str, list[list[str]]]:
    """What became of the rounds of each: for each of the two "written", or why it was refused."""
    for write in writes:
        (folder / write.__name__).mkdir()
    context = multiprocessing.get_context("spawn")
    barrier, answers = context.Barrier(2), context.Queue()
    pair = [
        context.Process(target=_run, args=(writes, folder, who, barrier, answers)) for who in (1, 2)
    ]
    for process in pair:
        process.start()
    said = [answers.get(timeout=240) for _ in range(2 * ROUNDS * len(writes))]
    for process in pair:
        process.join(timeout=60)
        assert process.exitcode == 0
    return {
        write.__name__: [
            [text for *where, text in said if where == [write.__name__, number]]
            for number in range(ROUNDS)
        ]
        for write in writes
    }


def _run(writes: Sequence[Write], folder: Path, who: int, barrier: Any, answers: Any) -> None:
    _hold_back(barrier)
    for write in writes:
        for number in range(ROUNDS):
            _meet(barrier)
            said = _tried(write, folder / write.__name__ / f"round-{number}", who)
            answers.put((write.__name__, number, said))


def _tried(write: Write, path: Path, who: int) -> str:
    from covey.errors import CoveyError

    try:
        write(path, who)
    except CoveyError as error:
        return f"{type(error).__name__}: {error}"
    return "written"


def _hold_back(barrier: Any) -> None:
    """Wait for the other when everything was checked and filled, and only the move is left."""
    from covey.pipeline.parquet_folder import _StagedFolder
    from covey.sources.databases.embedded import _Move
    from covey.sources.whole import Together

    for owner, name in ((Together, "_place_all"), (_StagedFolder, "_move"), (_Move, "take")):
        setattr(owner, name, _met_before(getattr(owner, name), barrier))


def _met_before(step: Callable[..., Any], barrier: Any) -> Callable[..., Any]:
    def held(*given: Any) -> Any:
        _meet(barrier)
        return step(*given)

    return held


def _meet(barrier: Any) -> None:
    try:
        barrier.wait(timeout=60)
    except BrokenBarrierError as broken:
        raise AssertionError("the other did not come") from broken
