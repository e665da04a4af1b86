-- fragment: thread
(d.properties ->> 'thread_id')
