-- One row an organization, made with it. Whoever holds its lock may import; the others wait. It is a row of its own,
-- apart from the settings of the organization, because it belongs where the organization's records are.
create table import_turns (
  organization_id uuid primary key,
  -- Kept by every recorded run, so that a list of many thousand runs needs no count. `gatehouse verify` compares.
  run_count bigint not null default 0
);

-- One row a run. Its id is the referenceUuid and is ordered by time, so the primary key also lists the newest first.
-- A run and everything it stored commit together; a run that is not here stored nothing.
create table import_runs (
  organization_id uuid not null,
  id uuid not null,
  resource smallint not null,
  status smallint not null check (status in (1, 2, 3)),
  started_at timestamptz not null,
  completed_at timestamptz not null,
  duration_ms integer not null,
  total_submitted integer not null,
  success_count integer not null,
  failed_count integer not null,
  skipped_count integer not null,
  created_accounts integer not null default 0,
  created_contacts integer not null default 0,
  created_vehicles integer not null default 0,
  created_subscriptions integer not null default 0,
  metadata json,
  api_key_id uuid,
  request_id text,
  primary key (organization_id, id)
);

-- The records of a run that were not created: all Skipped ones and the first 100 Failed. What was created is read
-- from the records themselves, so no outcome is stored twice.
create table import_exceptions (
  organization_id uuid not null,
  run_id uuid not null,
  position integer not null,
  -- Null if what was sent cannot be a key (missing, too long, or text that PostgreSQL cannot hold) ...
  reference text collate "C",
  -- ... and then, if it was a string, what was sent.
  unusable_reference json,
  status smallint not null check (status in (3, 4)),
  reason_code smallint not null,
  -- Skipped: the stored record it met.
  record_id uuid,
  -- Failed: what was wrong and where.
  error_detail text,
  -- Skipped with another payload than the stored one: [{field, stored, sent}].
  differences json,
  primary key (organization_id, run_id, position)
);
create index import_exceptions_by_reference on import_exceptions (organization_id, reference)
  where reference is not null;

-- As in 0002.
alter table import_runs alter column organization_id set statistics 0;
alter table import_exceptions alter column organization_id set statistics 0;
