"""Scripts of the clients are not for pytest: `make clients` runs them, each in an environment of its own."""

collect_ignore_glob = ["*/talk.py", "project.py"]
