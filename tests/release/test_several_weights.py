"""Several weights: the first is used, all are released, none is lost."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from covey import protect
from covey.errors import DisclosureWarning, InvalidParameter, SchemaError
from covey.release import Settings
from covey.release.describing.external import external_content
from covey.release.describing.internal import internal_content
from covey.release.describing.summary_lines import release_figures, release_lines
from tests.cli.running import covey

PEOPLE = pa.table(
    {
        "x": [1.0, 9.0, 50.0, 70.0],
        "w": [3.0, 1.0, 1.0, 3.0],
        "v": [10.0, 30.0, 5.0, 7.0],
        "u": pa.array([8.0, None, 0.0, 0.0]),
    }
)


def many(n=3000, seed=2):
    rng = np.random.default_rng(seed)
    adult = rng.random(n) < 0.8
    return pa.table(
        {
            "income": rng.lognormal(9.0, 0.7, n),
            "age": rng.integers(0, 90, n),
            "region": rng.choice(["north", "south"], n),
            "household_weight": rng.gamma(5.0, 30.0, n),
            "person_weight": rng.gamma(5.0, 40.0, n),
            "adult_weight": pa.array(rng.gamma(5.0, 50.0, n), mask=~adult),
        }
    )


WEIGHTS = ["person_weight", "household_weight", "adult_weight"]
ASKED = {"k": 4, "technique": "mdav", "strata": ["region"], "weight": WEIGHTS}


class TestTheRelease:
    def test_the_first_is_used_and_all_are_means(self):
        release = protect(PEOPLE, 2, weight=["w", "v"], identifiers=["u"])
        assert release.table.to_pydict() == {
            "x": [3.0, 3.0, 65.0, 65.0],
            "w": [2.0] * 4,
            "v": [20.0, 20.0, 6.0, 6.0],
        }
        assert release.roles.weights == ("w", "v")
        assert release.roles.of("v") == "weight"

    def test_the_order_of_the_list_counts_not_that_of_the_file(self):
        release = protect(PEOPLE, 2, weight=["v", "w"], identifiers=["u"])
        assert release.table["x"].to_pylist() == [7.0, 7.0, *[740 / 12] * 2]
        assert release.roles.weight == "v"

    def test_a_list_of_one_is_one(self):
        alone, listed = (protect(PEOPLE, 2, weight=given) for given in ("w", ["w"]))
        assert listed.table.equals(alone.table)
        assert listed.settings == alone.settings
        assert alone.settings.weight == "w"

    def test_who_has_none_counts_as_zero_and_one_alone_is_not_shown(self):
        """8 of one member would be 4 for two, which gives it away; nobody else has any."""
        release = protect(PEOPLE, 2, weight=["w", "u"], identifiers=["v"])
        assert release.table["u"].to_pylist() == [None, None, 0.0, 0.0]
        shown = pytest.warns(DisclosureWarning, match="stand behind")
        with shown, pytest.warns(DisclosureWarning, match="In 1 group.* of 'u'"):
            release = protect(PEOPLE, 2, weight=["w", "u"], identifiers=["v"], min_contributors=1)
        assert release.table["u"].to_pylist() == [4.0, 4.0, 0.0, 0.0]

    def test_totals_of_all_weights_stay(self):
        table = many()
        shown = pytest.warns(DisclosureWarning, match="stand behind")
        with shown, pytest.warns(DisclosureWarning, match="of 'adult_weight'"):
            release = protect(table, **ASKED, min_contributors=1)
        for name in WEIGHTS:
            before = np.nansum(table[name].to_numpy())
            assert np.nansum(release.table[name].to_numpy()) == pytest.approx(before)

    def test_kept_ones_stay_as_they_are(self):
        with pytest.warns(DisclosureWarning, match=r"The original weights \('v'\) are released"):
            release = protect(PEOPLE, 2, weight=["w", "v"], keep=["v"], identifiers=["u"])
        assert release.table["v"].to_pylist() == PEOPLE["v"].to_pylist()
        assert release.table["w"].to_pylist() == [2.0] * 4

    def test_all_may_be_kept(self):
        with pytest.warns(DisclosureWarning, match=r"\('w', 'v'\)"):
            release = protect(PEOPLE, 2, weight=["w", "v"], keep=["v", "w"], identifiers=["u"])
        assert release.table.select(["w", "v"]).equals(PEOPLE.select(["w", "v"]))

    def test_without_joint_groups_there_are_none(self):
        table = PEOPLE.append_column("y", [[1.0, 2.0, 3.0, 4.0]])
        with pytest.warns(DisclosureWarning, match="blocks"):
            release = protect(table, 2, "individualranking", weight=["w", "v"], identifiers=["u"])
        assert {"w", "v"} <= set(release.dropped)


class TestMistakes:
    @pytest.mark.parametrize("wrong", [["w", "w"], ["w", 5], 5, {"w": 1}])
    def test_no_list_of_names(self, wrong):
        with pytest.raises(InvalidParameter, match="weight must be a column name, or a list"):
            protect(PEOPLE, 2, weight=wrong)

    def test_negative(self):
        table = PEOPLE.set_column(2, "v", pa.array([1.0, -1.0, 2.0, 3.0]))
        with pytest.raises(SchemaError, match=r"'v' is a weight, but 1 value\(s\) of it are neg"):
            protect(table, 2, weight=["w", "v"])

    def test_the_first_has_no_gaps(self):
        with pytest.raises(SchemaError, match="'u' is the weight, but 3 value"):
            protect(PEOPLE, 2, weight=["u", "w"])

    def test_one_role_each(self):
        with pytest.raises(SchemaError, match="'v'"):
            protect(PEOPLE, 2, weight=["w", "v"], strata=["v"])


class TestStreamed:
    def test_the_same_as_in_memory(self, tmp_path):
        parquet.write_table(many(), tmp_path / "in.parquet")
        protect(tmp_path / "in.parquet", **ASKED, out=tmp_path / "out.parquet")
        found = parquet.read_table(tmp_path / "out.parquet")
        whole = protect(many(), **ASKED).table
        order = [(name, "ascending") for name in found.column_names]
        assert found.sort_by(order).equals(whole.sort_by(order))

    def test_kept(self, tmp_path):
        with pytest.warns(DisclosureWarning, match=r"\('adult_weight'\)"):
            protect(many(), **ASKED, keep=["adult_weight"], out=tmp_path / "out.parquet")
        found = parquet.read_table(tmp_path / "out.parquet")["adult_weight"].drop_null()
        expected = many()["adult_weight"].drop_null()
        assert sorted(found.to_pylist()) == sorted(expected.to_pylist())

    def test_negative(self, tmp_path):
        table = many().set_column(5, "adult_weight", pa.array(-np.ones(3000)))
        with pytest.raises(SchemaError, match="'adult_weight' is a weight"):
            protect(table, **ASKED, out=tmp_path / "out.parquet")


class TestSettings:
    def test_toml(self):
        settings = Settings.from_dict({"weight": ["w", "v"]})
        assert 'weight = [\n    "w",\n    "v",\n]' in settings.to_toml()
        assert Settings.from_toml(settings.to_toml()) == settings

    def test_one_is_written_as_before(self):
        assert 'weight = "w"' in Settings.from_dict({"weight": ["w"]}).to_toml()
        assert "weight" not in Settings.from_dict({"weight": []}).to_dict()

    def test_the_script(self):
        release = protect(PEOPLE, 2, weight=["w", "v"], identifiers=["u"])
        assert "weight=['w', 'v']," in release.script()

    def test_command_line(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        parquet.write_table(PEOPLE.drop_columns(["u"]), "in.parquet")
        asked = ["--k", "2", "--weight", "w,v", "--out", "out.parquet", "--json"]
        result = covey("protect", "in.parquet", *asked)
        assert result.code == 0, result.err
        assert json.loads(result.out)["settings"]["weight"] == ["w", "v"]
        assert parquet.read_table("out.parquet")["v"].to_pylist() == [20.0, 20.0, 6.0, 6.0]


class TestReports:
    def test_external(self):
        release = protect(many(), **ASKED)
        weight = external_content(release)["weight"]
        assert weight["name"] == "person_weight"
        assert "Nothing was weighted by household_weight, adult_weight." in weight["treatment"]
        assert "members without such a weight count as 0" in weight["treatment"]
        treatments = {c["name"]: c["treatment"] for c in external_content(release)["columns"]}
        assert [treatments[name] for name in WEIGHTS] == ["mean"] * 3

    def test_external_with_a_kept_one(self):
        with pytest.warns(DisclosureWarning, match="identify"):
            release = protect(many(), **ASKED, keep=["adult_weight"])
        weight = external_content(release)["weight"]
        assert "adult_weight: those of the original records." in weight["treatment"]
        treatments = {c["name"]: c["treatment"] for c in external_content(release)["columns"]}
        assert treatments["adult_weight"] == "unchanged"

    def test_internal(self):
        columns = internal_content(protect(many(), **ASKED))["columns"]
        found = {c["name"]: (c["role"], c["note"]) for c in columns}
        assert found["person_weight"] == ("weight", "means are weighted by it")
        assert found["adult_weight"] == ("weight", "")


class TestLostWeights:
    """A weight that few members have is emptied in many groups; nothing of that is silent."""

    @staticmethod
    def few(n):
        rng = np.random.default_rng(0)
        return pa.table(
            {
                "a": rng.normal(size=n),
                "b": rng.normal(size=n),
                "w": rng.uniform(1, 2, n),
                "w2": np.where(rng.random(n) < 0.3, rng.uniform(1, 1000, n), 0),
            }
        )

    @staticmethod
    def lost(table, released):
        gone = released["w2"].is_null().to_numpy()
        weights = table["w2"].to_numpy()
        return int(gone.sum()), 100 * weights[gone].sum() / weights.sum()

    def test_cells_and_the_share_of_the_total_are_told(self):
        few = self.few(500)
        with pytest.warns(DisclosureWarning, match="of 'w2'"):
            release = protect(few, 5, "mdav", weight=["w", "w2"])
        cells, percent = self.lost(few, release.table)
        assert cells == 325
        assert percent > 50
        assert release.emptied == {"w2": cells}
        assert release.lost_weights == {"w2": pytest.approx(percent)}
        said = f"w2 loses {percent:.2f} % of its total"
        assert said in release_lines(release, "file")["emptied"]
        assert release_figures(release)["lost_weights"] == release.lost_weights
        assert any(
            "w2" in text and "lost" in text for text in internal_content(release)["judgement"]
        )
        assert any(f"{percent:.2f} % of its total" in n for n in external_content(release)["notes"])

    @pytest.mark.filterwarnings("ignore:.*of 'w2':covey.errors.DisclosureWarning")
    def test_streamed(self, tmp_path):
        few, out = self.few(2500), tmp_path / "out.parquet"
        parquet.write_table(few, tmp_path / "in.parquet")
        asked = {"weight": ["w", "w2"], "block_size": 1000}
        release = protect(tmp_path / "in.parquet", 5, "mdav", **asked, out=out)
        released = parquet.read_table(out)
        gone = released["w2"].null_count
        assert gone > 0
        assert release.emptied == {"w2": gone}
        total = few["w2"].to_numpy().sum()
        left = np.nansum(released["w2"].to_numpy())
        assert release.lost_weights == {"w2": pytest.approx(100 * (total - left) / total)}
        assert "w2 loses" in release_lines(release, "file")["emptied"]
        assert release_figures(release)["lost_weights"] == release.lost_weights

    def test_nothing_is_hidden_under_a_gap(self):
        """A mask hides a number from reading, not from the bytes of the column."""
        release = protect(PEOPLE, 2, weight=["w", "u"], identifiers=["v"])
        column = release.table["u"].combine_chunks()
        assert column.null_count == 2
        for buffer in column.buffers()[1:]:
            assert not np.frombuffer(buffer, dtype=np.uint8).any()


class TestHeavyMeans:
    """One member with nearly all of a second weight: its mean gives that weight away."""

    @pytest.fixture
    def heavy(self):
        rng = np.random.default_rng(1)
        second = np.where(np.arange(400) % 8 == 0, 1e6, rng.uniform(1, 2, 400))
        return pa.table({"a": rng.normal(size=400), "w": rng.uniform(1, 2, 400), "w2": second})

    def test_in_memory_and_streamed(self, heavy, tmp_path):
        said = r"In \d+ group\(s\) one record has more than 85 % of 'w2'"
        with pytest.warns(DisclosureWarning, match=said):
            release = protect(heavy, 5, "mdav", weight=["w", "w2"])
        with pytest.warns(DisclosureWarning, match=said):
            streamed = protect(heavy, 5, "mdav", weight=["w", "w2"], out=tmp_path / "out.parquet")
        assert streamed.provenance.warnings == release.provenance.warnings

    def test_not_of_means_that_are_empty_or_kept(self, heavy):
        alone = np.where(np.arange(400) % 40 == 0, 1e6, 0.0)
        table = heavy.set_column(2, "w2", [alone])
        assert not protect(table, 5, "mdav", weight=["w", "w2"]).provenance.warnings
