"""Drawing: views as text, HTML and notebook cells."""
