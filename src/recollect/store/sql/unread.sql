-- name: passages_after
SELECT c.number, c.document, c.seq, c.start, c.stop, c.text FROM chunk c
JOIN document d ON d.ws = c.ws AND d.id = c.document AND d.tx_to = 9223372036854775807
WHERE c.ws = :ws AND c.number > :number AND +c.tx_to = 9223372036854775807 AND d.kind IN_LIST(:kinds)
ORDER BY c.number LIMIT :limit

-- name: unread_passages
SELECT c.number, c.document, c.seq, c.start, c.stop, c.text FROM unread_passage u
JOIN chunk c ON c.ws = u.ws AND c.number = u.number
WHERE u.ws = :ws AND u.number < :before AND c.tx_to = 9223372036854775807
ORDER BY u.number DESC LIMIT :limit

-- name: unread_passages_mentioning
SELECT c.number, c.document, c.seq, c.start, c.stop, c.text FROM mention m
JOIN chunk c ON c.ws = m.ws AND c.document = m.document AND c.tx_to = 9223372036854775807
JOIN unread_passage u ON u.ws = c.ws AND u.number = c.number
WHERE m.ws = :ws AND m.entity = :entity AND m.tx_to = 9223372036854775807 AND c.number < :before
ORDER BY c.number DESC LIMIT :limit

-- name: unread_named
SELECT c.number, c.document, c.seq, c.start, c.stop, c.text FROM unread_passage u
JOIN chunk c ON c.ws = u.ws AND c.number = u.number
WHERE u.ws = :ws AND u.number IN_LIST(:numbers) AND c.tx_to = 9223372036854775807
AND NOT EXISTS (SELECT 1 FROM mention m WHERE m.ws = c.ws AND m.document = c.document AND m.entity = :entity
  AND m.tx_to = 9223372036854775807)
ORDER BY u.number DESC

-- name: unread_count
SELECT COUNT(*) FROM unread_passage u
JOIN chunk c ON c.ws = u.ws AND c.number = u.number
WHERE u.ws = :ws AND c.tx_to = 9223372036854775807

-- name: unread_count_mentioning
SELECT COUNT(*) FROM mention m
JOIN chunk c ON c.ws = m.ws AND c.document = m.document AND c.tx_to = 9223372036854775807
JOIN unread_passage u ON u.ws = c.ws AND u.number = c.number
WHERE m.ws = :ws AND m.entity = :entity AND m.tx_to = 9223372036854775807

-- name: unread_changed
SELECT c.number, c.document, c.seq, c.start, c.stop, c.text FROM unread_passage u
JOIN chunk c ON c.ws = u.ws AND c.number = u.number
WHERE u.ws = :ws AND c.tx_to = 9223372036854775807 AND (
  EXISTS (SELECT 1 FROM assertion a WHERE a.ws = c.ws AND a.document = c.document AND a.tx_from > c.tx_from)
  OR EXISTS (SELECT 1 FROM document d WHERE d.ws = c.ws AND d.id = c.document AND d.tx_from > c.tx_from))

-- name: unread_changed_mentioning
SELECT c.number, c.document, c.seq, c.start, c.stop, c.text FROM mention m
JOIN chunk c ON c.ws = m.ws AND c.document = m.document AND c.tx_to = 9223372036854775807
JOIN unread_passage u ON u.ws = c.ws AND u.number = c.number
WHERE m.ws = :ws AND m.entity = :entity AND m.tx_to = 9223372036854775807 AND (
  EXISTS (SELECT 1 FROM assertion a WHERE a.ws = c.ws AND a.document = c.document AND a.tx_from > c.tx_from)
  OR EXISTS (SELECT 1 FROM document d WHERE d.ws = c.ws AND d.id = c.document AND d.tx_from > c.tx_from))

-- name: unread_put
INSERT INTO unread_passage (ws, number) VALUES (:ws, :number) ON CONFLICT DO NOTHING
