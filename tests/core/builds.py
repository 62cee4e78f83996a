"""The builds of the core that this machine runs."""

from __future__ import annotations

from typing import Any

from covey.core import _baseline

BUILDS: list[Any] = [_baseline]
if _baseline.runs_avx2():
    from covey.core import _avx2

    BUILDS.append(_avx2)
