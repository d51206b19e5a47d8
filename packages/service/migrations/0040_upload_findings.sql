-- phase: expand
-- Skipped rows of the current pass whose stored record has other values.
alter table uploads add column conflict_count bigint not null default 0;
alter table upload_batches add column conflict_count integer not null default 0;
-- Lines of the file that are not records.
alter table uploads add column set_aside_count bigint not null default 0;
-- What is unusual about the rows of the current pass that can be imported, as JSON.
alter table uploads add column findings text not null default '[]';
