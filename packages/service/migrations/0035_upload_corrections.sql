-- phase: expand
-- Failed rows of an upload that a person corrected and sent again. Each attempt of a row is kept; the import of the file is
-- attempt 0, in upload_batches. The primary key makes sure that no attempt is stored twice.
create table upload_corrections (
  organization_id uuid not null,
  upload_id uuid not null,
  pass_number integer not null,
  -- Counted from 1, like in the lists of the console.
  row_number bigint not null,
  attempt integer not null,
  -- Rows that were sent together have the same number, counted from 0. They are one import.
  correction integer not null,
  run_id uuid,
  status smallint not null,
  -- The outcome of the row with its corrected cells, as in upload_batches.rows.
  outcome text not null,
  corrected_by text not null,
  corrected_at timestamptz not null default now(),
  primary key (organization_id, upload_id, pass_number, row_number, attempt)
);
create index upload_corrections_by_number on upload_corrections (organization_id, upload_id, pass_number, correction);
-- See docs/decisions/0014.
alter table upload_corrections alter column organization_id set statistics 0;
