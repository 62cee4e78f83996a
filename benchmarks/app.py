"""The app while it works: how fast its page answers, and how much memory it holds.

python -m benchmarks.app          20,000 records, printed only
python -m benchmarks.app --full   200,000 x 15; into benchmarks/RESULTS.md

A real server is given a file over HTTP and protects it with the technique that people get if they
choose none. Meanwhile, over the whole run, it is asked for pages, for a script and for a websocket,
over a new line each time. A browser has the page open, if there is
one, so that the page asks for itself too.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks.machine import keep
from benchmarks.pages import ROOT, fill, table
from covey.datasets import make_survey
from covey.sources import write_table

FULL = "--full" in sys.argv
TARGET = 0.2  # seconds
QUIET = 0.7  # a load below this is nobody else's
PATIENCE = 1800.0  # seconds, for the whole run


def serve(technique: str) -> None:
    """The command `covey app`, in which the file that comes is protected by itself."""
    from covey.app import server
    from covey.app.workshop import Workshop

    class Eager(Workshop):
        def start(self) -> None:
            super().start()
            threading.Thread(target=self._protect, daemon=True).start()

        def _protect(self) -> None:
            while self.state.opened is None:
                time.sleep(0.05)
            self.choose("protect", k=5, technique=technique)
            job = self.protect()
            while not job.is_over:
                tell(worker=self.worker_pid, stage=job.stage, state=job.state)
                time.sleep(0.1)
            tell(stage=job.stage, state=job.state, seconds=job.seconds, message=job.message)

    server.Workshop = Eager  # type: ignore[misc]
    server.serve(None, limit=10**9, opens_browser=False)


def tell(**what: Any) -> None:
    print(json.dumps(what), file=sys.stderr, flush=True)


class Running:
    """The server in a process of its own, and what it tells."""

    def __init__(self, folder: Path, technique: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.app", "--serve", technique],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "TMPDIR": str(folder)},
        )
        self.told: list[dict[str, Any]] = []
        assert self.process.stdout is not None
        address = ""
        while "token=" not in address:
            address = self.process.stdout.readline().strip()
        self.address, _, self.token = address.partition("?token=")
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.told.append({**json.loads(line), "at": time.monotonic()})

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()
        self._listener.join()
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()

    @property
    def is_over(self) -> bool:
        return bool(self.told) and self.told[-1]["state"] in ("done", "failed", "cancelled")

    def peak(self, pid: int) -> float:
        """Gigabytes of memory that a process has held at most."""
        status = Path(f"/proc/{pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 2**20  # type: ignore[index]


def visitor(running: Running) -> Any:
    """Somebody who has entered; each request goes over a line of its own."""
    import httpx

    client = httpx.Client(
        base_url=running.address, limits=httpx.Limits(max_keepalive_connections=0), timeout=60
    )
    entered = client.get("/", params={"token": running.token})
    assert entered.status_code == 200, entered
    return client


def ways_to_ask(client: Any, running: Running) -> dict[str, Callable[[], None]]:
    """What is asked for, by name."""
    from websockets.sync.client import connect

    page = client.get("/protect").text
    script = re.search(r'src="(/_nicegui/[^"]+\.js)"', page)
    assert script is not None
    cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    here = running.address.rstrip("/")
    place = f"ws{here.removeprefix('http')}/_nicegui_ws/socket.io/?EIO=4&transport=websocket"

    def websocket() -> None:
        headers = {"Cookie": cookie}
        with connect(place, origin=here, additional_headers=headers) as line:  # type: ignore[arg-type]
            line.recv(timeout=60)
            line.send("40")  # asks for a session, which the event loop gives
            assert str(line.recv(timeout=60)).startswith("40")

    def get(path: str) -> Callable[[], None]:
        def ask() -> None:
            assert client.get(path).status_code == 200

        return ask

    return {
        "the page “Protect”": get("/protect"),
        "the page “Open”": get("/"),
        "a script of the page": get(script[1]),
        "a websocket: connect and first answer": websocket,
    }


@contextmanager
def browser_at(client: Any, running: Running, wanted: bool) -> Iterator[bool]:
    """A browser that has the page open, if there is one and it is wanted."""
    finder = subprocess.run(
        [ROOT / "script" / "browser", "--find"], capture_output=True, text=True, check=False
    )
    if finder.returncode or not wanted:
        yield False
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=finder.stdout.strip(), args=["--no-sandbox", "--disable-gpu"]
        )
        context = chromium.new_context()
        context.add_cookies(
            [
                {"name": name, "value": value, "url": running.address}
                for name, value in client.cookies.items()
            ]
        )
        context.new_page().goto(f"{running.address}protect")
        yield True
        with suppress(Exception):
            chromium.close()


def ask_all_the_time(
    running: Running, ways: dict[str, Callable[[], None]], pause: float
) -> dict[str, list[float]]:
    """Ask in turn while the run goes on; the seconds that each answer took."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    deadline = time.monotonic() + PATIENCE
    while not running.is_over and time.monotonic() < deadline:
        for name, ask in ways.items():
            began = time.perf_counter()
            ask()
            taken[name].append(time.perf_counter() - began)
        time.sleep(pause)
    return taken


def measure(
    folder: Path,
    records: int,
    technique: str = "auto",
    pause: float = 1.0,
    with_browser: bool = False,
) -> dict[str, Any]:
    """Give a server a file, and ask it all the time while it works."""
    survey = make_survey(records, random_state=1, missing=0.03).drop(["person_id"])
    path = folder / "survey.csv"
    write_table(survey, path)
    load = os.getloadavg()[0]
    running = Running(folder, technique)
    try:
        with closing(visitor(running)) as client:
            found = _measured(running, client, survey, path, pause, with_browser)
            return {**found, "load": load}
    finally:
        running.end()


def _measured(
    running: Running, client: Any, survey: Any, path: Path, pause: float, with_browser: bool
) -> dict[str, Any]:
    ways = ways_to_ask(client, running)
    with browser_at(client, running, with_browser) as has_browser:
        sent = time.perf_counter()
        headers = {"Origin": running.address.rstrip("/")}
        content = path.read_bytes()
        client.post("/upload", params={"name": path.name}, content=content, headers=headers)
        upload = time.perf_counter() - sent
        while not running.told:
            time.sleep(0.02)
        taken = ask_all_the_time(running, ways, pause)
    worker = next(line["worker"] for line in running.told if line.get("worker"))
    return {
        "records": survey.num_rows,
        "columns": survey.num_columns,
        "bytes": len(content),
        "upload": upload,
        "taken": taken,
        "browser": has_browser,
        "stages": stages(running.told),
        "state": running.told[-1]["state"],
        "seconds": running.told[-1].get("seconds"),
        "server_peak": running.peak(running.process.pid),
        "worker_peak": running.peak(worker),
    }


def stages(told: list[dict[str, Any]]) -> dict[str, float]:
    """Seconds in each stage of the run."""
    found: dict[str, float] = {}
    for line, following in pairwise(told):
        found[line["stage"]] = found.get(line["stage"], 0.0) + following["at"] - line["at"]
    return {stage: seconds for stage, seconds in found.items() if stage}


def answers(found: dict[str, Any]) -> str:
    rows = []
    for name, taken in found["taken"].items():
        late = quantiles(taken, n=20)[-1]
        later = sum(seconds > TARGET for seconds in taken)
        verdict = f"all but {later}" if later else "yes"
        figures = [f"{1000 * seconds:.0f} ms" for seconds in (median(taken), late, max(taken))]
        rows.append([name, len(taken), *figures, verdict])
    shown = table(["asked for", "times", "median", "95 %", "slowest", "all within 200 ms"], rows)
    if found["load"] < QUIET:
        return shown
    busy = f"The machine was busy with other work: its load was {found['load']:.1f} before."
    return f"{shown}\n\n{busy}"


def memory(found: dict[str, Any]) -> str:
    size = f"{found['records']:,} × {found['columns']}, {found['bytes'] / 1e6:.0f} MB of CSV"
    spent = ", ".join(f"{stage} {seconds:.0f} s" for stage, seconds in found["stages"].items())
    return table(
        ["file", "upload", "run", "of which", "server, peak", "worker, peak"],
        [
            [
                size,
                f"{found['upload']:.1f} s",
                f"{found['seconds']:.0f} s",
                spent,
                f"{found['server_peak']:.2f} GB",
                f"{found['worker_peak']:.2f} GB",
            ]
        ],
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder), 200_000 if FULL else 20_000, with_browser=True)
    if found["state"] != "done":
        raise SystemExit(f"the run ended as {found['state']}")
    print(answers(found), memory(found), sep="\n\n")
    print("with" if found["browser"] else "without", "a browser")
    if FULL:
        keep("app", [found])
        tables = {"app-answers": lambda: answers(found), "app-memory": lambda: memory(found)}
        fill(ROOT / "benchmarks" / "RESULTS.md", tables)


if __name__ == "__main__":
    serve(sys.argv[-1]) if "--serve" in sys.argv else main()
