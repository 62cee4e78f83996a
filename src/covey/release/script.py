"""A release as a Python script that makes it again."""

from __future__ import annotations

from covey.release.settings import Settings
from covey.settings.setting import declared
from covey.sources.source import Source

WRITTEN = repr("released.csv")


def script_of(settings: Settings, source: Source | None, written: str = WRITTEN) -> str:
    """Python that makes the release again, from where it was read or a frame called `data`."""
    settings.to_toml()  # what a file cannot hold, a script cannot either
    source = source if source is not None and source.is_named else None
    values = {**settings.to_dict(), **_asked(source)}
    for setting in declared(Settings):
        if setting.reported:
            values.pop(setting.name, None)
    place = "data" if source is None else repr(source.address)
    lines = ["import covey", ""]
    if source is None:
        lines += ["# data: the data frame that was protected", ""]
    lines += ["release = covey.protect(", f"    {place},"]
    lines += [f"    {name}={value!r}," for name, value in values.items()]
    lines += [")", f"release.write({written})", ""]
    return "\n".join(lines)


def _asked(source: Source | None) -> dict[str, object]:
    """What a source was asked for, also if it was not the settings that said so."""
    if source is None:
        return {}
    asked = source.reading._asdict()
    asked["order_by"] = list(source.reading.order_by)
    return {name: value for name, value in asked.items() if value}
