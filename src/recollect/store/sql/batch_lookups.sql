-- What many lines will ask for, looked up together; each of these has a namesake that looks one thing up.

-- name: lines_taken
SELECT hash FROM line WHERE ws = :ws AND hash IN_LIST(:hashes) AND @row_known

-- name: documents_by_keys
SELECT @document_columns FROM document d WHERE d.ws = :ws AND d.kind = :kind AND d.key IN_LIST(:keys) AND @known(d)

-- name: entities_named_any
SELECT n.folded, @known_as, @entity_columns FROM name n
JOIN entity e ON e.ws = n.ws AND e.id = n.entity AND @known(e)
WHERE n.ws = :ws AND n.folded IN_LIST(:names) AND @known(n)

-- name: tokens_known
SELECT token FROM token_variant WHERE ws = :ws AND variant IN_LIST(:tokens) AND token = variant

-- name: facts_in_slots
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.slot IN_LIST(:slots) AND @known(f)
