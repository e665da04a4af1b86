-- Passages that another model has embedded: how far it came.

-- name: meanings_by_others
SELECT COALESCE(MAX(upto), 0), COALESCE(MAX(chunks), 0) FROM indexed
WHERE ws = :ws AND part > 'meaning:' AND part < 'meaning;' AND part <> :part
