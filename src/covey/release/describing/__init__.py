"""What the reports say about a release."""

from covey.release.describing.external import external_content
from covey.release.describing.internal import internal_content

__all__ = ["external_content", "internal_content"]
