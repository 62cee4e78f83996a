"""What a file of SPSS or Stata says of its variables comes back from a release as it was."""

from __future__ import annotations

import math
from contextlib import nullcontext

import numpy as np
import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest

import covey
from covey.errors import DisclosureWarning, SchemaError
from covey.sources.files import read_file, read_table, write_table
from covey.sources.labelled.codebook import CODEBOOK, Codebook, codebook_of

N = 240
SAID = (
    "variable_value_labels",
    "missing_ranges",
    "variable_measure",
    "original_variable_types",
    "variable_display_width",
    "column_names_to_labels",
)
ROOF = {2: "tile", 4: "tin", 5: "thatch", 6: "glass", 99: "refused"}


def survey() -> pd.DataFrame:
    rng = np.random.default_rng(7)
    roof = rng.choice([2.0, 4.0, 5.0], N)
    roof[:6], roof[6:9] = 99, np.nan
    sex = rng.choice(["m", "f", "u"], N)
    return pd.DataFrame(
        {
            "person": [f"p{i}" for i in range(N)],
            "roof": roof,
            "sex": [sex[0].ljust(12), *sex[1:]],  # SPSS counts the width, not the blanks
            "income": np.where(rng.random(N) < 0.2, 0.0, rng.integers(500, 5000, N) + 0.5),
            "born": 86_400.0 * (150_000 + rng.integers(0, 4000, N)),
            "grade": rng.choice([1.5, 2.5, 3.5], N),
            "age": rng.integers(18, 90, N).astype(float),
            "works": rng.choice([0.0, 1.0], N),
        }
    )


@pytest.fixture
def spss(tmp_path):
    path = tmp_path / "survey.sav"
    pyreadstat.write_sav(
        survey(),
        path,
        variable_value_labels={
            "roof": ROOF,
            "sex": {"m": "male", "f": "female", "x": "not asked"},
            "income": {0: "none"},
            "grade": {1.5: "good", 2.5: "fair"},
            "works": {0: "false", 1: "true", 9: "no answer"},
        },
        missing_ranges={
            "roof": [99, {"lo": 90, "hi": 95}],
            "sex": ["x"],
            "income": [{"lo": 90_000, "hi": math.inf}],
            "age": [997, 998, 999],
            "works": [9],
        },
        variable_measure={"roof": "nominal", "income": "scale", "grade": "ordinal", "age": "scale"},
        variable_format={"roof": "F2.0", "income": "DOLLAR9.2", "born": "ADATE10", "age": "F3.0"},
        variable_display_width={"roof": 14},
        column_labels={"roof": "Roof of the house", "sex": "Sex as registered"},
    )
    return path


def parsed(path):
    read = {".sav": pyreadstat.read_sav, ".zsav": pyreadstat.read_sav, ".dta": pyreadstat.read_dta}
    return read[path.suffix](
        path, user_missing=True, output_format="dict", disable_datetime_conversion=True
    )


def said(path) -> dict[str, dict[str, object]]:
    about = parsed(path)[1]
    return {
        part: {name: value for name, value in getattr(about, part).items() if name != "person"}
        for part in SAID
    }


def protected(path, **options):
    return covey.protect(path, k=3, technique="mdav", identifiers=["person"], **options)


class TestSPSS:
    @pytest.mark.parametrize("ending", ["sav", "zsav"])
    def test_everything_comes_back(self, spss, tmp_path, ending):
        protected(spss).write(tmp_path / f"out.{ending}")
        assert said(tmp_path / f"out.{ending}") == said(spss)
        values, _ = parsed(tmp_path / f"out.{ending}")
        assert set(values["roof"]) <= {2.0, 4.0, 5.0, None}
        assert {2.0, 4.0, 5.0} <= set(values["roof"])
        assert set(values["sex"]) <= {"m", "f", "u"}
        assert set(values["grade"]) <= {1.5, 2.5, 3.5}
        assert set(values["works"]) <= {0.0, 1.0}

    def test_kept_values_keep_their_codes(self, spss, tmp_path):
        columns = ["roof", "sex", "grade", "works"]
        release = protected(spss, keep=columns[:2], confidential=columns[2:])
        with pytest.warns(DisclosureWarning, match="order"):
            release.write(tmp_path / "out.sav", order="original")
        before, after = parsed(spss)[0], parsed(tmp_path / "out.sav")[0]
        for name in ("sex", "grade", "works"):
            assert after[name] == before[name]
        assert after["roof"] == [None if code == 99 else code for code in before["roof"]]

    def test_from_memory_by_way_of_parquet(self, spss, tmp_path):
        write_table(read_table(spss).drop_columns("person"), tmp_path / "way.parquet")
        write_table(read_table(tmp_path / "way.parquet"), tmp_path / "back.sav")
        assert said(tmp_path / "back.sav") == said(spss)

    def test_a_streamed_release_keeps_it_in_parquet(self, spss, tmp_path):
        protected(spss, out=tmp_path / "out.parquet")
        write_table(read_table(tmp_path / "out.parquet"), tmp_path / "out.sav")
        assert said(tmp_path / "out.sav") == said(spss)
        assert set(parsed(tmp_path / "out.sav")[0]["roof"]) <= {2.0, 4.0, 5.0, None}

    def test_a_stratum_that_was_merged_has_no_code_of_its_own(self, tmp_path):
        codes = [2.0] * 2 + [4.0] * 2 + [5.0] * 20
        frame = pd.DataFrame({"roof": codes, "age": np.arange(24.0)})
        pyreadstat.write_sav(frame, tmp_path / "t.sav", variable_value_labels={"roof": ROOF})
        release = covey.protect(
            tmp_path / "t.sav", k=4, technique="mdav", strata=["roof"], small_strata="merge"
        )
        assert "tile or tin" in release.table["roof"].to_pylist()
        with pytest.warns(UserWarning, match="4 value.* of 'roof' have no code of their own"):
            release.write(tmp_path / "out.sav")
        values, about = parsed(tmp_path / "out.sav")
        assert set(values["roof"]) == {None, 5.0}
        assert about.variable_value_labels["roof"] == ROOF

    @pytest.mark.parametrize("ending", ["sav", "dta"])
    def test_merged_strata_are_not_lost_in_silence(self, tmp_path, ending):
        reg = np.repeat([1.0, 2.0, 4.0, 7.0, 9.0, 11.0], [98, 97, 2, 2, 2, 2])
        frame = pd.DataFrame({"reg": reg, "age": 18.5 + np.arange(203) % 61})
        labels = dict(zip([1, 2, 4, 7, 9, 11], ["N", "S", "E", "W", "Up", "Down"], strict=True))
        pyreadstat.write_sav(frame, tmp_path / "t.sav", variable_value_labels={"reg": labels})
        release = covey.protect(
            tmp_path / "t.sav", k=5, technique="mdav", strata=["reg"], small_strata="merge"
        )
        out = tmp_path / f"out.{ending}"
        with pytest.warns(UserWarning, match="value.* of 'reg' have no code") as caught:
            release.write(out)
        lost = sum(code is None or code != code for code in parsed(out)[0]["reg"])
        assert lost >= 8
        assert str(caught[0].message).startswith(f"{lost} value")

    def test_a_mean_that_is_a_code_of_missing_is_not_lost(self, tmp_path):
        frame = pd.DataFrame({"x": [98.0, 100.0, 98.0, 100.0, 1.0, 1.0, 1.0, 1.0]})
        pyreadstat.write_sav(frame, tmp_path / "t.sav", missing_ranges={"x": [-1, 99]})
        release = covey.protect(tmp_path / "t.sav", k=4, technique="mdav")
        with pytest.warns(UserWarning, match="'x' has values that its file declared as missing"):
            release.write(tmp_path / "out.sav")
        values, about = pyreadstat.read_sav(tmp_path / "out.sav", output_format="dict")
        assert sorted(values["x"]) == [1.0] * 4 + [99.0] * 4
        about = parsed(tmp_path / "out.sav")[1]
        assert about.missing_ranges["x"] == [{"lo": -1.0, "hi": -1.0}]

    def test_doubled_and_missing_labels(self, tmp_path):
        frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 7.0] * 6, "y": np.arange(24.0)})
        labels = {1: "other", 2: "other", 3: "7"}
        pyreadstat.write_sav(
            frame,
            tmp_path / "t.sav",
            variable_value_labels={"x": labels},
            variable_measure={"x": "nominal"},
        )
        contents = read_file(tmp_path / "t.sav")
        assert set(contents.table["x"].to_pylist()) == {"other [1]", "other [2]", "7 [3]", "7 [7]"}
        write_table(contents.table, tmp_path / "out.sav")
        values, about = parsed(tmp_path / "out.sav")
        assert values["x"] == [1.0, 2.0, 3.0, 7.0] * 6
        assert about.variable_value_labels["x"] == labels

    @pytest.mark.parametrize("measure", ["ordinal", "nominal"])
    @pytest.mark.parametrize("streamed", [False, True])
    def test_codes_of_which_only_the_ends_have_labels(self, tmp_path, measure, streamed):
        rng = np.random.default_rng(5)
        codes = rng.choice([1.0, 2.0, 3.0, 4.0, 5.0], 216, p=[0.1, 0.2, 0.3, 0.28, 0.12])
        frame = pd.DataFrame({"q": codes, "x": rng.normal(size=216)})
        labels = {1: "not at all", 5: "very much"}
        path, out = tmp_path / "t.sav", tmp_path / "out.sav"
        pyreadstat.write_sav(
            frame, path, variable_value_labels={"q": labels}, variable_measure={"q": measure}
        )
        column = covey.inspect(path).columns[0]
        assert (column.role, column.kind) == ("quasi-identifier", "nominal")
        assert "q" in covey.inspect(path).settings().quasi_identifiers
        if streamed:
            covey.protect(path, k=3, technique="mdav", out=tmp_path / "out.parquet")
            write_table(read_table(tmp_path / "out.parquet"), out)
        else:
            covey.protect(path, k=3, technique="mdav").write(out)
        values, about = parsed(out)
        assert set(values["q"]) == {1.0, 2.0, 3.0, 4.0, 5.0}
        assert about.variable_value_labels["q"] == labels
        assert about.variable_measure["q"] == measure

    def test_a_scale_with_a_few_labels_is_numbers(self, spss):
        contents = read_file(spss)
        assert contents.table["income"].type == pa.float64()
        assert pa.types.is_dictionary(contents.table["grade"].type)
        assert any("read as numbers" in note for note in contents.notes)


class TestStata:
    @pytest.fixture
    def stata(self, tmp_path):
        frame = survey()[["roof", "income", "age"]]
        tagged = [*(["a"] * 5), *(["z"] * 5), *([1.0, 4.0] * ((N - 10) // 2))]
        frame["visits"] = pd.Series(tagged, dtype=object)
        frame["roof"] = frame["roof"].astype("Int32")
        frame["name"] = ["x" * (1 + i % 3) for i in range(N)]
        pyreadstat.write_dta(
            frame,
            tmp_path / "t.dta",
            version=14,
            variable_value_labels={
                "roof": ROOF,
                "visits": {1: "one", 4: "four", "a": "refused", "z": "lost"},
            },
            missing_user_values={"visits": ["a", "z"]},
            variable_format={"roof": "%4.0f", "income": "%12.2fc", "name": "%-20s"},
            column_labels={"visits": "Visits to a doctor"},
        )
        return tmp_path / "t.dta"

    def test_everything_comes_back(self, stata, tmp_path):
        covey.protect(stata, k=3, technique="mdav").write(tmp_path / "out.dta")
        before, after = said(stata), said(tmp_path / "out.dta")
        assert after == before
        values, about = parsed(tmp_path / "out.dta")
        assert {2, 4, 5, 99} >= set(values["roof"]) - {None} >= {2, 4, 5}
        assert set(values["visits"]) <= {1, 4, None}
        assert about.readstat_variable_types["roof"] == "int32"

    def test_dates_and_times_keep_their_format(self, tmp_path):
        formats = {"d": "%tdDD/NN/CCYY", "c": "%tcDDmonCCYY_HH:MM", "h": "%tcHH:MM", "m": "%tm"}
        frame = pd.DataFrame({"d": [1.0, 2.0], "c": [6e4, 0.0], "h": [6e4, 12e4], "m": [1.0, 2.0]})
        pyreadstat.write_dta(frame, tmp_path / "t.dta", variable_format=formats)
        write_table(read_table(tmp_path / "t.dta"), tmp_path / "out.dta")
        values, about = parsed(tmp_path / "out.dta")
        assert about.original_variable_types == formats
        assert {name: list(column) for name, column in values.items()} == frame.to_dict("list")


class TestAnotherFormat:
    def test_spss_to_stata(self, spss, tmp_path):
        protected(spss).write(tmp_path / "out.dta")
        values, about = parsed(tmp_path / "out.dta")
        assert set(values["roof"]) <= {2, 4, 5, None}
        assert about.variable_value_labels["roof"] == ROOF
        # Stata labels neither texts nor fractions: these are written as their labels.
        assert set(values["sex"]) <= {"male", "female", "u"}
        assert set(values["grade"]) <= {"good", "fair", "3.5"}
        assert about.original_variable_types["roof"].startswith("%")

    def test_stata_to_spss(self, tmp_path):
        frame = pd.DataFrame({"x": pd.Series([1, 4, "a", 4], dtype=object)})
        pyreadstat.write_dta(
            frame,
            tmp_path / "t.dta",
            variable_value_labels={"x": {1: "one", 4: "four", "a": "refused"}},
            missing_user_values={"x": ["a"]},
        )
        write_table(read_table(tmp_path / "t.dta"), tmp_path / "out.sav")
        values, about = parsed(tmp_path / "out.sav")
        assert values["x"] == [1.0, 4.0, None, 4.0]
        assert about.variable_value_labels["x"] == {1: "one", 4: "four"}

    @pytest.mark.parametrize("ending", [".csv", ".xlsx", ".xpt", ".arrow"])
    def test_labels_as_text(self, spss, tmp_path, ending):
        release = protected(spss)
        release.write(tmp_path / f"out{ending}")
        found = read_table(tmp_path / f"out{ending}")["roof"].to_pylist()
        assert set(found) <= {"tile", "tin", "thatch", None}


class TestFilesThatBelongTogether:
    @pytest.mark.parametrize(
        ("second", "expectation"),
        [
            ({4: "tin", 5: "thatch"}, nullcontext()),
            ({2: "tin"}, pytest.raises(SchemaError, match=r"codes of 'roof' differently")),
        ],
    )
    def test_codes_of_all_files(self, tmp_path, second, expectation):
        for name, labels in (("a", {2: "tile", 4: "tin"}), ("b", second)):
            frame = pd.DataFrame({"roof": [float(next(iter(labels)))] * 4})
            pyreadstat.write_sav(
                frame, tmp_path / f"{name}.sav", variable_value_labels={"roof": labels}
            )
        with expectation:
            release = covey.protect(str(tmp_path / "[ab].sav"), k=3, technique="mdav")
            release.write(tmp_path / "out.sav")
            values, about = parsed(tmp_path / "out.sav")
            assert sorted(values["roof"]) == [2.0] * 4 + [4.0] * 4
            assert about.variable_value_labels["roof"] == {2: "tile", 4: "tin", 5: "thatch"}


class TestMetadata:
    def test_there_and_back(self):
        book = Codebook("SPSS", False, {1.0: "a", 2.5: "b"}, ((9.0, math.inf),), "scale", "F8.2", 8)
        field = pa.field("x", pa.int64(), metadata={CODEBOOK: book.to_metadata()})
        assert codebook_of(field) == book

    @pytest.mark.parametrize(
        "text",
        [
            b"\xff",
            b"[]",
            b"{}",
            b'{"family": "SPSS", "labels": [[[1], "a"]]}',
            b'{"family": "SPSS", "labels": [[1, 2]]}',
            b'{"family": "SPSS", "missing": [["a", "b"]]}',
            b'{"family": "SPSS", "measure": "secret"}',
            b'{"family": "secret"}',
            b"[" * 100_000,
            b'{"family": "SPSS", "labels": [[1' + b"0" * 400 + b', "a"]]}',
            b'{"family": "SPSS", "labels": [[1e999, "a"]]}',
            b'{"family": "SPSS", "labels": [[1, "\\ud800"]]}',
            b'{"family": "SPSS", "is_text": true, "labels": [[1, "a"]]}',
            b'{"family": "SPSS", "missing": [[1, 1], [2, 2], [3, 3], [4, 4], [5, 5]]}',
            b'{"family": "SPSS", "missing": [[1, 2], [3, 4]]}',
            b'{"family": "SPSS", "is_text": true, "missing": [["too long a", "too long a"]]}',
        ],
    )
    def test_anything_else_is_not_taken(self, text, tmp_path):
        field = pa.field("x", pa.int64(), metadata={CODEBOOK: text})
        table = pa.table([list(range(12))], schema=pa.schema([field]))
        assert codebook_of(field) is None
        release = covey.protect(table, k=3, technique="mdav")
        assert release.table.schema.field("x").metadata is None
        release.write(tmp_path / "out.sav")

    @pytest.mark.parametrize(
        "said",
        [
            b'"columns": 1e999',
            b'"columns": 99999999999999999999',
            b'"columns": -5',
            b'"columns": 256',
            b'"format": "ZZZ9.9"',
            b'"format": "A5"',
            b'"format": "A99999999999", "is_text": true',
            b'"format": "A40000", "is_text": true',
        ],
    )
    @pytest.mark.parametrize("values", [["a", "b"] * 6, [1.5, 2.5] * 6])
    def test_what_no_file_shows_is_left_out(self, said, values, tmp_path):
        field = pa.field(
            "x", pa.array(values).type, metadata={CODEBOOK: b'{"family": "SPSS", ' + said + b"}"}
        )
        table = pa.table([values], schema=pa.schema([field]))
        book = codebook_of(field)
        assert (book.format, book.columns) == (None, None)
        covey.protect(table, k=3, technique="mdav").write(tmp_path / "out.sav")
        assert len(parsed(tmp_path / "out.sav")[0]["x"]) == 12

    @pytest.mark.parametrize(
        ("family", "format"),
        [
            *(("SPSS", text) for text in ("F8.2", "DOLLAR9.2", "ADATE10", "DATETIME23.3", "CCA10")),
            *(("Stata", text) for text in ("%9.0g", "%-8.2fc", "%tdDD/NN/CCYY", "%tc", "%12.0f")),
            *(("SAS", text) for text in ("BEST12", "F8.2", "YYMMDD10", "DATETIME22.3", "E8601DA")),
        ],
    )
    def test_what_files_show_is_kept(self, family, format):
        book = Codebook(family, format=format, columns=12)
        field = pa.field("x", pa.float64(), metadata={CODEBOOK: book.to_metadata()})
        assert codebook_of(field) == book

    @pytest.mark.parametrize("place", ["frame", "file"])
    def test_other_metadata_is_never_released(self, tmp_path, place):
        field = pa.field("x", pa.int64(), metadata={b"note": b"secret", b"label": b"An x"})
        table = pa.table([list(range(12))], schema=pa.schema([field], metadata={b"a": b"secret"}))
        write_table(table, tmp_path / "t.parquet")
        data = table if place == "frame" else tmp_path / "t.parquet"
        covey.protect(data, k=3, technique="mdav").write(tmp_path / "out.arrow")
        assert b"secret" not in (tmp_path / "out.arrow").read_bytes()
        assert b"An x" in (tmp_path / "out.arrow").read_bytes()

    def test_a_value_without_label_is_not_documented(self, tmp_path):
        """Codes that are merely found in the data are no part of what a release says."""
        frame = pd.DataFrame({"x": [1.0] * 11 + [77.0], "y": np.arange(12.0)})
        pyreadstat.write_sav(frame, tmp_path / "t.sav", variable_value_labels={"x": {1: "one"}})
        covey.protect(tmp_path / "t.sav", k=3, technique="mdav").write(tmp_path / "out.parquet")
        field = read_table(tmp_path / "out.parquet").schema.field("x")
        assert b"77" not in field.metadata[CODEBOOK]
