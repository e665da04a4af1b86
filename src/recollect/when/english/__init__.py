"""Dates and times in English words: single days, ranges, longer periods, and days counted from others.

For questions, lore, claims and the arguments of tools, whose caller prefers the past or the future. The clauses of
mails, notes and chats, whose tense decides and which come in nine languages, are read by `reading/times.py`;
`tests/reading/test_time_readers_agree.py` compares the two.
"""
