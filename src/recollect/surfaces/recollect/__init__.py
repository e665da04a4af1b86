"""Everyday memory: remember, recall, correct, forget, history, open items, review, undo, unread."""
