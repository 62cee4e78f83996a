"""Exit codes and messages of the command line."""

from __future__ import annotations

import sys

from covey.errors import CoveyError, GuaranteeViolated, Infeasible

USER_ERROR, INFEASIBLE, GUARANTEE_VIOLATED, CANCELLED = 2, 3, 4, 130


class Cancelled(BaseException):
    """Ctrl-C, and what is left then.

    Not KeyboardInterrupt, which the library of commands would take for itself.
    """

    def __init__(self, left: str = "nothing was written.") -> None:
        super().__init__(left)


def exit_code(error: CoveyError) -> int:
    """Exit code of the command for an error."""
    if isinstance(error, Infeasible):
        return INFEASIBLE
    if isinstance(error, GuaranteeViolated):
        return GUARANTEE_VIOLATED
    return USER_ERROR


def report(message: str) -> None:
    print(message, file=sys.stderr)
