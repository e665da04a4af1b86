-- name: embeddings_some
SELECT number, vector_send(vector) FROM embedding
WHERE ws = :ws AND model = :model AND number > :behind AND number <= :last ORDER BY number LIMIT :limit

-- name: embeddings_last
SELECT COALESCE(MAX(number), 0) FROM embedding WHERE ws = :ws AND model = :model

-- name: embedded_cosines
SELECT number, 1 - (vector <=> CAST(:vector AS VECTOR)) FROM embedding
WHERE ws = :ws AND model = :model AND number IN_LIST(:embedded)

-- name: embedded_since
SELECT number, 1 - (vector <=> CAST(:vector AS VECTOR)) FROM embedding
WHERE ws = :ws AND model = :model AND number > :upto
ORDER BY vector <=> CAST(:vector AS VECTOR), number LIMIT :limit

-- Step by step: a plan that is made for any filter would read all passages.
-- name: embedded_wanted
SELECT c.number, e.number FROM embedding e
CROSS JOIN LATERAL (
  SELECT p.ws, p.number, p.document, p.tx_from, p.tx_to FROM chunk p WHERE p.ws = e.ws AND p.hash = e.hash OFFSET 0
) c
@document_of_passage
WHERE e.ws = :ws AND e.model = :model AND e.number IN_LIST(:embedded) AND @wanted
