-- phase: expand
-- What the console shows of each local day, counted beforehand (docs/decisions/0047).
create table local_days (
  organization_id uuid not null,
  local_date date not null,
  -- The change of the organization that last added or removed transactions of the day: its change_count from then on.
  changed_in bigint not null,
  -- The change_count of the moment at which the totals were right. Null: not counted yet.
  counted_in bigint,
  -- [{location_id, transactions, revenue, refunded}]
  totals json,
  primary key (organization_id, local_date)
);
alter table local_days alter column organization_id set statistics 0;

-- One more with everything that adds or removes transactions, on the row that it locks and writes anyway.
alter table import_turns add column change_count bigint not null default 0;
-- Runs that noted the days they changed. The previous release counts in run_count alone.
alter table import_turns add column told_run_count bigint not null default 0;
-- How many runs had not, when all days were looked up that have transactions. Null: nobody has looked yet.
alter table import_turns add column days_known_for bigint;
