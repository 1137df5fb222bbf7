"""Haversack: a gateway that keeps every conversation inside its model's context window."""
