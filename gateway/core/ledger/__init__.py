"""What must survive every compaction: found in messages, settled among each other, thinned to a budget.

`find` reads one message, `settle` lets later words replace earlier ones, `thin` keeps what matters most.
No model is asked. An entry is a kind, a text and a source, so it can be written down and read back.
"""
