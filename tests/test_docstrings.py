"""Entries of parameters are written once, and each class shows all of its own."""

from __future__ import annotations

from covey.docstrings import parameter_entries, parameter_texts, with_all_parameters


class Counted:
    """Something with a size.

    Parameters
    ----------
    k : int, default=3
        Smallest size.
    """


class Named(Counted):
    """Something with a name.

    Parameters
    ----------
    name : str
        What it is called,
        in two lines.

        And in a second paragraph.

    Notes
    -----
    Nothing here : is a parameter.
    """


class Larger(Named):
    """Something larger.

    More of it.

    Parameters
    ----------
    k : int, default=5
        Larger than usual.
    """


class Bare(Counted):
    pass


def test_entries_come_from_the_bases_and_their_own_come_last():
    assert list(parameter_entries(Named)) == ["k", "name"]
    assert parameter_entries(Larger)["k"] == "k : int, default=5\n    Larger than usual.\n"


def test_texts_are_one_paragraph():
    assert parameter_texts(Named) == {
        "k": "Smallest size.",
        "name": "What it is called, in two lines. And in a second paragraph.",
    }


def test_all_parameters_stand_before_the_next_section():
    assert with_all_parameters(Named, ["name", "k"]) == (
        "Something with a name.\n\n"
        "Parameters\n----------\n"
        "name : str\n    What it is called,\n    in two lines.\n\n    And in a second paragraph.\n"
        "k : int, default=3\n    Smallest size.\n\n"
        "Notes\n-----\nNothing here : is a parameter."
    )


def test_a_docstring_without_sections_gets_one():
    assert with_all_parameters(Larger, ["k", "unknown"]) == (
        "Something larger.\n\nMore of it.\n\n"
        "Parameters\n----------\nk : int, default=5\n    Larger than usual."
    )


def test_a_class_without_a_docstring_has_the_entries_of_its_bases():
    """Python may run without docstrings, too."""
    assert parameter_texts(Bare) == {"k": "Smallest size."}
    assert with_all_parameters(Bare, ["k"]).startswith("Parameters\n----------\nk : int")
