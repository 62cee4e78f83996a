"""What users give becomes what settings hold, or a message that names the setting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from covey.errors import InvalidParameter
from covey.parameters import Maybe, Number, OneOf, Whole
from covey.settings.forms import Names, NamesOrAll, Numbers, Orders, Rules, Table, Value, Weights
from covey.settings.groups import TREATMENT
from covey.settings.setting import Setting, declared

PERCENT = Numbers(Number(0.0, maximum=100.0, closed=True), "limit")


@pytest.mark.parametrize(
    ("form", "given", "value"),
    [
        (Names(), "age", ("age",)),
        (Names(), ["age", "sex"], ("age", "sex")),
        (Names(), pd.Index(["age"]), ("age",)),
        (Names((None,)), None, None),
        (Names((None,)), [], ()),
        (NamesOrAll(), True, True),
        (NamesOrAll(), np.True_, True),
        (NamesOrAll(), [], False),
        (NamesOrAll(), "age", ("age",)),
        (Weights(), None, None),
        (Weights(), ["w"], "w"),
        (Weights(), ["w", "v"], ("w", "v")),
        (Table(), None, {}),
        (Table(), (), {}),
        (Table(), {"speed": [1]}, {"speed": [1]}),
        (Orders(), {"size": ["S", "M"]}, {"size": ("S", "M")}),
        (Orders(), ["size"], {"size": ()}),
        (Rules(), "a >= 1", {"a >= 1": "a >= 1"}),
    ],
)
def test_what_is_read(form, given, value):
    read = form.read("x", given)
    assert read == value
    assert type(read) is type(value)
    form.check("x", read)


@pytest.mark.parametrize(
    ("form", "given", "message"),
    [
        (Names(), 5, "x must be a list of column names."),
        (Names(), None, "x must be a list of column names."),
        (Names(), [5], "x must be a list of column names."),
        (Names(), b"age", "x must be a list of column names."),
        (NamesOrAll(), 5, "x must be True or False or a list of column names."),
        (Table(), ["a"], "x must be a table of names and values."),
        (PERCENT, ["a"], "x must be a table of names, each with a number of at least 0"),
        (PERCENT, {"a": 101}, "limit of 'a' must be a number of at least 0 and at most 100"),
        (Orders(), {"size": 5}, "The categories of 'size' must be a list, from low to high."),
        (Orders(), [5], "x must be a list of texts, or a table of names and values."),
        (Rules(), {"net": 5}, "the rule 'net' must be a text"),
        (Value(OneOf(("a", "b"))), "c", "x must be one of 'a', 'b'; got 'c'."),
    ],
)
def test_a_mistake_is_named(form, given, message):
    with pytest.raises(InvalidParameter) as caught:
        form.check("x", form.read("x", given))
    assert message in str(caught.value)


def test_what_a_declaration_says_of_itself():
    @dataclass
    class Two:
        share: float | None = None

    setting = Setting(
        Value(Maybe(Number(0.0))), "A share.", TREATMENT, name="new_share", type=float
    )
    assert (setting.flag, setting.annotation) == ("--new-share", "float | None")
    assert setting.words == "float, optional"
    count = Setting(Value(Whole(1)), "A count.", TREATMENT, name="n", type=int, default=3)
    assert (count.annotation, count.words) == ("int", "int, default=3")
    assert count.asks(4)
    assert not count.asks(3)
    with pytest.raises(TypeError, match="The setting share is not declared"):
        declared(Two)
