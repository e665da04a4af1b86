-- name: facts_embedded
SELECT f.id, e.number FROM embedding e JOIN fact f ON f.ws = e.ws AND f.id = e.hash
WHERE e.ws = :ws AND e.model = :model AND e.number IN_LIST(:embedded) AND @fact_findable

-- name: facts_embedded_about
SELECT f.id, e.number FROM embedding e JOIN fact f ON f.ws = e.ws AND f.id = e.hash
WHERE e.ws = :ws AND e.model = :model AND e.number IN_LIST(:embedded)
AND (f.subject = :entity OR f.object = :entity) AND @fact_findable

-- name: facts_nearest
SELECT f.id, 1 - (e.vector <=> CAST(:vector AS VECTOR))
FROM embedding e JOIN fact f ON f.ws = e.ws AND f.id = e.hash
WHERE e.ws = :ws AND e.model = :model AND @fact_findable
ORDER BY e.vector <=> CAST(:vector AS VECTOR), f.id LIMIT :limit

-- name: facts_nearest_about
SELECT f.id, 1 - (e.vector <=> CAST(:vector AS VECTOR))
FROM embedding e JOIN fact f ON f.ws = e.ws AND f.id = e.hash
WHERE e.ws = :ws AND e.model = :model AND (f.subject = :entity OR f.object = :entity) AND @fact_findable
ORDER BY e.vector <=> CAST(:vector AS VECTOR), f.id LIMIT :limit

-- name: keys_embedded
SELECT hash, number FROM embedding WHERE ws = :ws AND model = :model AND number IN_LIST(:embedded)
