"""Charts of a release, and the two reports about it: one to sign, one to publish."""

from covey.reports.content_types import ExternalContent, InternalContent
from covey.reports.pages import render, require_extra

__all__ = ["ExternalContent", "InternalContent", "render", "require_extra"]
