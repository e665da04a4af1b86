-- The graph as named entities with observations and relations.

-- name: named_entities
SELECT @entity_columns FROM entity e WHERE e.ws = :ws AND @entity_live
AND (:everything = 1 OR e.id IN_LIST(:ids))

-- name: named_facts
SELECT @fact_columns FROM fact f
WHERE f.ws = :ws AND f.is_alias = 0 AND f.certainty <> 'retracted' AND @known(f) AND @fact_current

-- name: named_facts_touching
SELECT @fact_columns FROM fact f
WHERE f.ws = :ws AND (f.subject IN_LIST(:ids) OR f.object IN_LIST(:ids))
AND f.is_alias = 0 AND f.certainty <> 'retracted' AND @known(f) AND @fact_current

-- name: unretracted_facts
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.is_alias = 0 AND f.certainty <> 'retracted' AND @known(f)
