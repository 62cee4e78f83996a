"""The settings of a release, each declared once.

Checks, settings files, the arguments of `protect`, the options of the command line, the form of the
app and the reference in docs/settings.md all come from here.
"""

from __future__ import annotations

from dataclasses import dataclass

from covey.settings.checks import Checks, Input
from covey.settings.roles import Grouping, Roles
from covey.settings.treatment import Treatment


@dataclass(frozen=True)
class Declared(Checks, Input, Treatment, Roles, Grouping):
    """All that decides a release, in the order of the bases from the last to the first.

    Lists are tuples, and unset values None or empty.
    """
