"""What a model is asked when it summarises a conversation, and whether its answer may be used.

Nothing here calls a model. `transcript` writes messages as a summariser reads them, `parts` says how many
calls that takes, `prompt` words each of them, `gate` judges what comes back, `secrets` takes out what must
not be stored. Text and numbers in, text and numbers out: the same conversation is always asked the same.
"""
