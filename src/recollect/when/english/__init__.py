"""Dates and times in English words: single days, ranges, longer periods, and days counted from others."""
