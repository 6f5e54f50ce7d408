"""How do I get judgments, and how many: components of ratings, designs that find a difference, and their simulation."""
