-- phase: expand
-- Files that people upload, and how far the service has come with each. What must be true of a file and its runs at the
-- same moment lies beside the runs: a run's own transaction moves its upload on (docs/decisions/0029).
create table uploads (
  organization_id uuid not null,
  id uuid not null,
  file_name text not null,
  size_bytes bigint not null,
  received_bytes bigint not null default 0,
  -- What takes room: the pieces, until the file is imported or cancelled, and the rows of the current pass.
  is_file_kept boolean not null default true,
  kept_bytes bigint not null default 0,
  resource smallint not null,
  state text not null default 'receiving',
  -- A pass goes through the file once, 'check' or 'import', or takes back what an import has stored: 'undo'. Everything
  -- from here to `problem` is about the current check or import; an undo leaves it as it is.
  pass text,
  pass_number integer not null default 0,
  mapping text,
  ignore_unknown_columns boolean not null default false,
  -- It was resumed although its first rows all failed.
  is_insistent boolean not null default false,
  -- Who works on it. Whoever finds another one here has lost it.
  holder uuid,
  reading text,
  columns text,
  read_bytes bigint not null default 0,
  decided_rows bigint not null default 0,
  created_count bigint not null default 0,
  skipped_count bigint not null default 0,
  failed_count bigint not null default 0,
  run_count integer not null default 0,
  problems text not null default '[]',
  other_problem_rows bigint not null default 0,
  problem text,
  -- Known once a pass came to the end of the file.
  total_rows bigint,
  -- Who had it taken back, and when they said so. The rows before `undo_position` are still to be taken back, the last run
  -- of them first; the rest is about the runs that are done with.
  undone_at timestamptz,
  undone_by text,
  undo_position bigint not null default 0,
  undone_runs integer not null default 0,
  undone_records text not null default '[]',
  undo_kept_count bigint not null default 0,
  created_by text not null,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  primary key (organization_id, id)
);

create table upload_pieces (
  organization_id uuid not null,
  upload_id uuid not null,
  byte_offset bigint not null,
  sha256 bytea not null,
  content bytea not null,
  primary key (organization_id, upload_id, byte_offset)
);
-- Much of it is compressed already.
alter table upload_pieces alter column content set storage external;

-- What became of the rows of a file, batch by batch. `rows` is a JSON text with the cells of each row, as text, because
-- cells may hold what jsonb cannot.
create table upload_batches (
  organization_id uuid not null,
  upload_id uuid not null,
  pass_number integer not null,
  first_row bigint not null,
  row_count integer not null,
  first_line bigint not null,
  last_line bigint not null,
  run_id uuid,
  created_count integer not null,
  skipped_count integer not null,
  failed_count integer not null,
  rows text not null,
  primary key (organization_id, upload_id, pass_number, first_row)
);

-- Which uploads are to be worked on, by whom and until when, for all organizations: instances look here for work. It
-- decides who begins; that nothing is imported twice is decided by uploads.holder and uploads.decided_rows.
create table upload_queue (
  upload_id uuid primary key,
  organization_id uuid not null references organizations (id),
  is_wanted boolean not null default false,
  turn_at timestamptz not null default now(),
  -- How often it was begun without getting any further.
  claims integer not null default 0,
  holder uuid,
  leased_until timestamptz,
  -- More than 0: something of it is to be deleted.
  untidy integer not null default 0,
  expires_at timestamptz not null
);
create index upload_queue_by_turn on upload_queue (turn_at) where is_wanted;

-- Mappings that people keep for the next file of the same shape.
create table mappings (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text not null,
  resource smallint not null,
  shape text not null,
  columns text not null,
  mapping text not null,
  changed_by text not null,
  changed_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index mappings_by_name on mappings (organization_id, name_key);

-- See docs/decisions/0014.
alter table uploads alter column organization_id set statistics 0;
alter table upload_pieces alter column organization_id set statistics 0;
alter table upload_batches alter column organization_id set statistics 0;
alter table mappings alter column organization_id set statistics 0;

-- How many kept rows of uploads an erasure has emptied.
alter table person_erasures add column upload_rows_erased integer not null default 0;
