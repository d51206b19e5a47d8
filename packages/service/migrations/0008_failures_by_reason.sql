-- How many records of a run failed for each reason, as {"2": 120}: of the failures themselves only the first 100 are kept.
-- Null where none failed, and in runs that were recorded before.
alter table import_runs add column failed_by_reason jsonb;
