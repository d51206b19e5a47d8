import { exampleLocationUuid, type Location, type LocationFields } from "@gatehouse-parking/contract";
import type pg from "pg";
import { transaction, type Connection } from "../../core/database/transaction.js";
import { listLocations } from "../../core/locations/list-locations.js";
import { createLocation } from "../../core/locations/manage-locations.js";
import { createApiKey, type NewApiKey } from "../../core/organizations/api-keys.js";
import {
  createOrganization,
  showOrganization,
  type Organization,
} from "../../core/organizations/organizations.js";
import { withDemoLock, resetDemo } from "./reset-demo.js";

/** What a first start creates, so that there is something to call and to look at. Key and token are shown once. */
export interface Demo {
  organization: Organization;
  locations: Location[];
  apiKey: NewApiKey;
}

/** Everything that partners send in the demo's history was sent with it. */
export const importKeyName = "Demo key";
/** Of the same key until the demo is whole. A demo that has it was never announced: its key is in nobody's hands. */
const unannouncedKeyName = "Demo key (not announced yet)";

/** Five places whose clocks differ, half an hour and daylight saving included. */
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
 * Makes the demo organization and fills it, or makes one whole that an earlier start was ended at. Undefined: there is one
 * already, or another instance is at it.
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
  if (unfinished !== undefined) return beginAgain(pool, unfinished, actor);
  return transaction(pool, async (client) => {
    const { rowCount } = await client.query("select from organizations where is_demo limit 1");
    if (rowCount !== 0) return undefined;

    const organization = await createOrganization(client, { name: "Demo Parking", isDemo: true, actor });
    const organizationId = organization.uuid;
    const locations: Location[] = [];
    for (const fields of demoLocations)
      locations.push(await createLocation(client, { ...fields, organizationId, actor }));
    return { organization, locations, apiKey: await createUnannouncedKey(client, organizationId, actor) };
  });
}

/** Nobody has seen what is there: it goes, and a key that can be announced takes the place of the lost one. */
async function beginAgain(pool: pg.Pool, organizationId: string, actor: string): Promise<Demo> {
  await resetDemo(pool, { organizationId, actor });
  const page = { page: 1, pageSize: demoLocations.length };
  const { data: locations } = await listLocations(pool, { organizationId, query: undefined, page });
  return transaction(pool, async (client) => {
    await client.query("delete from api_keys where organization_id = $1 and name = $2", [
      organizationId,
      unannouncedKeyName,
    ]);
    const organization = await showOrganization(client, organizationId);
    return { organization, locations, apiKey: await createUnannouncedKey(client, organizationId, actor) };
  });
}

/** The audit log knows it by the name that it will have. */
async function createUnannouncedKey(
  client: pg.PoolClient,
  organizationId: string,
  actor: string,
): Promise<NewApiKey> {
  const apiKey = await createApiKey(client, { organizationId, name: importKeyName, actor });
  await renameKey(client, apiKey, unannouncedKeyName);
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
    [unannouncedKeyName],
  );
  return rows[0]?.id;
}

/** Whether nothing is there but, perhaps, a demo that an earlier start was ended at. */
export async function lacksDemo(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query("select from organizations limit 1");
  return rowCount === 0 || (await findUnfinishedDemo(pool)) !== undefined;
}
