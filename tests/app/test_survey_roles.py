"""A household survey in the app: hints on the Roles page, codes, and several weights."""

from __future__ import annotations

import io

import pytest
from pyarrow import parquet

from covey.app.jobs import DONE
from covey.app.pages.roles_table import roles_table
from tests.tables.real_surveys import eu_silc

from .conftest import opened, over


@pytest.fixture(scope="module")
def silc(make_workshop):
    written = io.BytesIO()
    parquet.write_table(eu_silc(200), written)
    workshop = make_workshop()
    assert opened(workshop, written.getvalue(), "silc.parquet").state == DONE
    return workshop


def shown(workshop):
    return str(roles_table(workshop.state.opened, workshop.state.choices))


def test_hints_are_shown(silc):
    page = shown(silc)
    assert "it names a household of several records" in page
    assert "k counts records" in page
    assert "There are several weights: choose under Protect" in page
    assert "Few numbers, taken as codes." in page


def test_a_hint_goes_when_something_else_is_chosen(silc):
    before = shown(silc).count("Few numbers, taken as codes.")
    silc.choose("roles", kinds={"rb090": "integer"})
    assert shown(silc).count("Few numbers, taken as codes.") < before
    silc.choose("roles", kinds={"rb090": "nominal"})
    assert shown(silc).count("Few numbers, taken as codes.") == before


def test_codes_are_treated_as_codes(silc):
    assert silc.state.choices.kinds == {"rb090": "nominal", "pl031": "nominal"}


def test_the_weight_that_is_used_can_be_chosen(silc):
    assert silc.state.choices.weights() == ("rb050", "db090", "pb040")
    silc.choose("protect", weighted_by="db090", technique="mdav", k=5)
    job = over(silc.protect())
    assert job.state == DONE, job.message
    run = silc.runs[job.result.number]
    assert run.figures["settings"]["weight"] == ["db090", "rb050", "pb040"]
    assert {"rb050", "db090", "pb040"} <= set(run.figures["columns"])


def test_all_of_them_may_be_released_as_they_are(silc):
    silc.choose("protect", keeps_weight=True)
    settings = silc.state.choices.settings(silc.state.opened.reading)
    assert set(settings.keep) == {"rb050", "db090", "pb040", "db010", "db020"}
