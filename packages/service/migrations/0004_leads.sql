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
  -- SHA-256 of the body that came with the Idempotency-Key.
  body_hash bytea,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, location_id) references locations (organization_id, id)
);
create unique index leads_by_idempotency_key on leads (organization_id, idempotency_key)
  where idempotency_key is not null;
create index leads_by_email on leads (organization_id, email_key, created_at desc);
