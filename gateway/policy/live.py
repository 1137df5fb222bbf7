"""The policies in force: read from disk, checked as a whole, exchanged in one step.

A file that is wrong never replaces anything: the set in force stays until all files are right again, less the
keys that stand in none any more. The directory is watched by looking at it every second, which works on every
file system, mounted configuration included; SIGHUP looks at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from pathlib import Path

from gateway.core.errors import ConfigError, where
from gateway.core.frozen import replace
from gateway.policy.document import MAX_BYTES
from gateway.policy.ignored import TENANTS, ignored, is_read
from gateway.policy.policies import File, PolicySet, read_set, survey
from gateway.policy.steps import Strategies
from gateway.policy.taken_away import less_taken_away
from gateway.strategies import STRATEGIES

log = logging.getLogger(__name__)

_OPENS = (
    "tenants: none is left, which would let anybody in, so the keys of those before go on: to shut one out, "
    "put another hash into its file; if anybody is to be let in, restart the gateway"
)
_CLOSED = "whoever sends none of their keys gets 401; `haversack key new TENANT` makes one"
_NAMED = 10
_STAY = "those before stay in force; mend the files: they are read again by themselves"
_TAKEN = "they stand in no file any more; the rest of what the files say has to wait until they are mended"

Stamps = dict[str, tuple[int, int, int]]
"""What tells that a file has changed: when it was written, its size, which file it is."""


def shipped_folder() -> Path:
    """Return where the policies that come with the gateway are: in the package, or beside its sources."""
    package = Path(str(files("gateway")))
    installed = package / "shipped"
    return installed if installed.is_dir() else package.parent / "policies"


def read_folder(folder: Path) -> list[File]:
    """Return the policy files of a folder, in the order of their names. Raise OSError."""
    return [File(str(path), path.stem, _head(path)) for path in _paths(folder)]


def read_all(folder: Path | None, default: str, strategies: Strategies = STRATEGIES) -> PolicySet:
    """Return what applies with the policies of *folder* over the shipped ones. Raise ConfigError."""
    return replace(read_set(*_files(folder), default, strategies), ignored=_passed_over(folder))


def survey_all(
    folder: Path | None, default: str, strategies: Strategies = STRATEGIES
) -> tuple[PolicySet, list[str]]:
    """Return the same, and what is wrong with it. Raise ConfigError only if there is nothing to look at."""
    found, problems = survey(*_files(folder), default, strategies)
    return replace(found, ignored=_passed_over(folder)), problems


def _files(folder: Path | None) -> tuple[list[File], list[File], list[File]]:
    """Return the files of the shipped policies, of those of a folder, and of its tenants."""
    with _told():
        own = read_folder(folder) if folder else []
        tenants = read_folder(folder / TENANTS) if folder and (folder / TENANTS).is_dir() else []
        return read_folder(shipped_folder()), own, tenants


def _passed_over(folder: Path | None) -> tuple[str, ...]:
    with _told():
        return ignored(folder) if folder else ()


def policy_files(folder: Path | None) -> list[File]:
    """Return the files of all policies, the shipped ones first. Raise ConfigError."""
    with _told():
        return read_folder(shipped_folder()) + (read_folder(folder) if folder else [])


@contextlib.contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        told = f"{error.filename}: cannot be read: {error.strerror}; {_way_out(error)}"
        raise ConfigError([told]) from error


class LivePolicies:
    """Holds the set in force. `load` first; then `watch`, in a task group."""

    def __init__(
        self,
        folder: Path | None,
        default: str = "default",
        strategies: Strategies = STRATEGIES,
        problems: Callable[[PolicySet], Iterable[str]] = lambda found: (),
    ) -> None:
        """*problems* says why a set that is right in itself cannot be used here."""
        self._folder = folder
        self._default = default
        self._problems = problems
        self._strategies = strategies
        self._current: PolicySet | None = None
        self._stamps: Stamps = {}
        self._wake = asyncio.Event()
        self.tell: Callable[[], None] = lambda: None
        """Called whenever the files were read again, whatever was found."""
        self.problems: tuple[str, ...] = ()
        """What was wrong with the files when they were last read; empty: they are in force."""
        self.generation = 0
        """How many sets have been in force."""

    @property
    def current(self) -> PolicySet:
        """The set in force. A request takes it once, and keeps it to its end."""
        assert self._current is not None, "load() comes first"
        return self._current

    def load(self) -> None:
        """Read all files and put them in force; blocks. Raise ConfigError, and leave the set as it was."""
        # Looked at before the files are read: what changes in between is seen next time.
        self._stamps = _stamps(self._folder)
        try:
            fresh = read_all(self._folder, self._default, self._strategies)
            if self._current is not None and fresh.is_open and not self._current.is_open:
                raise ConfigError([_OPENS])
            if problems := list(self._problems(fresh)):
                raise ConfigError(problems)
        except ConfigError as error:
            self.problems = tuple(error.problems)
            self._take_away()
            raise
        self._current, self.problems = fresh, ()
        self.generation += 1

    def _take_away(self) -> None:
        """Let nobody in by a key that was taken out of the files, whatever else is wrong with them."""
        if self._current is None or self._folder is None:
            return
        # Of a folder that is away or empty, as when a volume is exchanged, nobody knows what stands in it.
        with contextlib.suppress(OSError):
            found = read_folder(self._folder / TENANTS)
            left = less_taken_away(self._current, found) if found else self._current
            if left is not self._current:
                now = left.tenants
                lost = [name for name, one in self._current.tenants.items() if one.keys != now[name].keys]
                self._current = left
                log.warning("keys taken away", extra={"tenant": lost[:_NAMED], "hint": _TAKEN})

    async def reload(self) -> bool:
        """Read all files again; return whether they are in force now, with `problems` if not."""
        was_open = self._current is not None and self._current.is_open
        try:
            await asyncio.to_thread(self.load)
        except ConfigError as error:
            for problem in error.problems:
                told = {"problem": problem, "hint": _STAY}
                log.error("policies refused", extra=told)  # noqa: TRY400 (no traceback)
            return False
        except Exception as error:
            # A mistake of ours ends no watch: what is mended later is read.
            self.problems = (f"{self._folder}: cannot be read, by a fault of the gateway ({where(error)})",)
            log.error("policies refused", extra={"problem": self.problems[0], "hint": _STAY})  # noqa: TRY400
            return False
        finally:
            self.tell()
        self._tell_loaded(was_open)
        return True

    def _tell_loaded(self, was_open: bool) -> None:
        policies, tenants = self.current.policies, self.current.tenants
        found = {"policies": len(policies), "tenants": len(tenants)}
        log.info("policies loaded", extra={"generation": self.generation, **found})
        if was_open and tenants:
            told = {"tenant": list(tenants)[:_NAMED], "hint": _CLOSED}
            log.warning("from now on only keys of tenants are let in", extra=told)

    def look(self) -> None:
        """Make `watch` read the files at once, whether they have changed or not."""
        self._wake.set()

    async def watch(self, interval_s: float = 1.0) -> None:
        """Read the files again whenever they have changed, for ever."""
        before = self._stamps
        with _on_hangup(self.look):
            while True:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(interval_s):
                        await self._wake.wait()
                now = await asyncio.to_thread(_stamps, self._folder)
                # Two equal looks in a row: nobody is in the middle of writing.
                if self._wake.is_set() or (now != self._stamps and now == before):
                    self._wake.clear()
                    await self.reload()
                before = now


@contextlib.contextmanager
def _on_hangup(do: Callable[[], None]) -> Iterator[None]:
    """Do it on SIGHUP, where there is such a signal and this is the thread that gets it."""
    loop = asyncio.get_running_loop()
    installed = False
    with contextlib.suppress(NotImplementedError, RuntimeError, ValueError, AttributeError):
        loop.add_signal_handler(signal.SIGHUP, do)
        installed = True
    try:
        yield
    finally:
        if installed:
            loop.remove_signal_handler(signal.SIGHUP)


def _way_out(error: OSError) -> str:
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return "name the folder that your policies are in"
    return "let the user that runs the gateway read it"


def _paths(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if is_read(path) and path.is_file())


def _head(path: Path) -> bytes:
    """Return no more of a file than tells that it is too large."""
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _stamps(folder: Path | None) -> Stamps:
    if folder is None:
        return {}
    stamps: Stamps = {}
    # A folder or file that cannot be seen is a change, too; reading it says what is wrong.
    with contextlib.suppress(OSError):
        for path in [*_paths(folder), *(_paths(folder / TENANTS) if (folder / TENANTS).is_dir() else [])]:
            stat = path.stat()
            stamps[str(path)] = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
    return stamps
