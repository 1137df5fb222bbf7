"""How upstreams are reached, as the settings say."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from gateway.core.errors import ConfigError
from gateway.policy.live import read_all
from gateway.settings import Settings
from gateway.web.ways import connection_settings, proxies


def test_certificates_that_cannot_be_used_are_a_problem(tmp_path: Path) -> None:
    """They are read at the start, not at the first request."""
    with pytest.raises(ConfigError, match=r"--ca-file: .* cannot be read"):
        connection_settings(Settings(ca_file=tmp_path / "none.pem"))


def test_proxies_are_told_for_the_upstreams_of_all_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of tenants and of summaries count, and one that cannot be used is told as a warning."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("http_proxy", "socks5://squid")
    monkeypatch.setenv("https_proxy", "http://me:pw@squid:3128")
    (tmp_path / "mine.yaml").write_text("summarizer: {upstream: https://summaries.example/v1}\n")
    (tmp_path / "tenants").mkdir()
    keys = f"keys: [sha256-{'ab' * 32}]"
    (tmp_path / "tenants" / "acme.yaml").write_text(f"{keys}\nupstream: http://acme.example/v1\n")

    settings = Settings(upstream="http://localhost:8000/v1", anthropic_upstream="https://claude.example")
    told = dict(proxies(settings, read_all(tmp_path, "default")))

    assert told[logging.INFO] == (
        "http://squid:3128 is the proxy on the way to https://claude.example, https://summaries.example/v1."
    )
    assert told[logging.WARNING].startswith("HTTP_PROXY must be a URL like http://proxy:3128, so http://acme")
