-- One row a bucket: the moments of the requests accepted within the window, oldest first, and how many at each.
-- Kept in the row itself (plain storage, never moved out of line), because it is rewritten with every request; and
-- with no index but the primary key, so that each rewrite stays on its page.
create table rate_limits (
  bucket text collate "C" primary key,
  moments timestamptz[] not null,
  counts integer[] not null,
  -- How many requests were let through by the statement that wrote this version.
  accepted integer not null,
  expires_at timestamptz not null
) with (fillfactor = 50);
alter table rate_limits
  alter column moments set storage plain,
  alter column counts set storage plain;
