"""Matching: batches of texts, and the counts that outputs and references share."""
