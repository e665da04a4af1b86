-- The cross join keeps the order: the embeddings given are few.
-- name: facts_embedded
SELECT f.id, e.number FROM embedding e CROSS JOIN fact f ON f.ws = e.ws AND f.id = e.hash
WHERE e.number IN_LIST(:embedded) AND @fact_findable

-- name: facts_embedded_about
SELECT f.id, e.number FROM embedding e CROSS JOIN fact f ON f.ws = e.ws AND f.id = e.hash
WHERE e.number IN_LIST(:embedded) AND (f.subject = :entity OR f.object = :entity) AND @fact_findable

-- name: keys_embedded
SELECT hash, number FROM embedding WHERE number IN_LIST(:embedded) AND ws = :ws AND model = :model
