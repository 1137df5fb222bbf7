#!/bin/sh
# One task. (Without a terminal it cannot resume a session; with a data directory named, it starts no daemon.)
set -e
cline auth --provider openai --apikey k --modelid local-model --baseurl "$LLM_BASE_URL"
exec cline --data-dir "$HOME/.cline/data" "Find out what the modules do."
