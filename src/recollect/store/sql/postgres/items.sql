-- fragment: thread
(CAST(d.properties AS JSONB) ->> 'thread_id')
