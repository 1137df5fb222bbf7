#!/bin/sh
# A session: the first question opens it, the others continue it.
set -e
copilot -p "Question 1: what do the modules do?" --silent --allow-all-tools
for n in $(seq 2 "$QUESTIONS"); do
    copilot --continue -p "Question $n: and what else do they do?" --silent --allow-all-tools
done
