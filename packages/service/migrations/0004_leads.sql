create table leads (
  organization_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  email text not null,
  email_key text collate "C" not null,
  first_name text,
  last_name text,
  company_name text,
  phone text,
  estimated_start_date timestamptz,
  estimated_start_date_string text,
  source text,
  source_details text,
  notes text,
  form_name text,
  slug text,
  referrer_url text,
  metadata json,
  -- accepted, or quarantined because a bot filled the honeypot field.
  state text not null default 'accepted' check (state in ('accepted', 'quarantined')),
  -- An earlier lead with the same e-mail and location, minutes before.
  duplicate_of uuid,
  captcha_type text,
  captcha_result json,
  api_key_id uuid not null,
  address text not null,
  user_agent text,
  idempotency_key text collate "C",
  -- SHA-256 of the fields that came with the Idempotency-Key, the captcha token apart: it is new with every try.
  body_hash bytea,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index leads_by_idempotency_key on leads (organization_id, idempotency_key)
  where idempotency_key is not null;
create index leads_by_email on leads (organization_id, email_key, created_at desc);

-- Who is at work on an Idempotency-Key at this moment. A captcha token can be verified only once, so of two equal
-- requests the second has to wait for the first. A row whose instance died is taken over once it has expired.
create table lead_attempts (
  organization_id uuid not null,
  idempotency_key text collate "C" not null,
  attempt_id uuid not null,
  expires_at timestamptz not null,
  primary key (organization_id, idempotency_key)
);

-- A browser's preflight carries no key: whether anybody listed its origin is looked up across organizations.
create index api_keys_by_lead_origin on api_keys using gin (lead_origins);
create index organizations_by_lead_origin on organizations using gin (lead_origins);

-- As in 0002.
alter table leads alter column organization_id set statistics 0;
