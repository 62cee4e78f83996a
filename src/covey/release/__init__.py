"""From a table to a release."""

from covey.release.compare import Comparison, compare
from covey.release.protect import protect
from covey.release.release import Release
from covey.release.settings import Settings
from covey.release.tune import Tuning, tune

__all__ = ["Comparison", "Release", "Settings", "Tuning", "compare", "protect", "tune"]
