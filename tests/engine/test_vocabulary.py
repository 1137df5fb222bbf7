"""Vocabularies load without a network, and the gateway goes on where they do not."""

from __future__ import annotations

import gzip
import importlib.util
import logging
import random
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import tiktoken

from gateway.engine import vocabulary
from gateway.engine.vocabulary import Vocabulary, VocabularyError, by_library, data_folder, encoding_name

# Token ids as the vendor's own tokenizer gives them.
IDS = {
    "o200k_base": [13225, 2375, 0],
    "cl100k_base": [9906, 1917, 0],
}

SIGNS = (
    "a b  c\n\r\n\t  'sS'll'VE . ,,/ //12 345 é ß中文，。 Ǆʰ\u0301 \u2028\u00a0\u3000 _-ABCdef()\n\n  \n x"
)


@pytest.mark.parametrize("name", sorted(IDS))
def test_ids_are_the_vendors(name: str) -> None:
    """The vocabulary that is shipped gives the ids that the vendor's tokenizer gives."""
    encoding = vocabulary.load(name, data_folder())

    assert encoding.encode_ordinary("Hello world!") == IDS[name]


@pytest.mark.parametrize("name", sorted(IDS))
def test_the_library_counts_what_the_vendor_counts(name: str) -> None:
    """Whatever a text holds, it takes as many tokens as tiktoken makes of it."""
    draw, length = random.Random(7), by_library(name)
    encoding = vocabulary.load(name, data_folder())
    every = [chr(code) for code in range(0x3000) if not chr(code).isprintable() or code % 3 == 0]

    for number in range(4000):
        signs = (SIGNS, every, "<|endoftext|> \n", "-=*#/ \t\n")[number % 4]
        text = "".join(draw.choices(signs, k=draw.randrange(1, 120)))
        assert length(text) == len(encoding.encode_ordinary(text)), text


def test_without_the_library_counts_are_the_same(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Where the library is missing, or splits texts in another way, tiktoken counts, which is logged."""
    monkeypatch.setattr(vocabulary, "_LIBRARY", "bpe_openai._not_there")
    missing = Vocabulary().load("gpt-4o")
    monkeypatch.undo()
    monkeypatch.setattr(vocabulary, "_PROBE", "one text more")
    other = Vocabulary().load("gpt-4o")

    assert [(one.exact, one.count("Hello world!")) for one in (missing, other)] == [(True, 3)] * 2
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 2


@pytest.mark.parametrize("name", sorted(IDS))
def test_hash_and_pattern_are_those_that_tiktoken_publishes(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new release of tiktoken that changes an encoding is noticed here, not in wrong counts."""
    public = importlib.import_module("tiktoken_ext.openai_public")
    hashes: list[str] = []

    def note(_: str, expected_hash: str) -> dict[bytes, int]:
        hashes.append(expected_hash)
        return {}

    monkeypatch.setattr(public, "load_tiktoken_bpe", note)
    published = public.ENCODING_CONSTRUCTORS[name]()

    known = vocabulary._ENCODINGS[name]
    assert (known.pattern, [known.sha256]) == (published["pat_str"], hashes)


@pytest.mark.parametrize("name", sorted(IDS))
def test_what_is_matched_faster_is_matched_the_same(name: str) -> None:
    """The pattern in use parts every text where the published one does."""
    known, draw = vocabulary._ENCODINGS[name], random.Random(7)
    ranks = vocabulary._read(data_folder() / f"{name}.tiktoken.gz", known.sha256)
    slow = tiktoken.Encoding("slow", pat_str=known.pattern, mergeable_ranks=ranks, special_tokens={})
    fast = vocabulary.load(name, data_folder())

    for _ in range(3000):
        text = "".join(draw.choices(SIGNS, k=draw.randrange(1, 60)))
        assert fast.encode_ordinary(text) == slow.encode_ordinary(text), text


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        ("gpt-4o", "o200k_base"),
        ("openai/gpt-4.1-mini", "o200k_base"),
        ("gpt-5", "o200k_base"),
        ("o3-mini", "o200k_base"),
        ("gpt-4.5-preview", "o200k_base"),
        ("claude-sonnet-4-5", "o200k_base"),
        ("", "o200k_base"),
        ("gpt-4", "cl100k_base"),
        ("gpt-4-turbo", "cl100k_base"),
        ("gpt-3.5-turbo-0125", "cl100k_base"),
        ("gpt-35-turbo", "cl100k_base"),
        ("ft:gpt-3.5-turbo:acme::x", "cl100k_base"),
    ],
)
def test_every_model_has_an_encoding(model: str, encoding: str) -> None:
    """Old OpenAI models count with their own vocabulary, everything else with the newest."""
    assert encoding_name(model) == encoding


def test_a_vocabulary_is_loaded_once() -> None:
    """Requests that arrive together while it loads all get the same counter."""
    vocabularies = Vocabulary()
    assert vocabularies.ready("gpt-4o") is None

    with ThreadPoolExecutor(4) as threads:
        counters = set(map(id, threads.map(vocabularies.load, ["gpt-4o", "o3", "my-alias", "gpt-5"])))

    assert counters == {id(vocabularies.ready("gpt-4o"))}


def test_the_gateway_counts_without_a_network() -> None:
    """The first start on a machine with no network has exact counts, and imports no package around them."""
    script = (
        "import socket, sys\n"
        "def refuse(*_, **__): raise AssertionError('network')\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "from gateway.engine.vocabulary import Vocabulary\n"
        "counter = Vocabulary().load('gpt-4o')\n"
        "print(counter.exact, counter.count('Hello world!'), 'bpe_openai' in sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert run.stdout.split() == ["True", "3", "False"]


def broken(folder: Path, change: str) -> Path:
    """Return a folder whose vocabulary was changed."""
    path = folder / "o200k_base.tiktoken.gz"
    shutil.copy(data_folder() / path.name, path)
    data = path.read_bytes()
    match change:
        case "missing":
            path.unlink()
        case "cut":
            path.write_bytes(data[:1000])
        case "no gzip":
            path.write_bytes(b"not found" * 20)
        case "one rank":
            path.write_bytes(gzip.compress(gzip.decompress(data).replace(b"IQ== 0\n", b"IQ== 7\n", 1), 1))
        case "no line feed at the end":
            path.write_bytes(gzip.compress(b"IQ== 0"))
        case "no table":
            path.write_bytes(gzip.compress(b"<html>\n"))
    return folder


@pytest.mark.parametrize(
    "change", ["missing", "cut", "no gzip", "one rank", "no line feed at the end", "no table"]
)
def test_a_broken_vocabulary_becomes_an_estimate(
    change: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Where the file is missing or not what was published, counts are estimates, logged once, and say so."""
    vocabularies = Vocabulary(broken(tmp_path, change))

    with caplog.at_level(logging.ERROR):
        counters = [vocabularies.load("gpt-4o") for _ in range(3)]

    assert [counter.exact for counter in counters] == [False] * 3
    assert counters[0].count("one two three") == 3
    assert len(caplog.records) == 1


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever takes the package with the vocabularies away is told which one it is."""
    monkeypatch.setattr(vocabulary, "find_spec", lambda _: None)

    with pytest.raises(VocabularyError, match="bpe-openai is not installed"):
        data_folder()
