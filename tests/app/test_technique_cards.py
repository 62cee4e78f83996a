"""What the page offers is what the techniques declare."""

from __future__ import annotations

import pytest

from covey.app.technique_cards import Card, technique_cards
from covey.release.settings import AUTO
from covey.techniques import available, get

CARDS = technique_cards()


def test_every_technique_has_a_card_and_the_usual_one_comes_first():
    assert {card.name for card in CARDS} == {info.name for info in available()}
    assert (CARDS[0].name, CARDS[0].is_recommended) == (AUTO, True)
    assert sum(card.is_recommended for card in CARDS) == 1


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_a_form_filled_as_it_comes_gives_the_technique_itself(card: Card):
    filled = {field.name: field.default for field in card.fields}
    technique, usual = get(card.name).configured(k=3, **filled), get(card.name).configured(k=3)
    assert technique.get_params(deep=False) == usual.get_params(deep=False)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_every_field_is_explained(card: Card):
    assert card.sentence.endswith(".")
    assert card.paper
    for field in card.fields:
        assert field.about.endswith("."), field.name
        assert "`" not in field.about
        assert (field.input == "choice") == bool(field.options), field.name


def test_limits_are_those_that_are_declared():
    fields = {field.name: field for card in CARDS if card.name == "rgmat" for field in card.fields}
    rate, patience, seed = fields["crossover_rate"], fields["patience"], fields["random_state"]
    assert (rate.input, rate.least, rate.most) == ("number", 0.0, 1.0)
    assert (patience.input, patience.least, patience.may_be_empty) == ("whole", 1, False)
    assert (seed.input, seed.least) == ("whole", 0)
    assert fields["refine"].may_be_empty
    assert fields["leaf_swaps"].input == "flag"
    assert fields["variables"].input == "columns"
