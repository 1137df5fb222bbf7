"""A gateway in a company's network: everything it sends goes through the proxy that the environment names."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway.cli import main
from gateway.core.errors import GatewayError
from gateway.engine.connector import ConnectionSettings
from gateway.engine.outgoing import Outgoing
from gateway.engine.transport import Transport
from gateway.engine.upstream import Upstream
from proxying import CERTIFICATE, OutgoingProxy
from running import Running
from upstream import ScriptedUpstream

KEY = "me:pw@55"
VARIABLES = ("http", "https", "all", "no")


@pytest.fixture(scope="module")
def models() -> Iterator[ScriptedUpstream]:
    """What stands behind every host that the proxy knows."""
    with ScriptedUpstream(window=8_000) as scripted:
        yield scripted


@pytest.fixture(scope="module")
def proxy(models: ScriptedUpstream) -> Iterator[OutgoingProxy]:
    """A proxy that wants credentials."""
    with OutgoingProxy({"models.test": models.port, "tenant.test": models.port}, KEY) as made:
        yield made


def environment(**variables: str) -> dict[str, str]:
    """Return these proxy variables, and the others empty, so that a developer's own are not used."""
    return {**{f"{name}_proxy": "" for name in VARIABLES}, **variables}


def with_key(proxy: OutgoingProxy, key: str = "me:pw%4055") -> str:
    """Return the proxy's URL with credentials, as they are written in a URL."""
    return f"http://{key}@{proxy.address}"


def asked(
    gateway: Running, path: str = "/v1/chat/completions", text: str = "Hello?", **headers: str
) -> tuple[int, str]:
    """Return status and body of an answer to a question."""
    question = {"model": "local", "max_tokens": 9, "messages": [{"role": "user", "content": text}]}
    request = urllib.request.Request(
        gateway.origin + path,
        json.dumps(question).encode(),
        {"content-type": "application/json", "authorization": "Bearer k", **headers},
    )
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(request, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@pytest.fixture(scope="module")
def gateway(
    models: ScriptedUpstream, proxy: OutgoingProxy, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    """A gateway whose two upstreams are behind that proxy, one of them with TLS."""
    folder = tmp_path_factory.mktemp("proxied")
    flags = ["--anthropic-upstream", "http://models.test", "--ca-file", str(CERTIFICATE)]
    given = environment(http_proxy=with_key(proxy), https_proxy=with_key(proxy))
    with Running(
        "https://models.test/v1", folder / "data", *flags, "--log-level", "debug", environment=given
    ) as made:
        yield made


def test_environment_names_the_way_out(
    models: ScriptedUpstream, proxy: OutgoingProxy, gateway: Running
) -> None:
    """Plain upstreams are asked through the proxy, others through a tunnel; models are listed there, too."""
    assert asked(gateway, text="so long " * 700)[0] == 200
    assert asked(gateway, "/v1/messages", **{"anthropic-version": "2023-06-01"})[0] == 200

    assert "POST http://models.test/v1/messages HTTP/1.1" in proxy.asked
    assert set(proxy.asked) > {"CONNECT models.test:443 HTTP/1.1"}
    models.wait(lambda: any("/models" in request.target for request in models.requests))


def test_key_of_the_proxy_stays_with_it(
    models: ScriptedUpstream, proxy: OutgoingProxy, gateway: Running
) -> None:
    """Neither the log, at its most talkative, nor an upstream gets to see it; the log names the proxy."""
    asked(gateway)

    assert (
        f"{proxy.url} is the proxy on the way to https://models.test/v1, http://models.test." in gateway.log
    )
    assert "pw" not in gateway.log
    assert proxy.key not in gateway.log
    assert not any(b"proxy-auth" in request.head.lower() for request in models.requests)


# Which proxy it is, and what the client is told then.
REFUSALS = {
    "407": (
        "http://models.test",
        "http://me:wrong@{}",
        "wants credentials, or others (407). Write them into its URL",
    ),
    "tunnel 407": (
        "https://models.test",
        "http://{}",
        "wants credentials, or others (407). Write them into its URL",
    ),
    "tunnel 403": (
        "https://elsewhere.test",
        "http://me:pw%4055@{}",
        "must allow CONNECT to this host and port",
    ),
    "nobody": (
        "https://models.test",
        "http://127.0.0.1:1",
        "nothing answers where the outgoing proxy should be",
    ),
    "no host": ("https://models.test", "http://squid.invalid", "nothing answers where the outgoing proxy"),
    "socks": ("https://models.test", "socks5://{}", "is no URL like http://proxy:3128"),
}


@pytest.mark.parametrize(("upstream", "url", "told"), REFUSALS.values(), ids=REFUSALS)
def test_proxy_that_refuses_is_told_with_the_way_out(
    proxy: OutgoingProxy, upstream: str, url: str, told: str
) -> None:
    """A client gets a 502 that says what the proxy did and where it is named, and nothing of its key."""
    outgoing = Outgoing(None, {"all": url.format(proxy.address)})
    settings = ConnectionSettings(proxy=outgoing.proxy, ca_file=str(CERTIFICATE))

    async def refused() -> GatewayError:
        transport = Transport(settings)
        try:
            with pytest.raises(GatewayError) as caught:
                await Upstream("openai", upstream, transport).send("POST", b"/v1/x", [], b"{}")
            return caught.value
        finally:
            await transport.aclose()

    error = asyncio.run(refused())
    assert error.status == 502
    assert told in error.message
    assert "HAVERSACK_PROXY" in error.message
    assert "pw" not in error.message
    assert "wrong" not in error.message


def test_what_no_proxy_names_is_asked_directly(
    models: ScriptedUpstream, proxy: OutgoingProxy, tmp_path: Path
) -> None:
    """This machine is, too, whatever proxy is set: its name would mean the proxy's own machine there."""
    before = len(proxy.asked)
    with Running(
        models.url, tmp_path / "data", "--proxy", with_key(proxy), environment=environment()
    ) as here:
        assert asked(here)[0] == 200
    assert len(proxy.asked) == before


def test_check_tells_of_the_ways_to_upstreams(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which proxy leads there, without its password, also beside an upstream that is this gateway itself."""
    monkeypatch.setenv("HAVERSACK_PROXY", "http://me:pw-456@squid:3128")
    monkeypatch.setenv("HAVERSACK_PORT", "9000")
    monkeypatch.setenv("NO_PROXY", "anthropic.com")
    (tmp_path / "mine.yaml").write_text("summarizer: {upstream: http://localhost:9000/v1}\n")

    assert main(["check", str(tmp_path)]) == 2

    said = "".join(capsys.readouterr())
    assert "http://squid:3128 is the proxy on the way to https://api.openai.com/v1.\n" in said
    assert "mine.yaml: summarizer.upstream: http://localhost:9000/v1 is this gateway" in said
    assert "pw-456" not in said
