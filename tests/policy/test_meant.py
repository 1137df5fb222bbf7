"""What the author of a file probably meant is said with what is wrong."""

import pytest

from gateway.policy import meant


@pytest.mark.parametrize(
    ("kind", "value", "hint"),
    [
        (float, "70%", "; write 0.7"),
        (float, "12.5 %", "; write 0.125"),
        (float, "0.5", "; write 0.5"),
        (int, "8k", "; write 8000"),
        (int, "1.5 M", "; write 1500000"),
        (int, "128,000", "; write 128000"),
        (int, "30 days", "; write 30"),
        (int, 8192.0, "; write 8192"),
        (int, "70%", ""),
        (int, "1.5", ""),
        (int, "1e9k", ""),
        (int, "many", ""),
        (int, "auto", "; to have the default, leave the key out"),
        (float, "$2.5", "; write 2.5"),
        (int, None, ""),
        (str, "5", ""),
        (bool, "5", ""),
    ],
)
def test_number_in_other_words_is_told_as_it_is_written_here(kind: type, value: object, hint: str) -> None:
    """Only where one number can be meant."""
    assert meant.number(kind, value) == hint


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (0.7, "; write {ratio: 0.7}"),
        ("80%", "; write {ratio: 0.8}"),
        (9000, "; write {tokens: 9000}"),
        ("9k", "; write {tokens: 9000}"),
        (1.5, ""),
        (-1, ""),
        (True, ""),
        ("much", ""),
        ([], ""),
        (None, "; write them below it, or leave the key out"),
        ([{"ratio": 0.7}], "; write them without dashes"),
    ],
)
def test_size_without_its_key_is_told_with_it(value: object, hint: str) -> None:
    """A share is a ratio, a whole number tokens."""
    assert meant.section(("ratio", "tokens"), value) == hint


def test_section_of_other_keys_gets_no_hint() -> None:
    """A number says nothing of them."""
    assert meant.section(("first_user",), 0.7) == ""


@pytest.mark.parametrize(
    ("path", "value", "hint"),
    [
        ("summarizer", "off", "; to ask no model: `extends: mechanical`"),
        ("summarizer", False, "; to ask no model: `extends: mechanical`"),
        ("summarizer.mode", "None", "; to ask no model: `extends: mechanical`"),
        ("summarizer.mode", "inlin", ""),
        ("mode", "none", ""),
    ],
)
def test_no_summaries_are_had_by_another_policy(path: str, value: object, hint: str) -> None:
    """There is no switch for it, so whoever looks for one is told."""
    assert meant.nothing(path, value) == hint


@pytest.mark.parametrize("name", ["api_key", "key", "base_url", "url"])
def test_key_of_another_name_is_told_with_its_own(name: str) -> None:
    """As other programs call it."""
    expected = "key_variable" if "key" in name else "upstream"
    assert f"did you mean {expected}" in meant.key(f"summarizer.{name}")
    assert meant.key(name) == ""


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("small", "; write [small]"),
        ("gpt-*", '; write ["gpt-*"]'),
        (5, "; write [5]"),
        ("x" * 200, "; put it in brackets"),
        ({"a": 1}, "; write each entry behind a dash of its own"),
        (None, "; write [] for none, or leave the key out"),
        ("", "; write [] for none, or leave the key out"),
        ({}, "; write [] for none, or leave the key out"),
        (True, ""),
        (0.5, ""),
    ],
)
def test_entry_without_its_list_is_told_with_it(value: object, hint: str) -> None:
    """In the brackets, and where it must be in the quotes, that YAML wants."""
    assert meant.as_list(value) == hint


@pytest.mark.parametrize(
    ("value", "path", "hint"),
    [
        (None, "window", "; write one, or leave the key out"),
        (None, "sections[1]", "; write one, or take the entry out"),
        ([], "window", "; write one, or leave the key out"),
        ([None], "window", "; write one, or leave the key out"),
        ([5], "window", "; write 5"),
        ([5, 6], "window", "; write one of them"),
        ([{"a": 1}], "window", "; write one of them"),
        ({"a": 1}, "window", ""),
    ],
)
def test_list_in_the_place_of_one_is_told_what_to_write(value: object, path: str, hint: str) -> None:
    """What is alone in a list is meant; of several, one has to be chosen."""
    assert meant.instead(value, path) == hint
