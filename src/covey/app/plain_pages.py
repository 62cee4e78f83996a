"""Pages that need nothing: for those who may not come in, and for what is not there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from html import escape
from typing import Any, NamedTuple


class Words(NamedTuple):
    title: str
    text: str
    has_link: bool = False
    goes_on: bool = False


REFUSED = Words(
    "This was refused",
    "The request did not come from Covey's own page on this computer.",
)
LOCKED = Words(
    "This page is locked",
    "It opens with the address that covey app shows in the terminal. Each address works once, and "
    "using a new one locks the pages that an older one opened. Press Enter in that terminal for a "
    "new one. If the terminal is closed, start covey app again.",
)
ENTERED = Words("Covey", "This page goes on by itself.", has_link=True, goes_on=True)
NOWHERE = Words("There is no such page", "Nothing that you did is lost.", has_link=True)
BROKEN = Words(
    "This page could not be shown",
    "Something went wrong that Covey did not expect. Your file and your steps are still here: "
    "reload the page, or go back to the start.",
    has_link=True,
)
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">{going}
<style>
:root {{ color-scheme: light dark }}
body {{ font: 1rem/1.6 system-ui, sans-serif; max-width: 34rem; margin: 18vh auto;
  padding: 0 1rem }}
h1 {{ font-size: 1.4rem }}
</style></head>
<body><h1>{title}</h1><p>{text}</p>{link}</body></html>
"""
LINK = '<p><a href="/">{}</a></p>'
GOING = '<meta http-equiv="refresh" content="0;url=/">'


async def page(
    words: Words,
    send: Callable[[MutableMapping[str, Any]], Awaitable[None]],
    status: int,
    more: Sequence[tuple[bytes, bytes]] = (),
) -> None:
    """Answer a request with a page of a few words; `more` are headers."""
    link = LINK.format("Go on" if words.goes_on else "Back to the start") if words.has_link else ""
    text = PAGE.format(
        title=escape(words.title),
        text=escape(words.text),
        link=link,
        going=GOING if words.goes_on else "",
    )
    body = text.encode()
    headers = [
        *more,
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
    ]
    start = {"type": "http.response.start", "status": status, "headers": headers, "is_ours": True}
    await send(start)
    await send({"type": "http.response.body", "body": body})
