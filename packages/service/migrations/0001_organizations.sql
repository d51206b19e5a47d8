-- Tenants, their places, their keys, and the trail of who changed what.
-- Every table is declared in src/database/distribution.ts: those led by organization_id can be spread over several
-- machines (`gatehouse distribute`), and so neither point to nor are pointed at by a foreign key (docs/decisions/0013).
-- Every id is a UUIDv7 made by the service; what the interface calls `uuid` is the column `id`.

create table organizations (
  id uuid primary key,
  name text not null,
  is_demo boolean not null default false,
  created_at timestamptz not null default now(),

  captcha_type text check (captcha_type in ('recaptcha', 'hcaptcha', 'turnstile')),
  -- Encrypted by the service; the key is never in the database.
  captcha_secret bytea,
  captcha_minimum_score numeric,
  captcha_hostnames text[] not null default '{}',
  honeypot_field text,
  lead_origins text[] not null default '{}',

  check ((captcha_type is null) = (captcha_secret is null))
);

create table locations (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  address text not null,
  city text not null,
  state text not null,
  zipcode text not null,
  time_zone text not null,
  is_active boolean not null default true,
  tp_reference_id text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create index locations_by_name on locations (organization_id, name collate "C", id);

create table api_keys (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  name text not null,
  -- What may be shown of the key after its creation.
  prefix text not null,
  -- SHA-256 of the key. The key itself has 160 random bits, so a slow hash would add nothing.
  hash bytea not null,
  permissions text[] not null,
  lead_origins text[] not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  replaced_by uuid,
  last_used_at timestamptz,
  last_used_address text,
  primary key (organization_id, id)
);
create unique index api_keys_by_hash on api_keys (hash);

-- How often each key used each operation, by hour. Written in batches, never within a request.
create table api_key_usage (
  organization_id uuid not null,
  api_key_id uuid not null,
  operation text not null,
  hour timestamptz not null,
  accepted bigint not null default 0,
  limited bigint not null default 0,
  primary key (organization_id, hour, api_key_id, operation)
);

-- Append only. Actions that concern no single organization have none.
create table audit_log (
  id uuid primary key,
  organization_id uuid,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  subject_id uuid,
  detail json not null default '{}'
);
create index audit_log_by_organization on audit_log (organization_id, id desc);
