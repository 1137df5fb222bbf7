"""A listener of its own for metrics and health, so that they need not be where clients can reach them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from gateway.web.asgi import App
from gateway.web.server import config


class Aside(uvicorn.Server):
    """A second server in the same loop; signals are the first one's business."""

    def __init__(self, app: App, host: str, port: int) -> None:
        super().__init__(config(app, host=host, port=port, lifespan="off", log_config=None))

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone."""
        yield

    def stop(self) -> None:
        """End it soon."""
        self.should_exit = True
