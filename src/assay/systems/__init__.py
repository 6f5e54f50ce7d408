"""Systems that make texts: compressors, fusers, summarizers, paraphrasers, compound splitters."""
