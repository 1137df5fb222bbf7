"""Which environment variables policies expect keys in that are not set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gateway.policy.key_name import name_problem
from gateway.policy.policies import PolicySet
from gateway.policy.schema import Mode, Policy, Step


def unset(found: PolicySet, environment: Mapping[str, str]) -> Iterator[str]:
    """Yield a sentence for each variable that policies name for their summaries and that is not set."""
    named: dict[str, dict[str, None]] = {}
    for policy in every(found):
        variable = policy.summarizer.key_variable
        # What is no name is told as a problem, and may be a key.
        if (
            variable
            and not name_problem(variable)
            and _asks(policy)
            and not environment.get(variable, "").strip()
        ):
            named.setdefault(variable, {})[policy.name] = None
    for variable, names in named.items():
        yield (
            f"{variable} is not set, and summarizer.key_variable names it in {', '.join(names)}: "
            "without it no summary is written there."
        )


def every(found: PolicySet) -> Iterator[Policy]:
    """Yield all policies, and what each is for some models."""
    for policy in (*found.policies.values(), *(tenant.policy for tenant in found.tenants.values())):
        yield policy
        yield from (entry.policy for entry in policy.models)


def asking(steps: Sequence[Step]) -> Step | None:
    """Return the first step that has a model asked; None: there is none."""
    return next((step for step in steps if step.strategy.uses_model), None)


def _asks(policy: Policy) -> bool:
    return policy.mode is Mode.COMPACT and asking(policy.steps) is not None
