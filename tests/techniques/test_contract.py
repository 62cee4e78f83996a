"""What every registered technique must do, whatever its algorithm."""

from __future__ import annotations

import pickle
import re
import time
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from covey import Partition
from covey.errors import (
    DisclosureWarning,
    GuaranteeViolated,
    Infeasible,
    InvalidParameter,
    SchemaError,
)
from covey.parameters import SHARE, declared
from covey.scaling import standardize
from covey.techniques import MDAV, Technique, available, default, register, registered

pytestmark = pytest.mark.filterwarnings("ignore::covey.errors.DisclosureWarning")

TECHNIQUES = [info.cls for info in available()]


def make(cls: type[Technique], k: int = 3, **parameters: object) -> Technique:
    """An instance that takes any table: a univariate technique groups by the first column."""
    if cls.by_one_variable:
        parameters.setdefault("variables", [0])
    return cls(k=k, **parameters)


def partitions(technique: Technique) -> list[Partition]:
    return [block.partition for block in technique.blocks_]


@pytest.fixture(params=TECHNIQUES, ids=lambda cls: cls.__name__)
def cls(request):
    return request.param


@pytest.mark.parametrize("k", [2, 3, 5, 8])
def test_groups_of_at_least_k_hold_every_record_once(cls, k, rng):
    for n in (k, k + 1, 2 * k - 1, 2 * k, 2 * k + 1, 3 * k, 4 * k - 1, 61, 200):
        technique = make(cls, k).fit(rng.normal(size=(n, 4)))
        for partition in partitions(technique):
            assert partition.sizes.min() >= k
            assert partition.sizes.sum() == partition.labels.size == n
            assert set(partition.labels) == set(range(partition.n_groups))


@pytest.mark.parametrize("k", [2, 3, 5])
def test_fewer_than_2k_records_are_one_group(cls, k, rng):
    for n in range(k, 2 * k):
        X = rng.normal(size=(n, 3))
        released = make(cls, k).fit_transform(X)
        np.testing.assert_allclose(released, np.tile(X.mean(axis=0), (n, 1)), atol=1e-12)


def test_all_equal_records(cls):
    X = np.full((17, 3), 0.1)
    technique = make(cls, 4)
    released = technique.fit_transform(X)
    np.testing.assert_array_equal(released, X)
    assert technique.il_ == 0.0
    assert min(partition.sizes.min() for partition in partitions(technique)) >= 4


def test_many_duplicates(cls, rng):
    X = np.repeat(rng.integers(0, 3, size=(20, 2)).astype(float), 5, axis=0)
    technique = make(cls, 4).fit(X)
    assert min(partition.sizes.min() for partition in partitions(technique)) >= 4


def test_constant_columns_change_nothing(cls, rng):
    X = rng.normal(size=(50, 3))
    padded = np.column_stack([X, np.full(50, 7.3), np.full(50, -0.1)])
    plain, with_constants = make(cls).fit(X), make(cls).fit(padded)
    assert partitions(plain) == partitions(with_constants)[: len(partitions(plain))]
    assert with_constants.il_ == pytest.approx(plain.il_)


def test_one_column(cls, rng):
    technique = make(cls).fit(rng.normal(size=(40, 1)))
    assert technique.labels_.shape == (40,)
    assert technique.partition_.sizes.min() >= 3


def test_column_order_does_not_matter(cls, rng):
    X = rng.normal(size=(90, 5))
    order = [0, 3, 1, 4, 2]  # the first stays: a univariate technique groups by it
    released = make(cls).fit_transform(X)
    np.testing.assert_allclose(make(cls).fit_transform(X[:, order]), released[:, order])


def test_units_do_not_matter(cls, rng):
    X = np.round(rng.normal(size=(90, 3)) * 2**20)
    moved = X * [2.0**-8, 2.0**5, 2.0] + [2.0**10, -(2.0**12), 0.0]
    assert partitions(make(cls).fit(X)) == partitions(make(cls).fit(moved))


@pytest.mark.parametrize(
    "convert",
    [
        np.asfortranarray,
        lambda X: X.astype(np.float32),
        lambda X: X.astype(np.int64),
        lambda X: X.astype(np.uint16),
        lambda X: np.repeat(X, 2, axis=0)[::2],
        lambda X: np.repeat(X, 2, axis=1)[:, ::2],
        lambda X: X.tolist(),
        lambda X: X.astype(object),
    ],
    ids=["fortran", "float32", "int64", "uint16", "row slice", "column slice", "list", "object"],
)
def test_kinds_of_array(cls, convert, rng):
    X = rng.integers(0, 1000, size=(60, 3)).astype(float)
    assert partitions(make(cls).fit(convert(X))) == partitions(make(cls).fit(X))


def test_input_is_not_changed_and_may_be_read_only(cls, rng):
    X = rng.normal(size=(40, 3))
    before = X.copy()
    X.flags.writeable = False
    make(cls).fit_transform(X)
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("frame", ["pandas", "polars", "pyarrow"])
def test_frames_come_back_as_they_came(cls, frame, rng):
    columns = {"age": rng.integers(16, 90, 30), "income": rng.lognormal(10, 1, 30)}
    native = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}[frame](columns)
    if frame == "pandas":
        native.index = [f"row {i}" for i in range(30)]
    technique = make(cls)
    released = technique.fit_transform(native)
    assert type(released) is type(native)
    assert list(technique.feature_names_in_) == ["age", "income"]
    expected = make(cls).fit_transform(np.column_stack(list(columns.values())))
    found = released.to_pandas() if frame == "pyarrow" else released
    np.testing.assert_array_equal(np.asarray(found[["age", "income"]]), expected)
    if frame == "pandas":
        assert list(released.index) == list(native.index)


def test_released_values_are_group_means(cls, rng):
    X = rng.normal(size=(70, 4))
    technique = make(cls)
    released = technique.fit_transform(X)
    for variables, partition in technique.blocks_:
        for group in partition.groups():
            mean = X[np.ix_(group, variables)].mean(axis=0)
            np.testing.assert_allclose(
                released[np.ix_(group, variables)], np.tile(mean, (group.size, 1))
            )
    if technique.guarantee_ == "joint":
        assert np.unique(released, axis=0, return_counts=True)[1].min() >= 3


def test_il_is_the_loss_of_the_release(cls, rng):
    X = rng.normal(size=(70, 4)) * [1, 10, 100, 1000]
    technique = make(cls)
    lost = (technique.fit_transform(X) - X) / X.std(axis=0)
    assert technique.il_ == pytest.approx(100 * np.square(lost).sum() / X.size)


def test_same_input_same_groups(cls, rng):
    X = rng.normal(size=(120, 3))
    technique = make(cls)
    first = partitions(technique.fit(X))
    assert partitions(technique.fit(X)) == first == partitions(clone(technique).fit(X))


def test_parameters_in_scikit_learns_habit(cls):
    technique = make(cls, k=4)
    assert set(technique.get_params(deep=False)) == set(cls.parameters)
    assert technique.set_params(k=7).k == 7
    assert clone(technique).get_params() == technique.get_params()


def test_there_is_no_transform(cls):
    assert not hasattr(make(cls), "transform")
    assert not hasattr(make(cls), "predict")


def test_it_can_end_a_pipeline(cls, rng):
    X = rng.normal(size=(40, 3))
    piped = make_pipeline(StandardScaler(), make(cls)).fit_transform(X)
    assert piped.shape == X.shape


def test_fitted_techniques_carry_no_data(cls):
    secret = 123456.789012
    X = np.random.default_rng(0).normal(size=(30, 2))
    X[4, 1] = secret
    stored = pickle.dumps(make(cls).fit(X))
    assert np.float64(secret).tobytes() not in stored


class TestErrors:
    """Clear messages that name the value and the remedy, and never show data."""

    @pytest.mark.parametrize("k", [1, 0, -3, 2.5, 3.0, "3", None, True])
    def test_k(self, cls, k):
        with pytest.raises(InvalidParameter, match=r"k must be a whole number of at least 2; got"):
            make(cls, k).fit(np.ones((9, 2)))

    def test_too_few_records(self, cls):
        with pytest.raises(Infeasible, match=r"4 record.*k=5"):
            make(cls, 5).fit(np.arange(8.0).reshape(4, 2))

    @pytest.mark.parametrize(
        ("value", "word"), [(np.nan, "NaN"), (np.inf, "inf"), (-np.inf, "inf")]
    )
    def test_not_finite(self, cls, value, word):
        X = np.arange(20.0).reshape(10, 2)
        X[3, 1] = value
        with pytest.raises(SchemaError, match=rf"{word}.*columns 1 \(1\)"):
            make(cls).fit(X)

    def test_missing_in_a_frame(self, cls):
        frame = pl.DataFrame({"age": [1, None, 3, 4], "income": [1.0, 2.0, None, None]})
        with pytest.raises(SchemaError, match=r"age \(1\), income \(2\)"):
            make(cls, 2).fit(frame)

    def test_text(self, cls):
        with pytest.raises(SchemaError, match="Not numeric: columns 'name'") as caught:
            make(cls).fit(pd.DataFrame({"age": [1, 2, 3], "name": ["Anne", "Bob", "Cleo"]}))
        assert "Anne" not in str(caught.value)
        with pytest.raises(SchemaError, match="Not numeric: columns '1'") as caught:
            make(cls).fit(np.array([[1, "Anne"], [2, "Bob"], [3, "Cleo"]], dtype=object))
        assert "Anne" not in str(caught.value)

    @pytest.mark.parametrize(
        "empty", [np.empty((0, 3)), np.empty((5, 0)), pd.DataFrame(), pl.DataFrame({"a": []})]
    )
    def test_empty(self, cls, empty):
        with pytest.raises(ValueError, match=r"empty|0 feature|Not numeric"):
            make(cls).fit(empty)

    def test_one_dimension(self, cls):
        with pytest.raises(SchemaError, match="Reshape your data") as caught:
            make(cls).fit(np.array([77.25, 2.0, 3.0]))
        assert "77.25" not in str(caught.value)

    def test_lazy_frame(self, cls):
        with pytest.raises(SchemaError, match="collect"):
            make(cls).fit(pl.LazyFrame({"a": [1.0, 2.0, 3.0]}))

    def test_huge_values(self, cls):
        with pytest.raises(SchemaError, match=r"beyond 1e\+300 in: columns 0 \(2\)"):
            make(cls, 2).fit(np.array([[1.7e308], [-1.7e308], [1.0], [2.0]]))

    def test_unfitted(self, cls):
        with pytest.raises(AttributeError, match="not fitted"):
            _ = make(cls).labels_


def test_every_parameter_is_declared_and_checked(cls):
    for name in cls.parameters:
        with pytest.raises(InvalidParameter, match=f"^{name} "):
            cls(**{name: object()}).fit(np.ones((9, 1)))


def test_a_broken_promise_is_not_released(cls, rng, monkeypatch):
    """Fail closed: a group below k or a lost record raises, whatever the technique did."""
    X = rng.normal(size=(12, 2))
    wrong = np.zeros(12, dtype=np.int64)
    wrong[0] = 1
    monkeypatch.setattr(cls, "_partition", lambda self, coordinates, k: wrong)
    with pytest.raises(GuaranteeViolated, match=r"group of 1 .* k=3"):
        make(cls).fit_transform(X)
    lost = np.zeros(12, dtype=np.int64)
    lost[5] = -1
    monkeypatch.setattr(cls, "_partition", lambda self, coordinates, k: lost)
    with pytest.raises(GuaranteeViolated, match="without a group"):
        make(cls).fit_transform(X)


class TestDrivingVariables:
    @pytest.fixture
    def cls(self, cls):
        if "variables" not in cls.parameters:
            pytest.skip("every variable is its own block")
        return cls

    def test_they_alone_decide(self, cls, rng):
        X = rng.normal(size=(60, 4))
        drives = [2] if cls.by_one_variable else [2, 0]
        technique = make(cls, variables=drives).fit(X)
        assert technique.partition_ == make(cls, variables=None).fit(X[:, drives]).partition_
        assert technique.il_ == pytest.approx(technique.partition_.il(X))

    def test_by_name(self, cls, rng):
        X = rng.normal(size=(60, 2))
        frame = pd.DataFrame(X, columns=["age", "income"])
        by_name = make(cls, variables=["income"]).fit(frame)
        assert by_name.partition_ == make(cls, variables=[1]).fit(X).partition_

    @pytest.mark.parametrize("wrong", [["incme"], [5], [-1], [1.5]])
    def test_unknown(self, cls, wrong):
        frame = pd.DataFrame({"age": np.arange(9.0), "income": np.arange(9.0) ** 2})
        with pytest.raises(SchemaError, match="no column"):
            make(cls, variables=wrong).fit(frame)

    def test_typo_gets_a_hint(self, cls):
        frame = pd.DataFrame({"age": np.arange(9.0), "income": np.arange(9.0) ** 2})
        with pytest.raises(SchemaError, match="Did you mean 'income'"):
            make(cls, variables=["incme"]).fit(frame)

    @pytest.mark.parametrize("wrong", [[], [0, 0]])
    def test_none_or_twice(self, cls, wrong):
        with pytest.raises(InvalidParameter, match="at least one column, each once"):
            make(cls, variables=wrong).fit(np.arange(18.0).reshape(9, 2))


@pytest.mark.parametrize("cls", [cls for cls in TECHNIQUES if cls.guarantee == "per block"])
def test_per_block_techniques_warn_and_say_so(cls, rng):
    X = rng.normal(size=(30, 3))
    with pytest.warns(DisclosureWarning, match="3 blocks"):
        technique = cls().fit(X)
    assert technique.guarantee_ == "per block"
    with pytest.raises(AttributeError, match="see blocks_"):
        _ = technique.partition_
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cls().fit(X[:, :1]).guarantee_ == "joint"


class TestContainers:
    """Kinds of input that have tripped others."""

    @pytest.mark.parametrize("columns", [[0, 1], [("a", 1), ("b", 2)], ["x", 3]])
    def test_pandas_columns_need_not_be_text(self, cls, columns, rng):
        X = rng.normal(size=(30, 2))
        frame = pd.DataFrame(X, columns=pd.Index(columns, tupleize_cols=True))
        released = make(cls).fit_transform(frame)
        assert list(released.columns) == list(frame.columns)
        np.testing.assert_array_equal(released.to_numpy(), make(cls).fit_transform(X))

    def test_nullable_and_odd_dtypes(self, cls, rng):
        x = rng.integers(0, 100, 30)
        plain = make(cls).fit_transform(np.column_stack([x, x * 2.0]))
        frames = [
            pd.DataFrame(
                {"a": pd.array(x, dtype="Int64"), "b": pd.array(x * 2.0, dtype="Float64")}
            ),
            pd.DataFrame({"a": x.astype("uint8"), "b": (x * 2.0).astype("float32")}),
            pl.DataFrame({"a": x.astype("int16"), "b": x * 2.0}),
            pa.table({"a": pa.chunked_array([x[:10], x[10:]]), "b": x * 2.0}),
        ]
        for frame in frames:
            released = make(cls).fit_transform(frame)
            values = np.column_stack([np.asarray(released[name]) for name in ("a", "b")])
            np.testing.assert_allclose(values.astype(float), plain)

    def test_masked_values_are_missing(self, cls):
        masked = np.ma.masked_array(np.arange(12.0).reshape(6, 2), mask=np.eye(6, 2))
        with pytest.raises(SchemaError, match=r"missing values.*0 \(1\), 1 \(1\)"):
            make(cls, 2).fit(masked)

    @pytest.mark.parametrize(
        "data",
        [
            np.array([["1", "2"]] * 6),
            np.array([[True, False]] * 6),
            np.array([["2020-01-01"]] * 6, dtype="datetime64[D]"),
            np.array([[1 + 2j]] * 6),
            [[1.0, 2.0], [3.0]],
            48211.5,
            {"a": 1},
            pd.DataFrame([[1.0, 2.0]] * 6, columns=["a", "a"]),
            pd.DataFrame({"a": [True] * 6}),
            pd.DataFrame({"a": pd.date_range("2020", periods=6)}),
        ],
        ids=[
            "digits",
            "bool",
            "dates",
            "complex",
            "ragged",
            "number",
            "dict",
            "twice",
            "bools",
            "days",
        ],
    )
    def test_what_is_not_a_table_of_numbers(self, cls, data):
        with pytest.raises((SchemaError, TypeError)) as caught:
            make(cls, 2).fit(data)
        assert "48211" not in str(caught.value)
        assert "2j" not in str(caught.value)

    def test_whole_numbers_that_floats_cannot_hold(self, cls):
        big = 2**60 + np.arange(12).reshape(6, 2)
        for data in (big, pd.DataFrame(big, columns=["a", "b"]), pa.table({"a": big[:, 0]})):
            with pytest.raises(SchemaError, match="look like identifiers") as caught:
                make(cls, 2).fit(data)
            assert str(2**60) not in str(caught.value)

    @pytest.mark.parametrize("factor", [1e-170, 1e-6, 1.0, 1e6, 1e160, 1e290])
    @pytest.mark.parametrize("scaling", ["zscore", "none"])
    def test_any_magnitude(self, cls, factor, scaling, rng):
        """The partition is that of ordinary numbers, whatever the power of two they are in."""
        if scaling == "none" and "standardize" not in cls.parameters:
            pytest.skip("no standardize parameter")
        parameters = {"standardize": scaling} if "standardize" in cls.parameters else {}
        X = rng.normal(size=(60, 3))
        power = 2.0 ** np.round(np.log2(factor))
        scaled = make(cls, **parameters).fit(X * power)
        assert partitions(scaled) == partitions(make(cls, **parameters).fit(X))
        assert scaled.il_ == pytest.approx(make(cls, **parameters).fit(X).il_)

    @pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64])
    def test_k_of_any_whole_kind(self, cls, kind, rng):
        X = rng.normal(size=(400, 2))
        assert partitions(make(cls, kind(100)).fit(X)) == partitions(make(cls, 100).fit(X))


class Enough(Exception):
    """What a caller raises to end the work."""


@pytest.mark.parametrize("cls", [cls for cls in TECHNIQUES if cls.starts_search])
def test_a_callback_that_raises_stops_the_work(cls, rng):
    """Within a second, and nothing of the half-done grouping is kept."""
    from covey.tables.embedding import embed_numbers

    points = rng.normal(size=(60_000, 12))
    technique = cls(k=3)
    technique.fit(points[:300])  # compiled before
    embedding = embed_numbers(standardize(points), None)
    told = []

    def stop(stage, done, total):
        told.append((time.perf_counter(), done, total))
        raise Enough

    before = technique.blocks_
    with pytest.raises(Enough):
        technique.fit_embedded(embedding, embedding, points, progress=stop)
    assert time.perf_counter() - told[0][0] < 5  # a second on a quiet machine
    assert all(0 <= done <= total == 60_000 for _, done, total in told)
    assert technique.blocks_ is before


def test_progress_is_told_while_it_lasts(rng):
    from covey.tables.embedding import embed_numbers
    from covey.techniques import IAMAT

    told = []
    embedding = embed_numbers(rng.normal(size=(60_000, 12)), None)
    IAMAT(k=3).fit_embedded(embedding, embedding, None, progress=lambda *state: told.append(state))
    done = [state[1] for state in told]
    assert len(done) > 2
    assert done == sorted(done)
    assert told[-1] == ("grouping", 60_000, 60_000)


def test_one_technique_is_the_default():
    """What "auto" stands for; `protect --help` and the app say it."""
    assert [cls.describe().name for cls in TECHNIQUES if cls.is_default] == [default()]


def test_a_technique_that_starts_a_search_can_do_so(cls, rng):
    """It groups points of any dimension, on a footing that the search has given them."""
    if cls.starts_search:
        assert cls.describe().is_comparable
        assert cls.is_distance_based
    assert not (cls.is_default and cls.starts_search), "it would start from itself"


def test_by_one_variable_means_what_it_says(cls, rng):
    X = rng.normal(size=(20, 3))
    if cls.by_one_variable:
        with pytest.raises(SchemaError, match="groups by one variable; the data have 3"):
            cls(k=3).fit(X)
    else:
        cls(k=3).fit(X)


# -- what a technique declares ---------------------------------------------------------------


def test_a_guarantee_is_kept_as_declared(cls, rng):
    X = rng.normal(size=(30, 3))
    assert make(cls).fit(X).guarantee_ == cls.guarantee
    if cls.block_parameter is not None:
        assert cls.guarantee == "joint"
        assert make(cls, **{cls.block_parameter: 1}).fit(X).guarantee_ == "per block"


def test_a_technique_by_distances_works_in_parts(cls, rng):
    """Points that were put on one footing are grouped by several threads, each its own."""
    technique = make(cls)
    if not cls.is_distance_based:
        with pytest.raises(InvalidParameter, match="cannot work in blocks"):
            technique.require_divisible()
        return
    technique.require_divisible()
    points = rng.normal(size=(40, 1))
    technique.prepare_for(*points.shape)
    before = vars(technique).copy()
    assert Partition(technique.group_alone(points, 3)).sizes.min() >= 3
    assert vars(technique) == before


def test_every_parameter_is_documented_once_and_in_order(cls):
    section = cls.__doc__.split("Parameters\n----------\n")[1].split("\n\n")[0]
    assert re.findall(r"^(\w+) : ", section, re.MULTILINE) == list(cls.parameters)
    assert set(cls.describe().about) == set(cls.parameters)
    assert list(cls.describe().parameters) == list(cls.parameters)


def test_it_is_an_estimator_and_no_record_of_its_parameters(cls):
    """What @dataclass would change without eq=False and repr=False."""
    assert repr(cls()) == f"{cls.__name__}()"
    assert cls() != cls()
    assert len({cls(), cls()}) == 2


def test_a_technique_that_is_no_dataclass_is_refused():
    class Forgotten(MDAV):
        gamma: float = declared(1.0, SHARE)

    with pytest.raises(TypeError, match=r"Forgotten needs @dataclass\(eq=False, repr=False\)"):
        register(Forgotten)
    assert "forgotten" not in registered()
