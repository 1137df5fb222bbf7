"""What became of each fault that people reported of programs like this one (`reports/*.json`).

For every report there is a test that plays its input and others of its kind, or it says what it waits for:
then the part of the gateway that could have the fault does not exist yet. None is left out as impossible.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from reported import reports

TESTS = Path(__file__).parent

PLAYED: dict[str, tuple[str, ...]] = {
    "tp-02-orphan-hidden-behind-system": ("test_pairs::test_cut_anywhere",),
    "tp-05-parallel-batch-split": ("test_pairs::test_batch_stays_whole", "test_pairs::test_cut_anywhere"),
    "tp-07-anthropic-results-in-one-user-turn": ("test_pairs::test_results_stand_in_one_user_message",),
    "tp-08-cascading-orphans": ("test_pairs::test_orphans_behind_orphans",),
    "tp-10-open-round-at-tail": ("test_pairs::test_open_round_stays_open",),
    "tp-11-dangling-call-from-client": ("test_pairs::test_interrupted_call",),
    "tp-12-duplicate-id-in-one-message": ("test_pairs::test_two_calls_with_one_id",),
    "tp-13-ids-reused-across-turns": ("test_pairs::test_ids_used_again",),
    "tp-14-missing-tool-call-id": ("test_pairs::test_calls_without_ids",),
    "tp-15-legacy-function-role": ("test_pairs::test_function_messages", "test_pairs::test_cut_anywhere"),
    "tp-18-starts-with-function-call": ("test_pairs::test_list_begins_with_the_user",),
    "tp-19-responses-reasoning-adjacency": ("test_pairs::test_responses_pass_whole",),
    "role-01-consecutive-user": ("test_roles::test_user_and_assistant_take_turns",),
    "role-02-alternation-ignoring-tool-turns": ("test_roles::test_templates_that_skip_calls",),
    "role-03-user-right-after-tool": (
        "test_roles::test_no_question_behind_a_result",
        "test_summariser::test_summariser_reads_calls_as_text",
    ),
    "role-05-system-lost": ("test_roles::test_head_survives_every_turn",),
    "role-06-system-duplicated": ("test_roles::test_head_is_there_once",),
    "role-09-intended-prefill": ("test_roles::test_prefill_is_continued",),
    "role-10-developer-role-kept": ("test_roles::test_roles_keep_their_names",),
    "con-01-empty-text-blocks": (
        "test_content::test_no_text_is_empty",
        "test_summariser::test_blank_summary_is_none",
    ),
    "con-02-null-content-counting": ("test_content::test_odd_messages_pass",),
    "con-04-odd-argument-types": (
        "test_content::test_odd_messages_pass",
        "test_content::test_odd_values_anywhere",
    ),
    "con-06-base64-image-as-text": ("test_content::test_picture_is_no_text",),
    "con-08-base64-inside-text": ("test_content::test_coded_bytes_in_a_text",),
    "con-11-newest-result-shrunk": ("test_content::test_newest_result_is_spared",),
    "con-12-marker-compacted-again": ("test_content::test_marks_are_left_alone",),
    "con-13-unknown-message-fields": ("test_content::test_unknown_fields_stay",),
    "con-17-lone-surrogate": ("test_content::test_odd_bytes_stay", "test_content::test_odd_texts_are_kept"),
    "con-18-nul-characters": ("test_content::test_odd_bytes_stay", "test_content::test_odd_texts_are_kept"),
    "con-19-special-token-text": ("test_content::test_special_tokens_are_text",),
    "con-20-quadratic-tokenising": (
        "test_content::test_runs_without_a_blank",
        "test_sharing::test_long_runs_hold_up_nobody",
        "core/test_tokens::test_the_encoder_never_sees_a_long_text",
    ),
    "con-21-number-precision": ("test_content::test_odd_bytes_stay",),
    "con-22-key-order-and-escapes": ("test_content::test_odd_bytes_stay",),
    "tok-01-tools-and-schema-uncounted": (
        "test_sizes::test_schemas_count",
        "test_sizes::test_each_schema_counts",
    ),
    "tok-02-retained-budget-ignores-tools": (
        "test_sizes::test_what_stays_leaves_room_for_tools",
        "test_sizes::test_what_cannot_be_removed_is_too_large",
    ),
    "tok-03-tool-call-arguments-uncounted": (
        "test_sizes::test_all_that_is_said_counts",
        "test_sizes::test_long_arguments_start_a_compaction",
    ),
    "tok-06-unknown-window": ("test_sizes::test_window_is_learned_not_guessed",),
    "tok-07-usage-deflation": ("test_sizes::test_list_of_any_length_fits",),
    "dyn-03-thrash-every-turn": ("test_course::test_compactions_are_rare",),
    "dyn-14-old-request-looks-new": ("test_course::test_old_question_is_not_loose",),
    "dyn-15-kept-tail-lost-next-time": ("test_course::test_every_message_is_kept_or_folded",),
    "dyn-17-cache-prefix-busted": ("test_course::test_prefix_is_stable",),
    "dyn-18-overflow-wordings": ("test_overflow::test_wording_is_understood",),
    "dyn-19-throttle-is-not-overflow": ("test_overflow::test_other_refusals_pass",),
    "dyn-20-overflow-inside-200-stream": (
        "test_overflow::test_refusal_as_first_event",
        "test_overflow::test_other_first_events_pass",
        "test_hold::test_comments_go_out_while_data_is_held",
    ),
    "dyn-21-silent-server-truncation": ("test_overflow::test_server_that_cuts_in_silence",),
    "dyn-22-hidden-calls-not-accounted": (
        "test_overflow::test_usage_is_that_of_the_answer",
        "test_summariser::test_what_summaries_cost_is_told_apart",
    ),
    "tp-22-summariser-history-needs-tools": (
        "test_summariser::test_summariser_reads_calls_as_text",
        "test_summariser::test_parameters_of_the_client_are_not_for_summaries",
    ),
    "dyn-05-summariser-overflows": ("test_summariser::test_long_history_is_summed_up_in_parts",),
    "dyn-06-truncated-summary-accepted": ("test_summariser::test_truncated_summary_is_none",),
    "dyn-07-empty-summary-reasoning-model": ("test_summariser::test_reasoning_is_no_summary",),
    "dyn-08-summariser-emits-tool-call": ("test_summariser::test_call_is_no_summary",),
    "dyn-09-summariser-continues-chat": ("test_summariser::test_conversation_is_data",),
    "dyn-10-summariser-inherits-parameters": (
        "test_summariser::test_parameters_of_the_client_are_not_for_summaries",
    ),
    "dyn-12-error-text-as-summary": ("test_summariser::test_error_is_no_summary",),
    "dyn-23-client-times-out-during-summary": (
        "test_summariser::test_client_that_leaves_gets_the_summary_the_next_time",
    ),
    "ret-01-injected-tool-leaks": ("test_streams::test_no_tool_is_added",),
    "ret-05-cross-session-reference": ("test_sharing::test_reference_of_another",),
    "ret-07-injection-disables-streaming": ("test_streams::test_pieces_of_a_rewritten_answer_are_not_held",),
    "sse-02-line-endings-and-optional-space": (
        "test_streams::test_line_ends_are_kept",
        "test_streams::test_line_ends_are_understood",
    ),
    "sse-03-u2028-in-json": ("test_streams::test_other_separators_end_no_line",),
    "sse-04-very-long-line": ("test_streams::test_event_of_a_megabyte",),
    "sse-05-comments-and-keepalives": ("test_streams::test_comments_stay_comments",),
    "sse-07-stream-options-injection": ("test_streams::test_question_for_usage_is_the_clients",),
    "sse-09-json-body-for-stream-request": ("test_streams::test_json_for_a_stream_stays_json",),
    "sse-10-retry-after-bytes-sent": ("test_streams::test_broken_stream_is_not_begun_again",),
    "sse-11-client-gone": (
        "test_streams::test_client_that_leaves_ends_the_call",
        "test_summariser::test_client_that_leaves_gets_the_summary_the_next_time",
    ),
    "http-01-decoded-body-encoded-header": ("test_http::test_compressed_refusal",),
    "http-02-accept-encoding-forwarded": ("test_http::test_only_known_codings_are_offered",),
    "http-04-request-content-length": ("test_http::test_rewritten_body_has_its_own_length",),
    "http-07-trailing-slash-redirect": (
        "test_http::test_slash_is_no_redirect",
        "test_http::test_redirect_is_the_clients",
    ),
    "http-09-body-size-limit": ("test_http::test_body_over_the_limit",),
    "http-11-default-timeouts": (
        "test_http::test_patience_is_long_for_answers_and_short_for_connections",
        "test_http::test_silence_ends_in_an_error",
        "engine/test_transport::test_peer_that_never_accepts_is_a_connect_timeout",
    ),
    "http-12-pool-exhaustion": ("test_http::test_no_connection_is_kept_by_what_nobody_reads",),
    "http-14-rate-limit-headers": ("test_http::test_errors_pass_whole",),
    "http-16-error-body-rewritten": ("test_http::test_errors_pass_whole",),
    "http-18-non-chat-endpoints": ("test_http::test_what_is_no_conversation_passes",),
    "ses-02-derived-id-collides": ("test_sharing::test_equal_beginnings_are_two_conversations",),
    "ses-03-subagents-share-header": (
        "test_sharing::test_agents_of_one_session",
        "test_sharing::test_agents_at_the_same_time",
    ),
    "ses-10-previous-response-id": ("test_pairs::test_responses_pass_whole",),
    "db-01-locked": (
        "test_sharing::test_store_takes_all_at_once",
        "store/test_sqlite::test_another_process_that_writes_is_waited_for",
    ),
    "db-02-growth": (
        "test_sharing::test_content_is_stored_once",
        "test_retention::test_store_is_kept_under_its_size",
        "store/test_sqlite::test_size_counts_the_log_and_falls_after_deleting",
        "store/test_sqlite::test_full_disk_is_a_store_error_and_passes",
    ),
    "ops-01-label-cardinality": ("test_sharing::test_labels_are_bounded",),
    "ops-04-cpu-work-on-event-loop": (
        "test_sharing::test_others_are_served_meanwhile",
        "engine/test_counting::test_much_is_counted_off_the_loop",
    ),
}
"""The tests of each report; a file that is not named with its folder is in `reports/`."""

WAITING: dict[str, str] = {}
"""What the other reports wait for."""

LATER: dict[str, str] = {
    "tp-19-responses-reasoning-adjacency": "compaction of the Responses format",
    "ses-10-previous-response-id": "compaction of the Responses format",
    "ret-01-injected-tool-leaks": "a tool of the gateway's own",
    "ret-07-injection-disables-streaming": "a tool of the gateway's own",
}
"""Reports that are played and will have another part to play, with what."""


@cache
def defined(path: Path) -> set[str]:
    """Return the tests in a file."""
    nodes = ast.walk(ast.parse(path.read_text()))
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def located(name: str) -> tuple[Path, str]:
    """Return the file and the function of a test."""
    file, _, function = name.partition("::")
    paths = (TESTS / "reports" / f"{file}.py", TESTS / f"{file}.py")
    return next((path for path in paths if path.exists()), paths[0]), function


def test_every_report_has_its_place() -> None:
    """Each of the 84 reports is played or waits for something that is named, and never both."""
    assert len(reports()) == 84
    assert sorted([*PLAYED, *WAITING]) == sorted(reports())
    assert set(LATER) <= set(PLAYED)
    assert all(report["seen"].endswith(".") for report in reports().values())


@pytest.mark.parametrize("id", PLAYED)
def test_report_is_played(id: str) -> None:
    """The tests that are named exist, and the first of them has the report's own input."""
    found = [located(name) for name in PLAYED[id]]
    assert [name for path, name in found if name not in defined(path)] == []
    assert found[0][0].parent.name == "reports"
    assert f'"{id}"' in found[0][0].read_text()
