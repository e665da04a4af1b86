-- fragment: edge_weight
CASE WHEN jsonb_typeof(CAST(f.attributes AS JSONB) -> 'weight') = 'number'
  THEN CAST(CAST(f.attributes AS JSONB) ->> 'weight' AS DOUBLE PRECISION) ELSE f.confidence END

-- name: node_vectors_nearest
SELECT e.hash, 1 - (e.vector <=> CAST(:vector AS VECTOR)) FROM embedding e
WHERE e.ws = :ws AND e.model = :model ORDER BY e.vector <=> CAST(:vector AS VECTOR), e.hash LIMIT :limit

-- name: node_vectors_compared
SELECT e.hash, 1 - (e.vector <=> CAST(:vector AS VECTOR)) FROM embedding e
WHERE e.ws = :ws AND e.model = :model AND e.hash IN_LIST(:hashes)
