-- Pages for people: what is here, without asking for it by name.

-- name: entities_page
SELECT e.id, e.name, e.type,
  (SELECT COUNT(*) FROM fact f WHERE f.ws = e.ws AND f.subject = e.id AND @known(f))
  + (SELECT COUNT(*) FROM fact f WHERE f.ws = e.ws AND f.object = e.id AND f.subject <> e.id AND @known(f))
FROM entity e WHERE e.ws = :ws AND @entity_live
  AND (CAST(:type AS TEXT) IS NULL OR e.type = :type)
ORDER BY e.folded, e.id LIMIT :limit

-- name: entities_counted
SELECT COUNT(*) FROM entity e WHERE e.ws = :ws AND @entity_live
  AND (CAST(:type AS TEXT) IS NULL OR e.type = :type)

-- name: documents_page
SELECT key, kind, type, title, source_at FROM document WHERE ws = :ws AND @row_known AND deleted IS NULL
  AND (CAST(:type AS TEXT) IS NULL OR kind = :type OR type = :type)
ORDER BY source_at DESC, id LIMIT :limit

-- name: documents_counted
SELECT COUNT(*) FROM document WHERE ws = :ws AND @row_known AND deleted IS NULL
  AND (CAST(:type AS TEXT) IS NULL OR kind = :type OR type = :type)

-- name: predicates_page
SELECT predicate, COUNT(*) AS facts FROM fact WHERE ws = :ws AND @row_known
GROUP BY predicate ORDER BY facts DESC, predicate
