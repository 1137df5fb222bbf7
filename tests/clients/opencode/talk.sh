#!/bin/sh
# A session: the first question opens it, the others continue it.
set -e
opencode run "Question 1: what do the modules do?"
for n in $(seq 2 "$QUESTIONS"); do
    opencode run --continue "Question $n: and what else do they do?"
done
