"""Conversations from elsewhere, kept with their messages, and the days they touch as memories."""
