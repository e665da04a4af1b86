-- Facts by when they begin, end and happen: the history of everything reads the latest of each, not all facts.
CREATE INDEX fact_by_start ON fact (ws, from_lo, id, from_hi) WHERE from_lo IS NOT NULL;
CREATE INDEX fact_by_end ON fact (ws, until_lo, id, until_hi) WHERE until_lo IS NOT NULL;
CREATE INDEX fact_event ON fact (ws, source_at, id)
WHERE label = 'TRANSITIONED' AND from_lo IS NULL AND until_lo IS NULL;
