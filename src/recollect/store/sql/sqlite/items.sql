-- fragment: thread
(d.properties ->> 'thread_id')

-- In the words of the index: a list would be made anew for every fact that is written.
-- fragment: is_item
(f.predicate = 'blocked_by' OR f.predicate = 'blocker' OR f.predicate = 'commitment' OR f.predicate = 'goal'
  OR f.predicate = 'pending_decision' OR f.predicate = 'promise' OR f.predicate = 'request')
