#!/bin/sh
# A session: the first question opens it, the others continue it.
set -e
claude -p --allowedTools Bash -- "Question 1: what do the modules do?"
for n in $(seq 2 "$QUESTIONS"); do
    claude -p --continue --allowedTools Bash -- "Question $n: and what else do they do?"
done
