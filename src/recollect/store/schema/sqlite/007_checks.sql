INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('ontology_rule', 'sqlite_autoindex_ontology_rule_1', '200 200 2 1'),
  ('ontology_rule', 'ontology_rule_begun', '200 200 1'),
  ('ontology_rule', 'ontology_rule_ended', '100 100 1'),
  ('review_flag', 'sqlite_autoindex_review_flag_1', '1000 1000 1 1'),
  ('review_flag', 'review_flag_of_kind', '1000 1000 300 200'),
  ('review_flag', 'review_flag_begun', '1000 1000 1'),
  ('review_flag', 'review_flag_ended', '100 100 1'),
  ('finding', 'sqlite_autoindex_finding_1', '100000 100000 1 1'),
  ('finding', 'finding_of_rule', '100000 100000 5000 4000'),
  ('finding', 'finding_of_category', '100000 100000 25000 20000'),
  ('finding', 'finding_checked', '100000 100000 500'),
  ('finding_part', 'sqlite_autoindex_finding_part_1', '300000 300000 3 1'),
  ('check_run', 'sqlite_autoindex_check_run_1', '10000 10000 1'),
  ('check_state', 'sqlite_autoindex_check_state_1', '5 5 1');
ANALYZE sqlite_schema;
