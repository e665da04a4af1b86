"""Imported conversations with their messages, and the daily memories made from them."""
