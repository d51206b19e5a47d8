-- phase: expand
-- The second factor of a person: the secret of their authenticator app, encrypted with the service's secret key.
create table second_factors (
  user_id uuid primary key references users (id) on delete cascade,
  sealed_secret bytea not null,
  created_at timestamptz not null default now(),
  -- Null: it was shown, and no code of it was given yet. It is not asked for.
  confirmed_at timestamptz,
  -- The time step of the last code that was accepted. No code of it or of an earlier one is accepted again.
  last_step bigint
);

-- For somebody whose authenticator is out of reach. Only the SHA-256 of a code is kept, and it goes when it is used.
create table recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- Whether whoever looks at the organization needs a second factor.
alter table organizations add column requires_second_factor boolean not null default false;

-- Who somebody is at the OpenID provider. Bound at their first sign-in there; an address can change hands later.
create table provider_identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject),
  unique (user_id, issuer)
);

-- A session that the provider has opened; whether a second factor was needed was the provider's affair.
alter table sessions add column by_provider boolean not null default false;
