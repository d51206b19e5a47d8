-- phase: expand
-- transaction: none
-- The list of imports shows one line per file.
create index concurrently if not exists import_runs_listed on import_runs (organization_id, id)
  where file_run_id is null or file_run_id = id;
