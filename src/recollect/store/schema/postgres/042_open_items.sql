-- Messages of one thread.
CREATE INDEX document_thread ON document (ws, (CAST(properties AS JSONB) ->> 'thread_id'), tx_to)
WHERE CAST(properties AS JSONB) ->> 'thread_id' IS NOT NULL;
