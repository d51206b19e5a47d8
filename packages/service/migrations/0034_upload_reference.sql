-- phase: expand
-- The partner's own name of an upload, so that creating it again returns the same one. An organization has few uploads, so there
-- is no index. Creating one locks the organization, so that the name stays unique.
alter table uploads add column reference text;
