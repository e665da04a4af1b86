-- What is open to all or to some is found by what it says of itself.
CREATE INDEX fact_shown_to ON fact (ws, (CAST(attributes AS JSONB) ->> 'visibility'), tx_to) WHERE attributes <> '{}';
CREATE INDEX fact_known_to ON fact (ws, substr(CAST(attributes AS JSONB) ->> 'known_to', 1, 400), tx_to)
WHERE (CAST(attributes AS JSONB) ->> 'visibility') = 'common';
CREATE INDEX document_shown_to ON document (ws, (CAST(properties AS JSONB) ->> 'visibility'), tx_to)
WHERE properties <> '{}';
