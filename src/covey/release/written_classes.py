"""The guarantee of a release that is staged, counted where it is: in its files or its table."""

from __future__ import annotations

from collections.abc import Sequence

from covey.errors import GuaranteeViolated
from covey.pipeline.guarantee import key_columns
from covey.sources.source import Classes, Room, Staged
from covey.tables.roles import Roles


def require_streamed_guarantee(
    staged: Staged,
    names: Sequence[str],
    roles: Roles,
    k: int,
    n_records: int,
    room: Room,
    counted: Classes | None = None,
) -> int:
    """The smallest class of equal records; raise `GuaranteeViolated` unless it is at least k.

    `names` are the released columns; `counted` is what was found in the same files before.
    """
    leaked = sorted(set(roles.identifiers) & set(names))
    if leaked:
        _violated(f"The identifier {leaked[0]!r} was left in the release")
    keys = key_columns(roles, names)
    found = staged.classes(keys, room) if counted is None else counted
    if found.total != n_records:
        _violated(f"{found.total} records were written where there should be {n_records}")
    if found.smallest < k:
        _violated(f"A released record is shared by {found.smallest} where k={k} was promised")
    return found.smallest


def _violated(what: str) -> None:
    raise GuaranteeViolated(f"{what}. Nothing is released. Please report this as a bug.")
