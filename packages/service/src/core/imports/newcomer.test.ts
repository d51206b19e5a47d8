import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importer } from "../../../testing/importer.js";
import { rowsReadBy } from "../../../testing/rows-read.js";

const gatehouse = useApp();
const tables = ["transactions", "accounts", "contacts", "vehicles", "import_runs", "import_exceptions"];
const readBy = (work: () => Promise<unknown>) => rowsReadBy(gatehouse.database, tables, work);

const batchSize = 200;
const maxIndexed = 8_000;

/** In SQL, because the service's connections must not have cached plans before the new organization exists. */
async function fillByHand(organizationId: string, locationId: string): Promise<void> {
  const origin = "gen_random_uuid(), 1, now()";
  for (const statement of [
    `insert into accounts (organization_id, id, tp_reference_id, name, type, is_active, import_run_id, position, created_at)
     select $1, gen_random_uuid(), 'E-' || g, 'Elder', 1, true, ${origin} from generate_series(1, 5000) as g`,
    `insert into contacts (organization_id, id, email_key, phone_key, import_run_id, position, created_at)
     select $1, gen_random_uuid(), 'e' || g, '9' || g, ${origin} from generate_series(1, 5000) as g`,
    `insert into vehicles (organization_id, id, license_plate, plate_key, import_run_id, position, created_at)
     select $1, gen_random_uuid(), 'E' || g, 'E' || g, ${origin} from generate_series(1, 5000) as g`,
  ]) {
    await gatehouse.database.work.query(statement, [organizationId]);
  }
  await gatehouse.database.work.query(
    `insert into transactions (organization_id, id, transaction_id, location_id, type, transaction_date, time_zone,
       utc_offset_seconds, local_date, is_refunded, booking_source, import_run_id, position, created_at)
     select $1, gen_random_uuid(), 'E-' || g, $2, 1, now(), 'UTC', 0, now()::date, false, 1, ${origin}
     from generate_series(1, 5000) as g`,
    [organizationId, locationId],
  );
  await gatehouse.database.work.query("analyze");
}

test("look-ups of a new organization use the indexes even if the table statistics only cover other organizations", async () => {
  const elder = await importer(gatehouse);
  const newcomer = await importer(gatehouse);
  await fillByHand(elder.organizationId, elder.locationUuid);
  const batch = (start: number) =>
    Array.from({ length: batchSize }, (_, index) =>
      newcomer.transaction(`T-${start + index}`, {
        account: { tpReferenceId: `A-${start + index}`, name: "Acme" },
        contact: { email: `p${start + index}@example.com`, phoneNumber: `+1-${5_550_000 + start + index}` },
        vehicle: { licensePlate: `CAR ${start + index}` },
      }),
    );
  for (let start = 0; start < 10 * batchSize; start += batchSize) {
    const created = await readBy(() => newcomer.post("transactions", { transactions: batch(start) }));
    expect(created.sequential, `creating, with ${start} stored`).toBeLessThan(100);
    expect(created.indexed, `creating, with ${start} stored`).toBeLessThan(maxIndexed);
  }
  const run = (await newcomer.post("transactions", { transactions: batch(0) })).json;
  const fetched = await readBy(() => newcomer.get(run.referenceUuid));
  expect(fetched.indexed, "fetching a run").toBeLessThan(1_000);
});
