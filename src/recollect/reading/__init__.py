"""Reading text: blocks, sentences, clauses, and what each clause does."""
