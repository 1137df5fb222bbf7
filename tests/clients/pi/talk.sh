#!/bin/sh
# A session: the first question opens it, the others continue it.
set -e
pi --provider local --model local-model -p "Question 1: what do the modules do?"
for n in $(seq 2 "$QUESTIONS"); do
    pi --provider local --model local-model --continue -p "Question $n: and what else do they do?"
done
