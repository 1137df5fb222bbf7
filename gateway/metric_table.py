"""What every metric is: kind, name, labels, meaning. Documentation and dashboard are checked against it.

A row for every metric: the attribute of `Metrics`, then what the user sees. Adding one: a row here, an
attribute there, a row in grafana/README.md, and a place on the dashboard.
"""

from __future__ import annotations

from gateway.series import Spec

FAST = (0.0001, 0.00025, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
"""Seconds, for what the gateway does itself: the bars it is held to are 0.6, 2 and 40 ms."""
SLOW = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 3600.0)
"""Seconds, for what a model does: from a cached embedding to an hour of reasoning."""

ROUNDS = (0.0, 1.0, 2.0, 3.0, 5.0, 8.0, 10.0, 15.0, 20.0, 30.0, 50.0, 100.0)
"""Rounds of calls; agents stop by themselves after 10 to 100."""

TABLE = {
    "requests": Spec(
        "counter",
        "requests_total",
        ("tenant", "endpoint", "policy", "action", "status"),
        "Requests answered. `action` as in the header x-haversack-action; status 499: the client left.",
    ),
    "attempts": Spec(
        "counter",
        "attempts_total",
        ("upstream", "outcome"),
        "Requests sent upstream, retries included. `outcome`: ok, overflow, refused, final.",
    ),
    "overflows": Spec(
        "counter",
        "overflows_total",
        ("upstream", "outcome"),
        "Exchanges in which the upstream said that it is too long. `outcome`: rescued, clamped, failed.",
    ),
    "compactions": Spec(
        "counter",
        "compactions_total",
        ("tenant", "policy", "step", "outcome"),
        "Steps of a policy and rungs of the emergency ladder. `outcome`: changed, unchanged, error.",
    ),
    "tokens": Spec(
        "counter",
        "tokens_total",
        ("tenant", "policy", "side"),
        "Tokens of requests as the client sent them (`side` before) and as they went out (after).",
    ),
    "observed": Spec(
        "counter",
        "observed_requests_total",
        ("tenant", "policy", "action"),
        "Requests in observe mode. `action`: what would have been done; left-out: too many waited.",
    ),
    "observed_steps": Spec(
        "counter",
        "observed_compactions_total",
        ("tenant", "policy", "step", "outcome"),
        "As haversack_compactions_total, of what observe mode would have done.",
    ),
    "observed_tokens": Spec(
        "counter",
        "observed_tokens_total",
        ("tenant", "policy", "side"),
        "As haversack_tokens_total, of what observe mode would have sent.",
    ),
    "saved": Spec(
        "counter",
        "tokens_saved_total",
        ("tenant", "policy", "kind"),
        "Tokens not sent: `unique` when first removed, `repeated` when a frozen decision is replayed.",
    ),
    "usage": Spec(
        "counter",
        "upstream_tokens_total",
        ("upstream", "kind"),
        "Tokens as the upstream bills them. `kind`: input, output, cached.",
    ),
    "cache": Spec(
        "counter",
        "cache_tokens_total",
        ("tenant", "policy", "kind"),
        "Input and the provider's prompt cache. `kind`: read, written; lost: not read as the boundary moved.",
    ),
    "overhead": Spec(
        "counter",
        "overhead_tokens_total",
        ("tenant", "policy"),
        "Tokens billed for attempts of which the client got nothing.",
    ),
    "billed": Spec(
        "counter",
        "billed_usd_total",
        ("tenant", "policy"),
        "What upstreams charge by the price table, overhead and summaries included.",
    ),
    "saved_money": Spec(
        "counter",
        "saved_usd_total",
        ("tenant", "policy"),
        "What tokens not sent would have cost; read from the cache where it would have had them.",
    ),
    "lost_money": Spec(
        "counter",
        "lost_usd_total",
        ("tenant", "policy"),
        "What was paid for saving them: cache reads lost, overhead, summaries. Net is saved less lost.",
    ),
    "summaries": Spec(
        "counter",
        "summaries_total",
        ("tenant", "policy", "outcome", "reason"),
        "Summaries. `outcome`: written, failed, cancelled, nothing, skipped (model rests); `reason`: why.",
    ),
    "summary_calls": Spec(
        "counter",
        "summarizer_calls_total",
        ("tenant", "policy", "outcome"),
        "Calls for them. `outcome`: ok, overflow, busy, denied, refused, content, unreachable, cancelled.",
    ),
    "summary_findings": Spec(
        "counter",
        "summarizer_findings_total",
        ("tenant", "policy", "reason"),
        "What was wrong with answers, put right or not. missing_ledger is let pass: rules stand beside.",
    ),
    "summary_tokens": Spec(
        "counter",
        "summarizer_tokens_total",
        ("tenant", "policy", "kind"),
        "Tokens billed for summaries, those that were not used too. `kind`: input, output, cached.",
    ),
    "summary_money": Spec(
        "counter",
        "summarizer_usd_total",
        ("tenant", "policy"),
        "What those tokens cost by the price table; part of what is billed, and of what is lost.",
    ),
    "unaccounted": Spec(
        "counter",
        "unaccounted_total",
        ("tenant", "policy", "reason"),
        "Answers missing from cache or money. `reason`: usage, cache, price: not told; before: not known; "
        "cached_input: sums are bounds.",
    ),
    "failed_open": Spec(
        "counter",
        "failed_open_total",
        ("reason",),
        "Times that help failed. `reason`: error, rejected: sent as it came; store, archive: nothing was "
        "kept; store_read: nothing was looked up.",
    ),
    "unknown_windows": Spec(
        "counter",
        "unknown_windows_total",
        ("upstream",),
        "Requests for a model whose window nobody knows, so that nothing is compacted before a refusal.",
    ),
    "suspected_truncations": Spec(
        "counter",
        "suspected_truncations_total",
        ("upstream",),
        "Answers whose usage counts far less than was sent: the upstream seems to cut long prompts silently.",
    ),
    "cut_answers": Spec(
        "counter",
        "cut_answers_total",
        ("upstream",),
        "Answers that went wrong after their first byte: broken off, as the client's connection then is, or "
        "ended by an error event.",
    ),
    "added_latency": Spec(
        "histogram",
        "added_latency_seconds",
        ("tenant", "policy", "action"),
        "What the gateway itself adds before the first attempt and between attempts.",
        FAST,
    ),
    "step_latency": Spec(
        "histogram",
        "step_seconds",
        ("tenant", "policy", "step", "outcome"),
        "Time of one step of a policy.",
        FAST,
    ),
    "upstream_latency": Spec(
        "histogram",
        "upstream_latency_seconds",
        ("upstream",),
        "From sending to the last byte of the answer.",
        SLOW,
    ),
    "first_byte": Spec(
        "histogram",
        "first_byte_seconds",
        ("upstream",),
        "From sending to the first byte of the answer.",
        SLOW,
    ),
    "summary_latency": Spec(
        "histogram",
        "summarizer_seconds",
        ("tenant", "policy", "outcome"),
        "Time of one summary, all its calls together.",
        SLOW,
    ),
    "rounds": Spec(
        "histogram",
        "rounds_per_turn",
        ("tenant", "policy"),
        "Rounds of calls that a turn took, told by the first request of the next one.",
        ROUNDS,
    ),
    "in_flight": Spec("gauge", "in_flight", (), "Requests being answered now."),
    "tasks": Spec("gauge", "tasks", (), "Tasks of the event loop."),
    "connections": Spec(
        "gauge", "upstream_connections", (), "Open connections to upstreams, idle ones included."
    ),
    "store_up": Spec(
        "gauge", "store_up", (), "1 while the store works, 0 while the gateway goes on without."
    ),
    "store_bytes": Spec("gauge", "store_bytes", (), "What the store takes on disk."),
    "policy_generation": Spec(
        "gauge", "policy_generation", (), "Grows by one with every set of policies loaded."
    ),
    "policy_problems": Spec(
        "gauge",
        "policy_reload_problems",
        (),
        "Problems of the policy files; above 0, an earlier set is in force.",
    ),
    "info": Spec("gauge", "info", ("version",), "Always 1; says which version runs."),
}
