-- name: generations
SELECT generation, upto, trained_on, is_ready FROM vector_generation WHERE ws = :ws AND model = :model

-- name: generations_all
SELECT model, generation FROM vector_generation WHERE ws = :ws

-- name: generation_put
INSERT INTO vector_generation (ws, model, generation, upto, trained_on, is_ready)
VALUES (:ws, :model, :generation, :upto, :trained_on, :is_ready)
ON CONFLICT (ws, model, generation) DO UPDATE SET upto = excluded.upto, is_ready = excluded.is_ready

-- name: generation_drop
DELETE FROM vector_generation WHERE ws = :ws AND model = :model AND generation = :generation

-- name: cells_drop
DELETE FROM vector_cell WHERE ws = :ws AND model = :model AND generation = :generation

-- name: blocks_drop
DELETE FROM vector_block WHERE ws = :ws AND model = :model AND generation = :generation

-- name: cell_add
INSERT INTO vector_cell (ws, model, generation, cell, centre) VALUES (:ws, :model, :generation, :cell, :centre)

-- name: cells
SELECT centre FROM vector_cell WHERE ws = :ws AND model = :model AND generation = :generation ORDER BY cell

-- name: block_add
INSERT INTO vector_block (ws, model, generation, cell, block, numbers, scales, rows)
VALUES (:ws, :model, :generation, :cell, :block, :numbers, :scales, :rows)

-- name: blocks_of_cells
SELECT numbers, scales, rows FROM vector_block
WHERE ws = :ws AND model = :model AND generation = :generation AND cell IN_LIST(:cells)

-- name: embeddings_some
SELECT number, vector FROM embedding WHERE number > :upto AND ws = :ws AND model = :model ORDER BY number LIMIT :limit

-- name: embeddings_every
SELECT vector FROM embedding WHERE ws = :ws AND model = :model AND number % :step = 0 LIMIT :limit

-- name: embedded_wanted
SELECT c.number, e.number FROM embedding e CROSS JOIN chunk c ON c.ws = e.ws AND c.hash = e.hash
CROSS JOIN document d ON d.ws = c.ws AND d.id = c.document
WHERE e.number IN_LIST(:embedded) AND @wanted

-- name: numbers_wanted
SELECT c.number FROM chunk c JOIN document d ON d.ws = c.ws AND d.id = c.document WHERE @wanted LIMIT :limit
