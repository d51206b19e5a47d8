-- phase: expand
-- transaction: none
create index concurrently if not exists import_runs_of_file on import_runs (organization_id, file_run_id, id)
  where file_run_id is not null;
