#!/bin/sh
# A session: the first question opens it, the others resume it.
set -e
flags="--config $HOME/.continue/config.yaml --auto"
cn $flags -p "Question 1: what do the modules do?"
for n in $(seq 2 "$QUESTIONS"); do
    cn $flags --resume -p "Question $n: and what else do they do?"
done
