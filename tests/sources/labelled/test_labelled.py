"""SPSS, Stata and SAS: labels, missing values, dates, whole numbers and names."""

from __future__ import annotations

import datetime as dt

import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest

from covey.errors import SchemaError
from covey.sources.files import FileProblem, read_file, read_table, write_table

SECRET = "Rumpelstilzchen"


def labels_of(column) -> list[str]:
    return column.combine_chunks().dictionary.to_pylist()


class TestLabels:
    @pytest.mark.parametrize("ending", ["sav", "dta"])
    def test_labels_in_code_order(self, tmp_path, ending):
        frame = pd.DataFrame({"r": [2.0, 1.0, None, 2.0]})
        write = {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta}[ending]
        write(
            frame,
            tmp_path / f"t.{ending}",
            variable_value_labels={"r": {3: "c", 2: "b", 1: "a"}},
            column_labels={"r": "Region"},
        )
        table = read_table(tmp_path / f"t.{ending}")
        assert table["r"].to_pylist() == ["b", "a", None, "b"]
        assert labels_of(table["r"]) == ["a", "b", "c"]
        assert not table["r"].type.ordered
        assert table.schema.field("r").metadata[b"label"] == b"Region"

    def test_codes_without_a_label_are_their_number(self, tmp_path):
        frame = pd.DataFrame({"r": [2.0, 1.5, 1.0, 7.0]})
        pyreadstat.write_sav(
            frame, tmp_path / "t.sav", variable_value_labels={"r": {1: "one", 2: "two"}}
        )
        contents = read_file(tmp_path / "t.sav")
        assert labels_of(contents.table["r"]) == ["one", "1.5", "two", "7"]
        assert contents.notes == (
            "1 labelled column(s) also hold values without a label, "
            "which were read as the text of the value.",
        )

    def test_two_codes_with_one_label_stay_apart(self, tmp_path):
        frame = pd.DataFrame({"r": [1.0, 2.0, 3.0]})
        pyreadstat.write_sav(
            frame,
            tmp_path / "t.sav",
            variable_value_labels={"r": {1: "other", 2: "other", 3: "none"}},
        )
        assert labels_of(read_table(tmp_path / "t.sav")["r"]) == ["other [1]", "other [2]", "none"]

    def test_labels_of_texts(self, tmp_path):
        frame = pd.DataFrame({"s": ["m", "f", ""]})
        pyreadstat.write_sav(
            frame, tmp_path / "t.sav", variable_value_labels={"s": {"f": "female", "m": "male"}}
        )
        assert read_table(tmp_path / "t.sav")["s"].to_pylist() == ["male", "female", None]

    def test_codes_are_written_in_the_order_of_the_categories(self, tmp_path):
        column = pa.DictionaryArray.from_arrays([1, 0, None], ["low", "high"])
        write_table(pa.table({"x": column}), tmp_path / "t.dta")
        values, about = pyreadstat.read_dta(tmp_path / "t.dta", output_format="dict")
        assert values["x"] == [2, 1, None]
        assert about.variable_value_labels["x"] == {1: "low", 2: "high"}

    def test_doubled_and_empty_categories_are_tidied(self, tmp_path):
        column = pa.DictionaryArray.from_arrays([2, 1, 0, 3], ["a", "b", "a", ""])
        write_table(pa.table({"x": column}), tmp_path / "t.sav")
        assert read_table(tmp_path / "t.sav")["x"].to_pylist() == ["a", "b", "a", None]

    def test_truth_is_labelled(self, tmp_path):
        write_table(pa.table({"x": [True, False]}), tmp_path / "t.dta")
        _, about = pyreadstat.read_dta(tmp_path / "t.dta")
        assert about.variable_value_labels["x"] == {0: "false", 1: "true"}

    def test_a_long_description_is_cut(self, tmp_path):
        field = pa.field("a", pa.int64(), metadata={b"label": ("ü" * 60).encode()})
        write_table(pa.table([[1]], schema=pa.schema([field])), tmp_path / "t.dta")
        found = read_table(tmp_path / "t.dta").schema.field("a").metadata[b"label"].decode()
        assert found == "ü" * 40


class TestMissing:
    def test_spss_ranges(self, tmp_path):
        frame = pd.DataFrame(
            {"a": [1.0, 9.0, 95.0, None], "s": ["x", "R", "y", ""], "b": [9.0] * 4}
        )
        pyreadstat.write_sav(
            frame,
            tmp_path / "t.sav",
            missing_ranges={"a": [9, {"lo": 90, "hi": 99}], "s": ["R"]},
            variable_value_labels={"a": {9: "refused"}},
        )
        contents = read_file(tmp_path / "t.sav")
        assert contents.table["a"].to_pylist() == [1.0, None, None, None]
        assert contents.table["s"].to_pylist() == ["x", None, "y", None]
        assert contents.table["b"].to_pylist() == [9.0] * 4
        assert contents.notes == (
            "Values declared as missing were read as missing in 2 column(s).",
        )

    def test_stata_tags(self, tmp_path):
        frame = pd.DataFrame({"a": pd.Series([1.0, "a", None, "z"], dtype=object), "b": [1.0] * 4})
        pyreadstat.write_dta(
            frame,
            tmp_path / "t.dta",
            missing_user_values={"a": ["a", "z"]},
            variable_value_labels={"a": {"a": "refused"}},
        )
        contents = read_file(tmp_path / "t.dta")
        assert contents.table["a"].to_pylist() == [1.0, None, None, None]
        assert contents.notes == (
            "Values declared as missing were read as missing in 1 column(s).",
        )

    def test_no_number_stands_for_a_missing_value(self, tmp_path):
        pyreadstat.write_sav(pd.DataFrame({"a": [-999.0, 99.0]}), tmp_path / "t.sav")
        contents = read_file(tmp_path / "t.sav")
        assert contents.table["a"].to_pylist() == [-999.0, 99.0]
        assert contents.notes == ()


class TestNumbers:
    @pytest.mark.parametrize(
        ("values", "type"), [([1.0, None], pa.int64()), ([1.0, 0.5], pa.float64())]
    )
    def test_spss_declares_whole_numbers_by_the_format(self, tmp_path, values, type):
        frame = pd.DataFrame({"a": values, "b": values})
        pyreadstat.write_sav(frame, tmp_path / "t.sav", variable_format={"a": "F8.0"})
        table = read_table(tmp_path / "t.sav")
        assert table["a"].type == type
        assert table["b"].type == pa.float64()

    def test_stata_has_integers(self, tmp_path):
        frame = pd.DataFrame({"a": pd.array([1, None], dtype="Int16"), "b": [1.0, 2.0]})
        pyreadstat.write_dta(frame, tmp_path / "t.dta")
        table = read_table(tmp_path / "t.dta")
        assert table.schema.types == [pa.int64(), pa.float64()]

    def test_integers_are_written_as_integers(self, tmp_path):
        write_table(pa.table({"a": [1], "b": [2**40]}), tmp_path / "t.dta")
        _, about = pyreadstat.read_dta(tmp_path / "t.dta")
        assert about.readstat_variable_types == {"a": "int32", "b": "double"}


class TestDates:
    @pytest.mark.parametrize(
        ("format", "number", "expected"),
        [
            ("ADATE10", 86_400.0 * 150_000, dt.date(1993, 6, 21)),
            ("EDATE10", 86_400.0 * 141_428, dt.date(1970, 1, 1)),
            ("DATE11", 86_400.0 * 141_428 + 3600, dt.datetime(1970, 1, 1, 1)),
            ("DATETIME20", 86_400.0 * 141_428 + 1.5, dt.datetime(1970, 1, 1, 0, 0, 1, 500_000)),
            ("TIME8", 3_661.0, dt.time(1, 1, 1)),
            ("TIME8", 90_000.0, 90_000.0),
            ("F8.2", 3_661.0, 3_661.0),
        ],
    )
    def test_spss(self, tmp_path, format, number, expected):
        pyreadstat.write_sav(
            pd.DataFrame({"d": [number, None]}), tmp_path / "t.sav", variable_format={"d": format}
        )
        found = read_table(tmp_path / "t.sav")["d"].to_pylist()
        assert found == [expected, None]

    @pytest.mark.parametrize(
        ("format", "number", "expected"),
        [
            ("%td", 0.0, dt.date(1960, 1, 1)),
            ("%tdDD/NN/CCYY", -1.0, dt.date(1959, 12, 31)),
            ("%d", 3653.0, dt.date(1970, 1, 1)),
            ("%tc", 1500.0, dt.datetime(1960, 1, 1, 0, 0, 1, 500_000)),
            ("%tcHH:MM:SS", 3_661_000.0, dt.time(1, 1, 1)),
            ("%tm", 720.0, 720.0),
            ("%td", 1e300, 1e300),
        ],
    )
    def test_stata(self, tmp_path, format, number, expected):
        pyreadstat.write_dta(
            pd.DataFrame({"d": [number, None]}), tmp_path / "t.dta", variable_format={"d": format}
        )
        assert read_table(tmp_path / "t.dta")["d"].to_pylist() == [expected, None]

    @pytest.mark.parametrize(
        ("format", "number", "expected"),
        [
            ("DATE9", 0.0, dt.date(1960, 1, 1)),
            ("DDMMYYP10", 3653.0, dt.date(1970, 1, 1)),
            ("E8601DA10", 1.0, dt.date(1960, 1, 2)),
            ("DATETIME22.3", 1.5, dt.datetime(1960, 1, 1, 0, 0, 1, 500_000)),
            ("DTDATE9", 86_400.0, dt.datetime(1960, 1, 2)),
            ("TIME8", 3_661.0, dt.time(1, 1, 1)),
            ("F8", 3.0, 3),
            ("BEST12", 3.0, 3.0),
        ],
    )
    def test_sas(self, tmp_path, format, number, expected):
        pyreadstat.write_xport(
            pd.DataFrame({"d": [number, None]}), tmp_path / "t.xpt", variable_format={"d": format}
        )
        found = read_table(tmp_path / "t.xpt")["d"].to_pylist()
        assert found == [expected, None]
        assert type(found[0]) is type(expected)


class TestNames:
    @pytest.mark.parametrize(
        ("ending", "name"),
        [
            *((".dta", name) for name in ("a b", "a.b", "1a", "x" * 33, "if", "str5", "")),
            *((".sav", name) for name in ("a b", "a-b", "1a", "_a", "ü" * 33, "With", "a.")),
            *((".xpt", name) for name in ("a b", "ü", "1a", "x" * 33, "_n_")),
        ],
    )
    def test_unfit_names_are_not_changed_but_refused(self, tmp_path, ending, name):
        with pytest.raises(SchemaError, match="takes names of") as caught:
            write_table(pa.table({"fine": [1], name: [1]}), tmp_path / f"t{ending}")
        assert f"Rename {name!r}." in str(caught.value)
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize(
        ("ending", "name"),
        [
            *((".dta", name) for name in ("ü" * 32, "_a", "If", "string")),
            *((".sav", name) for name in ("ü" * 32, "a.b", "a@1$#", "x" * 64)),
            *((".xpt", name) for name in ("x" * 32, "_a")),
        ],
    )
    def test_fit_names_are_kept(self, tmp_path, ending, name):
        write_table(pa.table({name: [1]}), tmp_path / f"t{ending}")
        assert read_table(tmp_path / f"t{ending}").column_names == [name]

    @pytest.mark.parametrize("ending", [".sav", ".xpt"])
    def test_names_that_differ_in_case_only(self, tmp_path, ending):
        with pytest.raises(SchemaError, match=r"capital from small letters.*'a', 'A'"):
            write_table(pa.table({"a": [1], "A": [1]}), tmp_path / f"t{ending}")


class TestTexts:
    @pytest.mark.parametrize("ending", [".sav", ".dta", ".xpt"])
    def test_long_texts(self, tmp_path, ending):
        texts = ["y" * 3000, None, "ü" * 300]
        write_table(pa.table({"t": texts}), tmp_path / f"t{ending}")
        assert read_table(tmp_path / f"t{ending}")["t"].to_pylist() == texts

    def test_an_old_encoding_is_tried(self, tmp_path, monkeypatch):
        write_table(pa.table({"t": ["x"]}), tmp_path / "t.sav")
        right = pyreadstat.read_sav

        def strict(*arguments, encoding=None, **options):
            if encoding is None:
                raise pyreadstat.ReadstatError("Unable to convert string to the requested encoding")
            return right(*arguments, **options)

        monkeypatch.setattr(pyreadstat, "read_sav", strict)
        contents = read_file(tmp_path / "t.sav")
        assert contents.table["t"].to_pylist() == ["x"]
        assert contents.notes[0].startswith("Encoding: WINDOWS-1252")

    def test_messages_of_the_library_are_not_shown(self, tmp_path, monkeypatch):
        write_table(pa.table({"t": ["x"]}), tmp_path / "t.sav")

        def broken(*_, **__):
            raise pyreadstat.PyreadstatError(f"STRING type with value '{SECRET}'")

        monkeypatch.setattr(pyreadstat, "read_sav", broken)
        with pytest.raises(FileProblem, match="damaged") as caught:
            read_table(tmp_path / "t.sav")
        assert SECRET not in str(caught.value)

        monkeypatch.setattr(pyreadstat, "write_sav", broken)
        with pytest.raises(SchemaError, match="SPSS cannot hold this table") as caught:
            write_table(pa.table({"t": ["x"]}), tmp_path / "new.sav")
        assert SECRET not in str(caught.value)
