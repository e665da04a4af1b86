"""Analysis of English text: clauses, their modality and polarity, verb forms and contrasts."""
