-- phase: expand
-- Shorter retention periods that have been saved and are not in effect yet, as
-- {"leads": {"days": 1, "from": null, "at": "2026-11-19T12:31:00.000Z", "by": "a@example.com", "count": 21, "isMinimum": false}}.
-- They are separate from `retention`, by which every release deletes.
alter table organizations add column pending_retention jsonb;
-- Deleted rows that the audit log does not mention yet, as {"leads": 21}.
alter table organization_upkeep add column unreported_deletions jsonb not null default '{}';
