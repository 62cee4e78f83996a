"""Stages of long work: texts for a bar, data for whoever looks closer."""

from __future__ import annotations

import pickle

import pytest

from covey.progress import Part, Stage, share_of, stage_of, within


@pytest.mark.parametrize("stage", list(Stage))
def test_a_stage_is_its_name_and_has_a_label(stage):
    assert stage == str(stage) == f"{stage}"
    assert stage_of(str(stage)) is stage
    assert stage.label[0].isupper()


def test_a_text_of_nobody_is_no_stage():
    assert stage_of("dreaming") is None


@pytest.mark.parametrize("told", [Stage.GROUPING, Part("one", Stage.MEASURING, 2, 3)])
def test_stages_travel_between_processes(told):
    arrived = pickle.loads(pickle.dumps(told))
    assert arrived == told
    assert stage_of(arrived) is stage_of(told)
    assert share_of(arrived, 1, 2) == share_of(told, 1, 2)


def test_the_stages_of_other_work_are_parts():
    """More of them than expected do not go beyond the whole."""
    told = []
    tell = within(lambda *said: told.append(said), Stage.MEASURING, 2, "original: ")
    for name in ("one", "two", "two", "three"):
        tell(name, 1, 2)
    assert [text for text, _, _ in told] == [
        f"original: {n}" for n in ("one", "two", "two", "three")
    ]
    assert {stage_of(text) for text, _, _ in told} == {Stage.MEASURING}
    assert [share_of(*said) for said in told] == [0.25, 0.75, 0.75, 0.75]


def test_nothing_to_do_is_no_share():
    assert share_of(Stage.GROUPING, 0, 0) == 0.0
    assert share_of(Stage.GROUPING, 9, 3) == 1.0
