-- Open items by due date, and the deleted entities whose facts are hidden: `open_items` reads neither table as a whole.
CREATE INDEX fact_item ON fact (ws, until_hi, id, predicate, label, certainty, subject, object)
WHERE tx_to = 9223372036854775807 AND stale = 0
  AND predicate IN ('blocked_by', 'blocker', 'commitment', 'goal', 'pending_decision', 'promise', 'request');
CREATE INDEX entity_deleted ON entity (ws, id) WHERE deleted IS NOT NULL AND tx_to = 9223372036854775807;
