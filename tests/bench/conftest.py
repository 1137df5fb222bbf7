"""Programs that run in an environment of their own are no tests."""

collect_ignore_glob = ["rivals/*.py"]
