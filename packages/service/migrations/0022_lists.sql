-- phase: expand
-- Views of lists that people save for themselves: the filters, the order and the columns, as they stand in the address of
-- the page. Each is one person's own, in one organization.
create table saved_views (
  organization_id uuid not null references organizations (id),
  user_id uuid not null references users (id) on delete cascade,
  id uuid not null,
  list text collate "C" not null,
  name text collate "C" not null,
  query text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id, id),
  unique (organization_id, user_id, list, name)
);
create index saved_views_by_user on saved_views (user_id);

-- Whether the locations use different currencies: amounts carry none, so that only the organization can tell.
alter table organizations add column has_several_currencies boolean not null default false;
