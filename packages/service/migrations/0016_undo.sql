-- phase: expand
-- A run can be taken back (docs/decisions/0028). It stays in the history with what it answered; these say that it was.
-- When and by whom it was taken back last; null: never.
alter table import_runs add column undone_at timestamptz;
alter table import_runs add column undone_by text;
-- Which preview was confirmed: the same confirmation again, as by a second click, changes nothing more.
alter table import_runs add column undone_version text;
-- How many of the records that it counts as created are gone. `gatehouse verify` compares.
alter table import_runs add column undone_count integer not null default 0;

-- What an undone run had created: the records and what they brought along. The removed ones are kept by name, because the
-- run is still answered with them and because others were told their uuid. The ones that were left, because something
-- refers to them, are here for the next time that the run is taken back.
create table undo_records (
  organization_id uuid not null,
  record_id uuid not null,
  run_id uuid not null,
  -- The name of the table that the record is or was in.
  kind text not null,
  position integer not null,
  -- Of what is imported on its own. People and vehicles are not named here.
  reference text collate "C",
  is_removed boolean not null,
  primary key (organization_id, record_id)
);
create index undo_records_by_run on undo_records (organization_id, run_id, position);
create index undo_records_by_reference on undo_records (organization_id, reference) where reference is not null;
alter table undo_records alter column organization_id set statistics 0;
