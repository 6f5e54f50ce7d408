"""Systems that summarize."""
