-- The signs of vectors, of stores with too many to compare with all.

-- name: coded
SELECT upto, erasures FROM vector_coded WHERE ws = :ws AND model = :model

-- name: coded_models
SELECT model FROM vector_coded WHERE ws = :ws

-- upsert: coded_put vector_coded model = upto erasures

-- name: code_blocks
SELECT last, numbers, signs FROM vector_code
WHERE ws = :ws AND model = :model AND last > :behind ORDER BY last LIMIT :limit

-- upsert: code_block_put vector_code model last = numbers signs

-- name: embeddings_numbered
SELECT model, number FROM embedding WHERE ws = :ws AND model IN_LIST(:models) AND hash IN_LIST(:hashes)

-- name: embedded_allowed
SELECT c.number, e.number FROM chunk c JOIN document d ON d.ws = c.ws AND d.id = c.document CROSS JOIN embedding e
WHERE e.ws = c.ws AND e.model = :model AND e.hash = c.hash AND @wanted LIMIT :limit
