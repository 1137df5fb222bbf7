"""Vocabularies, loaded offline: those of the package bpe-openai, counted with by its library.

The library counts like tiktoken in half the time where other work has emptied the processor's caches, and is
there in a tenth of a second. The package itself is not imported: it would read every vocabulary once more
into Python's objects. Where the library cannot be used, the package's data files are read into tiktoken,
which would fetch them over the network by itself, and compared with the hash that tiktoken publishes. A
vocabulary that cannot be had never stops the gateway: counts are estimates then, which is logged once, and
`Counter.exact` says so.
"""

from __future__ import annotations

import gzip
import hashlib
import logging
import sys
import zlib
from binascii import a2b_base64
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from secrets import randbits
from threading import Lock
from types import ModuleType

import tiktoken

from gateway.core.tokens import Counter, Length, Sizes, estimating
from gateway.core.windows import bare

log = logging.getLogger(__name__)


class VocabularyError(Exception):
    """A vocabulary cannot be loaded."""


@dataclass(frozen=True, slots=True)
class _Encoding:
    """What tiktoken's own table says about an encoding, less the special tokens: they are text to us."""

    sha256: str
    pattern: str
    faster: str
    """The same matches. What has no look-around is one group, which the engine takes at once, not branch by
    branch. Nothing follows it, so possessive quantifiers, taken step by step, would make no difference."""
    probe_tokens: int
    """What `_PROBE` takes."""


_UPPER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
_LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"

_O200K = "|".join(
    (
        rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_CONTRACTION}",
        rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_CONTRACTION}",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
    )
)

# Pattern and hash as in tiktoken_ext.openai_public, whose functions would download the file.
_ENCODINGS = {
    "o200k_base": _Encoding(
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        _O200K + r"|\s+(?!\S)|\s+",
        rf"(?:{_O200K})|\s+(?!\S)|\s+",
        21,
    ),
    "cl100k_base": _Encoding(
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
        r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
        r"(?:'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+$|\s*[\r\n])|\s+(?!\S)|\s",
        23,
    ),
}

_LIBRARY = "bpe_openai._bindings"
_PROBE = "We've read 12,345 lines:\n\n\tété <|endoftext|> 你好🎉"
"""A text on which encodings differ, and libraries that split texts in another way."""

DEFAULT = "o200k_base"
"""For every model not known to have another; the correction learned from usage does the rest."""

_NAME_CHARS = 200
"""As much of a name as is looked at and remembered; the client chooses it."""

# What tiktoken.model maps to cl100k_base; `gpt-4-` and not `gpt-4`, because gpt-4o and gpt-4.1 are newer.
_CL100K = ("gpt-4-", "gpt-3.5", "gpt-35-turbo")


def encoding_name(model: str) -> str:
    """Return the name of the encoding that *model* counts with.

    >>> encoding_name("openai/gpt-4-turbo"), encoding_name("gpt-4o"), encoding_name("my-alias")
    ('cl100k_base', 'o200k_base', 'o200k_base')
    """
    return _encoding_name(model[-_NAME_CHARS:])


@lru_cache(maxsize=256)
def _encoding_name(model: str) -> str:
    name = bare(model)
    return "cl100k_base" if name == "gpt-4" or name.startswith(_CL100K) else DEFAULT


class Vocabulary:
    """The counters of one process, each loaded when first asked for. Safe to use from threads."""

    def __init__(self, folder: Path | None = None) -> None:
        """*folder* holds the files; None: the data folder of bpe-openai."""
        self._folder = folder
        self._counters: dict[str, Counter] = {}
        self._lock = Lock()

    def ready(self, model: str) -> Counter | None:
        """Return the counter for *model* if it is loaded, at once; otherwise `load` it, in a thread."""
        return self._counters.get(encoding_name(model))

    def load(self, model: str = "") -> Counter:
        """Return the counter for *model*; the first call for an encoding takes a tenth of a second."""
        name = encoding_name(model)
        with self._lock:
            counter = self._counters.get(name)
            if counter is None:
                counter = self._counters[name] = self._load(name)
        return counter

    def _load(self, name: str) -> Counter:
        try:
            length = self._length(name)
        except VocabularyError:
            log.exception("vocabulary not loaded, counts are estimates", extra={"encoding": name})
            return estimating()
        return Counter(length, sizes=Sizes(secret=randbits(63)))

    def _length(self, name: str) -> Length:
        if self._folder is None:
            try:
                return by_library(name)
            except VocabularyError:
                log.warning(
                    "counting takes longer: tiktoken does it", extra={"encoding": name}, exc_info=True
                )
        encoding = load(name, self._folder or data_folder())
        return lambda text: len(encoding.encode_ordinary(text))


def by_library(name: str) -> Length:
    """Return how the library of bpe-openai counts with an encoding. Raise VocabularyError.

    Its regular expressions serve the thread that asks first a fifth faster than any other, for as long as the
    process lives: let it be one that has much to count.
    """
    try:
        length: Length = _library().tokenizer_for_encoding(name).count
        found = length(_PROBE)
    except (ImportError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise VocabularyError(f"{_LIBRARY}: {error}") from error
    if found != _ENCODINGS[name].probe_tokens:
        raise VocabularyError(f"{_LIBRARY}: {found} tokens in {_PROBE!r}")
    return length


def _library() -> ModuleType:
    """Return the library, found without importing the package around it. Raise ImportError."""
    found = sys.modules.get(_LIBRARY)
    if found is None:
        spec = PathFinder.find_spec(_LIBRARY, [str(data_folder().parent)])
        if spec is None or spec.loader is None:
            raise ImportError(f"there is no {_LIBRARY}")
        found = module_from_spec(spec)
        spec.loader.exec_module(found)
        # It can be there only once in a process, for whoever imports the package later.
        sys.modules[_LIBRARY] = found
    return found


def data_folder() -> Path:
    """Return the data folder of bpe-openai, without importing it. Raise VocabularyError."""
    spec = find_spec("bpe_openai")
    if spec is None or not spec.submodule_search_locations:
        raise VocabularyError("the package bpe-openai is not installed")
    return Path(spec.submodule_search_locations[0]) / "data"


def load(name: str, folder: Path) -> tiktoken.Encoding:
    """Return the encoding read from its file in *folder*. Raise VocabularyError."""
    known = _ENCODINGS[name]
    path = folder / f"{name}.tiktoken.gz"
    try:
        ranks = _read(path, known.sha256)
        encoding = tiktoken.Encoding(name, pat_str=known.faster, mergeable_ranks=ranks, special_tokens={})
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise VocabularyError(f"{path}: {error}") from error
    # The encoding holds this dictionary beside its own tables, 28 MB, and needs it only to be pickled.
    ranks.clear()
    return encoding


def _read(path: Path, sha256: str) -> dict[bytes, int]:
    """Return the ranks of the tokens in a file. Raise ValueError if it is not the file with that hash."""
    digest = hashlib.sha256()
    ranks: dict[bytes, int] = {}
    for lines in _blocks(path):
        digest.update(lines)
        fields = lines.split()
        ranks.update(zip(map(a2b_base64, fields[::2]), map(int, fields[1::2]), strict=True))
    if digest.hexdigest() != sha256:
        raise ValueError(f"sha256 is {digest.hexdigest()}, not {sha256}")
    return ranks


def _blocks(path: Path, size_bytes: int = 1 << 18) -> Iterator[bytes]:
    """Yield the file in blocks of whole lines, so that it is never in memory at once."""
    rest = b""
    with gzip.open(path, "rb") as file:
        while block := file.read(size_bytes):
            lines, newline, rest_of_block = (rest + block).rpartition(b"\n")
            yield lines + newline
            rest = rest_of_block
    if rest:
        yield rest
