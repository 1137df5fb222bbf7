"""What may be written as an address, and what is said of the rest."""

from __future__ import annotations

import pytest

from gateway.addresses import proxy_problem, url_problem


@pytest.mark.parametrize(
    ("url", "usable"),
    [
        ("https://api.openai.com/v1", True),
        ("http://localhost:8000", True),
        ("http://[::1]:8000/v1", True),
        ("ftp://host", False),
        ("https://", False),
        ("https://host:port/v1", False),
        ("https://host/v1?key=1", False),
        ("https://host/v1#x", False),
        ("https://me:pass@host/v1", False),
        ("https://ho st/v1", False),
        ("http://[::1", False),
        ("https://api.openai.com/v1/chat/completions", False),
        ("https://api.openai.com/v1/responses/", False),
        ("https://api.anthropic.com/v1/messages", False),
        ("https://host.services.ai.azure.com/models", True),
        ("https://host/responses-api/v1/", True),
        ("https://host/models/some/v1", True),
    ],
)
def test_upstream_is_a_base_url(url: str, usable: bool) -> None:
    """What cannot be an upstream is refused at start, not at the first request."""
    assert (url_problem(url) is None) is usable


@pytest.mark.parametrize(
    "endpoint",
    [
        "Chat/Completions",
        "chat/completions//",
        "/chat//completions",
        "completions",
        "responses/compact",
        "messages/",
        "messages/count_tokens",
        "messages/batches/",
        "embeddings",
        "models",
        "MODELS/",
        "images/generations",
        "audio/transcriptions",
    ],
)
def test_endpoint_is_no_base_url(endpoint: str) -> None:
    """Whatever clients add themselves is refused, however it is written, and the base URL is named."""
    way_out = "names an endpoint; write the base URL of the upstream: https://host/v1"

    assert url_problem(f"https://host/v1/{endpoint}") == way_out


@pytest.mark.parametrize(
    "url",
    [
        "http://ä..b/v1",
        "http://-ä/v1",
        "http://xn--/v1",
        "http://host/\x01v1",
        "http://host\x7f/v1",
        "http://\N{FULLWIDTH DIGIT TWO}.com/v1",
        f"https://{'ä' * 300}/v1",
    ],
)
def test_address_that_no_request_can_be_sent_to_is_refused(url: str) -> None:
    """Seen: it passed, and then a start ended in a traceback, and each request of a tenant in a 500."""
    assert url_problem(url) == f"holds what no address may: {url!r}"


def test_name_in_other_letters_is_an_address() -> None:
    """Names may be written as people of that country do; they are put into ASCII on their way."""
    assert url_problem("http://münchen.example:8000/v1") is None


@pytest.mark.parametrize(
    ("url", "usable"),
    [
        (None, True),
        ("none", True),
        ("http://squid:3128", True),
        ("https://me:pw@squid", True),
        ("squid:3128", False),
        ("socks5://squid:1080", False),
        ("http://me:pw#1@squid:3128", False),
    ],
)
def test_proxy_is_an_http_url_or_none(url: str | None, usable: bool) -> None:
    """What is wrong is said without the address, which may hold a password."""
    assert proxy_problem(url) == (None if usable else "must be a URL like http://proxy:3128")
