"""The three questions of the Article 29 Working Party, answered from figures in plain words.

Opinion 05/2014 (WP216) asks of any anonymisation whether a person can still be singled out,
whether records of one person can be linked, and what can be inferred about a person.
"""

from __future__ import annotations

from typing import NamedTuple

from covey.reports.content_types.internal import (
    Inference,
    InternalContent,
    Linkability,
    SinglingOut,
)
from covey.reports.formatting import count, percent


class Answer(NamedTuple):
    name: str
    question: str
    sentences: list[str]


def answers(content: InternalContent) -> list[Answer]:
    figures = content["three_questions"]
    return [
        Answer(
            "Singling out",
            "Can one person's record be isolated in the release?",
            _singling_out(figures["singling_out"], content["verdict"]["guarantee"]),
        ),
        Answer(
            "Linkability",
            "Can a record be tied to one about the same person in another file?",
            _linkability(figures["linkability"]),
        ),
        Answer(
            "Inference",
            "Can a person's values be told, even without finding the record?",
            _inference(figures["inference"]),
        ),
    ]


def _singling_out(figures: SinglingOut, guarantee: str) -> list[str]:
    smallest, alone = figures["smallest_class"], figures["records_alone"]
    sentences = [f"Every released record is equal to at least {count(smallest - 1)} others."]
    if alone:
        sentences = [f"{count(alone)} released records are equal to no other: they stand alone."]
    if guarantee == "per block":
        sentences.append(
            "The guarantee holds inside each block of variables only; whole records, with all "
            "blocks together, may be unique."
        )
    return sentences


def _linkability(figures: Linkability) -> list[str]:
    linked, bound = figures["linked_percent"], figures["bound_percent"]
    sentences = [
        f"An intruder who holds the original values of the keys and has one guess at each record "
        f"links {percent(linked)} of the records rightly (distance linkage)."
    ]
    if bound is not None:
        sentences.append(f"With groups of this size no more than {percent(bound)} is possible.")
    return sentences


def _inference(figures: Inference) -> list[str]:
    sentences = [
        f"{percent(figures['interval_percent'])} of the original values lie close to the released "
        "ones, by the measure of interval disclosure.",
        f"{percent(figures['dominated_percent'])} of the group means are dominated by one record, "
        "whose value they come near to giving away.",
    ]
    single = figures["single_value_percent"]
    if single is not None:
        sentences.append(
            f"{percent(single)} of the records are in groups that share one confidential value: "
            "whoever knows the group knows it."
        )
    return sentences
