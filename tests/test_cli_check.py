"""`haversack check`: what it says of a folder of policies, and how it ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from gateway.cli import main
from gateway.policy.live import shipped_folder
from gateway.policy.tenants import key_hash

TENANT = "keys: [%s]\n" % key_hash("hvs_x")  # noqa: UP031 (braces are YAML's)


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment without settings, and a home of its own."""
    for name in list(os.environ):
        if name.startswith("HAVERSACK_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))


def folder(path: Path, **files: str) -> Path:
    """Return a folder with these policy files."""
    path.mkdir()
    for name, text in files.items():
        (path / f"{name}.yaml").write_text(text)
    return path


def test_check_refuses_a_tenant_called_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its requests could not be told from those of a gateway without tenants, so the file is named."""
    policies = folder(tmp_path / "p")
    folder(policies / "tenants", open=TENANT)

    assert main(["check", str(policies)]) == 2
    assert "open.yaml: log and metrics call requests `open`" in capsys.readouterr().err


def test_check_of_good_policies_ends_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`haversack check` says how much it found, and ends with 0."""
    policies = folder(tmp_path / "p", mine="extends: default\ntrigger: {ratio: 0.7}\n")
    folder(policies / "tenants", acme=TENANT)

    assert main(["check", str(policies)]) == 0
    assert " policies and 1 tenant: all right." in capsys.readouterr().out


def test_check_without_a_folder_reads_what_is_shipped(capsys: pytest.CaptureFixture[str]) -> None:
    """The policies that come with the gateway are right."""
    assert main(["check"]) == 0
    assert "0 tenants: all right." in capsys.readouterr().out


def test_check_tells_of_a_policy_that_does_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A policy without steps is valid, and seldom what was meant."""
    policies = folder(tmp_path / "p", mine="mode: compact\n", other="extends: default\n", none="mode: off\n")

    assert main(["check", str(policies)]) == 0
    said = capsys.readouterr().out
    assert "Note: mine has no steps" in said
    assert said.count("Note:") == 1


def test_check_tells_for_which_models_settings_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who wonders what applies to a model sees the globs, in the order in which they are looked at."""
    text = "extends: default\nmodels: {gpt-*: {window: 5000}, '*-mini': {window: 4000}}\n"
    assert main(["check", str(folder(tmp_path / "p", mine=text))]) == 0
    said = capsys.readouterr().out
    assert "Note: mine has other settings for gpt-*, *-mini; the first that fits a model counts." in said


def test_check_refuses_a_key_in_the_place_of_its_variable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is not printed; a variable that is not set here is only noted: it may be where the gateway runs."""
    key = "sk-proj-0123456789abcdefghij0123"
    policies = folder(tmp_path / "p", mine=f"extends: default\nsummarizer: {{key_variable: {key}}}\n")
    assert main(["check", str(policies)]) == 2
    out, err = capsys.readouterr()
    assert "mine.yaml:2: summarizer.key_variable: must be the name of an environment variable" in err
    assert key not in out + err

    named = "steps: [{use: summarize}]\nsummarizer: {key_variable: NOT_SET_ANYWHERE}\n"
    assert main(["check", str(folder(tmp_path / "q", mine=named))]) == 0
    assert "Note: NOT_SET_ANYWHERE is not set" in capsys.readouterr().out


def test_check_names_every_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All that is wrong with all files stands on a line each, on standard error; it ends with 2."""
    one, two = "extends: default\ntrigger: {ratio: 7}\n", "extends: default\nmodus: off\nwindow: 0\n"
    policies = folder(tmp_path / "p", one=one, two=two)

    assert main(["check", str(policies)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert len(lines) == 3
    assert "one.yaml" in lines[0]
    assert all("two.yaml" in line for line in lines[1:])


def test_check_notes_what_is_hardly_meant_beside_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who has mistakes to mend reads of the rest at once; errors come first, on standard error."""
    mine = "extends: default\nmodus: off\nwindows: {a: 128}\nsummarizer: {model: none}\n"
    policies = folder(tmp_path / "p", mine=mine, other="mode: compact\nmodels: {a: {steps: [{use: nix}]}}\n")
    (policies / "a.yaml.txt").write_text("mode: off\n")

    assert main(["check", str(policies)]) == 2
    out, err = capsys.readouterr()
    assert [line.partition(": ")[0] for line in err.splitlines()] == [
        f"{policies}/mine.yaml:2",
        f"{policies}/other.yaml:2",
    ]
    assert [line[:41] for line in out.splitlines()] == [
        f"Note: {policies}/a.yaml.txt: is not read"[:41],
        "Note: mine names 128 tokens at windows.a;",
        "Note: mine asks a model called 'none' for",
        "Note: other has no steps, so nothing is d",
    ]


def test_check_says_nothing_of_what_is_wrong_anyway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A note on what cannot be read would be a guess, and one on a key in a name's place would show it."""
    monkeypatch.setenv("HAVERSACK_PORT", "8080")
    key = "sk-proj-0123456789abcdefghij0123"
    text = (
        f"steps: x\nmodels: [a]\nwindows: 5\nsummarizer: {{key_variable: {key}, upstream: 'http://[::1'}}\n"
    )
    policies = folder(tmp_path / "p", mine=text)
    folder(policies / "tenants", acme=f"{TENANT}upstream: http://localhost:8080x\n")

    assert main(["check", str(policies)]) == 2
    out, err = capsys.readouterr()
    assert (out, key in err) == ("", False)
    assert len(err.splitlines()) == 6


def test_check_finds_all_that_can_be_known_without_the_policy_that_is_extended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three mistakes are three lines at once; what depends on the other policy is left out, which is said."""
    text = "extends: defualt\nmodus: off\nwindow: 0\ntrigger: {ratio: 0.3}\n"
    other = TENANT.replace(key_hash("hvs_x"), key_hash("hvs_y"))
    policies = folder(tmp_path / "p", mine=text, next="extends: mine\nkep: {}\n")
    folder(policies / "tenants", acme=TENANT + text, beta=f"{other}extends: mine\nwindow: -1\n")

    assert main(["check", str(policies)]) == 2
    out, err = capsys.readouterr()
    assert [line.removeprefix(f"{policies}/").partition(" ")[0] for line in err.splitlines()] == [
        "mine.yaml:1:",
        "mine.yaml:2:",
        "mine.yaml:3:",
        "next.yaml:2:",
        "tenants/acme.yaml:2:",
        "tenants/acme.yaml:3:",
        "tenants/acme.yaml:4:",
        "tenants/beta.yaml:3:",
    ]
    rest = "was looked at without what it builds upon; more may be found once that is mended."
    assert out.splitlines() == [f"Note: {n} {rest}" for n in ("mine", "next", "tenants/acme", "tenants/beta")]


@pytest.mark.parametrize(("text", "code"), [("mode: off\n", 0), ("modus: off\n", 2)])
@pytest.mark.parametrize("name", ["stdout", "stderr"])
def test_reader_that_has_read_enough_is_no_error(
    text: str, code: int, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`haversack check DIR | head -1` ends as it would without `head`, and without a traceback."""
    end, start = os.pipe()
    os.close(end)
    with open(start, "w") as pipe:
        monkeypatch.setattr(sys, name, pipe)
        assert main(["check", str(folder(tmp_path / "p", mine=text))]) == code


def test_mistake_of_the_default_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever stands on a broken default is not blamed for what it takes over."""
    lines = ["target: {ratio: 0.9}", "summarizer: {retries: 99}", "models: {a: {steps: [{use: nix}]}}"]
    said = "trigger: {ratio: 0.7}\nsummarizer: {model: small}\n"
    mine = f"extends: default\n{said}models: {{a: {{margin: 2}}}}\n"
    policies = folder(tmp_path / "p", default="\n".join(lines), mine=mine)
    folder(policies / "tenants", acme=f"{TENANT}{said}")

    assert main(["check", str(policies)]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == len(lines)
    assert all(line.startswith(f"{policies / 'default.yaml'}:") for line in told)


def test_default_that_cannot_be_read_is_told_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What extends it is looked at as if the shipped one were there."""
    mine = "extends: default\nprepare: {ratio: 0.7}\nsteps: []\n"
    assert main(["check", str(folder(tmp_path / "p", default="trigger: [", mine=mine))]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert "default.yaml:1: is not YAML" in told


def test_check_of_no_folder_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that is not there is not one without problems."""
    assert main(["check", str(tmp_path / "none")]) == 2
    assert str(tmp_path / "none") in capsys.readouterr().err


def test_folder_may_be_named_as_for_serve(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--policies DIR` is taken as `DIR` is, not both."""
    policies = str(folder(tmp_path / "p", mine="modus: off\n"))
    assert main(["check", "--policies", policies]) == 2
    assert "mine.yaml:1: modus" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["check", policies, "--policies", policies])


def test_check_refuses_a_variable_that_there_is_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Seen: with HAVERSACK_POLICYS the shipped policies were checked, and all was right."""
    monkeypatch.setenv("HAVERSACK_POLICYS", "p")
    assert main(["check"]) == 2
    told = "HAVERSACK_POLICYS: there is no such setting; did you mean HAVERSACK_POLICY?\n"
    assert capsys.readouterr().err == told
    assert main(["compact", "request.json"]) == 2
    assert capsys.readouterr().err == told


def test_check_names_the_variable_of_an_unknown_policy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who set a variable and no flag reads the name of the variable."""
    monkeypatch.setenv("HAVERSACK_POLICY", "defualt")
    assert main(["check"]) == 2
    told = "--policy or HAVERSACK_POLICY: no policy is called 'defualt'; did you mean default?\n"
    assert capsys.readouterr().err == told


def test_check_looks_at_prices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Prices that would keep the gateway from starting are told, beside what is wrong with policies."""
    prices = tmp_path / "prices.yaml"
    prices.write_text("our-*: {input: 1}\n")
    monkeypatch.setenv("HAVERSACK_PRICES", str(prices))
    assert main(["check", str(folder(tmp_path / "p", mine="modus: off\n"))]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert "mine.yaml:1: modus" in first
    assert second.startswith(f"{prices}:1: our-*: has no `output`")
    assert main(["check"]) == 2
    prices.write_text("our-*: {input: 1, output: 2}\n")
    assert main(["check"]) == 0


def test_show_prints_a_policy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who wants to change one step of a shipped policy gets its file; one's own goes before it."""
    assert main(["show", "default"]) == 0
    shipped = capsys.readouterr().out
    assert shipped == (shipped_folder() / "default.yaml").read_text()
    policies = str(folder(tmp_path / "p", default="mode: off\n", mine=shipped))
    assert main(["check", policies]) == main(["show", "mine", "--policies", policies]) == 0
    assert capsys.readouterr().out.endswith(shipped)
    assert main(["show", "default", "--policies", policies]) == 0
    assert capsys.readouterr().out == "mode: off\n"


def test_show_of_no_policy_names_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    """A slip in the name ends with 2 and the names to choose from; so does a missing folder."""
    assert main(["show", "defualt"]) == 2
    assert "defualt: no policy is called so; there are autocontext, " in capsys.readouterr().err
    assert main(["show", "default", "--policies", "/nonexistent"]) == 2
    assert "/nonexistent: cannot be read" in capsys.readouterr().err
