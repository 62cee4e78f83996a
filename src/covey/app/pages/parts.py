"""The parts that pages are made of: headings, sections, notes, buttons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol

from covey.app.pages.elements import Part, box, icon, inline, words
from covey.reports.content_types.internal import Check

Act = Callable[[], Any]
View = Callable[[Any], None]
PASSED = ("good", "check", "Passed: ")
NOT_PASSED = ("bad", "close", "Not passed: ")
ONWARD = "arrow"  # the one picture that stands behind the words


class Remembers(Protocol):
    """A frame, as far as parts need to know it."""

    memory: dict[str, Any]

    def show(self) -> None: ...


def button(
    text: str,
    act: Act | None = None,
    *,
    id: str,
    look: str = "",
    picture: str = "",
    says: str = "",
    enabled: bool = True,
    **attributes: Any,
) -> Part:
    """A button; `says` is for screen readers, where the text alone does not tell enough."""
    made = Part(
        "button", f"button {look}", id=id, type="button", disabled=not enabled, **attributes
    )
    made.assign(aria_label=says or None)
    with made:
        if picture and picture != ONWARD:
            icon(picture)
        if text:
            inline(text)
        if picture == ONWARD:
            icon(picture)
    if act is not None:
        made.hear("click", lambda _: act())
    return made


def head(title: str, lead: str) -> None:
    """The heading of a page and the sentence below it."""
    with box("head"):
        Part("h1", text=title, tabindex="-1", id="page-title")
        words(lead, "lead")


@contextmanager
def section(title: str, about: str = "", *, id: str = "") -> Iterator[Part]:
    with Part("section", "section", id=id or None, aria_label=title) as made:
        with box("title"):
            Part("h2", text=title)
            if about:
                words(about, "muted")
        yield made


@contextmanager
def note(title: str, look: str = "", *, live: bool = False) -> Iterator[None]:
    """Something to be noticed: "good", "care", "bad", or plain."""
    pictures = {"good": "check", "care": "alert", "bad": "error"}
    role = "alert" if live and look == "bad" else None
    with box(f"note {look}", role=role):
        icon(pictures.get(look, "info"))
        with box("stack tight"):
            words(title, "title")
            yield


@contextmanager
def empty(picture: str, title: str, text: str) -> Iterator[None]:
    """Nothing to show yet, and what to do about it."""
    with box("empty"):
        icon(picture)
        Part("h2", text=title)
        words(text, "muted")
        yield


@contextmanager
def folded(title: str, *, id: str, is_open: bool = False) -> Iterator[None]:
    with Part("details", open=is_open):
        Part("summary", text=title, id=id)
        with box("inside"):
            yield


def tile(figure: str, what: str, means: str, **attributes: Any) -> None:
    """A figure, what it is, and a sentence on what it means."""
    with box("tile", **attributes):
        words(what, "what")
        words(figure, "figure")
        words(means, "means")


def bullets(sentences: Sequence[str]) -> None:
    with Part("ul"):
        for sentence in sentences:
            Part("li", text=sentence)


def checked(checks: Sequence[Check]) -> None:
    """What was checked: a tick or a cross, and what was found."""
    with Part("ul", "checks"):
        for check in checks:
            look, picture, said = PASSED if check["passed"] else NOT_PASSED
            with Part("li", look):
                icon(picture)
                inline(said, "unseen")
                inline(f"{check['name']}: {check['finding']}.")


def tabs(frame: Remembers, name: str, views: Mapping[str, View]) -> View:
    """Tabs to choose a view with; gives the one that is chosen."""
    chosen = frame.memory.get(name, next(iter(views)))

    def choose(view: str, _: object) -> None:
        frame.memory[name] = view
        frame.show()

    with box("tabs", role="tablist", aria_label="Views"):
        for number, view in enumerate(views):
            tab = Part("button", "tab", view, type="button", role="tab", id=f"{name}-{number}")
            tab.assign(aria_selected="true" if view == chosen else "false")
            tab.hear("click", partial(choose, view))
    return views[chosen]
