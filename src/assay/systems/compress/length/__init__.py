"""Length: limits and costs, long texts in segments, and one threshold for the mean rate of many texts."""
