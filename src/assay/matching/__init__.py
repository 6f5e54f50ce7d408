"""Matching: batches of texts, and the counts of what outputs and references share."""
