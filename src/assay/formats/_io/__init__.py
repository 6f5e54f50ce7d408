"""What the formats share: streams of chunks, columns of tables, sorting on disk."""
