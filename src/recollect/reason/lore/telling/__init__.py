"""Relations in words: sentences that each carry the number of what they rest on."""
