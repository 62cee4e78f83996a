"""Every step is kept, and every one of them can be gone back to."""

from __future__ import annotations

import pytest

from covey.app.choices import Choices
from covey.app.steps import History, State


def state(k: int) -> State:
    return State(choices=Choices(k=k))


@pytest.fixture
def history() -> History:
    """Start, then k = 3, 4, 5, 6."""
    made = History()
    for k in (3, 4, 5, 6):
        made.add(f"k: {k}", "protect", state(k))
    return made


def k_of(history: History) -> int:
    return history.current.state.choices.k


def test_undo_three_steps_and_redo_them(history):
    assert [k_of(history)] + [history.undo().state.choices.k for _ in range(3)] == [6, 5, 4, 3]
    assert [history.redo().state.choices.k for _ in range(3)] == [4, 5, 6]
    assert not history.can_redo


def test_undo_ends_at_the_start(history):
    for _ in range(10):
        history.undo()
    assert history.position == 0
    assert not history.can_undo
    for _ in range(10):
        history.redo()
    assert k_of(history) == 6


def test_a_step_after_going_back_is_a_branch_and_nothing_is_lost(history):
    history.undo()
    history.undo()
    branch = history.add("k: 9", "protect", state(9))
    assert branch.base == 2
    assert [step.name for step in history.steps] == [
        "Start", "k: 3", "k: 4", "k: 5", "k: 6", "k: 9",
    ]  # fmt: skip
    assert not history.can_redo
    assert history.undo().number == 2
    assert history.redo() is branch
    assert history.go_to(4).state.choices.k == 6


def test_redo_takes_the_branch_that_was_left(history):
    """After a branch was made elsewhere, undo and redo stay on the path one is on."""
    history.go_to(2)
    history.add("k: 9", "protect", state(9))
    history.go_to(4)
    history.undo()
    history.undo()
    assert history.position == 2
    assert [history.redo().number, history.redo().number] == [3, 4]


def test_any_step_can_be_gone_to(history):
    for number in (4, 0, 2, 3, 1):
        assert history.go_to(number).number == number
    with pytest.raises(IndexError, match="no step 99"):
        history.go_to(99)


def test_the_path_leads_to_the_current_step(history):
    history.go_to(2)
    history.add("k: 9", "protect", state(9))
    assert [step.number for step in history.path()] == [0, 1, 2, 5]


def test_work_that_ends_elsewhere_moves_nobody(history):
    aside = history.add_aside("Protected", "look", state(5), base=3)
    assert history.position == 4
    assert history.go_to(aside.number).base == 3


def test_arriving_is_not_a_move_of_a_person(history):
    moves = history.moves
    step = history.add_aside("Protected", "look", state(6), base=4)
    history.arrive(step.number)
    assert history.moves == moves
    assert history.undo().number == 4
