from __future__ import annotations
from typing import Any
from covey.app.pages.parts import head, words


def page(frame: Any) -> None:
    with head("Page", "lead"):
        pass
