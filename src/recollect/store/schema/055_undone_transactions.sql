-- The transactions that undo one, which the activity of an entity asks for each of its transactions.
CREATE INDEX tx_undoing ON tx (ws, undoes, tx) WHERE undoes IS NOT NULL;
