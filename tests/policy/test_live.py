"""The policies in force: read, watched, exchanged."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path

import pytest

from gateway.core.errors import ConfigError
from gateway.policy.live import LivePolicies, read_all, read_folder, shipped_folder
from gateway.policy.policies import PolicySet
from gateway.policy.tenants import key_hash

SOON_S = 0.01


async def until(true: Callable[[], bool]) -> None:
    """Wait for something that must happen; the test's own time limit is generous."""
    async with asyncio.timeout(20):
        while not true():  # noqa: ASYNC110 (a file system does not tell)
            await asyncio.sleep(SOON_S)


def watching(live: LivePolicies, do: Callable[[], Coroutine[None, None, None]], interval_s: float) -> None:
    """Do something while the policies are watched."""

    async def run() -> None:
        async with asyncio.TaskGroup() as group:
            watch = group.create_task(live.watch(interval_s))
            await do()
            watch.cancel()

    live.load()
    asyncio.run(run())


def test_shipped_policies_are_always_there() -> None:
    """The gateway starts without any file of the user's."""
    found = read_all(None, "default")
    assert {"default", "mechanical", "off"} <= set(found.policies)
    assert found.is_open
    assert (shipped_folder() / "default.yaml").exists()


def test_without_a_folder_there_is_nothing_to_watch() -> None:
    """A gateway that has no files of the user's watches none, and reads again when it is told to."""
    live = LivePolicies(None)
    live.load()
    assert asyncio.run(live.reload())
    assert live.generation == 2


def test_own_folder_and_its_tenants_are_read(tmp_path: Path) -> None:
    """Policies lie in the directory, tenants in `tenants` below it; other files are left alone."""
    (tmp_path / "mine.yaml").write_text("window: 5000")
    (tmp_path / "notes.txt").write_text("window: [")
    (tmp_path / "tenants").mkdir()
    (tmp_path / "tenants" / "acme.yaml").write_text(f"keys: [sha256-{'ab' * 32}]\npolicy: mine")
    (tmp_path / "tenants" / "example.yaml.sample").write_text("[")
    found = read_all(tmp_path, "mine")
    assert found.default.window == 5000
    assert list(found.tenants) == ["acme"]


def test_problem_names_the_file(tmp_path: Path) -> None:
    """What is wrong is said with the path that the user knows, of a folder that is not there, too."""
    (tmp_path / "mine.yaml").write_text("windw: 5000")
    with pytest.raises(ConfigError, match=f"{tmp_path}/mine.yaml:1: windw: is not known here"):
        read_all(tmp_path, "default")
    with pytest.raises(ConfigError, match="nowhere: cannot be read: No such file or directory; name the"):
        read_all(tmp_path / "nowhere", "default")


def test_no_more_of_a_file_is_read_than_needed(tmp_path: Path) -> None:
    """A dump of a gigabyte that was dropped into the folder is reported, not read."""
    with (tmp_path / "dump.yaml").open("wb") as file:
        file.truncate(1 << 30)
    assert len(read_folder(tmp_path)[0].data) < 1 << 20


def test_bad_file_never_replaces_a_good_one(tmp_path: Path) -> None:
    """While a file is wrong, what was in force stays; once it is right, the new set is in force."""
    file = tmp_path / "mine.yaml"
    file.write_text("window: 5000")
    live = LivePolicies(tmp_path)
    live.load()
    first = live.current
    assert (live.generation, live.problems) == (1, ())

    file.write_text("window: many")
    assert not asyncio.run(live.reload())
    assert live.current is first
    assert live.generation == 1
    assert len(live.problems) == 1
    with pytest.raises(ConfigError):
        live.load()

    file.write_text("window: 6000")
    assert asyncio.run(live.reload())
    assert live.current.policies["mine"].window == 6000
    assert first.policies["mine"].window == 5000
    assert live.generation == 2
    assert not live.problems


def test_each_problem_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Who reads the log finds every problem on a line of its own, with file, line and key."""
    live = LivePolicies(tmp_path)
    live.load()
    (tmp_path / "mine.yaml").write_text("windw: 5000\ntrigger: {ratio: 7}\n")
    assert not asyncio.run(live.reload())
    told = [vars(record)["problem"] for record in caplog.records if record.message == "policies refused"]
    assert [problem.removeprefix(f"{tmp_path}/").split(": ")[:2] for problem in told] == [
        ["mine.yaml:1", "windw"],
        ["mine.yaml:2", "trigger.ratio"],
    ]
    assert "those before stay in force" in vars(caplog.records[-1])["hint"]


def test_set_that_cannot_be_used_here_replaces_none(tmp_path: Path) -> None:
    """Files may be right in themselves and wrong for this gateway, such as with an upstream that it is."""
    told: list[str] = []
    live = LivePolicies(tmp_path, problems=lambda found: told)
    live.load()
    told.append("mine.yaml: is not for here")
    assert not asyncio.run(live.reload())
    assert (live.generation, live.problems) == (1, ("mine.yaml: is not for here",))


def test_mistake_of_the_gateway_ends_no_watch(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Seen: after a file on which reading itself broke, no change was noticed until the next restart."""
    is_broken = False

    def breaking(found: PolicySet) -> list[str]:
        return [] * (1 // (not is_broken))

    live = LivePolicies(tmp_path, problems=breaking)
    live.load()
    is_broken = True
    assert not asyncio.run(live.reload())
    assert "by a fault of the gateway (ZeroDivisionError" in live.problems[0]
    assert live.problems[0] in [vars(record).get("problem") for record in caplog.records]
    is_broken = False
    assert asyncio.run(live.reload())
    assert live.problems == ()


def test_each_reading_is_told(tmp_path: Path) -> None:
    """Whoever shows how the files are need not ask again and again: a reading is told with its outcome."""
    live = LivePolicies(tmp_path)
    live.load()
    told: list[tuple[int, int]] = []
    live.tell = lambda: told.append((live.generation, len(live.problems)))
    for text in ("windw: 5000", "window: 5000"):
        (tmp_path / "mine.yaml").write_text(text)
        asyncio.run(live.reload())
    assert told == [(1, 1), (2, 0)]


def test_change_is_noticed(tmp_path: Path) -> None:
    """A file that is changed, added or deleted is in force a moment later, without a restart."""
    file = tmp_path / "mine.yaml"
    file.write_text("window: 5000")
    live = LivePolicies(tmp_path)

    async def change() -> None:
        file.write_text("window: 60000")
        await until(lambda: live.current.policies["mine"].window == 60000)
        fresh = tmp_path / "fresh"
        fresh.write_text("window: 70000")
        fresh.rename(file)
        await until(lambda: live.current.policies["mine"].window == 70000)
        file.write_text("window: [")
        await until(lambda: live.problems != ())
        assert live.current.policies["mine"].window == 70000
        file.unlink()
        await until(lambda: "mine" not in live.current.policies)
        (tmp_path / "tenants").mkdir()
        (tmp_path / "tenants" / "acme.yaml").write_text(f"keys: [sha256-{'ab' * 32}]")
        await until(lambda: not live.current.is_open)

    watching(live, change, SOON_S)


def test_folder_that_goes_away_changes_nothing(tmp_path: Path) -> None:
    """A volume that is unmounted for a while leaves the policies in force."""
    folder = tmp_path / "policies"
    folder.mkdir()
    (folder / "mine.yaml").write_text("window: 5000")
    live = LivePolicies(folder)

    async def change() -> None:
        folder.rename(tmp_path / "away")
        await until(lambda: live.problems != ())
        assert "mine" in live.current.policies
        (tmp_path / "away").rename(folder)
        await until(lambda: live.problems == ())

    watching(live, change, SOON_S)


def test_signal_makes_it_look_at_once(tmp_path: Path) -> None:
    """After SIGHUP the files are read without waiting for the next look."""
    live = LivePolicies(tmp_path)

    async def change() -> None:
        await asyncio.sleep(0)
        os.kill(os.getpid(), signal.SIGHUP)
        await until(lambda: live.generation == 2)
        live.look()
        await until(lambda: live.generation == 3)

    watching(live, change, 3600)
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL


def test_watching_works_where_signals_do_not(tmp_path: Path) -> None:
    """In a thread that gets no signals, files are watched all the same."""
    live = LivePolicies(tmp_path)
    live.load()

    async def run() -> None:
        async with asyncio.TaskGroup() as group:
            watch = group.create_task(live.watch(SOON_S))
            (tmp_path / "mine.yaml").write_text("window: 5000")
            await until(lambda: live.generation == 2)
            watch.cancel()

    async def in_a_thread() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.to_thread(asyncio.run, run())

    asyncio.run(in_a_thread())


def test_log_says_how_much_was_loaded(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Who changed a file sees whether it was taken, and that a first tenant closes an open gateway."""
    live = LivePolicies(tmp_path)
    live.load()
    (tmp_path / "tenants").mkdir()
    with caplog.at_level("INFO"):
        for name in ("acme", "beta"):
            (tmp_path / "tenants" / f"{name}.yaml").write_text(f"keys: [{key_hash(name)}]")
            assert asyncio.run(live.reload())
    first, closed, second = [vars(record) for record in caplog.records]
    shipped = len(live.current.policies)
    for line, tenants in ((first, 1), (second, 2)):
        told = line["message"], line["generation"], line["policies"], line["tenants"]
        assert told == ("policies loaded", tenants + 1, shipped, tenants)
    assert closed["message"] == "from now on only keys of tenants are let in"
    assert (closed["levelname"], closed["tenant"]) == ("WARNING", ["acme"])
