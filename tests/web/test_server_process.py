"""What serving asks of the process: short turns for threads, and room for connections."""

from __future__ import annotations

import gc
import os
import resource
import sys
import threading

import pytest

from gateway.web.server import tune, workers


def test_threads_do_not_keep_the_loop_waiting() -> None:
    """A thread that counts gives way within a millisecond, not after Python's five."""
    before, thresholds = sys.getswitchinterval(), gc.get_threshold()
    try:
        tune()
        assert sys.getswitchinterval() <= 0.001
    finally:
        sys.setswitchinterval(before)
        gc.set_threshold(*thresholds)
        gc.unfreeze()


def test_process_may_open_as_many_connections_as_the_host_allows() -> None:
    """A bound of 1,024, as a shell or a service has it, would be reached by five hundred streams."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    if before[1] < 2048:
        pytest.skip("this host allows no more than a shell does")
    thresholds = gc.get_threshold()
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (1024, before[1]))
        tune()
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 1024
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
        gc.set_threshold(*thresholds)
        gc.unfreeze()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives threads priorities of their own")
def test_threads_that_count_let_the_loop_go_first() -> None:
    """They stand behind the thread that serves, which keeps its own priority."""

    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    before = priority()
    with workers() as executor:
        behind = executor.submit(priority).result()
    assert behind > before
    assert priority() == before
