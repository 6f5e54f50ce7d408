"""What is counted: surface units, dependency triples and frames."""
