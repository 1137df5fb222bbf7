"""Which proxy leads to an upstream, by what is set and what the environment says."""

from __future__ import annotations

import pytest

from gateway.engine.outgoing import Outgoing

SQUID = "http://squid:3128"


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take a developer's own proxies out of the environment."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.mark.parametrize(
    ("variables", "origin", "proxy"),
    [
        ({}, "https://api.openai.com", None),
        ({"HTTPS_PROXY": SQUID}, "https://api.openai.com", SQUID),
        ({"https_proxy": SQUID}, "https://api.openai.com/v1", SQUID),
        ({"HTTPS_PROXY": "squid:3128"}, "https://api.openai.com", SQUID),
        ({"HTTPS_PROXY": SQUID}, "http://vllm.corp:8000", None),
        ({"HTTP_PROXY": SQUID}, "http://vllm.corp:8000", SQUID),
        ({"ALL_PROXY": SQUID}, "https://api.openai.com", SQUID),
        ({"ALL_PROXY": "http://other:1", "http_proxy": SQUID}, "http://vllm", SQUID),
        ({"HTTPS_PROXY": SQUID, "https_proxy": "http://other:1"}, "https://api.openai.com", "http://other:1"),
        ({"HTTPS_PROXY": SQUID, "https_proxy": ""}, "https://api.openai.com", None),
    ],
)
def test_variables_name_proxies_by_scheme(
    variables: dict[str, str], origin: str, proxy: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As other clients read them: small letters go before capitals, the scheme is the upstream's."""
    for name, text in variables.items():
        monkeypatch.setenv(name, text)
    assert Outgoing.read(None).proxy(origin) == proxy


# One row per form that the list may have, as curl, Go or Python's clients take it.
EXEMPT: list[tuple[str, str, bool]] = [
    ("gpu.corp", "http://gpu.corp:8000", True),
    ("GPU.corp", "http://gpu.CORP:8000", True),
    ("corp", "http://gpu.corp", True),
    (".corp", "http://gpu.corp", True),
    ("*.corp", "http://gpu.corp", True),
    ("corp", "http://incorp", False),
    (".corp.example", "http://corp", False),
    ("a.example, .corp ,b.example", "http://gpu.corp", True),
    ("a.example .corp", "http://gpu.corp", True),
    ("gpu.corp:8000", "http://gpu.corp:8000", True),
    ("gpu.corp:8000", "http://gpu.corp:8001", False),
    ("api.example:443", "https://api.example", True),
    ("10.0.0.0/8", "http://10.1.2.3:8000", True),
    ("10.0.0.0/8", "http://11.1.2.3", False),
    ("10.0.0.0/8", "http://10.example", False),
    ("10.1.2.3", "http://10.1.2.3", True),
    ("10.1.2.3:8000", "http://10.1.2.3:8000", True),
    ("fd00::/8", "http://[fd00::1]:8000", True),
    ("[fd00::1]", "http://[fd00::1]", True),
    ("fd00::2", "http://[fd00::1]", False),
    ("*", "https://api.openai.com", True),
    ("a.example,*", "https://api.openai.com", True),
    ("", "https://api.openai.com", False),
    (" , ", "https://api.openai.com", False),
    ("gpu.corp", "http://gpu.corp.", True),
]


@pytest.mark.parametrize(("exempt", "origin", "is_direct"), EXEMPT)
def test_what_no_proxy_names_is_reached_directly(exempt: str, origin: str, *, is_direct: bool) -> None:
    """Whether the proxy is one of the environment or the one that is set."""
    variables = {"http": SQUID, "https": SQUID, "no": exempt}

    assert (Outgoing(None, variables).proxy(origin) is None) is is_direct
    assert (Outgoing("http://own:1", variables).proxy(origin) is None) is is_direct


@pytest.mark.parametrize(
    "origin", ["http://localhost:11434", "http://127.0.0.1:8000", "http://[::1]:8000", "http://x.localhost"]
)
def test_this_machine_needs_no_proxy(origin: str) -> None:
    """A model server beside the gateway is reached as ever where the environment names a proxy."""
    assert Outgoing(SQUID, {"all": SQUID}).proxy(origin) is None


def test_setting_goes_before_the_environment() -> None:
    """One that is set is for all upstreams, and `none` switches those of the environment off."""
    variables = {"https": SQUID}
    assert Outgoing("http://own:1", variables).proxy("https://api.openai.com") == "http://own:1"
    assert Outgoing("http://own:1", variables).proxy("http://vllm") == "http://own:1"
    assert Outgoing("none", variables).proxy("https://api.openai.com") is None


def test_proxy_is_told_without_its_key() -> None:
    """A sentence names who is reached through it; none does where nobody is, and no text shows the key."""
    outgoing = Outgoing(None, {"https": "http://me:pw-456@squid:3128", "no": "claude.example"})
    upstreams = ["https://api.openai.com/v1", "http://vllm", "https://claude.example", "https://b.example"]

    assert list(outgoing.told(upstreams)) == [
        "http://squid:3128 is the proxy on the way to https://api.openai.com/v1, https://b.example."
    ]
    assert list(outgoing.told(["http://vllm"])) == []
    assert list(outgoing.problems(upstreams)) == []
    assert "pw-456" not in repr(outgoing)


def test_proxy_that_cannot_be_used_is_told_with_its_variable() -> None:
    """It keeps nobody from starting whose upstreams it does not lead to."""
    outgoing = Outgoing(None, {"all": "socks5://me:pw-456@squid:1080"})

    assert list(outgoing.problems(["http://localhost:8000"])) == []
    assert list(outgoing.told(["https://a.example"])) == []
    assert list(outgoing.problems(["https://a.example"])) == [
        "ALL_PROXY must be a URL like http://proxy:3128, so https://a.example cannot be reached; "
        "or set HAVERSACK_PROXY."
    ]
