"""Lines that tell what came of a call, told from data, code and what only goes on."""

from __future__ import annotations

import pytest

from gateway.core.ledger.telling import alone, is_prose, weight


@pytest.mark.parametrize(
    "rows",
    [
        [f"Mar  {n} 11:54:3{n} host{n} queued[{n}751]: peer {'gone' * n} id={n}" for n in range(1, 6)],
        [f"{key}{n}:\n  image: registry/{key}:{n}.2" for n, key in enumerate(("a", "b", "c"))],
        [
            "def f(x):",
            "    y = g(x)",
            "    port = 8123",
            "    # the job is created as rel-20418",
            "    return y",
        ],
        ["diff --git a/x.py b/x.py", "index 3f2a1b4..9c8d7e0 100644", "@@ -1,2 +1,2 @@", "--- a/x.py"],
        [
            "Waiting for pods: 2/3",
            "Pulling layer 8f2c11a9b0",
            "42%",
            "tests/test_a.py PASSED [  8%]",
            "Outputs:",
        ],
    ],
)
def test_data_code_and_progress_tell_nothing(rows: list[str]) -> None:
    """A line at random of a log, a file or a patch is worse than none."""
    assert list(alone("\n".join(rows).split("\n"))) == []


def test_line_that_stands_out_of_others_is_found() -> None:
    """What came of it stands among what does not matter, and is told in words of its own."""
    code = ["def f(x):", "    y = g(x)", "    return y", ""] * 9
    assert list(alone([*code, "The service answers as rel-20418 now.", *code])) == [
        "The service answers as rel-20418 now."
    ]


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("Charge ch_9xKw21 captured", "Charge captured"),
        ("Peak found at 523.4 nm", "Three peaks"),
        ("pay-5c9d 0/1 CrashLoopBackOff 17", "pay-5c9d 1/1 Running 17"),
        ("新进程号 30412", "正在停止"),
        ("座位 12车07F", "请提前到站"),
    ],
)
def test_exact_lines_weigh_more(more: str, less: str) -> None:
    """Identifiers, measures and failures cannot be guessed if they are lost."""
    assert weight(more) > weight(less)


def test_what_the_call_said_itself_is_no_news() -> None:
    """A result that repeats its arguments tells less than one with something new."""
    assert weight("order A-551 read", "A-551") < weight("order A-551 read")
    assert weight("order A-551 ships as JD0144", "A-551") == weight("order A-551 ships as JD0144")


def test_row_of_numbers_weighs_nothing() -> None:
    """A row of data that stands by itself is data all the same."""
    assert weight(" ".join(f"r{n}_{n}" for n in range(40))) == 0


def test_prose_is_told_from_a_report() -> None:
    """Several sentences in one line were written by somebody."""
    assert is_prose("It rained. Nobody came. We left.")
    assert not is_prose("Done. It is rel-20418.")


@pytest.mark.parametrize("unit", ["a", "1", "-", "a1-", "_a ", "= a", ". ", "：", "a:"])
def test_lines_of_one_kind_of_character_are_read(unit: str) -> None:
    """Lines as they come from files, of any length, do not make an expression wander."""
    assert "Ready as rel-20418" in list(alone([unit * 3_000, "Ready as rel-20418"]))
    assert weight(unit * 3_000) < 9
