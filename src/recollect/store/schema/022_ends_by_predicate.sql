-- The facts of an end by predicate too: a place where thousands were born is asked who rules it.
DROP INDEX fact_of_subject;
DROP INDEX fact_of_object;
CREATE INDEX fact_of_subject ON fact (ws, subject, predicate, tx_to);
CREATE INDEX fact_of_object ON fact (ws, object, predicate, tx_to) WHERE object IS NOT NULL;
