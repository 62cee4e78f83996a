"""From a table to a release."""

from covey.release.comparing import Comparison, compare
from covey.release.inspecting import Inspection, inspect
from covey.release.protecting import protect
from covey.release.release import Release
from covey.release.settings import Settings
from covey.release.tuning import Tuning, tune

__all__ = [
    "Comparison",
    "Inspection",
    "Release",
    "Settings",
    "Tuning",
    "compare",
    "inspect",
    "protect",
    "tune",
]
