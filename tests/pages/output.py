"""Output: what is printed, held against what a page shows, and put in its place."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

LEFT_OUT = ("…", "...")


def is_shown(shown: list[str], printed: list[str], *, figures: bool = True) -> bool:
    """Whether a page shows what was printed.

    A line of dots stands for any lines, `…` inside a line for anything there. Without `figures`
    only the words must agree.
    """
    pattern = "".join(_pattern(line, figures) for line in shown)
    text = "".join(f"{_plain(line, figures)}\n" for line in printed)
    return re.fullmatch(pattern, text) is not None


def _pattern(line: str, figures: bool) -> str:
    if line.strip() in LEFT_OUT:
        return r"(?:.*\n)*?"
    return ".*?".join(map(re.escape, _plain(line, figures).split("…"))) + r"\n"


def _plain(line: str, figures: bool) -> str:
    """The line without blanks at its end; without figures, if they do not count."""
    if figures:
        return line.rstrip()
    return re.sub(r"\s+", " ", re.sub(r"\d[\d.,]*\d|\d", "#", line)).rstrip()


def refreshed(shown: list[str], printed: list[str]) -> list[str]:
    """What the page should show: what was printed, with the same parts left out."""
    if is_shown(shown, printed):
        return shown
    if not any(line.strip() in LEFT_OUT for line in shown):
        return [_kept(shown, line) for line in printed]
    parts = _parts(shown)
    new: list[str] = []
    place = 0
    for i, part in enumerate(parts):
        if part == ["…"]:
            new.append("...")
            continue
        first = 0 if i == 0 else _most_like(part[0], printed, place)
        last = len(printed) - 1 if i == len(parts) - 1 else _most_like(part[-1], printed, first)
        new += [_kept(part, line) for line in printed[first : last + 1]]
        place = last + 1
    return new


def _parts(shown: list[str]) -> list[list[str]]:
    """Runs of lines that are shown, and ["…"] for what is left out between them."""
    parts: list[list[str]] = []
    for line in shown:
        if line.strip() in LEFT_OUT:
            parts.append(["…"])
        elif parts and parts[-1] != ["…"]:
            parts[-1].append(line)
        else:
            parts.append([line])
    return parts


def _most_like(line: str, printed: list[str], start: int) -> int:
    """Which of the printed lines, from `start` on, is the one that a page shows as `line`."""
    likeness = [SequenceMatcher(None, line, other).ratio() for other in printed[start:]]
    if not likeness:
        return start
    return start + likeness.index(max(likeness))


def _kept(shown: list[str], line: str) -> str:
    """The line as the page has it already, with its dots, else as it was printed."""
    return next((old for old in shown if is_shown([old], [line])), line.rstrip())
