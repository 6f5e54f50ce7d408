"""Drawing: views as text, Markdown, LaTeX, HTML and notebook cells."""
