"""Released records, part by part: the files that the pools wrote, as one table would be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any


def are_final(paths: Sequence[Path], schema: Any) -> bool:
    """Whether the files can be released as they are: lists of categories are settled for all."""
    import pyarrow as pa
    from pyarrow import parquet

    listed = any(pa.types.is_dictionary(part.type) for part in schema)
    same = (parquet.read_schema(path).equals(schema, check_metadata=True) for path in paths)
    return not listed and all(same)


class ReleasedParts:
    """Files of released records, whose columns of categories are given one list of categories.

    Parameters
    ----------
    paths : list of Path
        The files, in order.
    schema : pyarrow.Schema
        What the columns are.
    declared : mapping
        All categories of each column of categories, in their order. Only those are kept that
        occur: an entry that nobody has would tell that somebody had it.
    """

    def __init__(self, paths: Sequence[Path], schema: Any, declared: Mapping[str, Any]) -> None:
        import pyarrow as pa

        self.paths = paths
        self.schema = schema
        self._levels = {
            part.name: _occurring(paths, part, declared[part.name])
            for part in schema
            if pa.types.is_dictionary(part.type)
        }

    def batches(self) -> Iterator[Any]:
        """All records, in order."""
        from pyarrow import parquet

        for path in self.paths:
            with parquet.ParquetFile(path) as file:
                table = file.read()
            for name, levels in self._levels.items():
                column = _encoded(table[name], levels, self.schema.field(name).type)
                table = table.set_column(table.column_names.index(name), name, column)
            yield from table.cast(self.schema).combine_chunks().to_batches()


def _occurring(paths: Sequence[Path], part: Any, declared: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import parquet

    used = pa.array([], type=part.type.value_type)
    for path in paths:
        with parquet.ParquetFile(path) as file:
            here = _plain(file.read([part.name])[part.name], part.type).unique()
        used = pa.concat_arrays([used, here]).unique()
    levels = declared.cast(part.type.value_type)
    return levels.filter(pc.is_in(levels, value_set=used.drop_null()))


def _encoded(column: Any, levels: Any, type: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    places = pc.index_in(_plain(column, type), value_set=levels).cast(type.index_type)
    return pa.DictionaryArray.from_arrays(places, levels, ordered=type.ordered)


def _plain(column: Any, type: Any) -> Any:
    return column.cast(type.value_type).combine_chunks()
