"""Secrets are found by their form, counted by their kind, and nothing else is touched."""

from __future__ import annotations

import pytest

from gateway.core.summary.secrets import Kind, find, redact

BODY = "0123456789abcdefABCDEF0123456789abcdef01"
# Put together here, so that no scanner takes the test for a leak.
BLOCK = "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEow" + "IBAAKCAQEA\n-----END RSA " + "PRIVATE KEY-----"

SECRETS = [
    ("sk-" + BODY, Kind.API_KEY),
    ("sk-ant-" + "api03-" + BODY, Kind.API_KEY),
    ("sk_live" + "_" + BODY[:24], Kind.API_KEY),
    ("AKIA" + "IOSFODNN7EXAMPLE", Kind.API_KEY),
    ("AIza" + BODY[:35], Kind.API_KEY),
    ("ghp" + "_" + BODY[:36], Kind.API_KEY),
    ("github_pat" + "_" + BODY[:30], Kind.API_KEY),
    ("glpat" + "-" + BODY[:20], Kind.API_KEY),
    ("hf" + "_" + BODY[:34], Kind.API_KEY),
    ("xoxb" + "-123456789012-" + BODY[:20], Kind.TOKEN),
    ("eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0." + BODY, Kind.TOKEN),
    (BLOCK, Kind.PRIVATE_KEY),
]


@pytest.mark.parametrize(("secret", "kind"), SECRETS)
def test_secret_is_known_by_its_form(secret: str, kind: Kind) -> None:
    """A key of a known vendor, a token or a key block is found whatever stands around it."""
    for text in (secret, f"use {secret} for it", f"用{secret}，谢谢", f'{{"k": "{secret}"}}'):
        assert [(found.text, found.kind) for found in find(text)] == [(secret, kind)]


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Authorization: Bearer " + BODY, BODY),
        ("postgres://shop:s3cr3t@db:5432/shop", "s3cr3t"),
        ("export DB_PASSWORD=hunter2", "hunter2"),
        ("mysql --password=correcthorse", "correcthorse"),
        ('"password": "S3cure!pw"', "S3cure!pw"),
        ("The admin password is Tr0ub4dor&3x.", "Tr0ub4dor&3x"),
        ("密码是Abc12345，别外传", "Abc12345"),
        ("口令：987654", "987654"),
        ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPx" + "RfiCYEXAMPLEKEY", None),
        ("API_KEY=" + BODY[:20], BODY[:20]),
    ],
)
def test_secret_is_known_by_what_stands_before_it(text: str, secret: str | None) -> None:
    """What has no form of its own is found behind its name, in a URL, a setting or a sentence."""
    (found,) = find(text)

    assert found.text == (secret or text.split()[-1])


@pytest.mark.parametrize(
    "text",
    [
        "Fix the bearer token authentication in src/auth/bearer.py",
        "max_tokens: 4096, token: 12",
        "The password is case-sensitive and must be 8-64 characters.",
        "password: the one we agreed on",
        "password=${DB_PASSWORD} api_key=os.environ['KEY']",
        "password=<your password>",
        "postgres://db:5432/shop and https://example.org/a@b",
        "sk-learn is fine, so is risk-assessment-of-the-whole-project",
        "密码长度为12到64位",
        "secret santa, key 3, keyboard: qwerty-2000-long-name",
        "commit 9f3ab21c0d, sha256-ca978112ca1bbdcafac231b3",
        "the 'hf_' prefix",
        "username, password = url_user_password",
        "password = base64.b16encode(random_bytes[8:])",
        "Authorization: Bearer AbstractTokenProvider",
        "postgres://shop:<password>@db:5432/shop or https://user:${TOKEN}@host/",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    """Words about secrets, placeholders, lengths and hashes are none."""
    assert find(text) == ()
    assert redact(text).text == text


def test_redacting_keeps_everything_else() -> None:
    """Only the secret makes way, for a mark that names its kind; what it was of stays."""
    text = f"DB_PASSWORD=hunter2 with sk-{BODY} and again sk-{BODY}"

    redacted = redact(text)

    assert redacted.text == (
        "DB_PASSWORD=[redacted: password] with [redacted: api_key] and again [redacted: api_key]"
    )
    assert redacted.counts == {Kind.PASSWORD: 1, Kind.API_KEY: 2}


def test_redacting_twice_changes_nothing() -> None:
    """A mark is no secret."""
    once = redact("password=hunter2 token: " + BODY)

    assert redact(once.text).text == once.text
    assert redact(once.text).counts == {}


def test_secret_that_is_known_in_two_ways_is_one() -> None:
    """A vendor's key behind the name of a setting is taken out once."""
    assert redact(f"OPENAI_API_KEY=sk-{BODY}").text == "OPENAI_API_KEY=[redacted: api_key]"


def test_key_block_that_is_cut_off_goes_as_far_as_it_reaches() -> None:
    """A private key whose end was lost is still taken out, and what follows it stays."""
    redacted = redact(BLOCK.partition("-----END")[0] + "[… 900 characters left out …]")

    assert redacted.text == "[redacted: private_key][… 900 characters left out …]"


HOSTILE = ["a", "sk-", " sk-", "password=", "eyJ", "-eyJ", "eyJa.", "=eyJa.eyJa", "://", "-----BEGIN "]
HOSTILE += ["token: ", "x:y@", "bearer ", "密码"]


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_megabyte_is_read_in_one_pass(unit: str) -> None:
    """Whatever is repeated in one line of a megabyte, the search ends (a test run would stand still)."""
    text = unit * (1_000_000 // len(unit))

    assert redact(text).text
