-- One index for both questions, so that a fact that says nothing of its audience is not read as JSON.
DROP INDEX fact_known_to;
DROP INDEX fact_shown_to;
CREATE INDEX fact_shown_to ON fact (
  ws, (CAST(attributes AS JSONB) ->> 'visibility'), substr(CAST(attributes AS JSONB) ->> 'known_to', 1, 400), tx_to
) WHERE attributes <> '{}';
