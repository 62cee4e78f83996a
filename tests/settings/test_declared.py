"""Settings are declared once: everything that shows, reads or checks them follows."""

from __future__ import annotations

import inspect

import pytest
from benchmarks.pages import filled
from benchmarks.settings import PAGE, SOURCE, TABLES, about, arguments, written

import covey
from covey.cli.options import DECLARED, SETTINGS
from covey.cli.reading import value_of
from covey.release.settings import Settings
from covey.settings.declared import Declared
from covey.settings.run import Run
from covey.settings.setting import declared

ALL = (*declared(Declared), *declared(Run))
by_name = pytest.mark.parametrize("setting", ALL, ids=lambda setting: setting.name)


def test_protect_and_the_reference_are_current():
    """They are written from the declarations: python -m benchmarks.settings."""
    assert written(SOURCE.read_text()) == SOURCE.read_text()
    assert filled(PAGE.read_text(), TABLES) == PAGE.read_text()


@by_name
def test_an_argument_of_protect(setting):
    argument = inspect.signature(covey.protect).parameters[setting.name]
    assert argument.default == setting.when_unset
    assert argument.annotation == setting.annotation
    assert (argument.kind is argument.KEYWORD_ONLY) is not setting.by_position
    described = " ".join(inspect.getdoc(covey.protect).split())
    assert f"{setting.name} : {setting.words} {about(setting)}" in described


def test_protect_has_no_argument_beside_them():
    """But for the data, all settings at once, and the progress."""
    names = list(inspect.signature(covey.protect).parameters)
    assert set(names) == {"data", "settings", "progress", *(setting.name for setting in ALL)}
    assert len(names) == len(ALL) + 3


@by_name
def test_what_is_said_is_a_sentence(setting):
    for text in (setting.help, setting.more):
        assert text == "" or (text[0].isupper() or text[0] == '"')
    assert len(setting.help) < 90
    if setting.shown is not None:
        assert set(setting.shown.words) == set(setting.options)


@pytest.mark.parametrize("setting", declared(Declared), ids=lambda setting: setting.name)
def test_the_default_is_allowed_and_asks_for_nothing(setting):
    settings = Settings()
    setting.check(settings)
    assert getattr(settings, setting.name) == setting.default
    assert not setting.asks(setting.when_unset)
    kept = Settings().to_dict()
    assert (setting.name in kept) is setting.always


WRITTEN = {
    "k": (4, 4),
    "technique": ("mdav", "mdav"),
    "parameters": (["speed=1"], {"speed": 1}),
    "identifiers": (["a, b", "c"], ["a", "b", "c"]),
    "integers": (["all"], True),
    "weight": (["w"], ["w"]),
    "ordinal": (["size=S < M", "level"], {"size": ("S", "M"), "level": ()}),
    "importance": (["age=2"], {"age": 2}),
    "rules": (["net: a - b = c"], {"net": "a - b = c"}),
    "thresholds": (["g_dr=9"], {"g_dr": 9}),
    "missing": ("pattern", "pattern"),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_written_behind_an_option(name):
    text, value = WRITTEN[name]
    assert value_of(DECLARED[name], text) == value


def test_the_options_of_settings_are_those_that_are_declared():
    assert set(SETTINGS) == {one.name for one in declared(Declared)} - {
        "k",
        "technique",
        "parameters",
    }


def test_arguments_by_position_stay_where_they_are():
    """Calls that are written down use them."""
    first = arguments(Declared).partition("    *,")[0]
    assert [line.split(":")[0].strip() for line in first.splitlines()] == [
        "k",
        "technique",
        "identifiers",
        "quasi_identifiers",
        "confidential",
        "strata",
        "weight",
        "keep",
    ]
