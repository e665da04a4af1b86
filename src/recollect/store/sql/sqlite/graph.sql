-- fragment: edge_weight
CASE WHEN json_type(f.attributes, '$.weight') IN ('integer', 'real') THEN f.attributes ->> 'weight' ELSE f.confidence END
