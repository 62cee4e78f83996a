"""Fields of a form: to write in, to choose from, to tick."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from markupsafe import Markup

from covey.app.pages.elements import Part, box, drawn, hear, inline, words

TakeText = Callable[[str], Any]


@contextmanager
def field(label: str, id: str, hint: str = "") -> Iterator[Part]:
    with box("field") as made:
        Part("label", text=label, for_=id)
        yield made
        if hint:
            words(hint, "hint", id=f"{id}-hint")


def entry(id: str, value: str, take: TakeText, *, kind: str = "text", **attributes: Any) -> Part:
    """A line to write in; what was written is taken when it is left or Enter is pressed."""
    made = Part("input", id=id, type=kind, value=value, autocomplete="off", **attributes)
    return _on_change(made, take)


_SELECT = Markup('<select id="{id}" data-hears="change" {described}>{options}</select>')
_OPTION = Markup('<option value="{}"{}>{}</option>')


def choice(id: str, value: str, options: Mapping[str, str], take: TakeText) -> None:
    """A list to choose from: values, and the words for them."""
    chosen = {True: Markup(" selected"), False: ""}
    listed = [_OPTION.format(key, chosen[key == value], text) for key, text in options.items()]
    described = Markup('aria-describedby="{}-hint"').format(id)
    drawn(_SELECT.format(id=id, described=described, options=Markup("").join(listed)))
    hear("change", id, lambda value: take(str(value)))


def tick(
    id: str, text: str, checked: bool, take: Callable[[bool], Any], *, cannot: str = ""
) -> Part:
    """A box to tick; `cannot` says why it cannot be ticked, if so."""
    with Part("label", "check", for_=id):
        made = Part("input", id=id, type="checkbox", checked=checked, disabled=bool(cannot))
        with inline(text):
            if cannot:
                inline(cannot, "cannot")
    return made.hear("change", lambda checked: take(bool(checked)))


def _on_change(made: Part, take: TakeText) -> Part:
    return made.hear("change", lambda value: take(str(value)))
