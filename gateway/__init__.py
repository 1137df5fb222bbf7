"""Haversack: a gateway that keeps every conversation inside its model's context window."""

from importlib.metadata import version

__version__ = version("haversack")
