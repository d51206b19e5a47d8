import { isStorableText, isUuid, type Location } from "@gatehouse-parking/contract";
import type pg from "pg";
import { transaction, type Connection } from "../database/transaction.js";
import { changesBetween, writeAudit, type Actor } from "../audit/audit.js";
import {
  requireVersion,
  versionOf,
  InvalidInput,
  NotFoundError,
  requireText,
} from "../refusals/input-errors.js";
import { requireOrganization } from "../organizations/organizations.js";
import { uuidv7 } from "../uuidv7.js";
import { spellZone } from "./zone-spelling.js";

export interface LocationFields {
  name: string;
  address: string;
  city: string;
  state: string;
  zipcode: string;
  timeZone: string;
  isActive?: boolean | undefined;
  tpReferenceId?: string | undefined;
}
export type NewLocation = LocationFields & {
  organizationId: string;
  actor: Actor;
  /** A new one unless told. */
  uuid?: string | undefined;
};

interface LocationRow {
  id: string;
  organization_id: string;
  name: string;
  address: string;
  city: string;
  state: string;
  zipcode: string;
  time_zone: string;
  is_active: boolean;
  tp_reference_id: string;
}

const columns =
  "id, organization_id, name, address, city, state, zipcode, time_zone, is_active, tp_reference_id";

export async function createLocation(connection: Connection, input: NewLocation): Promise<Location> {
  return transaction(connection, async (client) => {
    await requireOrganization(client, input.organizationId);
    await holdReferences(client, input.organizationId);
    await requireFreeReference(client, input.organizationId, input.tpReferenceId);
    const location = await insertLocation(client, input.organizationId, input, input.uuid);
    await writeAudit(client, {
      organizationId: input.organizationId,
      actor: input.actor,
      action: "location.create",
      subjectId: location.uuid,
      detail: { name: location.name },
    });
    return location;
  });
}

export async function insertLocation(
  client: pg.ClientBase,
  organizationId: string,
  fields: LocationFields,
  uuid = uuidv7(),
): Promise<Location> {
  const { rows } = await client.query<LocationRow>(
    `insert into locations (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${columns}`,
    [uuid, organizationId, ...fieldValues(fields)],
  );
  return toLocation(rows[0] as LocationRow);
}

/** Fields that are not given stay as they are. Transactions already stored keep the zone they were written with. */
export async function updateLocation(
  connection: Connection,
  input: Partial<LocationFields> & {
    locationId: string;
    organizationId?: string | undefined;
    /** Which version was edited. */
    version?: string | undefined;
    actor: Actor;
  },
): Promise<Location> {
  return transaction(connection, async (client) => {
    const organizationId = input.organizationId ?? (await findOrganizationOf(client, input.locationId));
    if (organizationId !== null && input.tpReferenceId !== undefined)
      await holdReferences(client, organizationId);
    const { rows: found } = isUuid(input.locationId)
      ? await client.query<LocationRow>(
          `select ${columns} from locations where organization_id = $1 and id = $2 for update`,
          [organizationId, input.locationId],
        )
      : { rows: [] };
    if (!found[0]) throw new NotFoundError(`There is no location ${input.locationId}`);

    const before = toLocation(found[0]);
    requireVersion(`The location ${before.name}`, versionOf(before), input.version);
    const wanted: LocationFields = {
      name: input.name ?? before.name,
      address: input.address ?? before.address,
      city: input.city ?? before.city,
      state: input.state ?? before.state,
      zipcode: input.zipcode ?? before.zipcode,
      timeZone: input.timeZone ?? before.timeZone,
      isActive: input.isActive ?? before.isActive,
      tpReferenceId: input.tpReferenceId ?? before.tpReferenceId,
    };
    // One that was given twice before it was refused does not keep the other fields from being changed.
    if (wanted.tpReferenceId !== before.tpReferenceId)
      await requireFreeReference(client, found[0].organization_id, wanted.tpReferenceId);
    const { rows } = await client.query<LocationRow>(
      `update locations set name = $3, address = $4, city = $5, state = $6, zipcode = $7, time_zone = $8,
         is_active = $9, tp_reference_id = $10, updated_at = now()
       where organization_id = $1 and id = $2 returning ${columns}`,
      [found[0].organization_id, found[0].id, ...fieldValues(wanted)],
    );
    const after = toLocation(rows[0] as LocationRow);
    await writeAudit(client, {
      organizationId: found[0].organization_id,
      actor: input.actor,
      action: "location.update",
      subjectId: after.uuid,
      detail: changesBetween(before, after),
    });
    return after;
  });
}

/**
 * Whoever gives out references of locations holds the organization until it is done, so that two who do it at once do
 * not both find the same one free. It is held before any location is.
 */
export async function holdReferences(client: pg.ClientBase, organizationId: string): Promise<void> {
  await client.query("select from organizations where id = $1 for no key update", [organizationId]);
}

/** A partner's own id means one location: a CSV of locations finds them by it. */
async function requireFreeReference(
  client: pg.ClientBase,
  organizationId: string,
  tpReferenceId: string | undefined,
): Promise<void> {
  if (!tpReferenceId || !isStorableText(tpReferenceId)) return;
  const { rows } = await client.query<{ id: string; name: string }>(
    "select id, name from locations where organization_id = $1 and tp_reference_id = $2 order by id limit 1",
    [organizationId, tpReferenceId],
  );
  if (rows[0])
    throw new InvalidInput(
      `tpReferenceId "${tpReferenceId}" is already that of the location ${rows[0].name} (${rows[0].id})`,
    );
}

/** The command line names a location by its uuid alone. Of a distributed database this asks every shard. */
async function findOrganizationOf(client: pg.ClientBase, locationId: string): Promise<string | null> {
  if (!isUuid(locationId)) return null;
  const { rows } = await client.query<{ organization_id: string }>(
    "select organization_id from locations where id = $1",
    [locationId],
  );
  return rows[0]?.organization_id ?? null;
}

function fieldValues(fields: LocationFields): unknown[] {
  const { values, problems } = checkFields(fields);
  if (problems.length > 0) throw new InvalidInput(problems.join("; "));
  return values;
}

/** How many characters each text of a location may have. */
export const locationTextLengths = {
  name: 200,
  address: 300,
  city: 100,
  state: 100,
  zipcode: 20,
  tpReferenceId: 128,
} as const;

/** The values in the order of the columns, and all that is wrong with them. */
export function checkFields(fields: LocationFields): { values: unknown[]; problems: string[] } {
  const problems: string[] = [];
  const required = (field: "name" | "address" | "city" | "state" | "zipcode") =>
    requireText(field, fields[field], locationTextLengths[field]);
  const values = [
    () => required("name"),
    () => required("address"),
    () => required("city"),
    () => required("state"),
    () => required("zipcode"),
    () => checkTimeZone(fields.timeZone),
    () => fields.isActive ?? true,
    () =>
      fields.tpReferenceId
        ? requireText("tpReferenceId", fields.tpReferenceId, locationTextLengths.tpReferenceId)
        : "",
  ].map((check) => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      problems.push(error.message);
      return undefined;
    }
  });
  return { values, problems };
}

/** A zone of the IANA database, by its own spelling. Offsets such as +02:00 are no zones: they know no daylight saving. */
export function checkTimeZone(zone: string): string {
  try {
    if (!/^[A-Za-z]/.test(zone)) throw new RangeError("an offset");
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return spellZone(zone);
  } catch {
    throw new InvalidInput(`"${zone}" is not an IANA time zone such as America/New_York`);
  }
}

function toLocation(row: LocationRow): Location {
  return {
    uuid: row.id,
    name: row.name,
    address: row.address,
    city: row.city,
    state: row.state,
    zipcode: row.zipcode,
    timeZone: row.time_zone,
    isActive: row.is_active,
    tpReferenceId: row.tp_reference_id,
  };
}
