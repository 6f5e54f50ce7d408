"""The nouns: evaluation sets, scores, ratings and results."""
