"""The parts that pages are made of: plain elements of HTML, dressed by the style sheet.

Whatever comes from a file is given as text or as an attribute, and is never taken for HTML. An
element that can have the focus gets an id, so that the focus stays when it is built anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from markupsafe import Markup
from nicegui import Client, ui
from nicegui.elements.mixins.text_element import TextElement

from covey.app.looks.icons import drawing

Act = Callable[[], Any]
TakeText = Callable[[str], Any]
View = Callable[[Any], None]
ONWARD = "arrow"  # the one picture that stands behind the words


class Remembers(Protocol):
    """A frame, as far as parts need to know it."""

    memory: dict[str, Any]

    def show(self) -> None: ...


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


_ACTS: WeakKeyDictionary[Client, dict[str, Callable[[Any], Any]]] = WeakKeyDictionary()


def acts_of(client: Client) -> dict[str, Callable[[Any], Any]]:
    """What is done in a tab, by the event and the id of the element."""
    return _ACTS.setdefault(client, {})


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


@contextmanager
def head(title: str, lead: str) -> Iterator[None]:
    """The heading of a page and the sentence below it; more may be put beside them."""
    with box("head"):
        Part("h1", text=title, tabindex="-1", id="page-title")
        words(lead, "lead")
        yield


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


# -- fields ------------------------------------------------------------------------------


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


def tick(id: str, text: str, checked: bool, take: Callable[[bool], Any]) -> Part:
    """A box to tick."""
    with Part("label", "check", for_=id):
        made = Part("input", id=id, type="checkbox", checked=checked)
        inline(text)
    return made.hear("change", lambda checked: take(bool(checked)))


def _on_change(made: Part, take: TakeText) -> Part:
    return made.hear("change", lambda value: take(str(value)))
