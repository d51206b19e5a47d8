-- phase: expand
-- transaction: none
-- What has to be looked through when a person is erased: of all that is kept of runs only the differences, which are few.
create index concurrently if not exists import_differences_by_reference
  on import_exceptions (organization_id, reference, run_id, position)
  where differences is not null and reference is not null;
