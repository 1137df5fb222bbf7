"""Pure parts: no IO, no clock, no randomness. Everything else stands on these."""
