"""Plain elements of HTML, dressed by the style sheet, and how they are heard.

Whatever comes from a file is given as text or as an attribute, and is never taken for HTML. An
element that can have the focus gets an id, so that the focus stays when it is built anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from markupsafe import Markup
from nicegui import Client, ui
from nicegui.elements.mixins.text_element import TextElement

from covey.app.looks.icons import drawing


class Part(TextElement):
    """An element of HTML with its text, classes and attributes."""

    def __init__(self, tag: str, classes: str = "", text: str = "", **attributes: Any) -> None:
        super().__init__(tag=tag, text=text)
        self.classes(classes)
        self.assign(**attributes)

    def assign(self, **attributes: Any) -> Part:
        """Set attributes; underscores are dashes, and None or False takes one away."""
        for name, value in attributes.items():
            attribute = name.rstrip("_").replace("_", "-")
            if attribute == "value" and self.tag == "input":
                attribute = "^value"  # what it starts with: what is being typed is left alone
            if value is None or value is False:
                self.props.pop(attribute, None)
            elif self.props.get(attribute) != value:
                self.props[attribute] = value
        return self

    def hear(self, event: str, act: Callable[[Any], Any]) -> Part:
        """Do something when it is clicked or changed, with the value that it has then.

        What was done is told with the id of the element, not with the element itself: it may have
        been built anew by the time the server hears of it.
        """
        hear(event, self.props["id"], act)
        return self.assign(data_hears=event)


_ACTS: dict[str, dict[str, Callable[[Any], Any]]] = {}  # by the id of the tab


def acts_of(client: Client) -> dict[str, Callable[[Any], Any]]:
    """What is done in a tab, by the event and the id of the element; forgotten with the tab."""
    if client.id not in _ACTS:
        client.on_delete(lambda: _ACTS.pop(client.id, None))
    return _ACTS.setdefault(client.id, {})


def hear(event: str, id: str, act: Callable[[Any], Any]) -> None:
    """The same for an element that was drawn with ``data-hears``."""
    acts_of(ui.context.client)[f"{event} {id}"] = act


def drawn(content: Markup, classes: str = "", tag: str = "div") -> ui.html:
    """HTML that was put together here, with all that comes from a file escaped.

    One such element stands for many, where there are too many to be made one by one. The browser
    cleans it once more of everything that could run.
    """
    return ui.html(str(content), tag=tag).classes(classes)


def box(classes: str = "", **attributes: Any) -> Part:
    return Part("div", classes, **attributes)


def words(text: str, classes: str = "", **attributes: Any) -> Part:
    """A paragraph."""
    return Part("p", classes, text, **attributes)


def inline(text: str, classes: str = "", **attributes: Any) -> Part:
    return Part("span", classes, text, **attributes)


def icon(name: str, classes: str = "") -> ui.html:
    """A drawing beside words; screen readers pass over it."""
    shown = ui.html(drawing(name), sanitize=False, tag="span").classes(f"icon {classes}")
    shown.props["aria-hidden"] = "true"
    return shown
