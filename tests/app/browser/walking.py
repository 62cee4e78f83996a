"""How a person walks through the app: small acts that several tests share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from covey.datasets import make_survey

PATIENCE = 60_000  # milliseconds
PLACES = ("open", "roles", "protect", "look", "compare", "release")


class Walker:
    """A tab, and everything it complained about or asked of others."""

    def __init__(self, page: Any, place: str) -> None:
        self.page = page
        self.place = place.split("?")[0].rstrip("/")
        self.complaints: list[str] = []
        self.elsewhere: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._watch)

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _watch(self, request: Any) -> None:
        own = (self.place, self.place.replace("http", "ws"), "data:", "blob:")
        if not request.url.startswith(own):
            self.elsewhere.append(request.url)

    def arrive(self, address: str) -> None:
        self.page.goto(address)
        self.page.wait_for_selector("#page-title")

    # -- acts ------------------------------------------------------------------------------

    def title(self) -> str:
        return str(self.page.inner_text("#page-title"))

    def go(self, place: str) -> None:
        self.page.click(f"#step-{place}")
        self.page.wait_for_selector(f'#step-{place}[aria-current="step"]')
        path = "/" if place == "open" else f"/{place}"
        self.page.wait_for_function("path => location.pathname === path", arg=path)

    def steps(self) -> int:
        """How many steps the history has."""
        return int(self.page.inner_text("#history-button").strip(" History()"))

    @contextmanager
    def new_step(self) -> Iterator[None]:
        """Wait until what was done is in the history."""
        before = self.steps()
        yield
        self.page.wait_for_function(
            "before => Number(document.querySelector('#history-button')?.textContent"
            ".replace(/\\D/g, '')) > before",
            arg=before,
        )

    def open_file(self, path: Path) -> None:
        self.go("open")
        with self.new_step():
            self.page.set_input_files("#file", path)
        self.page.wait_for_selector("#onward")

    def give_file(self, path: Path) -> None:
        """Choose a file that may be refused."""
        self.go("open")
        self.page.set_input_files("#file", path)

    def protect(self, technique: str = "mdav", k: int | None = None) -> None:
        """Protect, and wait until there is something to look at."""
        self.go("protect")
        self.choose_technique(technique)
        if k is not None:
            self.choose_k(k)
        self.page.click("#protect")
        self.page.wait_for_selector('#step-look[aria-current="step"]')

    def choose_technique(self, technique: str) -> None:
        if self.page.get_attribute(f"#technique-{technique}", "aria-checked") == "false":
            with self.new_step():
                self.page.click(f"#technique-{technique}")

    def choose_k(self, k: int) -> None:
        if self.page.input_value("#k-number") != str(k):
            with self.new_step():
                self.page.fill("#k-number", str(k))
                self.page.press("#k-number", "Enter")

    def choose_role(self, column: int, role: str) -> None:
        with self.new_step():
            self.page.select_option(f"#role-{column}", role)

    def download(self, what: str, folder: Path) -> Path:
        """Take a file away, and where it is now."""
        with self.page.expect_download() as waiting:
            self.page.click(f"#download-{what}")
        path = folder / waiting.value.suggested_filename
        waiting.value.save_as(path)
        return path


def write_survey(path: Path, n: int = 400) -> Path:
    """A small survey with missing values."""
    make_survey(n, random_state=4, missing=0.05).to_pandas().to_csv(path, index=False)
    return path
