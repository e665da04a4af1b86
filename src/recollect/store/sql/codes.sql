-- The codes of vectors, of stores with too many to compare with all.

-- name: coded
SELECT upto, erasures, renewed FROM vector_coded WHERE ws = :ws AND model = :model

-- name: coded_models
SELECT model FROM vector_coded WHERE ws = :ws

-- upsert: coded_put vector_coded model = upto erasures renewed

-- name: code_centroids
SELECT centroids FROM vector_coded WHERE ws = :ws AND model = :model AND centroids IS NOT NULL

-- name: code_centroids_put
UPDATE vector_coded SET centroids = :centroids, renewed = 0 WHERE ws = :ws AND model = :model

-- name: code_blocks
SELECT last, numbers, signs, magnitudes, lists FROM vector_code
WHERE ws = :ws AND model = :model AND last > :behind ORDER BY last LIMIT :limit

-- name: code_block_ends
SELECT last FROM vector_code WHERE ws = :ws AND model = :model AND last > :behind ORDER BY last LIMIT :limit

-- upsert: code_block_put vector_code model last = numbers signs magnitudes lists

-- name: code_block_drop
DELETE FROM vector_code WHERE ws = :ws AND model = :model AND last = :last

-- name: embeddings_numbered
SELECT model, number FROM embedding WHERE ws = :ws AND model IN_LIST(:models) AND hash IN_LIST(:hashes)

-- name: embedded_allowed
SELECT c.number, e.number FROM chunk c JOIN document d ON d.ws = c.ws AND d.id = c.document CROSS JOIN embedding e
WHERE e.ws = c.ws AND e.model = :model AND e.hash = c.hash AND @wanted LIMIT :limit
