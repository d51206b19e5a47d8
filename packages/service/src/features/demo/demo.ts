import {
  exampleLocationUuid,
  permissions,
  type Location,
  type LocationFields,
} from "@gatehouse-parking/contract";
import type pg from "pg";
import { transaction, type Connection } from "../../core/database/transaction.js";
import type { FirstOrganization, StartContext } from "../../core/feature.js";
import { listLocations } from "../../core/locations/list-locations.js";
import { createLocation } from "../../core/locations/manage-locations.js";
import { createApiKey, type NewApiKey } from "../../core/organizations/api-keys.js";
import {
  createOrganization,
  showOrganization,
  type Organization,
} from "../../core/organizations/organizations.js";
import { withDemoLock, resetDemo } from "./reset-demo.js";

/** The key is shown only once. */
export interface Demo {
  organization: Organization;
  locations: Location[];
  apiKey: NewApiKey;
}

/** The API key of the imports in the sample data. */
export const importKeyName = "Demo key";
/** The name of the same key until the demo is complete. The value of such a key was never shown. */
const unfinishedKeyName = "Demo key (not announced yet)";

/** Five time zones, including one with a half-hour offset and some with daylight saving time. */
const demoLocations: (LocationFields & { uuid?: string })[] = [
  {
    uuid: exampleLocationUuid,
    name: "Battery Park Garage",
    address: "70 Greenwich Street",
    city: "New York",
    state: "NY",
    zipcode: "10006",
    timeZone: "America/New_York",
    tpReferenceId: "demo-new-york",
  },
  {
    name: "Riverwalk Parking",
    address: "211 North Wells Street",
    city: "Chicago",
    state: "IL",
    zipcode: "60606",
    timeZone: "America/Chicago",
    tpReferenceId: "demo-chicago",
  },
  {
    name: "Grand Avenue Deck",
    address: "330 South Grand Avenue",
    city: "Los Angeles",
    state: "CA",
    zipcode: "90071",
    timeZone: "America/Los_Angeles",
    tpReferenceId: "demo-los-angeles",
  },
  {
    name: "Southwark Car Park",
    address: "40 Borough High Street",
    city: "London",
    state: "England",
    zipcode: "SE1 1XW",
    timeZone: "Europe/London",
    tpReferenceId: "demo-london",
  },
  {
    name: "Park Street Parking",
    address: "22 Park Street",
    city: "Kolkata",
    state: "West Bengal",
    zipcode: "700016",
    timeZone: "Asia/Kolkata",
    tpReferenceId: "demo-kolkata",
  },
];

/**
 * Creates and fills the demo organization, or completes one that an interrupted start has left unfinished.
 * Returns undefined if the demo exists or another instance is creating it.
 */
export async function createDemo(
  pool: pg.Pool,
  actor: string,
  fill: (demo: Demo) => Promise<void> = async () => undefined,
): Promise<Demo | undefined> {
  return withDemoLock(pool, async () => {
    const demo = await beginDemo(pool, actor);
    if (!demo) return undefined;
    await fill(demo);
    await renameKey(pool, demo.apiKey, importKeyName);
    return demo;
  });
}

async function beginDemo(pool: pg.Pool, actor: string): Promise<Demo | undefined> {
  const unfinished = await findUnfinishedDemo(pool);
  if (unfinished !== undefined) return restartDemo(pool, unfinished, actor);
  return transaction(pool, async (client) => {
    const { rowCount } = await client.query("select from organizations where is_demo limit 1");
    if (rowCount !== 0) return undefined;

    const organization = await createOrganization(client, { name: "Demo Parking", isDemo: true, actor });
    const organizationId = organization.uuid;
    const locations: Location[] = [];
    for (const fields of demoLocations)
      locations.push(await createLocation(client, { ...fields, organizationId, actor }));
    return { organization, locations, apiKey: await createUnfinishedKey(client, organizationId, actor) };
  });
}

/** Empties the unfinished demo and replaces its key, whose value is lost. */
async function restartDemo(pool: pg.Pool, organizationId: string, actor: string): Promise<Demo> {
  await resetDemo(pool, { organizationId, actor });
  const page = { page: 1, pageSize: demoLocations.length };
  const { data: locations } = await listLocations(pool, { organizationId, query: undefined, page });
  return transaction(pool, async (client) => {
    await client.query("delete from api_keys where organization_id = $1 and name = $2", [
      organizationId,
      unfinishedKeyName,
    ]);
    const organization = await showOrganization(client, organizationId);
    return { organization, locations, apiKey: await createUnfinishedKey(client, organizationId, actor) };
  });
}

/** Created with its final name, because the audit log records that name. */
async function createUnfinishedKey(
  client: pg.PoolClient,
  organizationId: string,
  actor: string,
): Promise<NewApiKey> {
  const apiKey = await createApiKey(client, { organizationId, name: importKeyName, permissions, actor });
  await renameKey(client, apiKey, unfinishedKeyName);
  return apiKey;
}

async function renameKey(connection: Connection, { uuid }: NewApiKey, name: string): Promise<void> {
  await connection.query("update api_keys set name = $2 where id = $1", [uuid, name]);
}

async function findUnfinishedDemo(pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ id: string }>(
    `select organization.id from organizations as organization
     join api_keys as key on key.organization_id = organization.id
     where organization.is_demo and key.name = $1 limit 1`,
    [unfinishedKeyName],
  );
  return rows[0]?.id;
}

/** Whether the database has no organization, or only an unfinished demo. */
export async function lacksDemo(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query("select from organizations limit 1");
  return rowCount === 0 || (await findUnfinishedDemo(pool)) !== undefined;
}

/** Creates the demo organization if the embedded database is empty, or if GATEHOUSE_DEMO is on. */
export async function createDemoAtStart(context: StartContext): Promise<FirstOrganization | undefined> {
  const { config, database, isEmbedded, actor, log, features } = context;
  const isWanted = config.demo ?? (isEmbedded && (await lacksDemo(database.work)));
  if (!isWanted) return undefined;
  const demo = await createDemo(database.work, actor, async ({ organization, apiKey }) => {
    const { fillDemo } = await import("./sample/fill-demo.js");
    const observers = features.flatMap(({ afterImport }) => afterImport?.(config) ?? []);
    const input = { organizationId: organization.uuid, importKeyId: apiKey.uuid, actor, observers };
    // Commits on the gate's pool do not wait for the disk, which makes the many batches faster. The demo is
    // usable without sample data.
    await fillDemo(database.gate, input).catch((error: unknown) =>
      log.warn({ err: error }, "demo sample data failed; the sandbox can add it"),
    );
  });
  return (
    demo && {
      organizationUuid: demo.organization.uuid,
      locationUuid: demo.locations[0]?.uuid ?? "",
      key: demo.apiKey.key,
    }
  );
}
