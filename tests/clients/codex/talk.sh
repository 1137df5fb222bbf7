#!/bin/sh
# A session: the first question opens it, the others resume it.
set -e
flags="--skip-git-repo-check --dangerously-bypass-approvals-and-sandbox"
codex exec $flags "Question 1: what do the modules do?"
for n in $(seq 2 "$QUESTIONS"); do
    codex exec resume --last $flags "Question $n: and what else do they do?"
done
