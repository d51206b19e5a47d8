-- phase: expand
-- What was applied, from this migration on. Release 1.0.0 knows schema_migrations alone, and takes a line in it that it
-- does not know for a database that it must not touch; so that table stays as that release left it.
create table applied_migrations (
  number integer primary key,
  name text not null,
  checksum text not null,
  -- Releases before this one cannot work on the database any more. Null: the migration shuts nobody out.
  minimum_release text,
  applied_by text not null,
  applied_at timestamptz not null default now()
);
