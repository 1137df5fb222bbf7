"""What is remembered: originals, checkpoints, learned numbers."""
