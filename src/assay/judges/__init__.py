"""Questions about raters, people and LLM judges alike, each answered as a Result with a sentence."""
