"""`policies/openclaw.yaml` on golden conversations: before, every stage, after. One word is one token."""

from __future__ import annotations

from pathlib import Path

import pytest

from seeds.shipped import check_golden, shipped

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))
POLICY = shipped("openclaw")


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_each_stage_does_what_its_file_says(path: Path) -> None:
    """Each step leaves what the file says; those behind it run only while it does not fit."""
    check_golden(POLICY, path)
