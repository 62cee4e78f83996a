"""Pages: every figure of the content is in them, and the external one keeps its mouth shut."""

from __future__ import annotations

import html
import json
import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from covey.errors import InvalidParameter, MissingExtra
from covey.reports import render
from covey.reports.formatting import count, figure, percent
from covey.reports.three_questions import answers

from .samples import external_content, internal_content

HOSTILE = "<script>alert('x')</script>&\"'"

# Shown as pictures, which have tests of their own.
PICTURES = {"groups_map", "distributions", "correlation_difference"}
# Said in other words.
REPHRASED = {"joint"}


@pytest.fixture(scope="module")
def internal() -> str:
    return render(internal_content(), "internal")


@pytest.fixture(scope="module")
def external() -> str:
    return render(external_content(), "external")


def words(page: str) -> str:
    """What a reader sees of a page."""
    page = re.sub(r"<(style|svg)\b.*?</\1>", "", page, flags=re.DOTALL)
    text = html.unescape(re.sub(r"<[^>]+>", "", page.replace("<wbr>", "")))
    return re.sub(r"\s+", " ", text)


def leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for part in value.values():
            yield from leaves(part)
    elif isinstance(value, list):
        for part in value:
            yield from leaves(part)
    else:
        yield value


def forms(value: Any) -> set[str]:
    """The ways in which a page may show a value."""
    if isinstance(value, str):
        return {re.sub(r"\s+", " ", value).strip()}
    if isinstance(value, int):
        return {count(value), str(value)}
    return {figure(value), figure(value, 3), percent(value).replace("\xa0", " ")}


@pytest.mark.parametrize("audience", ["internal", "external"])
def test_everything_in_the_content_is_on_the_page(audience, request):
    content = {"internal": internal_content, "external": external_content}[audience]()
    text = words(request.getfixturevalue(audience))
    shown = {name: part for name, part in content.items() if name not in PICTURES}
    for value in leaves(shown):
        if value is None or isinstance(value, bool) or value in REPHRASED:
            continue
        assert any(form in text for form in forms(value)), value


def test_the_pictures_are_on_the_page(internal, external):
    assert internal.count("<svg") == 4 + len(internal_content()["distributions"])
    assert external.count("<svg") == len(external_content()["distributions"])
    assert all(label for label in re.findall(r'<svg[^>]*aria-label="([^"]*)"', internal))


@pytest.mark.parametrize("page", ["internal", "external"])
def test_a_page_needs_nothing_else(page, request):
    text = request.getfixturevalue(page)
    assert "<script" not in text
    assert not re.findall(r'(?:src|href)="(?!#|data:)', text)
    assert not re.findall(r"url\((?!#)|@import", text)
    addresses = set(re.findall(r"https?://[^\s\"<)]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize("audience", ["internal", "external"])
def test_the_same_content_gives_the_same_page(audience, request):
    content = {"internal": internal_content, "external": external_content}[audience]()
    stored = json.loads(json.dumps(content))
    assert render(stored, audience) == request.getfixturevalue(audience)


def hostile(value: Any, keep: set[str]) -> Any:
    if isinstance(value, dict):
        return {k: v if k in keep else hostile(v, keep) for k, v in value.items()}
    if isinstance(value, list):
        return [hostile(part, keep) for part in value]
    return HOSTILE if isinstance(value, str) else value


@pytest.mark.parametrize("audience", ["internal", "external"])
def test_names_from_the_data_are_escaped(audience):
    content = {"internal": internal_content, "external": external_content}[audience]()
    page = render(hostile(content, {"kind", "treatment", "guarantee"}), audience)
    assert "<script" not in page
    assert HOSTILE in words(page)


def test_the_external_page_says_nothing_an_intruder_could_use(external):
    text = external.lower()
    for word in ("seed", "random_state", "gamma", "linkage", "sha-256", "iamat", "threshold"):
        assert word not in text, word


def test_no_figure_of_the_internal_content_strays_into_the_external_page():
    inside, outside = internal_content(), external_content()
    known_outside = {
        form for value in leaves(outside) if value is not None for form in forms(value)
    }
    page = words(render(outside, "external"))
    secret = [inside["risks"], inside["records_at_risk"], inside["three_questions"]]
    secret += [inside["provenance"], inside["method"]["parameters"], inside["alternatives"]]
    for value in leaves(secret):
        if isinstance(value, float) and not forms(value) & known_outside:
            assert not any(re.search(rf"(?<!\d){re.escape(f)}", page) for f in forms(value)), value


@pytest.mark.parametrize(
    ("name", "sentinel"),
    [("seed", 987654321), ("risks", [{"after": 87.654321}]), ("sha256", "deadbeef" * 8)],
)
def test_the_external_report_refuses_what_it_has_no_place_for(name, sentinel):
    with pytest.raises(InvalidParameter, match=f"has no place for {name}"):
        render({**external_content(), name: sentinel}, "external")


def test_sentinels_deeper_down_are_not_shown():
    content = external_content()
    sentinels = {"seed": 987654321, "risk": 87.654321, "original": [424242, 434343]}
    for part in ("columns", "numeric", "distributions"):
        content[part] = [{**row, **sentinels} for row in content[part]]
    assert render(content, "external") == render(external_content(), "external")


def test_internal_content_is_refused_for_the_external_report():
    with pytest.raises(InvalidParameter, match="lacks categorical, citation"):
        render(internal_content(), "external")


def test_an_unknown_audience_is_refused():
    with pytest.raises(InvalidParameter, match="audience"):
        render(external_content(), "press")


def test_a_failed_check_changes_the_verdict(internal):
    content = internal_content()
    content["verdict"]["checks"][1] |= {"passed": False, "finding": "Two values have 2."}
    text = words(render(content, "internal"))
    assert "✓ All 3 checks passed" in words(internal)
    assert "✗ 1 of 3 checks failed: not ready for release" in text
    assert "✗ fail" in text


def test_what_is_not_there_is_left_out():
    content = internal_content()
    nothing = {"alternatives": None, "groups_map": None, "correlation_difference": None}
    nothing |= {"dominance": None, "diversity": [], "edit_rules": [], "records_at_risk": []}
    nothing |= {"distributions": [], "categorical_losses": [], "judgement": []}
    page = render({**content, **nothing}, "internal")
    text = words(page)
    for heading in (
        "Alternatives",
        "Dominance",
        "Edit rules",
        "Records become groups",
        "Needs your",
    ):
        assert heading not in text
    assert page.count("<svg") == 1


def test_a_technique_without_chance_has_no_seed():
    content = internal_content()
    content["method"]["seed"] = content["provenance"]["seed"] = None
    assert "none: nothing is drawn at random" in words(render(content, "internal"))


def test_answers_change_with_the_guarantee():
    content = internal_content()
    content["verdict"]["guarantee"] = "per block"
    content["three_questions"]["singling_out"] = {"smallest_class": 1, "records_alone": 17}
    said = " ".join(answers(content)[0].sentences)
    assert "17 released records are equal to no other" in said
    assert "inside each block of variables only" in said


def test_external_words_for_blocks_and_no_weight():
    content = external_content() | {"guarantee": "per block", "weight": None, "removed": []}
    text = words(render(content, "external"))
    assert "treated in blocks" in text
    assert "Weights." not in text
    assert "Columns that were removed" not in text


def test_without_the_extra_the_error_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtra, match=r"covey\[report\]"):
        render(external_content(), "external")
