"""The demonstration: a small window, a long agent conversation, and nobody notices."""
