"""Views: how each result is shown."""
