"""The files of DUCView: reading, writing, and what their names and comments say."""
