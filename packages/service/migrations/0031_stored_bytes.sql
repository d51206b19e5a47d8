-- phase: expand
-- The bytes that a run added to import_turns.bytes_net, so that undoing it releases the same. Null: not known.
alter table import_runs add column stored_bytes bigint;
-- When bytes_base was counted. Runs before it are part of that count, by the size of their rows.
alter table import_turns add column bytes_counted_at timestamptz;
