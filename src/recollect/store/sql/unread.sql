-- fragment: passage_columns
c.number, c.document, c.seq, c.start, c.stop, c.text, c.tx_from

-- fragment: unread_mentioning
FROM mention m
JOIN chunk c ON c.ws = m.ws AND c.document = m.document AND c.tx_to = @open
JOIN unread_passage u ON u.ws = c.ws AND u.number = c.number WHERE m.ws = :ws AND m.entity = :entity AND m.tx_to = @open

-- fragment: read_since
(
  EXISTS (SELECT 1 FROM assertion a WHERE a.ws = c.ws AND a.document = c.document AND a.tx_from > c.tx_from)
  OR EXISTS (SELECT 1 FROM document d WHERE d.ws = c.ws AND d.id = c.document AND d.tx_from > c.tx_from))

-- name: passages_after
SELECT @passage_columns FROM chunk c
JOIN document d ON d.ws = c.ws AND d.id = c.document AND d.tx_to = @open
WHERE c.ws = :ws AND c.number > :number AND +c.tx_to = @open AND d.kind IN_LIST(:kinds) ORDER BY c.number LIMIT :limit

-- name: unread_passages
SELECT @passage_columns FROM unread_passage u JOIN chunk c ON c.ws = u.ws AND c.number = u.number
WHERE u.ws = :ws AND u.number < :before AND c.tx_to = @open ORDER BY u.number DESC LIMIT :limit

-- name: unread_passages_mentioning
SELECT @passage_columns @unread_mentioning AND c.number < :before
ORDER BY c.number DESC LIMIT :limit

-- name: unread_named
SELECT @passage_columns FROM unread_passage u JOIN chunk c ON c.ws = u.ws AND c.number = u.number
WHERE u.ws = :ws AND u.number IN_LIST(:numbers) AND c.tx_to = @open
AND NOT EXISTS (SELECT 1 FROM mention m WHERE m.ws = c.ws AND m.document = c.document AND m.entity = :entity
  AND m.tx_to = @open)
ORDER BY u.number DESC

-- name: unread_count
SELECT COUNT(*) FROM unread_passage u JOIN chunk c ON c.ws = u.ws AND c.number = u.number
WHERE u.ws = :ws AND c.tx_to = @open

-- name: unread_count_mentioning
SELECT COUNT(*) @unread_mentioning

-- name: unread_changed
SELECT @passage_columns FROM unread_passage u JOIN chunk c ON c.ws = u.ws AND c.number = u.number
WHERE u.ws = :ws AND c.tx_to = @open AND @read_since

-- name: unread_changed_mentioning
SELECT @passage_columns @unread_mentioning AND @read_since

-- name: unread_put
INSERT INTO unread_passage (ws, number) VALUES (:ws, :number) ON CONFLICT DO NOTHING
