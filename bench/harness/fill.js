/** Fills an organization with transactions and their entities in SQL: years of history of a busy operator. */
import pg from "pg";
import { recordsPerBatch } from "./batches.js";

const rowsPerStatement = 50_000;
/** The interval between transactions; the last one is now. */
const intervalMs = 20_000;

/** The creation time of a row: `g` is its number, `$2` the time of the first row. */
const momentMs = (row = "g") => `($2::bigint + (${row})::bigint * ${intervalMs})`;
const moment = `to_timestamp(${momentMs()} / 1000.0)`;
/** Time-ordered ids, like those of the service. */
const id = (/** @type {string} */ kind, row = "g") =>
  `(lpad(to_hex(${momentMs(row)}), 12, '0') || '70008' || substr(md5('${kind}' || (${row})), 1, 15))::uuid`;
const firstOfRun = `g / ${recordsPerBatch} * ${recordsPerBatch}`;
const origin = `${id("r", firstOfRun)}, g % ${recordsPerBatch}, ${moment}`;
const rows = "from generate_series($3::int, $4::int) as g";

const statements = [
  `insert into accounts (organization_id, id, tp_reference_id, name, type, is_active, import_run_id, position, created_at)
   select $1, ${id("a")}, 'A-' || md5('a' || g), 'Company', 1, true, ${origin} ${rows}`,
  `insert into contacts (organization_id, id, email, email_key, phone_number, phone_key, first_name, import_run_id, position, created_at)
   select $1, ${id("c")}, 'p' || md5('c' || g) || '@example.com', 'p' || md5('c' || g) || '@example.com', '+2' || (1000000000 + g),
     '2' || (1000000000 + (g::bigint * 7919) % 900000011), 'Jo', ${origin} ${rows}`,
  `insert into vehicles (organization_id, id, license_plate, plate_key, state, import_run_id, position, created_at)
   select $1, ${id("v")}, 'P' || g, 'P' || upper(substr(md5('v' || g), 1, 12)), 'NY', ${origin} ${rows}`,
  `insert into transactions (organization_id, id, transaction_id, location_id, type, transaction_date, time_zone,
     utc_offset_seconds, local_date, amount_total, net_amount, convenience_fee, processing_fee, card_type, is_refunded,
     session_start, session_end, booking_source, metadata, account_id, contact_id, vehicle_id, account_via, contact_via,
     vehicle_via, import_run_id, position, created_at)
   select $1, ${id("t")}, 'T-' || md5('t' || g), ($5::uuid[])[1 + g % cardinality($5::uuid[])], 1, ${moment}, 'America/New_York',
     -14400, (${moment} at time zone '-04')::date, 12.5, 10.25, 1, 0.5, 'VISA', false, ${moment}, ${moment}, 2,
     '{"gate":"N1"}', ${id("a")}, ${id("c")}, ${id("v")}, 'created', 'created', 'created', ${origin} ${rows}`,
];

/**
 * @param {string} connectionString
 * @param {import("./environment.js").Tenant} tenant
 * @param {number} count
 */
export async function fillTransactions(connectionString, { organizationUuid, locationUuids }, count) {
  const begin = Date.now() - count * intervalMs;
  await withClient(connectionString, async (client) => {
    for (let first = 0; first < count; first += rowsPerStatement) {
      const last = Math.min(count, first + rowsPerStatement) - 1;
      for (const statement of statements) {
        /** @type {unknown[]} */
        const values = [organizationUuid, begin, first, last];
        if (statement.includes("$5")) values.push(locationUuids);
        await client.query(statement, values);
      }
    }
    await insertRuns(client, organizationUuid, {
      begin,
      runs: Math.ceil(count / recordsPerBatch),
      records: recordsPerBatch,
      created: recordsPerBatch,
    });
    await client.query("vacuum analyze");
    await client.query("checkpoint");
  });
}

/**
 * Creates runs of one record each without the records, which lists of runs do not read.
 * @param {string} connectionString
 * @param {import("./environment.js").Tenant} tenant
 * @param {number} runs
 */
export async function fillRuns(connectionString, { organizationUuid }, runs) {
  const begin = Date.now() - runs * intervalMs;
  await withClient(connectionString, (client) =>
    insertRuns(client, organizationUuid, { begin, runs, records: 1, created: 0 }),
  );
}

/**
 * @param {pg.Client} client
 * @param {string} organizationUuid
 * @param {{ begin: number, runs: number, records: number, created: number }} amounts
 */
async function insertRuns(client, organizationUuid, { begin, runs, records, created }) {
  await client.query(
    `insert into import_runs (organization_id, id, resource, status, started_at, completed_at, duration_ms, total_submitted,
       success_count, failed_count, skipped_count, created_accounts, created_contacts, created_vehicles)
     select $1, ${id("r")}, 1, 1, ${moment}, ${moment}, 5, $5::int, $5, 0, 0, $6::int, $6, $6
     from generate_series(0, ($3::int - 1) * $4::int, $4) as g`,
    [organizationUuid, begin, runs, records, records, created],
  );
  await client.query("update import_turns set run_count = run_count + $2 where organization_id = $1", [
    organizationUuid,
    runs,
  ]);
}

/**
 * @param {string} connectionString
 * @param {(client: pg.Client) => Promise<void>} use
 */
async function withClient(connectionString, use) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}
