"""`haversack compact`: what a policy makes of a request in a file, and what is wrong with one."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from gateway.cli import main
from gateway.policy.tenants import key_hash


def test_compact_prints_the_request_and_a_report(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """`haversack compact` shows what a policy makes of a request in a file: what goes out, and why."""
    talk = [
        {"role": role, "content": f"{n} " + "word " * 90} for n in range(20) for role in ("user", "assistant")
    ]
    request = {"model": "m", "messages": [*talk, {"role": "user", "content": "And now?"}], "seed": 7}
    file = tmp_path / "request.json"
    file.write_text(json.dumps(request))

    assert main(["compact", str(file), "--policy", "mechanical", "--target-tokens", "1000"]) == 0

    out, err = capfdbinary.readouterr()
    made = json.loads(out)
    assert err == b"no window is known for m: " + err.partition(b": ")[2]
    assert made["report"]["tokens_after"] <= 1000 < made["report"]["tokens_before"]
    assert made["request"]["messages"][-1] == {"role": "user", "content": "And now?"}
    assert made["request"]["seed"] == 7


@pytest.mark.parametrize(("key", "system"), [("input", "instructions"), ("messages", "system")])
def test_compact_takes_a_request_of_another_format(
    key: str, system: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Which format it is, its members tell: nobody has to say."""
    file = tmp_path / "request.json"
    talk = [
        {"role": role, "content": f"{n} " + "word " * 90} for n in range(20) for role in ("user", "assistant")
    ]
    items = [*talk, {"role": "user", "content": "And now?"}]
    file.write_text(json.dumps({"model": "m", system: "Be kind.", key: items}))

    assert main(["compact", str(file), "--policy", "mechanical", "--target-tokens", "1000"]) == 0

    made = json.loads(capfdbinary.readouterr().out)
    assert made["report"]["tokens_after"] <= 1000 < made["report"]["tokens_before"]
    assert made["request"][key][-1] == items[-1]
    assert made["request"][system] == "Be kind."


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({"previous_response_id": "resp_1"}, "the upstream keeps its history"),
        ({"instructions": "Be kind."}, "it asks for a summary"),
    ],
)
def test_compact_leaves_alone_what_no_policy_changes(
    members: dict[str, str], told: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A list that is not the whole, or that is to be summarised, is shown as it would go out, and why."""
    file = tmp_path / "request.json"
    talk = [{"role": role, "content": "word " * 9000} for _ in range(9) for role in ("user", "assistant")]
    asked = {"role": "user", "content": "Summarize the conversation so far."}
    request = {"model": "gpt-4o", "input": [*talk, asked], **members}
    file.write_text(json.dumps(request))

    assert main(["compact", str(file)]) == 0

    out, err = capfdbinary.readouterr()
    assert told in err.decode()
    made = json.loads(out)
    assert made["request"] == request
    assert told in made["report"]["hint"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"messages": "x"}', "Chat Completions request: `messages` must be a list, not a string"),
        ('{"input": 7}', "Responses request: `input` must be a list, not a number"),
        ("[]", "request of any of the three formats: it must be an object, not a list"),
        ('{"a": 1}', "request of any of the three formats: there is neither `messages` nor `input`"),
    ],
)
def test_compact_says_what_is_wrong_with_a_request(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line names the member and what it should be."""
    file = tmp_path / "request.json"
    file.write_text(text)

    assert main(["compact", str(file)]) == 2

    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere.json"], "nowhere.json: cannot be read: No such file"),
        (["{file}"], "is not a request of any of the three formats: it is not JSON"),
        (["{file}", "--policy", "none"], "there are autocontext, "),
    ],
)
def test_compact_says_what_is_wrong(
    arguments: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No such file, no request in it, no such policy: one line says so, and it ends with 2."""
    file = tmp_path / "request.json"
    file.write_text("no JSON")
    assert main(["compact", *(argument.format(file=file) for argument in arguments)]) == 2
    assert told in capsys.readouterr().err


def test_compact_and_check_take_the_policies_of_the_gateway(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What `haversack serve` would take from its environment is taken here, too; a flag wins."""
    folder, file = tmp_path / "p", tmp_path / "request.json"
    folder.mkdir()
    (folder / "mine.yaml").write_text("mode: off\n")
    file.write_text(json.dumps({"model": "m", "messages": [{"role": "user", "content": "Hi"}]}))
    monkeypatch.setenv("HAVERSACK_POLICIES", str(folder))
    monkeypatch.setenv("HAVERSACK_POLICY", "mine")

    assert main(["compact", str(file)]) == 0
    assert b"policy mine says `mode: off`" in capfdbinary.readouterr().err
    assert main(["compact", str(file), "--policy", "off"]) == 0
    assert b"policy off says" in capfdbinary.readouterr().err
    assert main(["check"]) == 0
    monkeypatch.setenv("HAVERSACK_POLICY", "none")
    assert main(["check"]) == main(["compact", str(file)]) == 2
    assert capfdbinary.readouterr().err.count(b"--policy") == 2
    (folder / "mine.yaml").write_text("modus: off\n")
    assert main(["check"]) == main(["compact", str(file)]) == 2
    assert capfdbinary.readouterr().err.count(b"mine.yaml:1") == 2
    assert main(["compact", str(file), "--policies", str(tmp_path), "--policy", "off"]) == 0


def test_compact_takes_the_policy_of_a_tenant(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The name that headers and log give to it is understood, and told where there is none like it."""
    file, tenants = tmp_path / "request.json", tmp_path / "p" / "tenants"
    file.write_text(json.dumps({"model": "m", "messages": [{"role": "user", "content": "Hi"}]}))
    tenants.mkdir(parents=True)
    (tenants / "acme.yaml").write_text(f"keys: [{key_hash('k')}]\nmode: 'off'\n")
    command = ["compact", str(file), "--policies", str(tmp_path / "p"), "--policy"]

    assert main([*command, "tenants/acme"]) == 0
    assert b"policy tenants/acme says `mode: off`" in capfdbinary.readouterr().err
    assert main([*command, "tenants/beta"]) == 2
    told = capfdbinary.readouterr().err.decode()
    assert "no policy is called 'tenants/beta'; there are autocontext, " in told
    assert told.rstrip().endswith("tenants/acme")


@pytest.mark.parametrize("is_terminal", [True, False])
def test_compact_takes_halves_of_characters(
    is_terminal: bool,
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Seen: a model or tool whose name a client had cut in the middle of an emoji ended in a traceback."""
    file = tmp_path / "request.json"
    call = {"id": "c", "type": "function", "function": {"name": "\ud83d", "arguments": "{}"}}
    result = {"role": "tool", "tool_call_id": "c", "content": "row \ud83d\n" * 4000}
    talk = [{"role": "user", "content": "Go."}, {"role": "assistant", "tool_calls": [call]}, result]
    file.write_text(json.dumps({"model": "\ud83d", "messages": [*talk, {"role": "user", "content": "On."}]}))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)

    assert main(["compact", str(file), "--target-tokens", "800"]) == 0

    report = json.loads(capfdbinary.readouterr().out)["report"]
    assert "no window is known for \ud83d" in report["hint"]
    assert report["removed"]


@pytest.mark.parametrize("is_terminal", [True, False])
def test_compact_is_laid_out_for_who_reads_it(
    is_terminal: bool,
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a terminal it is laid out in lines; a program gets one, with the request byte for byte."""
    file = tmp_path / "request.json"
    request = b'{"model":"m",  "seed":1.50,"messages":[{"role":"user","content":"Hi"}]}'
    file.write_bytes(request)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)

    assert main(["compact", str(file)]) == 0

    out = capfdbinary.readouterr().out
    assert (request in out, out.count(b"\n") == 1) == (not is_terminal, not is_terminal)
    assert (b'    "seed": 1.50,\n' in out) is is_terminal
    assert json.loads(out)["request"] == json.loads(request)
