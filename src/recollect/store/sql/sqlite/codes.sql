-- name: embeddings_some
SELECT number, vector FROM embedding
WHERE number > :behind AND number <= :last AND ws = :ws AND model = :model ORDER BY number LIMIT :limit

-- name: embedded_vectors
SELECT number, vector FROM embedding WHERE number IN_LIST(:embedded)

-- name: embedded_wanted
SELECT c.number, e.number FROM embedding e CROSS JOIN chunk c ON c.ws = e.ws AND c.hash = e.hash
CROSS JOIN document d ON d.ws = c.ws AND d.id = c.document
WHERE e.number IN_LIST(:embedded) AND @wanted
