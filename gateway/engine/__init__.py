"""Where decisions meet the network: sending, compacting, rescuing."""
