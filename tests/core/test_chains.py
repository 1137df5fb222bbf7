"""A memory of hash chains changes what is hashed, and never a hash."""

from __future__ import annotations

from gateway.core.chains import Chains
from gateway.core.prefix import chain


def test_remembered_chains_are_what_is_hashed_anew() -> None:
    """Growing, forked, shortened and edited lists have the chain that they would have without a memory."""
    chains = Chains(max_hashes=200)
    lists: list[list[bytes]] = []
    messages = [b"%032d" % n for n in range(60)]
    for length in (3, 20, 21, 40, 60, 30, 60):
        lists.append(messages[:length])
    lists.append([*messages[:25], b"edited", *messages[26:]])
    lists.append([b"another", *messages])
    lists.append([*messages[:40], b"forked"])
    lists += [[b"%d" % n, *messages] for n in range(5)]  # more than is remembered
    lists.append(messages)

    for digests in lists:
        assert chains.of(list(digests)) == chain(digests)
