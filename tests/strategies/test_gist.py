"""What the sentences of a text are worth where there is no room for all of them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gateway.strategies.gist import LEAST, LEFT_OUT, is_lasting, pieces, worth
from gateway.strategies.said import joined, lead_in

MOST = 7


@pytest.mark.parametrize(
    ("sentence", "least"),
    [
        ("The invoice is INV-4471.", 4),
        ("Personally I lean towards quiet hotels whenever I travel.", 4),
        ("跟我说波兰语就行，我看着轻松。", 4),
        ("Never restart db-prod-1 before 18:00.", MOST),
        ("Could you always answer in Polish from now on, please?", LEAST + 1),
    ],
)
def test_particular_sentences_are_worth_their_room(sentence: str, least: int) -> None:
    """Exact values, and what is said of more than the moment, come before what was said for the moment."""
    assert worth(sentence) >= least


@pytest.mark.parametrize("sentence", ["Thanks!", "ok great", "go on", "谢谢", "好的。", LEFT_OUT])
def test_idle_talk_is_worth_nothing(sentence: str) -> None:
    """Thanks and greetings are not kept, however much room there is beside them."""
    assert worth(sentence) == 0


@pytest.mark.parametrize("sentence", ["no, 38C", "ok, 8443", "good, 12 then", "好的，38C"])
def test_short_answer_with_a_value_is_no_idle_talk(sentence: str) -> None:
    """Nobody can guess what was answered."""
    assert worth(sentence) > LEAST


def test_what_is_told_on_the_way_to_a_question_stays() -> None:
    """The question is answered; the number will be needed again."""
    assert worth("My order is 4471-XK, where is it?") > worth("Where do I find the orders in the shop?")
    assert worth("My order is 4471-XK, where is it?") > worth(
        "The first one looked quite narrow to the others."
    )


@pytest.mark.parametrize(
    "sentence", ["Why is it so slow?", "Show me the second one.", "看看日志。", "为什么会变慢？"]
)
def test_what_was_asked_at_the_time_goes_first(sentence: str) -> None:
    """An old question has been answered."""
    assert worth(sentence) == LEAST


@pytest.mark.parametrize("end", [".", "?", " for me?"])
@pytest.mark.parametrize(
    "words", ["Thanks", "Why is it slow", "It is slow on Mondays", "Show me INV-4471", "Always", "…"]
)
def test_what_lasts_is_worth_more_than_the_moment(words: str, end: str) -> None:
    """The quick look and the full one agree."""
    assert is_lasting(words + end) == (worth(words + end) > LEAST)


@pytest.mark.parametrize(
    ("telling", "idle"),
    [
        ("My parcel, ORD-20533, is late.", "About 14 percent of the variance comes from the buffer."),
        ("Marta Novak looks after billing.", "Earlier versions treated every adapter as empty."),
        ("You only get 12 of them.", "Between 3 and 19 of the samples were narrow."),
        ("I cannot have more than 9 people there.", "Nobody has looked at the cursor since it was written."),
        ("我的单号是 A20533。", "方差里约百分之12来自索引。"),
        ("请用第3种写法。", "遇到狭窄的冰川时，档案会重建两遍。"),
    ],
)
def test_what_nobody_can_guess_or_somebody_asks_comes_first(telling: str, idle: str) -> None:
    """What reads like a rule or a value, but is of nobody and of nothing particular, goes before it."""
    assert worth(telling) > worth(idle)


@pytest.mark.parametrize("lead", ["Before I forget.", "One more thing:", "By the way:", "对了，"])
def test_what_only_leads_to_something_else_goes_first(lead: str) -> None:
    """Without what it leads to it says nothing."""
    assert worth(lead) == LEAST


def test_signs_of_what_was_left_out_do_not_pile_up() -> None:
    """A sentence behind such a sign is the sentence: it is not said again, and not longer each time."""
    text = f"We meet in Porto. {LEFT_OUT} {LEFT_OUT} Bring 9 chairs. {LEFT_OUT}"
    assert [piece for piece in pieces(text) if piece != LEFT_OUT] == ["We meet in Porto.", "Bring 9 chairs."]
    assert joined(pieces(text), {3}) == f"Bring 9 chairs. {LEFT_OUT}"


def test_pieces_are_the_sentences_of_each_line() -> None:
    """A line break ends a sentence; a list keeps its items apart."""
    assert list(pieces("Two rules. First:\n- no GPU\n- at most 80 s")) == [
        "Two rules.",
        "First:",
        "- no GPU",
        "- at most 80 s",
    ]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            'Call it "Welcome!" and use port 80. Thanks.',
            ['Call it "Welcome!"', "and use port 80.", "Thanks."],
        ),
        ("Say “Stay.” Then go.", ["Say “Stay.”", "Then go."]),
        ("(See above.) **Never push.** Go.", ["(See above.)", "**Never push.**", "Go."]),
    ],
)
def test_quotation_is_closed_where_a_sentence_is_cut_at_its_end(text: str, sentences: list[str]) -> None:
    """The closing mark was lost, and what stood behind it was then inside an open quotation."""
    assert pieces(text) == sentences
    assert joined(pieces(text), {0, 1, 2}) == " ".join(sentences)


def test_pasted_text_leaves_little() -> None:
    """Thousands of lines, or one endless line, are not carried whole."""
    assert len(pieces("x = 1\n" * 5000)) <= 60
    assert sum(map(len, pieces("x1 " * 50_000))) < 3000


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("ledger " * 42 + "accounts and so on", " ledger…"),
        ("ledger " * 42 + "at 3.141 or so", " at…"),
        ("ledger " * 42 + "values, as I said", " values…"),
        ("账本的细节" * 59 + "端口是8443和别的", "端口是…"),
        ("账本的细节" * 70, "账本的细节…"),
        ("x" * 400, "x…"),
    ],
)
def test_long_sentence_ends_at_a_word(text: str, end: str) -> None:
    """Half a word, or half a number, would be told as if it had been said; not all scripts have spaces."""
    kept = pieces(text)[0]
    assert kept.endswith(end)
    assert len(kept) <= 301


def test_last_sentence_that_is_read_of_a_long_line_is_whole() -> None:
    """Seen: `Please remember de`, with nothing to show that more was said behind it."""
    text = " ".join(f"Please remember detail {n} about the ledger." for n in range(100))
    read = pieces(text)
    assert len(read) < 70
    assert all(sentence.endswith("about the ledger.") for sentence in read[:-1])
    assert read[-1] == LEFT_OUT


@pytest.mark.parametrize(
    ("rest", "told"), [("the ledger", LEFT_OUT), ("my port is 8443", "my port is 8443"), ("谢谢", LEFT_OUT)]
)
def test_stump_of_a_sentence_is_not_told(rest: str, told: str) -> None:
    """A few words left over where a sentence came in parts say nothing, unless nobody could guess them."""
    assert pieces(("some thing " * 73)[:796] + "and " + rest)[1:] == [told]


def test_what_was_left_out_is_shown() -> None:
    """A sign stands where sentences were, one for several."""
    assert joined(["a.", "b.", "c.", "d."], {0, 3}) == f"a. {LEFT_OUT} d."


def test_items_of_a_list_stay_items() -> None:
    """Seen: joined in one line, items became one sentence, and at the next compaction all of them went."""
    listed = "Anna says:\n- tests first\n- no GPU …\n- small commits\nAnd you?"
    assert joined(pieces(listed), {0, 1, 2, 3, 4, 5}) == listed
    assert joined(pieces(listed), {0, 2, 5}) == f"Anna says: {LEFT_OUT}\n- no GPU {LEFT_OUT}\nAnd you?"
    assert lead_in(pieces(listed), 4) == 0
    assert lead_in(pieces(listed), 3) == 0
    assert lead_in(pieces(listed), 5) is lead_in(pieces("- no GPU"), 0) is None


_SAID = [
    "port 80",
    "no GPU",
    "A12",
    "/etc/x",
    "ok",
    "“Now!”",
    ". ",
    "! ",
    "? ",
    ": ",
    "…",
    "。",
    "\n- ",
    "\n",
    " ",
]


@given(st.lists(st.sampled_from(_SAID)).map("".join))
@example("-\n? 。1")
@example("no GPU\n: ")
@example("- A12\nok. “Now!”。 A12")
def test_pieces_of_what_is_kept_are_the_same(text: str) -> None:
    """Any number of compactions leave what the first one left."""
    kept = brief(text)
    assert brief(kept) == kept


def brief(text: str) -> str:
    sentences = pieces(text)
    return joined(
        sentences, {n for n, said in enumerate(sentences) if worth(said) > LEAST or said == LEFT_OUT}
    )


def test_update_is_worth_what_a_rule_is() -> None:
    """However little it says, it must be known where the old value is remembered."""
    assert worth("8443 then.") == worth("Prose reads nicer, do that.") >= worth("The port is 8443.")
    assert worth("I tried that, and now the cache is slow.") < worth("8443 then.")
