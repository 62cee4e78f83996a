"""From a table to a release."""

from covey.release.protect import Release, protect

__all__ = ["Release", "protect"]
