"""`policies/copaw.yaml` on golden conversations: before, every stage, after. One word is one token."""

from __future__ import annotations

from pathlib import Path

import pytest

from seeds.shipped import check_golden, shipped, with_results

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))
POLICIES = {False: shipped("copaw"), True: with_results()}


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_each_stage_does_what_its_file_says(path: Path) -> None:
    """Each step leaves what the file says; files named so have `enable_tool_result_compact` switched on."""
    check_golden(POLICIES[path.stem.startswith("results_")], path)
