-- phase: expand
-- Rows, or imports that are undone, per second of the current pass.
alter table uploads add column speed real;
-- Why an upload waits until turn_at.
alter table upload_queue add column waits_for text;
-- The first run of the file that the run is part of, in all runs of that file. Null: it is not part of a file.
alter table import_runs add column file_run_id uuid;
