"""A talk about a river in a window so small that it is summed up, and what a model writes of it."""

from __future__ import annotations

POLICY = """
window: 2000
reserve_output: 400
steps:
  - use: summarize
  - use: digest
summarizer: {sections: [], retries: 0, part_ratio: 0.9}
"""
"""A budget of 1600 tokens: prepared from 1040 on, compacted from 1280 on."""

BEGINNING = "They talk about the river and its banks"
SUMMARY = f"{BEGINNING}; the user wants to hear of the delta last."
