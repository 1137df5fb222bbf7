"""What lies here is not for pytest: `make clients` runs it, each client in an environment of its own."""

collect_ignore_glob = ["*/talk.py", "project.py"]
