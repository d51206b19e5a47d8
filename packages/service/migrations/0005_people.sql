-- The people of the console. Operators see all organizations; admins and viewers belong to one.
create table users (
  id uuid primary key,
  email text not null,
  email_key text collate "C" not null unique,
  password_hash text,
  role text not null check (role in ('operator', 'admin', 'viewer')),
  organization_id uuid references organizations (id),
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  check ((role = 'operator') = (organization_id is null))
);
create index users_by_organization on users (organization_id);

-- Only the SHA-256 of a session's token is kept.
create table sessions (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  address text,
  user_agent text
);
create index sessions_by_user on sessions (user_id);

-- One-time links to sign in without a password.
create table sign_in_links (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
