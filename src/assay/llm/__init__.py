"""LLM judges: prompts as files, a client that never pays twice, strict parsing, and a card of the run."""
