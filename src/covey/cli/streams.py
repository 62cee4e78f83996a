"""Where the command prints: streams whose reader may leave, and consoles that print words as is."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from rich.console import Console


def plain_console(*, stderr: bool = False) -> Console:
    """A console that takes brackets for brackets: ``covey[report]`` is no markup."""
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


class Piped:
    """A stream that goes on when its reader has left, as ``head`` does: the rest goes nowhere."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write, or throw away what nobody reads."""
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._read_by_nobody()
            return len(text)

    def flush(self) -> None:
        """Flush, or throw away what nobody reads."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._read_by_nobody()

    def _read_by_nobody(self) -> None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def readers_may_leave() -> Iterator[None]:
    """A command does its work and ends as always, whoever stops reading what it prints."""
    streams = sys.stdout, sys.stderr
    out, err = (None if stream is None else Piped(stream) for stream in streams)
    sys.stdout, sys.stderr = out, err
    try:
        yield
    finally:
        for piped in (out, err):
            if piped is not None:
                piped.flush()
        sys.stdout, sys.stderr = streams
