#!/bin/sh
# One task, without asking back.
exec mini --yolo --exit-immediately --cost-limit 0 --model openai/local-model --task "Find out what the modules do."
