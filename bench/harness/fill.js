/** Fills an organization with stored transactions and their entities, in SQL: years of a busy operator's history. */
import pg from "pg";

const rowsPerStatement = 50_000;

/** Ids in the order of time, as the service makes them. `g` is the number of the row. */
const id = (kind) =>
  `(lpad(to_hex((1700000000000 + g / 10)::bigint), 12, '0') || '7' || lpad(to_hex((g % 10)::int), 3, '0') || '8' ||
    substr(md5('${kind}' || g), 1, 15))::uuid`;
const origin = "'01900000-0000-7000-8000-000000000000'::uuid, g::int, now()";

const statements = [
  `insert into accounts (organization_id, id, tp_reference_id, name, type, is_active, import_run_id, position, created_at)
   select $1, ${id("a")}, 'A-' || md5('a' || g), 'Company', 1, true, ${origin} from generate_series($2::int, $3::int) as g`,
  `insert into contacts (organization_id, id, email, email_key, phone_number, phone_key, first_name, import_run_id, position, created_at)
   select $1, ${id("c")}, 'p' || md5('c' || g) || '@example.com', 'p' || md5('c' || g) || '@example.com', '+2' || (1000000000 + g),
     '2' || (1000000000 + (g::bigint * 7919) % 900000011), 'Jo', ${origin} from generate_series($2::int, $3::int) as g`,
  `insert into vehicles (organization_id, id, license_plate, plate_key, state, import_run_id, position, created_at)
   select $1, ${id("v")}, 'P' || g, 'P' || upper(substr(md5('v' || g), 1, 12)), 'NY', ${origin} from generate_series($2::int, $3::int) as g`,
  `insert into transactions (organization_id, id, transaction_id, location_id, type, transaction_date, time_zone,
     utc_offset_seconds, local_date, amount_total, net_amount, convenience_fee, processing_fee, card_type, is_refunded,
     session_start, session_end, booking_source, metadata, account_id, contact_id, vehicle_id, account_via, contact_via,
     vehicle_via, import_run_id, position, created_at)
   select $1, ${id("t")}, 'T-' || md5('t' || g), $4::uuid, 1, now() - g * interval '1 minute', 'America/New_York', -14400,
     (now() - g * interval '1 minute')::date, 12.5, 10.25, 1, 0.5, 'VISA', false, now(), now(), 2, '{"gate":"N1"}',
     ${id("a")}, ${id("c")}, ${id("v")}, 'created', 'created', 'created', ${origin} from generate_series($2::int, $3::int) as g`,
];

export async function fillTransactions(connectionString, { organizationUuid, locationUuids }, rows) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  for (let first = 0; first < rows; first += rowsPerStatement) {
    const last = Math.min(rows, first + rowsPerStatement) - 1;
    for (const statement of statements) {
      const values = [organizationUuid, first, last];
      if (statement.includes("$4")) values.push(locationUuids[0]);
      await client.query(statement, values);
    }
  }
  await client.query("vacuum analyze");
  await client.query("checkpoint");
  await client.end();
}

const runsStatement = `
  insert into import_runs (organization_id, id, resource, status, started_at, completed_at, duration_ms, total_submitted,
    success_count, failed_count, skipped_count)
  select $1, ${id("r")}, 1, 1, now(), now(), 5, 1, 1, 0, 0 from generate_series(1, $2::int) as g`;

export async function fillRuns(connectionString, { organizationUuid }, runs) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(runsStatement, [organizationUuid, runs]);
  await client.query("update import_turns set run_count = run_count + $2 where organization_id = $1", [
    organizationUuid,
    runs,
  ]);
  await client.end();
}
