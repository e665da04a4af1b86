"""Retrieval of every shape; an answer that found nothing says what to try next and what was tried."""
