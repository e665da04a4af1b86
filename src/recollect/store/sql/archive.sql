-- What an archive holds of the graph: the whole of it.

-- name: archive_nodes
SELECT @entity_columns FROM entity e
WHERE e.ws = :ws AND +e.tx_from <= :as_of_tx AND e.tx_to > :as_of_tx AND e.deleted IS NULL AND e.merged_into IS NULL

-- name: archive_statements
SELECT @fact_columns FROM fact f
JOIN entity s ON s.ws = f.ws AND s.id = f.subject AND +s.tx_from <= :as_of_tx AND s.tx_to > :as_of_tx AND s.deleted IS NULL
WHERE f.ws = :ws AND f.object IS NULL AND f.certainty <> 'retracted' AND @fact_known
