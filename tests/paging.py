"""The gateway's own pages within the process, behind its front, called message by message."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from starlette.applications import Starlette

from asgi import Call
from gateway.core.frozen import replace
from gateway.engine.sessions import open_scope
from gateway.engine.upstream import Upstream
from gateway.policy.policies import PolicySet
from gateway.policy.tenants import Tenant
from gateway.store.base import Original, Store
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from gateway.web.admin import Admin, Health
from gateway.web.asgi import App
from gateway.web.callers import Callers
from gateway.web.front import Front
from gateway.web.routes import ANTHROPIC, OPENAI
from siting import DEFAULT, POLICIES, Headers, by_words
from stores import opened
from wired import URL, Edge, Engine, engine, value

ME = [(b"authorization", b"Bearer me")]
MESSAGE = Original("sha256-" + "a" * 64, b'{"role":"user","content":"Hi"}')
STUB = Original("sha256-" + "b" * 24, "42 lines: \u00e4".encode(), kind="offload", name="read")
DRY = "/haversack/compact"
ORIGINAL = f"/haversack/originals/{MESSAGE.id}"


@dataclass
class Pages:
    """The pages of a gateway, behind its front."""

    app: App
    engine: Engine
    store: Store

    async def get(
        self, path: str, *, query: bytes = b"", body: bytes = b"", headers: Headers = ME, method: str = "GET"
    ) -> tuple[int | None, bytes, Call]:
        """Return status and body of a page."""
        call = Call(self.app, path, method=method, body=[body], headers=headers, query=query)
        found = await call.read()
        return call.status, found, call

    def requests(self, endpoint: str, status: int, tenant: str = "open", policy: str = "") -> float:
        """Return how many requests were counted as these."""
        labels = {"tenant": tenant, "endpoint": endpoint, "policy": policy, "action": "none"}
        return value(self.engine.parts.metrics, "requests", **labels, status=str(status))

    async def dry(self, body: bytes, query: bytes = b"", headers: Headers = ME) -> tuple[int | None, bytes]:
        """Return what the dry run says of a request."""
        status, found, _ = await self.get(DRY, query=query, body=body, headers=headers, method="POST")
        return status, found


@asynccontextmanager
async def pages(
    store: Store | None = None, tenants: Sequence[Tenant] = (), is_ready: bool = True
) -> AsyncIterator[Pages]:
    """Serve the pages on a store in memory, with two originals of one client; or on one that is given."""
    if store is None:
        async with opened(SqliteStore(MEMORY)) as fresh, pages(fresh, tenants, is_ready) as served:
            await fresh.put_originals(open_scope("me"), [MESSAGE, STUB])
            yield served
        return
    held = PolicySet(
        {**POLICIES, "tight": replace(DEFAULT, name="tight", window=400)},
        {tenant.name: tenant for tenant in tenants},
        DEFAULT,
    )
    upstreams = {name: Upstream(name, URL, Edge()) for name in (OPENAI, ANTHROPIC)}
    async with engine(store) as made:
        parts = made.parts
        admin = Admin(
            Callers(lambda: held, lambda _: upstreams),
            parts.compactor,
            by_words,
            store,
            parts.metrics,
            lambda: Health(is_ready, {"store": "ok"}),
            max_body_bytes=100_000,
            clock=made.clock,
        )
        shown = Starlette(routes=[*admin.routes(), *admin.operations()])
        yield Pages(Front(shown, shown, lambda name: name != "evil.example"), made, store)
