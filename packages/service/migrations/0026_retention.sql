-- phase: expand
-- How long an organization keeps what (docs/decisions/0042), in days, as {"records": 730, "leads": 90}; what is absent is
-- kept as long as everybody's. Null: nothing of its own.
alter table organizations add column retention jsonb;
-- Whether the keys of records that were deleted stay known, so that they are Skipped when they are sent again.
alter table organizations add column keeps_deleted_keys boolean not null default false;
-- Whether runs that end alike, record by record, keep their exceptions once a day instead of each for itself.
alter table organizations add column keeps_replays_once boolean not null default false;
-- How much it may store, as {"records": 1000000, "storageBytes": 1000000000, "leadsPerDay": 500}; null: as much as it likes.
alter table organizations add column quotas jsonb;

-- What was deleted because its time was over, of what is imported on its own and as long as its key is to stay known.
-- The run that created it is still answered with it.
create table deleted_records (
  organization_id uuid not null,
  record_id uuid not null,
  -- The name of the table that the record was in.
  kind text not null,
  reference text collate "C" not null,
  run_id uuid not null,
  position integer not null,
  deleted_at timestamptz not null,
  primary key (organization_id, record_id)
);
create index deleted_records_by_reference on deleted_records (organization_id, kind, reference, deleted_at);
create index deleted_records_by_run on deleted_records (organization_id, run_id, position);
alter table deleted_records alter column organization_id set statistics 0;

-- How many of the records that a run created were deleted because their time was over, as {"transactions": 12}.
alter table import_runs add column deleted_records jsonb;
-- When its exceptions were deleted for the same reason; null: they are there.
alter table import_runs add column exceptions_deleted_at timestamptz;

-- Runs that created nothing, of organizations that keep replays once. One that ended as an earlier one of the same day has
-- no exceptions of its own: `same_as` names that run.
create table repeated_runs (
  organization_id uuid not null,
  run_id uuid not null,
  -- Of all that is kept of its records.
  exceptions_hash bytea not null,
  same_as uuid,
  primary key (organization_id, run_id)
);
create index repeated_runs_by_hash on repeated_runs (organization_id, exceptions_hash, run_id) where same_as is null;
create index repeated_runs_by_first on repeated_runs (organization_id, same_as, run_id) where same_as is not null;
alter table repeated_runs alter column organization_id set statistics 0;

-- What the organization stores, on the row that every run locks and writes anyway. `_net` is what was added and taken
-- away since this column exists; `_base` is what was there besides, found by counting both at one moment. Null: not counted
-- yet. The previous release adds nothing to `_net`; the next count notices.
alter table import_turns add column records_net bigint not null default 0;
alter table import_turns add column records_base bigint;
alter table import_turns add column bytes_net bigint not null default 0;
alter table import_turns add column bytes_base bigint;
-- Records with smaller identifiers may have been deleted because their time was over; null: none were.
alter table import_turns add column deleted_before uuid;

-- What each organization takes, and how far the deletion of what is past its time has come (docs/decisions/0042).
create table organization_upkeep (
  organization_id uuid primary key references organizations (id),
  -- Who looks after it at this moment; a claim that is old is worth nothing.
  claimed_at timestamptz,
  -- It is left alone until then.
  sweep_at timestamptz not null default now(),
  -- By table, the last record that was looked at, as {"accounts": "..."}; all of it begins anew once a day.
  passed json not null default '{}',
  pass_begun_at timestamptz,
  -- When the figures were true; null: nobody has counted yet.
  measured_at timestamptz,
  -- [{what, rows, bytes}]
  sizes json not null default '[]',
  -- Of all five kinds, and of everything.
  records bigint not null default 0,
  bytes bigint not null default 0
);
