"""Start the installed gateway where there is no network, and let it count and compact.

Run by `.ci/base-install` with the packages of the base install only, so it uses nothing but the standard
library. The dry run counts tokens and needs no upstream, which is why it shows that the vocabulary is there.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request


def raise_loopback() -> None:
    """Bring up `lo`: in a fresh network namespace even loopback is down (`SIOCSIFFLAGS`, netdevice(7))."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control, contextlib.suppress(OSError):
        fcntl.ioctl(control, 0x8914, struct.pack("16sh14x", b"lo", 1))


def fetch(url: str, body: bytes | None = None) -> bytes:
    """Return the body of an answer; only 2xx is one."""
    request = urllib.request.Request(url, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as response:
        content: bytes = response.read()
        return content


def wait_for(origin: str, process: subprocess.Popen[bytes]) -> None:
    """Return as soon as the gateway answers."""
    for _ in range(500):
        if process.poll() is not None:
            sys.exit(f"the gateway ended with {process.returncode}")
        with contextlib.suppress(OSError):
            fetch(f"{origin}/healthz")
            return
        time.sleep(0.05)
    sys.exit("the gateway did not start within 25 seconds")


def main() -> None:
    """Print what the dry run says, or end with what went wrong."""
    raise_loopback()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    origin = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "gateway", "serve", "--port", str(port)]
    command += ["--upstream", "http://127.0.0.1:9/v1", "--data-dir", tempfile.mkdtemp()]
    process = subprocess.Popen(command)
    try:
        wait_for(origin, process)
        words = " ".join(f"word{index}" for index in range(4000))
        turns = [{"role": role, "content": words} for role in ("user", "assistant") * 5]
        body = {"model": "gpt-4o", "messages": [*turns, {"role": "user", "content": "Go on."}]}
        answer = json.loads(
            fetch(f"{origin}/haversack/compact?target_tokens=8000", json.dumps(body).encode())
        )
        before, after = answer["report"]["tokens_before"], answer["report"]["tokens_after"]
        print(f"dry run without a network: {before} tokens before, {after} after")
        assert before > 50_000, "it did not count"
        assert after <= 8_000, "it did not compact"
    finally:
        process.terminate()
        process.wait(timeout=30)


if __name__ == "__main__":
    main()
