-- phase: expand
-- A session that a one-time link has opened may set a new password without knowing the old one.
alter table sessions add column by_link boolean not null default false;

-- From where somebody did it; null for the command line, and for what was done before.
alter table audit_log add column address text;

-- Who has put a lead into its state by hand, and when; null: it is as it came in.
alter table leads add column state_changed_by text;
alter table leads add column state_changed_at timestamptz;
