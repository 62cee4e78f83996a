"""Write what is declared of settings into docs/settings.md and the arguments of `protect`.

python -m benchmarks.settings
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from textwrap import fill as wrap

from benchmarks.pages import ROOT, fill, table
from covey.settings.declared import Declared
from covey.settings.run import Run
from covey.settings.setting import Group, Setting, declared

PAGE = ROOT / "docs" / "settings.md"
SOURCE = ROOT / "src" / "covey" / "release" / "protecting.py"
# Arguments of `protect` and their descriptions, from the first setting to what is none.
ARGUMENTS = re.compile(r"^    k: .*?(?=^    settings: )", re.DOTALL | re.MULTILINE)
OF_A_RUN = re.compile(r"^    out: .*?(?=^\) -> )", re.DOTALL | re.MULTILINE)
ABOUT_ARGUMENTS = re.compile(r"^    k : .*?(?=^    settings : )", re.DOTALL | re.MULTILINE)
ABOUT_A_RUN = re.compile(r"^    out : .*?(?=\n    Examples$)", re.DOTALL | re.MULTILINE)


def arguments(owner: type) -> str:
    """The settings as arguments: first those that are taken by position."""
    first, named = [], []
    for setting in declared(owner):
        (first if setting.by_position else named).append(argument(setting))
    return "".join([*first, *(["    *,\n"] if first else []), *named])


def argument(setting: Setting) -> str:
    """A setting as an argument of `protect`."""
    value = f'"{setting.when_unset}"' if isinstance(setting.when_unset, str) else setting.when_unset
    return f"    {setting.name}: {setting.annotation} = {value},\n"


def about_arguments(owner: type) -> str:
    """The settings as a numpydoc section of parameters, in the order of the arguments."""
    ordered = sorted(declared(owner), key=lambda setting: not setting.by_position)
    return "".join(f"    {one.name} : {one.words}\n{_indented(one)}\n" for one in ordered)


def _indented(setting: Setting) -> str:
    return wrap(about(setting), 100, initial_indent=" " * 8, subsequent_indent=" " * 8)


def about(setting: Setting) -> str:
    """All that there is to say about a setting."""
    return f"{setting.help} {setting.more}".rstrip()


def written(source: str) -> str:
    """The source of `protect` with its arguments and their descriptions as they are declared."""
    for place, text in (
        (ARGUMENTS, arguments(Declared)),
        (OF_A_RUN, arguments(Run)),
        (ABOUT_ARGUMENTS, about_arguments(Declared)),
        (ABOUT_A_RUN, about_arguments(Run)),
    ):
        found = place.search(source)
        assert found is not None, place.pattern
        source = source[: found.start()] + text + source[found.end() :]
    return source


def reference(*owners: type) -> Callable[[], str]:
    """The tables of the settings that classes declare, one for each group."""

    def tables() -> str:
        settings = [setting for owner in owners for setting in declared(owner)]
        groups = dict.fromkeys(setting.group for setting in settings)
        return "\n\n".join(_section(group, settings) for group in groups)

    return tables


def _section(group: Group, settings: list[Setting]) -> str:
    rows = [row(setting) for setting in settings if setting.group == group]
    heading = ["setting", "option", "may be", "default", "meaning"]
    return f"### {group.title}\n\n{table(heading, rows)}"


def row(setting: Setting) -> Iterator[str]:
    """What the reference says of a setting."""
    yield f"`{setting.name}`"
    yield f"`{setting.flag}`"
    yield _cell(setting.form.allowed.removeprefix("None or "))
    yield "" if setting.default in (None, (), {}) else f"`{setting.default}`"
    yield _cell(about(setting))


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "\\<")


TABLES = {"settings": reference(Declared), "run": reference(Run)}

if __name__ == "__main__":
    SOURCE.write_text(written(SOURCE.read_text()))
    fill(PAGE, TABLES)
