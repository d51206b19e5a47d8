-- phase: expand
-- Who is being erased at this moment. The work is done in many short transactions; when it is cut short, this row knows
-- which records were the person's, although nothing in them tells so any more. It goes with the last step.
create table person_erasures (
  organization_id uuid not null references organizations (id),
  -- SHA-256 of what the person is known by.
  person_hash bytea not null,
  contact_ids uuid[] not null default '{}',
  account_ids uuid[] not null default '{}',
  leads_deleted integer not null default 0,
  differences_erased integer not null default 0,
  primary key (organization_id, person_hash)
);

-- What a person of the console has asked to be made, by the token that the page sent with it: the same token again, as
-- by a second click, makes nothing more. Rows older than a day go with the next one of the same person.
create table console_submissions (
  user_id uuid not null references users (id) on delete cascade,
  token uuid not null,
  -- What was made; null only within the transaction that makes it.
  subject_id uuid,
  created_at timestamptz not null default now(),
  primary key (user_id, token)
);
