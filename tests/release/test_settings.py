"""Settings: as values, as TOML, and the same release from the same file."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey.errors import InvalidParameter
from covey.release import Settings, protect
from covey.selection import DependenceTree
from covey.sources.files import FileProblem
from covey.techniques import MDAV, Projected

AMOUNTS = ["age", "hours", "gross_income", "net_income"]
EDUCATION = ["primary", "secondary", "vocational", "bachelor", "master"]


@pytest.fixture(scope="module")
def survey():
    return covey.datasets.make_survey(200, 6, missing=0.05)


names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
lists = st.lists(names, max_size=3, unique=True)
requests = st.fixed_dictionaries(
    {"k": st.integers(3, 50)},
    optional={
        "technique": st.sampled_from(["auto", "mdav", "egmmat"]),
        "parameters": st.dictionaries(
            names, st.one_of(st.integers(-9, 9), st.floats(allow_nan=False), names, lists)
        ),
        "identifiers": lists,
        "quasi_identifiers": lists,
        "confidential": lists,
        "strata": lists,
        "weight": names,
        "keep": lists,
        "ordinal": st.one_of(lists, st.dictionaries(names, st.one_of(lists, st.just([1, 2])))),
        "nominal": lists,
        "integers": st.one_of(st.booleans(), lists),
        "importance": st.dictionaries(names, st.floats(0, 1e9)),
        "missing": st.sampled_from(["group", "pattern", "error"]),
        "min_contributors": st.integers(1, 3),
        "small_strata": st.sampled_from(["error", "merge", "suppress"]),
        "rules": st.one_of(lists, st.dictionaries(names, names)),
        "thresholds": st.dictionaries(st.sampled_from(["g_dr", "dominance"]), st.floats(0, 100)),
    },
)


class TestToml:
    @given(requests)
    def test_there_and_back(self, request):
        chosen = Settings.from_dict(request)
        again = Settings.from_toml(chosen.to_toml())
        assert again.to_dict() == chosen.to_dict()
        assert again.quasi_identifiers == chosen.quasi_identifiers
        assert again.to_toml() == chosen.to_toml()

    def test_no_quasi_identifiers_does_not_become_all_of_them(self):
        """An empty list is refused by protect; None means every column named nowhere."""
        chosen = Settings.from_dict({"quasi_identifiers": []})
        assert Settings.from_toml(chosen.to_toml()).quasi_identifiers == ()

    def test_what_was_not_asked_for_is_not_written(self):
        text = Settings(k=4).to_toml()
        assert text.splitlines() == [
            "k = 4",
            'technique = "auto"',
            'missing = "group"',
            'small_strata = "error"',
        ]

    def test_numbers_of_numpy_are_plain_numbers(self):
        chosen = Settings.from_dict({"k": np.int64(4), "importance": {"x": np.float64(0.5)}})
        assert Settings.from_toml(chosen.to_toml()).to_dict() == chosen.to_dict()

    def test_lists_of_numpy_are_plain_lists(self, survey):
        release = protect(
            survey,
            3,
            "mdav",
            quasi_identifiers=AMOUNTS,
            parameters={"variables": np.array(["age", "hours"])},
        )
        assert 'variables = [\n    "age",\n    "hours",\n]' in release.settings.to_toml()

    def test_a_selector_is_resolved_to_names(self, survey):
        tree = DependenceTree(n_variables=2)
        release = protect(
            survey, 3, "mdav", quasi_identifiers=AMOUNTS, parameters={"variables": tree}
        )
        chosen = Settings.from_toml(release.settings.to_toml())
        assert len(chosen.parameters["variables"]) == 2
        assert set(chosen.parameters["variables"]) <= set(AMOUNTS)
        assert protect(survey, settings=chosen).table.equals(release.table)

    def test_an_instance_with_a_selector(self, survey):
        technique = MDAV(k=3, variables=DependenceTree(n_variables=2))
        release = protect(survey, technique=technique, quasi_identifiers=AMOUNTS)
        again = protect(survey, settings=Settings.from_toml(release.settings.to_toml()))
        assert again.table.equals(release.table)

    def test_a_function_works_but_cannot_be_written(self, survey):
        technique = Projected(k=3, projection=lambda values: values[:, 0])
        release = protect(survey, technique=technique, quasi_identifiers=AMOUNTS)
        assert release.achieved_k >= 3
        with pytest.raises(InvalidParameter, match="function or an object"):
            release.settings.to_toml()

    def test_an_instance_keeps_its_parameters(self, survey):
        release = protect(
            survey, technique=MDAV(k=7, standardize="range"), identifiers=["person_id"]
        )
        chosen = Settings.from_toml(release.settings.to_toml())
        assert chosen.k == 7
        assert chosen.technique == "mdav"
        assert chosen.instance().standardize == "range"


class TestMistakes:
    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("kk = 3", "There is no setting 'kk'. Did you mean 'k'"),
            ("k = ", "not valid TOML"),
            ('k = "3"', "k must be a whole number"),
            ("k = 1", "k must be a whole number of at least 2"),
            ("identifiers = 5", "identifiers must be a list"),
            ('missing = "ignore"', "missing must be one of"),
            ("parameters = 3", "parameters must be a table"),
            ("importance = 3", "importance must be a table"),
            ("thresholds = {g_d = 3}", "Did you mean 'g_dr'"),
            ("thresholds = {dr_domingo = 3}", "Did you mean 'dr_domingo_torra'"),
            ("thresholds = {dr_004 = 3}", "no risk 'dr_004'. Known: g_dr, dr_domingo_torra"),
            ("min_contributors = 9", "min_contributors must be"),
        ],
    )
    def test_are_named(self, text, words):
        with pytest.raises(InvalidParameter, match=words):
            Settings.from_toml(text)

    @pytest.mark.parametrize(
        "text",
        [
            "technique = 5",
            'technique = "mdva"',
            "identifiers = 5",
            "identifiers = [5]",
            "quasi_identifiers = 5",
            "weight = 5",
            "ordinal = 5",
            "ordinal = {age = 5}",
            "nominal = 5",
            "integers = 5",
            "rules = 5",
            "rules = {sum = 5}",
            "rules = [5]",
            'importance = {age = "much"}',
            'parameters = {nothing = "like that"}',
        ],
    )
    def test_wrong_types_are_never_a_traceback(self, survey, text):
        with pytest.raises(InvalidParameter):
            protect(survey.select(AMOUNTS), settings=Settings.from_toml(text))

    def test_settings_and_single_parameters(self, survey):
        for more in ({"k": 3}, {"technique": "mdav"}, {"strata": ["sex"]}, {"integers": True}):
            with pytest.raises(InvalidParameter, match="not both"):
                protect(survey, settings=Settings(identifiers=("person_id",)), **more)

    def test_settings_and_nothing_else_said_in_other_words(self, survey):
        """An empty list asks for nothing, as the default does."""
        chosen = Settings(identifiers=("person_id",))
        release = protect(survey, settings=chosen, identifiers=[], strata=[], importance={})
        assert release.settings == chosen

    def test_a_file_that_is_not_there(self, tmp_path):
        with pytest.raises(FileProblem, match="could not be read"):
            Settings.read(tmp_path / "run.toml")

    def test_a_file_that_is_no_text(self, tmp_path):
        (tmp_path / "run.toml").write_bytes(b"\xff\xfe\x00")
        with pytest.raises(InvalidParameter, match="UTF-8"):
            Settings.read(tmp_path / "run.toml")

    def test_no_overwriting_unasked(self, tmp_path):
        path = tmp_path / "run.toml"
        Settings(k=4).write(path)
        with pytest.raises(InvalidParameter, match="exists already"):
            Settings(k=5).write(path)
        assert Settings.read(path).k == 4


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".arrow", ".xlsx", ".dta", ".sav"])
def test_the_same_settings_file_gives_the_same_bytes(survey, ending, tmp_path):
    source = tmp_path / "survey.parquet"
    pa.parquet.write_table(survey, source)
    Settings.from_dict(
        {
            "k": 4,
            "technique": "rgmat",
            "parameters": {"patience": 3, "random_state": 7},
            "identifiers": ["person_id"],
            "strata": ["sex"],
            "small_strata": "merge",
            "weight": "weight",
            "ordinal": {"education": EDUCATION},
            "integers": ["age"],
            "importance": {"age": 2.5},
        }
    ).write(tmp_path / "run.toml")
    written = []
    for turn in range(2):
        target = tmp_path / f"released{turn}{ending}"
        protect(source, settings=tmp_path / "run.toml").write(target)
        written.append(target.read_bytes())
    assert written[0] == written[1]


def test_what_was_asked_for_is_in_the_settings(survey):
    release = protect(
        survey, 5, "mdav", identifiers=["person_id"], strata=["region"], weight="weight"
    )
    assert release.settings.to_dict() == {
        "k": 5,
        "technique": "mdav",
        "identifiers": ["person_id"],
        "strata": ["region"],
        "weight": "weight",
        "missing": "group",
        "small_strata": "error",
    }
