-- phase: expand
-- The organizations that a person belongs to besides their first one. The first stays in users (organization_id, role,
-- disabled_at), where the previous release reads and writes it: nothing is stored twice, so nothing can differ.
create table memberships (
  -- Names somebody who has not accepted yet. The identifier of their account would tell when it was made.
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  organization_id uuid not null references organizations (id),
  -- As it was typed by whoever invited them; the account may write it in another way.
  email text not null,
  role text not null check (role in ('admin', 'viewer')),
  created_at timestamptz not null default now(),
  -- Null: invited. Nothing of the organization is open to them yet, and nothing of them to the organization.
  accepted_at timestamptz,
  disabled_at timestamptz,
  -- The SHA-256 of the token in the invitation's link.
  invitation_hash bytea unique,
  invitation_expires_at timestamptz,
  unique (user_id, organization_id)
);
create index memberships_by_organization on memberships (organization_id);

-- Since when somebody belongs to the organization in users, if that is not since the account was made.
alter table users add column member_since timestamptz;
