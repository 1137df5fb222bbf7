"""How a message is cut into pieces."""

from __future__ import annotations

import pytest

from gateway.core.ledger.entry import Kind
from gateway.core.ledger.segments import MAX_TEXT, segments, sentences


def pieces(text: str) -> list[str]:
    """Return the texts of the pieces."""
    return [segment.text for segment in segments(text)]


def test_dots_inside_of_names_end_nothing() -> None:
    """A file name, a version and an abbreviation are not the ends of sentences."""
    assert list(sentences("Use server.ts v3.1, e.g. on prod. Then stop!")) == [
        "Use server.ts v3.1, e.g. on prod.",
        "Then stop!",
    ]


def test_chinese_sentences_need_no_space() -> None:
    """A full stop of Chinese ends a sentence wherever it stands."""
    assert pieces("不要提交。好的！真的吗？") == ["不要提交。", "好的！", "真的吗？"]


def test_wrapped_lines_are_one_sentence() -> None:
    """An editor's line breaks do not tear a sentence apart."""
    first = "Please keep in mind that we never restart the primary database"

    assert pieces(f"{first}\nwhile the nightly jobs run.") == [f"{first} while the nightly jobs run."]


def test_wrapped_item_is_one_piece() -> None:
    """The same holds in a list."""
    first = "- never restart the primary database of the shop by hand"

    assert pieces(f"{first}\n  while the nightly jobs run") == [f"{first[2:]} while the nightly jobs run"]


@pytest.mark.parametrize("bullet", ["- ", "* ", "1. ", "2) ", "• ", "一、", "（二）", "①"])
def test_bullets_are_not_part_of_the_item(bullet: str) -> None:
    """Items come without their bullet."""
    assert pieces(f"{bullet}never push") == ["never push"]


def test_piece_knows_what_it_stands_under() -> None:
    """A lead-in goes with every item below it, a heading with its kind."""
    below = list(segments("Never:\n- push\n- pull\n\nThanks"))

    assert [(s.text, s.intro, s.kind) for s in below] == [
        ("Never:", "", None),
        ("push", "Never:", Kind.PROHIBITION),
        ("pull", "Never:", Kind.PROHIBITION),
        ("Thanks", "", None),
    ]


def test_documents_and_quotations_are_left_out() -> None:
    """What stands in a tag for documents, or behind a mark of quotation, is not the speaker's."""
    assert pieces("<log>\nmust not be null\n</log>\n> never do that\nHelp") == ["Help"]


def test_rest_of_a_line_behind_a_document_counts() -> None:
    """The speaker may go on directly behind the tag."""
    assert pieces("<log>\nx\n</log> Never retry.\n") == ["Never retry."]


@pytest.mark.parametrize("label", ["log", "text", "output", "diff"])
def test_fenced_output_is_left_out(label: str) -> None:
    """What a fence calls output was not written by the speaker."""
    assert pieces(f"```{label}\nmust not be null\n```\nHelp") == ["Help"]


def test_fence_under_a_heading_of_rules_counts() -> None:
    """Rules stay rules in a fence, if the speaker calls them so."""
    assert pieces("My rules:\n```\nuse tabs\n```") == ["My rules:", "use tabs"]


def test_fenced_material_is_left_out() -> None:
    """A fence behind a lead-in that presents a text is that text, whatever its label."""
    assert pieces("Translate this:\n```python\n# never stop\n```\nThanks") == ["Translate this:", "Thanks"]


def test_only_comments_of_code_count() -> None:
    """Code is read for its comments, and settings for their values."""
    assert pieces("```js\nfoo('never'); // keep this first\nbar()\n```") == [
        "foo('never'); // keep this first"
    ]
    assert pieces("```yaml\nport: 80\n```") == ["port: 80"]


def test_example_list_is_left_out_up_to_the_next_paragraph_of_the_speaker() -> None:
    """Examples are not rules."""
    assert pieces("For example:\n- never push\n\nOn another note, hi") == ["For example:"]
    assert pieces("For example:\n- never push\n\nBesides, be brief") == ["For example:", "Besides, be brief"]


def test_of_a_very_long_text_beginning_and_end_are_read() -> None:
    """A pasted book costs no more than a long letter, and the words around it count."""
    found = pieces("First. " + "x" * (3 * MAX_TEXT) + " Last.")

    assert found[0] == "First."
    assert found[-1].endswith("Last.")
    assert sum(map(len, found)) <= MAX_TEXT + 10


def test_stop_of_an_abbreviation_ends_no_sentence() -> None:
    """Neither a known abbreviation nor a letter on its own ends a sentence; a number does."""
    assert list(sentences("Ask Dr. Ono, e.g. on Monday. Go")) == ["Ask Dr. Ono, e.g. on Monday.", "Go"]
    assert list(sentences("A. First. Take 12. Then rest")) == ["A. First.", "Take 12.", "Then rest"]
    assert list(sentences("It took 58 ms. Ask Ms. Ono.")) == ["It took 58 ms.", "Ask Ms. Ono."]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("make it port 8443 Where do I find the log?", ["make it port 8443", "Where do I find the log?"]),
        ("their page says The team must sign", ["their page says The team must sign"]),
        ("以后都用中文回复 看板为什么打不开？", ["以后都用中文回复", "看板为什么打不开？"]),
        ("We met at The Grand Hotel", ["We met at The Grand Hotel"]),
        ("磨坊路 那间屋子坐不下 77 个人", ["磨坊路 那间屋子坐不下 77 个人"]),
    ],
)
def test_sentence_begins_without_a_stop_before_it(text: str, pieces: list[str]) -> None:
    """People leave out the stop; what they asked next is not part of what they said."""
    assert list(sentences(text)) == pieces


def test_marks_behind_a_stop_are_dropped_between_sentences() -> None:
    """Quotation marks that close behind a stop belong to neither sentence."""
    assert list(sentences('He said "go!" Then he left.')) == ['He said "go!', "Then he left."]


def test_value_behind_a_space_belongs_to_its_sentence() -> None:
    """Chinese that runs on is parted at a space, but not behind a word that wants one more."""
    assert list(sentences("图表的配色最好用 莫兰迪色。")) == ["图表的配色最好用 莫兰迪色。"]
    assert list(sentences("先把报告写完吧 数据放在桌面上")) == ["先把报告写完吧", "数据放在桌面上"]
