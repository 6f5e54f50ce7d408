"""The harness runs in a process of its own (see count.py) and holds no tests."""

collect_ignore = ["harness.py", "cases.py"]
