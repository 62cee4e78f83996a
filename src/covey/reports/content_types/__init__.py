"""What a report is filled with: plain values only, so that a report can be stored and redrawn.

Shares, risks and losses are in percent unless a field says otherwise. A figure that does not
exist is None and is shown as a dash; no field may be left out.
"""

from covey.reports.content_types.external import ExternalContent
from covey.reports.content_types.internal import InternalContent

__all__ = ["ExternalContent", "InternalContent"]
