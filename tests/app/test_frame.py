"""What a page says when something that was clicked goes wrong."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="NO NICEGUI, the app is not looked at: pip install it")

from covey.app.failing import UNEXPECTED
from covey.app.pages import frame as frames
from covey.app.pages.frame import Frame
from covey.errors import not_allowed

BUG = KeyError("the value 4711")
WRONG = not_allowed("min_contributors", "a whole number", 9, may_be_none=True)
SAID = "Fewest values behind a released one must be empty, or a whole number; got 9."


def raising(error: Exception) -> Any:
    def act(*_: object) -> None:
        raise error

    return act


@pytest.fixture
def frame(monkeypatch: pytest.MonkeyPatch) -> Frame:
    made = Frame(SimpleNamespace(jobs=SimpleNamespace(all=[])), "open")  # type: ignore[arg-type]
    made._client = None  # type: ignore[assignment]
    monkeypatch.setattr(made, "show", lambda: None)
    return made


@pytest.mark.parametrize(("error", "said"), [(BUG, UNEXPECTED), (WRONG, SAID)])
def test_whatever_is_raised_is_said(frame, monkeypatch, error, said):
    assert not frame.attempt(raising(error))
    assert frame.trouble == said
    frame.trouble = ""
    monkeypatch.setattr(frames, "acts_of", lambda _: {"click a": raising(error)})
    frame._act({"event": "click", "id": "a", "value": None})
    assert frame.trouble == said
    frame.trouble = ""
    frame.hears = {"role": raising(error)}
    frame._hear({"what": "role", "at": 1, "value": ""})
    assert frame.trouble == said
