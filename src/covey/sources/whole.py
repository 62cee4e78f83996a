"""A file is written whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from covey.errors import CoveyError, InvalidParameter
from covey.sources.problems import FileProblem

if TYPE_CHECKING:
    from covey.sources.source import Staged


def check_place(path: Path, *, force: bool, original: Path | Sequence[Path] = ()) -> None:
    """Raise if nothing can be written at `path`, or the original or another file would be lost."""
    if not path.parent.is_dir():
        raise FileProblem(f"The folder {path.parent} does not exist.")
    if not os.access(path.parent, os.W_OK):
        raise FileProblem(f"The folder {path.parent} is write-protected.")
    if not path.exists():
        return
    if not path.is_file():
        raise FileProblem(f"{path} is not a file that can be replaced.")
    originals = [original] if isinstance(original, Path) else original
    if any(one.exists() and path.samefile(one) for one in originals):
        raise InvalidParameter(f"{path} is the original file; write the release elsewhere.")
    if not force:
        raise exists_already(path)
    if not os.access(path, os.W_OK):
        raise FileProblem(f"{path} is write-protected.")


def exists_already(place: object) -> InvalidParameter:
    """What is said of a place that is taken, be it found at the start or at the last moment."""
    return InvalidParameter(
        f"{place} exists already. Choose another name, or force it (force=True or --force)."
    )


class Together:
    """Files, and a table of a database, that appear together or not at all.

    ``with Together(force=…) as files:`` fills temporary files by `add`, and moves all of them into
    place when the block ends well; whatever goes wrong before, nothing is left. `original` is a
    file, or several, that are never replaced.
    """

    def __init__(self, *, force: bool = False, original: Path | Sequence[Path] = ()) -> None:
        self.force = force
        self._original = original
        self._staged: list[tuple[str, Path]] = []
        self._elsewhere: list[Staged] = []

    def __enter__(self) -> Together:
        return self

    def add(self, path: Path, write: Callable[[str], None]) -> Path:
        """Let `write` fill a temporary file that will become `path`; returns where it is now."""
        check_place(path, force=self.force, original=self._original)
        path = path.resolve()  # a link keeps pointing to the new file
        with explained(path):
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            self._staged.append((temporary, path))
            os.close(handle)
            write(temporary)
            os.chmod(temporary, 0o666 & ~umask())
        return Path(temporary)

    def add_staged(self, staged: Staged) -> None:
        """Let what was written elsewhere, to a database say, appear with the files, or vanish."""
        self._elsewhere.append(staged)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        placed = False
        try:
            if kind is None:
                self._place_all()
                placed = True
        finally:
            for staged in () if placed else self._elsewhere:
                staged.drop()
            for temporary, _path in self._staged:
                _remove(temporary)

    def _place_all(self) -> None:
        begun: list[_Replaced] = []
        try:
            for temporary, path in self._staged:
                with explained(path):
                    begun.append(self._place(temporary, path))
            for staged in self._elsewhere:  # last, for a database can still refuse
                staged.keep()
        except BaseException:
            for replaced in reversed(begun):
                replaced.undo()
            raise
        for replaced in begun:
            _remove(replaced.copy)

    def _place(self, temporary: str, path: Path) -> _Replaced:
        """Give a file its name; only a forced one takes the place of what appeared meanwhile."""
        copy = f"{temporary}.old"
        try:
            place_new(temporary, path)
            return _Replaced(path, copy, existed=False)
        except FileExistsError:
            if not self.force:
                raise exists_already(path) from None
        return self._replace(temporary, path, copy)

    def _replace(self, temporary: str, path: Path, copy: str) -> _Replaced:
        """Keep the old file under a second name; one file alone is replaced in one step."""
        if len(self._staged) + len(self._elsewhere) > 1:
            try:
                os.link(path, copy)
            except OSError:  # a file system without second names
                shutil.copy2(path, copy)
        replaced = _Replaced(path, copy, existed=True)
        try:
            os.replace(temporary, path)
        except BaseException:
            replaced.undo()
            raise
        return replaced


class _Replaced(NamedTuple):
    """A file that may be there already, and the second name of what was there before."""

    path: Path
    copy: str
    existed: bool

    def undo(self) -> None:
        if os.path.exists(self.copy):
            os.replace(self.copy, self.path)
        elif not self.existed:
            _remove(str(self.path))


def place_new(temporary: str | Path, path: Path) -> None:
    """Give a file its name in one step; `FileExistsError` if anything has that name by now."""
    if os.name == "nt":
        os.rename(temporary, path)  # which refuses there
        return
    try:
        os.link(temporary, path, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:  # a file system without second names
        _claim(temporary, path)
        return
    os.unlink(temporary)


def _claim(temporary: str | Path, path: Path) -> None:
    """Whoever makes an empty file has the name, and may replace it."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    try:
        os.replace(temporary, path)
    except BaseException:
        _remove(str(path))
        raise


def _remove(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)


def write_whole(path: Path, write: Callable[[str], None], *, force: bool = False) -> None:
    """Let `write` fill a temporary file and move it to `path`; on any failure leave nothing."""
    with Together(force=force) as files:
        files.add(path, write)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Errors of the system as messages: a disk that is full, say."""
    try:
        yield
    except CoveyError:
        raise
    except OSError as error:
        reason = error.strerror or "the system refused"
        raise FileProblem(f"{path} could not be written: {reason}.") from error


def umask() -> int:
    """What new files and folders do not allow; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_text(path: Path, text: str, *, force: bool = False) -> None:
    """Write a text in UTF-8, whole or not at all."""
    write_bytes(path, text.encode(), force=force)


def write_bytes(path: Path, content: bytes, *, force: bool = False) -> None:
    """Write bytes, whole or not at all."""
    with Together(force=force) as files:
        files.add(path, filling(content))


def filling(content: bytes) -> Callable[[str], None]:
    """What fills a file with `content`."""

    def fill(place: str) -> None:
        Path(place).write_bytes(content)

    return fill
