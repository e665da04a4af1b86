-- Whether any employer was only suggested is asked at every ingest; there are few, among many stated ones. SQLite takes
-- the index with the most columns that fit.
CREATE INDEX fact_suggested_employer ON fact (ws, predicate, certainty, tx_to)
WHERE predicate = 'employee' AND certainty = 'inferred';
