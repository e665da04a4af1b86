-- fragment: edge_weight
CASE WHEN jsonb_typeof(CAST(f.attributes AS JSONB) -> 'weight') = 'number'
  THEN CAST(CAST(f.attributes AS JSONB) ->> 'weight' AS DOUBLE PRECISION) ELSE f.confidence END
