-- What partners import. These are the hot tables: they carry no foreign keys (docs/decisions/0004), because checking
-- them row by row costs as much as the inserts. A link is always (organization_id, id) with the row's only
-- organization column, so it cannot leave the organization; `gatehouse verify` proves that none dangles.
--
-- import_run_id and position say which record of which run made the row; fingerprint is a hash of that record as it
-- was sent, so that a replay with other content is noticed cheaply (null where it was nested in another record). Key columns are compared byte by byte
-- (collate "C"), whatever the collation of the database.

create table accounts (
  organization_id uuid not null,
  id uuid not null,
  tp_reference_id text collate "C" not null,
  name text not null,
  account_number text,
  type smallint not null,
  is_active boolean not null,
  contact_name text,
  contact_email text,
  contact_phone_number text,
  location_id uuid,
  metadata json,
  fingerprint bytea,
  import_run_id uuid not null,
  position integer not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index accounts_by_reference on accounts (organization_id, tp_reference_id);
create index accounts_by_run on accounts (organization_id, import_run_id, position);

create table contacts (
  organization_id uuid not null,
  id uuid not null,
  email text,
  email_key text collate "C",
  phone_number text,
  phone_key text collate "C",
  first_name text,
  last_name text,
  tp_reference_id text,
  metadata json,
  import_run_id uuid not null,
  position integer not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index contacts_by_email on contacts (organization_id, email_key) where email_key is not null;
create unique index contacts_by_phone on contacts (organization_id, phone_key) where phone_key is not null;

create table vehicles (
  organization_id uuid not null,
  id uuid not null,
  license_plate text not null,
  plate_key text collate "C" not null,
  state text,
  year integer,
  make text,
  model text,
  color text,
  type text,
  metadata json,
  import_run_id uuid not null,
  position integer not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index vehicles_by_plate on vehicles (organization_id, plate_key);

create table subscriptions (
  organization_id uuid not null,
  id uuid not null,
  tp_reference_id text collate "C" not null,
  account_id uuid not null,
  location_id uuid,
  permit_number text,
  status smallint not null,
  permit_type text,
  permit_classification text,
  number_of_spaces integer not null,
  start_date timestamptz,
  end_date timestamptz,
  current_base_rate numeric,
  current_rate numeric,
  current_tax numeric,
  current_fee_total numeric,
  metadata json,
  fingerprint bytea,
  import_run_id uuid not null,
  position integer not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index subscriptions_by_reference on subscriptions (organization_id, tp_reference_id);
create index subscriptions_by_account on subscriptions (organization_id, account_id, id);
create index subscriptions_by_run on subscriptions (organization_id, import_run_id, position);

create table transactions (
  organization_id uuid not null,
  id uuid not null,
  transaction_id text collate "C" not null,
  location_id uuid not null,
  type smallint not null,
  transaction_date timestamptz not null,
  -- The zone of the location when the transaction was written, and what its wall clock showed then.
  time_zone text not null,
  utc_offset_seconds integer not null,
  local_date date not null,
  amount_total numeric,
  net_amount numeric,
  convenience_fee numeric,
  processing_fee numeric,
  promotion_amount numeric,
  card_type text,
  is_refunded boolean,
  promo_applied boolean,
  promo_code text,
  session_start timestamptz,
  session_end timestamptz,
  scheduled_arrival timestamptz,
  scheduled_exit timestamptz,
  booking_source smallint not null,
  metadata json,
  account_id uuid,
  contact_id uuid,
  vehicle_id uuid,
  subscription_id uuid,
  -- How each relation was found or made: uuid, reference, email, phone, plate, created; or dropped.
  account_via text,
  contact_via text,
  vehicle_via text,
  subscription_via text,
  fingerprint bytea,
  import_run_id uuid not null,
  position integer not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index transactions_by_reference on transactions (organization_id, transaction_id);
create index transactions_by_run on transactions (organization_id, import_run_id, position);
create index transactions_by_local_date on transactions (organization_id, local_date, location_id);
create index transactions_by_account on transactions (organization_id, account_id, id) where account_id is not null;
create index transactions_by_contact on transactions (organization_id, contact_id, id) where contact_id is not null;
create index transactions_by_vehicle on transactions (organization_id, vehicle_id, id) where vehicle_id is not null;
create index transactions_by_subscription on transactions (organization_id, subscription_id, id)
  where subscription_id is not null;

-- What the planner knows of organizations is always late: one that came after the last ANALYZE counts as absent, and to
-- read all its rows then looks as cheap as to look one of them up. Without statistics it takes every organization for
-- one of two hundred equal ones, and chooses the index that fits best.
alter table accounts alter column organization_id set statistics 0;
alter table contacts alter column organization_id set statistics 0;
alter table vehicles alter column organization_id set statistics 0;
alter table subscriptions alter column organization_id set statistics 0;
alter table transactions alter column organization_id set statistics 0;
