-- name: titles_after
SELECT c.number, c.document, d.title FROM chunk c
JOIN document d ON d.ws = c.ws AND d.id = c.document AND +d.tx_from <= c.tx_from AND d.tx_to > c.tx_from
WHERE c.ws = :ws AND c.number > :upto AND c.seq = 0 AND d.title IS NOT NULL ORDER BY c.number LIMIT :limit

-- name: chunks_last
SELECT COALESCE(MAX(number), 0) FROM chunk WHERE ws = :ws

-- name: titled
SELECT t.folded, t.document, d.title FROM title t JOIN document d ON d.ws = t.ws AND d.id = t.document
WHERE t.ws = :ws AND t.folded IN_LIST(:keys) AND @known(d) AND d.deleted IS NULL AND d.title IS NOT NULL
ORDER BY t.folded, t.document

-- name: mentions_of_documents
SELECT m.document, n.folded, m.entity FROM mention m
JOIN name n ON n.ws = m.ws AND n.entity = m.entity AND @known(n)
WHERE m.ws = :ws AND m.document IN_LIST(:documents) AND @known(m)
AND n.kind IN ('name', 'alias') ORDER BY m.document, n.folded, m.entity

-- name: hidden_names_mentioned
SELECT m.document, n.spelling FROM mention m
JOIN entity e ON e.ws = m.ws AND e.id = m.entity AND @known(e)
JOIN name n ON n.ws = m.ws AND n.entity = m.entity AND n.tx_to = e.tx_from
WHERE m.ws = :ws AND m.document IN_LIST(:documents) AND @known(m)
AND e.deleted = :reason AND n.kind IN ('name', 'alias') ORDER BY m.document, n.spelling

-- name: some_mentioning
SELECT document FROM mention WHERE ws = :ws AND entity = :entity AND @row_known LIMIT :limit

-- name: chunk_numbers
SELECT c.document, c.number FROM chunk c
WHERE c.ws = :ws AND c.document IN_LIST(:documents) AND @known(c) AND c.seq < :within ORDER BY c.number
