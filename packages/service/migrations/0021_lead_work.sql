-- phase: expand
-- What people do with leads (docs/decisions/0036). A lead that nobody has worked on has no row here, so that storing one costs
-- what it always did; it is new.
create table lead_work (
  organization_id uuid not null,
  lead_id uuid not null,
  state text not null check (state in ('new', 'contacted', 'closed')),
  changed_by text not null,
  changed_at timestamptz not null,
  primary key (organization_id, lead_id)
);

-- What they noted about it. The author's address is the one at that time; the identifier says whose note it is.
create table lead_notes (
  organization_id uuid not null,
  lead_id uuid not null,
  id uuid not null,
  author_id uuid not null,
  author text not null,
  note text not null,
  created_at timestamptz not null,
  primary key (organization_id, lead_id, id)
);

-- As in 0002.
alter table lead_work alter column organization_id set statistics 0;
alter table lead_notes alter column organization_id set statistics 0;

-- Notes are erased with the person that they are about.
alter table person_erasures add column lead_notes_deleted integer not null default 0;

-- Since when, so that one that was cut short is noticed; and who is at it until when, so that nobody else begins meanwhile.
alter table person_erasures add column begun_at timestamptz not null default now();
alter table person_erasures add column holder uuid;
alter table person_erasures add column leased_until timestamptz;
