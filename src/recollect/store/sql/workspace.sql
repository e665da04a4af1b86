-- name: workspace_named
SELECT ws, name, created_at, last_tx FROM workspace WHERE name = :name AND name NOT LIKE 'deleted:%'

-- name: workspaces
SELECT ws, name, created_at, last_tx FROM workspace WHERE name NOT LIKE 'deleted:%' ORDER BY name

-- name: workspace_rename
UPDATE workspace SET name = :name WHERE ws = :ws

-- The row stays, so that its number is never given to another workspace; no name that is given contains a colon.
-- name: workspace_end
UPDATE workspace SET name = 'deleted:' || ws, last_tx = 0 WHERE ws = :ws

-- name: workspace_create
INSERT INTO workspace (ws, name, created_at, last_tx)
SELECT COALESCE(MAX(ws), 0) + 1, CAST(:name AS TEXT), CAST(:at AS BIGINT), 0 FROM workspace WHERE TRUE
ON CONFLICT DO NOTHING

-- name: last_tx
SELECT last_tx FROM workspace WHERE ws = :ws

-- name: tx_at
SELECT tx FROM tx WHERE ws = :ws AND at <= :at ORDER BY at DESC, tx DESC LIMIT 1

-- name: tx_one
SELECT tx, at, surface, tool, actor, undoes FROM tx WHERE ws = :ws AND tx = :tx

-- name: tx_undoing
SELECT tx FROM tx WHERE ws = :ws AND undoes = :tx AND tx > :tx ORDER BY tx DESC

-- name: tx_by
SELECT t.tx FROM tx t WHERE t.ws = :ws AND t.tx < :before AND t.surface IN_LIST(:surfaces) AND t.actor = :actor AND t.undoes IS NULL
  AND t.tool <> :tool AND NOT EXISTS (SELECT 1 FROM sync_origin o WHERE o.ws = t.ws AND o.tx = t.tx)
ORDER BY t.tx DESC LIMIT :limit

-- name: tx_latest
SELECT tx, at, surface, tool, actor, undoes FROM tx WHERE ws = :ws ORDER BY tx DESC LIMIT :limit

-- name: world
-- Settings, and what defines time here. Calendars and eras keep the place in which they were first defined, since others may rest on them; dates do not.
SELECT 'setting', key, value, 0 FROM setting WHERE ws = :ws AND @row_known
UNION ALL
SELECT d.kind, d.slug, d.value, CASE WHEN d.kind = 'date' THEN d.tx_from ELSE (
  SELECT MIN(b.tx_from) FROM definition b
  WHERE b.ws = d.ws AND b.kind = d.kind AND b.slug = d.slug AND b.tx_from >= COALESCE((
    SELECT MAX(e.tx_to) FROM definition e
    WHERE e.ws = d.ws AND e.kind = d.kind AND e.slug = d.slug AND e.tx_to <= d.tx_from AND NOT EXISTS (
      SELECT 1 FROM definition n WHERE n.ws = d.ws AND n.kind = d.kind AND n.slug = d.slug AND n.tx_from = e.tx_to)
  ), 0)) END
FROM definition d WHERE d.ws = :ws AND @known(d)

-- name: predicate_used
SELECT name, first_surface, is_symmetric FROM predicate WHERE ws = :ws AND name = :name AND @row_known

-- Rows that began and rows that ended after one transaction and up to another, of those that are counted.
-- name: counts_between
SELECT
  (SELECT COUNT(*) FROM entity WHERE ws = :ws AND tx_from > :after AND tx_from <= :upto AND tx_to > :upto
    AND deleted IS NULL AND merged_into IS NULL)
  - (SELECT COUNT(*) FROM entity WHERE ws = :ws AND tx_to > :after AND tx_to <= :upto AND tx_to < @open
    AND +tx_from <= :after AND deleted IS NULL AND merged_into IS NULL),
  (SELECT COUNT(*) FROM fact WHERE ws = :ws AND tx_from > :after AND tx_from <= :upto AND tx_to > :upto)
  - (SELECT COUNT(*) FROM fact WHERE ws = :ws AND tx_to > :after AND tx_to <= :upto AND tx_to < @open
    AND +tx_from <= :after),
  (SELECT COUNT(*) FROM document WHERE ws = :ws AND tx_from > :after AND tx_from <= :upto AND tx_to > :upto AND deleted IS NULL)
  - (SELECT COUNT(*) FROM document WHERE ws = :ws AND tx_to > :after AND tx_to <= :upto AND tx_to < @open
    AND +tx_from <= :after AND deleted IS NULL),
  (SELECT COUNT(*) FROM job WHERE ws = :ws)

-- name: counts
SELECT
  (SELECT COUNT(*) FROM entity WHERE ws = :ws AND @row_known AND deleted IS NULL AND merged_into IS NULL),
  (SELECT COUNT(*) FROM fact WHERE ws = :ws AND @row_known),
  (SELECT COUNT(*) FROM document WHERE ws = :ws AND @row_known AND deleted IS NULL),
  (SELECT COUNT(*) FROM job WHERE ws = :ws)
