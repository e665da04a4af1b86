"""Identity files and the sections of a Markdown text."""
