"""Techniques give the labels they have always given, to the last record."""

from __future__ import annotations

import json
import os

import pytest

from tests.conftest import NEEDS_DATA
from tests.techniques.label_hashes import FILES, KNOWN, LARGE, MADE, cases, label_hash, name_of

HASHES = json.loads(KNOWN.read_text(encoding="utf-8"))
SMALL = tuple(name for name in MADE if name not in LARGE)


@pytest.mark.skipif(not os.environ.get("COVEY_DATA"), reason=NEEDS_DATA)
@pytest.mark.parametrize("file", FILES)
def test_benchmark_files(file):
    require_known(file, FILES[file]())


@pytest.mark.parametrize("file", SMALL)
def test_ties_and_shapes(file):
    require_known(file, MADE[file]())


@pytest.mark.slow
@pytest.mark.parametrize("file", LARGE)
def test_large_files(file):
    require_known(file, MADE[file]())


def test_every_hash_has_its_case():
    assert {name_of(*case) for case in cases((*FILES, *MADE))} == set(HASHES)


def require_known(file, values):
    for case in cases((file,)):
        assert label_hash(values, *case[1:]) == HASHES[name_of(*case)], name_of(*case)
