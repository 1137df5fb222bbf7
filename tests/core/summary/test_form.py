"""Sections are found by their headings, however a model marks and words them."""

from __future__ import annotations

import pytest

from gateway.core.summary.form import DEFAULT, KNOWN, Form, headings_in, section
from gateway.core.summary.language import Language


def test_default_sections_are_the_six() -> None:
    """Goal, constraints, progress, decisions, next steps, critical context."""
    assert Form().headings == (
        "Goal", "Constraints", "Progress", "Key Decisions", "Next Steps", "Critical Context"
    )  # fmt: skip


def test_headings_are_in_the_language() -> None:
    """A Chinese summary has Chinese headings; a policy's own stay as they are."""
    form = Form(sections=(KNOWN["goal"], section("Risks")), language=Language.CHINESE)

    assert form.headings == ("目标", "Risks")


@pytest.mark.parametrize(
    "line",
    ["## Goal", "**Goal:** fix it", "# goal", "1. Goal", "- Goal: fix it", "Goal", "### 目标", "【目标】",
     "目标：修复", "## Goal (what the user wants)", "**Goals**", "2) **Objective**", "__Goal__"],
)  # fmt: skip
def test_heading_is_found_in_every_dress(line: str) -> None:
    """Models mark headings in many ways."""
    assert headings_in(f"x\n{line}\n- y", DEFAULT) == {"goal"}


@pytest.mark.parametrize("line", ["The goal is to fix it.", "Goal posts moved", "a goal: x", "```goal```"])
def test_word_in_a_sentence_is_no_heading(line: str) -> None:
    """Only what stands alone, or before a colon at the beginning of a line, is one."""
    assert headings_in(line, DEFAULT) == set()


def test_own_section_is_found_by_its_heading() -> None:
    """A policy may name what it likes."""
    assert headings_in("## risks & costs\nnone", [section("Risks & Costs")]) == {"Risks & Costs"}
