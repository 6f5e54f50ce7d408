"""The HTML report: which views go on it, in what order; templates."""
