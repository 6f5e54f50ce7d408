"""Which words may go: grammar, words to protect, and deletions that change the meaning."""
