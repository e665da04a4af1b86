"""Text kit: folding, scripts, tokens, stems, stop words and sentences, and the analysis of English clauses."""
