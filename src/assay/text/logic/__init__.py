"""Natural logic on dependency parses: which words of a sentence may be deleted without changing what it says."""
