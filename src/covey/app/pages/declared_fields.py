"""Fields for settings, as they are declared: what they are called, and what to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.app.pages.elements import box
from covey.app.pages.fields import choice, entry, field, tick
from covey.release.settings import Settings
from covey.settings.setting import Setting, Shown, declared

if TYPE_CHECKING:
    from covey.app.pages.frame import Frame

NOT_SET = "not set"


def declared_fields(frame: Frame, section: str) -> None:
    """The fields of a section of the form, but for those that would have no effect."""
    choices = frame.workshop.state.choices
    for setting in declared(Settings):
        shown = setting.shown
        if shown is None or shown.section != section:
            continue
        if shown.for_role is None or choices.with_role(shown.for_role):
            _draw(frame, setting, shown, choices.setting(setting.name))


def _draw(frame: Frame, setting: Setting, shown: Shown, value: Any) -> None:
    """A list to choose from, a box to tick or a line to write in, by what the setting may be."""
    id = setting.name.replace("_", "-")

    def take(chosen: Any, said: str) -> None:
        frame.choose(f"{shown.label}: {said}", **{setting.name: chosen})

    if setting.one_type is bool:
        with box("field"):
            tick(id, shown.label, value, lambda on: take(on, "yes" if on else "no"))
        return
    with field(shown.label, id, shown.hint):
        if shown.words:
            choice(id, value, shown.words, lambda way: take(way, shown.words[way].lower()))
        else:
            _line(id, setting, value, take)


def _line(id: str, setting: Setting, value: Any, take: Any) -> None:
    entry(
        id,
        "" if value is None else str(value),
        lambda text: take(as_value(text, setting.one_type), text.strip() or NOT_SET),
        inputmode="decimal" if setting.one_type in (int, float) else "text",
        placeholder=NOT_SET,
    )


def as_value(text: str, kind: type) -> Any:
    """What was written as a value; text that is no number stays, to be refused by name.

    >>> as_value(" 3 ", int), as_value("0.5", float), as_value("three", int), as_value("", int)
    (3, 0.5, 'three', None)
    """
    written = text.strip()
    try:
        return kind(written) if written else None
    except ValueError:
        return written
