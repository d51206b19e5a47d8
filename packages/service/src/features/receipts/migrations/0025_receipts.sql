-- phase: expand
-- The keys that receipts of imports are signed with (docs/decisions/0040). A key is never deleted: with the public half of
-- a retired one, old receipts are still checked.
create table receipt_keys (
  -- The thumbprint of the public key (RFC 7638).
  kid text collate "C" primary key,
  public_key bytea not null,
  -- Encrypted with the service's secret key.
  sealed_private_key bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Null: receipts are signed with it.
  retired_at timestamptz
);
-- Instances that start at the same moment make one key.
create unique index receipt_keys_current on receipt_keys ((true)) where retired_at is null;
