"""Hooks of coding agents: context at the start, recall for a prompt, capture of the transcript. They never fail."""
