-- phase: expand
-- The invitation that invitation_made_by made. Another one was made by release 1.1.0, which notes no maker.
alter table memberships add column invitation_maker_hash bytea;

-- The retention settings that this release has saved or acknowledged. A shorter period in `retention` was saved by release 1.1.0,
-- which shows nobody what it deletes; it gets a grace period first.
alter table organizations add column acknowledged_retention jsonb;
alter table organizations add column acknowledged_keeps_deleted_keys boolean not null default false;
update organizations set acknowledged_retention = retention, acknowledged_keeps_deleted_keys = keeps_deleted_keys;
