"""Questions for a person: conflicts, duplicates, ambiguous facts and findings; and what a decision does."""
