"""A release as a Python script that makes it again."""

from __future__ import annotations

from pathlib import Path

from covey.release.settings import Settings


def script_of(settings: Settings, path: Path | None, written: str = "released.csv") -> str:
    """Python that makes the release again, from the file or from a frame called `data`."""
    settings.to_toml()  # what a file cannot hold, a script cannot either
    values = settings.to_dict()
    values.pop("rules", None)
    values.pop("thresholds", None)
    source = "data" if path is None else repr(str(path))
    lines = ["import covey", ""]
    if path is None:
        lines += ["# data: the data frame that was protected", ""]
    lines += ["release = covey.protect(", f"    {source},"]
    lines += [f"    {name}={value!r}," for name, value in values.items()]
    lines += [")", f"release.write({written!r})", ""]
    return "\n".join(lines)
