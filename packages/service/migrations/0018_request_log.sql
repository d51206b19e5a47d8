-- phase: expand
-- Every answer to a request with a valid key, refusals included: written in groups, never within a request, and kept for
-- a while (docs/decisions/0030). It holds no bodies, no headers and no addresses. Its id is made with the answer and
-- ordered by time.
create table request_log (
  organization_id uuid not null,
  id uuid not null,
  api_key_id uuid not null,
  operation text not null,
  -- Null: the client went away before its answer.
  status smallint,
  -- The name of the error, as in the header X-Error; null where there was none.
  reason text,
  -- The run that the request made.
  run_id uuid,
  -- Of the body, as declared or received; null if neither is known.
  body_bytes bigint,
  -- Null where there was no answer.
  duration_ms real,
  request_id text collate "C" not null,
  primary key (organization_id, id)
);
create index request_log_by_key on request_log (organization_id, api_key_id, id);
create index request_log_by_request on request_log (organization_id, request_id);

-- As in 0002.
alter table request_log alter column organization_id set statistics 0;

-- Answered with an error other than 429; until now they counted as accepted.
alter table api_key_usage add column refused bigint not null default 0;
-- Counted, but without a line in the log, because there were too many at once.
alter table api_key_usage add column not_logged bigint not null default 0;

-- What failed records had in the fields that were wrong, bounded in size, for the console alone: beside the run's
-- exceptions, so that it can be deleted after a while and is nowhere in the way.
create table import_sent_values (
  organization_id uuid not null,
  run_id uuid not null,
  position integer not null,
  -- [{field, value, isCut}], the value as text.
  sent json not null,
  primary key (organization_id, run_id, position)
);
alter table import_sent_values alter column organization_id set statistics 0;
alter table organizations add column keeps_sent_values boolean not null default true;

-- What gives away local times that were sent with a Z (docs/decisions/0034), by key, location and the day of arrival:
-- counted by each import in its own transaction, under its organization's lock.
create table clock_signs (
  organization_id uuid not null,
  -- All zeros: uploaded in the console.
  api_key_id uuid not null,
  location_id uuid not null,
  day date not null,
  sampled bigint not null,
  -- Dated after they arrived, by no more than the zone's offset.
  future bigint not null,
  -- Between 01:00 and 05:00: as stored, in local time, and as written.
  stored_nights bigint not null,
  written_nights bigint not null,
  -- Local dates, as days since 1970: PostgreSQL has no date for all that may be sent.
  first_day integer not null,
  last_day integer not null,
  offset_seconds integer not null,
  -- Some of the last transactions that show the sign.
  future_examples uuid[] not null,
  night_examples uuid[] not null,
  primary key (organization_id, api_key_id, location_id, day)
);
alter table clock_signs alter column organization_id set statistics 0;
