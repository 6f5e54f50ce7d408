"""Systems that make text: what the metrics are asked about."""
