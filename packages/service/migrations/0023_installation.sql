-- phase: expand
-- What operators see of each organization at a glance (docs/decisions/0038): figures that were looked up in the
-- organization, some organizations at a time, so that a list of thousands reads one small table.
create table organization_health (
  organization_id uuid primary key references organizations (id),
  -- Who looks it up at this moment; a claim that is old is worth nothing.
  claimed_at timestamptz,
  -- When the figures were true; null: nobody has looked yet.
  looked_at timestamptz,
  last_run_id uuid,
  last_run_at timestamptz,
  last_run_status smallint,
  runs_day bigint not null default 0,
  records_day bigint not null default 0,
  failed_day bigint not null default 0,
  runs_week bigint not null default 0,
  records_week bigint not null default 0,
  failed_week bigint not null default 0,
  -- Keys at locations whose times look like local ones.
  clock_warnings integer not null default 0,
  -- Records that were sent again with other values.
  drifted integer not null default 0,
  -- [{uuid, name, prefix, requests, refused}]
  failing_keys json not null default '[]',
  -- [{operation, used, limit}]
  limits_near json not null default '[]',
  limited_day bigint not null default 0,
  -- More: look here first.
  attention integer not null default 0
);

-- The processes that serve at this moment. Each says so now and then.
create table instances (
  id uuid primary key,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);
