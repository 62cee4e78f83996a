"""Arrow types as databases declare them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from covey.errors import SchemaError
from covey.sources.databases.columns import declared_as
from covey.sources.kinds import Kind, kind_of
from covey.sources.problems import quoted


class Target(NamedTuple):
    """The declared type of a column that is made, and the Arrow type that fills it."""

    declared: str
    arrow: Any


def plain_type(type: Any) -> Any:
    """The type of the values: labels are written as what they stand for."""
    import pyarrow as pa

    return type.value_type if pa.types.is_dictionary(type) else type


def targets(
    schema: Any,
    backend: str,
    of_type: Callable[[Any], Target | None],
    families: Mapping[Kind, tuple[str, ...]],
    arrow_of: Callable[[str], Any],
) -> list[Target]:
    """A type for each column: the one it was declared with if it still fits, else its own.

    `families` names the declared types that can hold a kind of values.
    """
    found = [_target(field, backend, of_type, families, arrow_of) for field in schema]
    unfit = [field.name for field, target in zip(schema, found, strict=True) if target is None]
    if unfit:
        raise SchemaError(
            f"{backend} cannot hold the values of {quoted(unfit)} as they are. Leave these "
            "columns out or convert them."
        )
    return [target for target in found if target is not None]


def _target(
    field: Any,
    backend: str,
    of_type: Callable[[Any], Target | None],
    families: Mapping[Kind, tuple[str, ...]],
    arrow_of: Callable[[str], Any],
) -> Target | None:
    type = plain_type(field.type)
    declared = declared_as(field, backend)
    kind = kind_of(type)
    if declared is not None and declared.lower().startswith(families.get(kind, ())):
        return Target(declared, arrow_of(declared) or type)
    return of_type(type)


@contextmanager
def feeding(batches: Iterable[Any], fields: list[Any]) -> Iterator[Any]:
    """A reader of batches for a driver; what goes wrong in them is raised as it was."""
    import pyarrow as pa

    failed: list[BaseException] = []

    def cast() -> Iterator[Any]:
        try:
            for batch in batches:
                yield cast_batch(batch, fields)
        except BaseException as error:
            failed.append(error)
            raise

    try:
        yield pa.RecordBatchReader.from_batches(pa.schema(fields), cast())
    except Exception:
        if failed:
            raise failed[0] from None
        raise


def cast_batch(batch: Any, fields: list[Any]) -> Any:
    """A batch with columns of these types; a value that does not fit is refused, not changed."""
    import pyarrow as pa

    arrays = [_cast(array, field) for array, field in zip(batch.columns, fields, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields))


def _cast(array: Any, field: Any) -> Any:
    import pyarrow as pa

    if array.type == field.type:
        return array
    if pa.types.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    try:
        return array.cast(field.type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise SchemaError(
            f"The values of {field.name!r} do not fit into a column of {field.type}. Leave it "
            "out or convert it."
        ) from None
