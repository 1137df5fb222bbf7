"""The scripted model sums up as the gateway asks it to, so that rows show clients before real summaries."""

from __future__ import annotations

from clients.summaries import is_asked, summary
from gateway.core.summary.form import TASK


def test_summary_has_the_headings_and_the_values_that_were_shown() -> None:
    """What is asked is found in any format; values outside of the fences are the instructions' own."""
    prompt = (
        "## Goal (what is wanted)\n## Next Steps\nfor instance ORDER-1\n"
        "<conversation-0123456789>\nuser: ship ORDER-1042 by 2031-05-06\n</conversation-0123456789>"
    )
    body = {"system": f"{TASK} Be brief.", "messages": [{"role": "user", "content": prompt}]}
    written = summary(body)

    assert is_asked(body)
    assert [line for line in written.split("\n") if line.startswith("## ")] == ["## Goal", "## Next Steps"]
    assert "ORDER-1042" in written
    assert "ORDER-1," not in written


def test_clients_own_requests_are_none() -> None:
    """A request without the gateway's instructions is a client's."""
    assert not is_asked({"messages": [{"role": "user", "content": "Summarise this conversation."}]})
