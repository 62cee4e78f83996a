"""The form shows settings as they are declared, also one that was declared a moment ago."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Annotated, Any

import pytest

pytest.importorskip("nicegui", reason="NO NICEGUI, the app is not looked at: pip install it")

from covey.app.choices import SHOWN, Choices
from covey.app.pages import declared_fields as fields
from covey.errors import InvalidParameter
from covey.parameters import Flag, Maybe, OneOf, Whole
from covey.release.settings import Settings
from covey.settings.forms import Value
from covey.settings.groups import GAPS_AND_STRATA, TREATMENT
from covey.settings.setting import Setting, Shown, declared
from covey.sources import Reading


@dataclass(frozen=True)
class More(Settings):
    """All settings, and three new ones."""

    zeros: Annotated[
        str,
        Setting(
            Value(OneOf(("keep", "group"))),
            "Zeros.",
            TREATMENT,
            shown=Shown("New", "Zeros", words={"keep": "Keep them", "group": "As others"}),
        ),
    ] = "group"
    digits: Annotated[
        int | None,
        Setting(Value(Maybe(Whole(0))), "Digits.", TREATMENT, shown=Shown("New", "Digits")),
    ] = None
    late: Annotated[
        bool,
        Setting(Value(Flag()), "Late.", TREATMENT, shown=Shown("New", "Late", for_role="stratum")),
    ] = False


@pytest.fixture
def drawn(monkeypatch) -> list[tuple[Any, ...]]:
    """What is drawn: the kind of field with its id and value, and what it does with a choice."""
    seen: list[tuple[Any, ...]] = []
    monkeypatch.setattr(fields, "field", lambda *_: nullcontext())
    monkeypatch.setattr(fields, "box", lambda *_: nullcontext())
    monkeypatch.setattr(fields, "choice", lambda id, now, words, take: seen.append((id, now, take)))
    monkeypatch.setattr(fields, "entry", lambda id, now, take, **_: seen.append((id, now, take)))
    monkeypatch.setattr(fields, "tick", lambda id, _, now, take: seen.append((id, now, take)))
    return seen


def draw(section: str, asked: dict[str, Any], roles: tuple[str, ...] = ()) -> list[Any]:
    """Draw a section; gives the list of what is chosen there."""
    chosen: list[Any] = []
    choices = SimpleNamespace(setting=asked.get, with_role=lambda role: role in roles)
    frame = SimpleNamespace(
        workshop=SimpleNamespace(state=SimpleNamespace(choices=choices)),
        choose=lambda said, **changes: chosen.append((said, changes)),
    )
    fields.declared_fields(frame, section)
    return chosen


def test_a_field_for_each_setting_of_a_section(drawn):
    draw(GAPS_AND_STRATA, {"missing": "group", "small_strata": "merge"}, ("stratum",))
    assert [one[:2] for one in drawn] == [
        ("missing", "group"),
        ("min-contributors", ""),
        ("small-strata", "merge"),
    ]


def test_one_without_effect_is_left_out(drawn):
    draw(GAPS_AND_STRATA, {})
    assert [id for id, *_ in drawn] == ["missing", "min-contributors"]


def test_new_settings_are_shown_by_what_they_may_be(drawn, monkeypatch):
    monkeypatch.setattr(fields, "Settings", More)
    chosen = draw("New", {"zeros": "group", "late": False}, ("stratum",))
    assert [one[:2] for one in drawn] == [("zeros", "group"), ("digits", ""), ("late", False)]
    for (_, _, take), given in zip(drawn, ("keep", " 2 ", True), strict=True):
        take(given)
    assert chosen == [
        ("Zeros: keep them", {"zeros": "keep"}),
        ("Digits: 2", {"digits": 2}),
        ("Late: yes", {"late": True}),
    ]


def test_choices_keep_what_is_not_the_default():
    made = Choices(roles={"age": "quasi-identifier"}, detected={"age": "number"})
    changed = made.changed(missing="pattern", min_contributors=2)
    assert changed.asked == {"missing": "pattern", "min_contributors": 2}
    settings = changed.settings(Reading())
    assert (settings.missing, settings.min_contributors) == ("pattern", 2)
    assert changed.changed(missing="group", min_contributors=None) == made
    with pytest.raises(InvalidParameter, match="min_contributors must be"):
        made.changed(min_contributors="three")


def test_what_is_shown_is_what_is_declared():
    assert set(SHOWN) == {one.name for one in declared(Settings) if one.shown is not None}
