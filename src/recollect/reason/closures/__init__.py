"""Which open items a report closes, moves or leaves open: by words, people, threads and days."""
