"""From records and documents to facts: parsing, resolving, extracting, writing."""
