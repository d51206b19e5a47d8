import {
  compileRecordCheck,
  isStorableText,
  isUuid,
  type FieldSchema,
  type Location,
  type LocationFields,
} from "@gatehouse-parking/contract";
import type pg from "pg";
import { changesBetween, writeAudit, type Actor } from "../audit/audit.js";
import { transaction, type Connection } from "../database/transaction.js";
import { shownFieldsOf, type Column } from "../entities/columns.js";
import { storedLocation } from "../entities/entities.js";
import { requireOrganization } from "../organizations/organizations.js";
import {
  invalidInput,
  notFoundError,
  isUserError,
  requireText,
  versionOf,
  requireVersion,
} from "../refusals/user-error.js";
import { uuidv7 } from "../uuidv7.js";
import { spellZone } from "./time-zones.js";

export type NewLocation = LocationFields & {
  organizationId: string;
  actor: Actor;
  /** A new identifier by default. */
  uuid?: string | undefined;
};

interface LocationRow {
  [column: string]: unknown;
  id: string;
  organization_id: string;
}

const fields = storedLocation.columns;
export const locationColumns = ["id", "organization_id", ...fields.map(({ name }) => name)].join(", ");
/** $1 and $2 are the organization and the location. */
const parameters = fields.map((_field, index) => `$${index + 3}`);

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
  given: LocationFields,
  uuid = uuidv7(),
): Promise<Location> {
  const { rows } = await client.query<LocationRow>(
    `insert into locations (${locationColumns}) values ($2, $1, ${parameters.join(", ")}) returning ${locationColumns}`,
    [organizationId, uuid, ...fieldValues(given)],
  );
  return toLocation(rows[0] as LocationRow);
}

/** Fields that are not given are unchanged. Stored transactions keep the zone that they were written with. */
export async function updateLocation(
  connection: Connection,
  input: Partial<LocationFields> & {
    locationId: string;
    organizationId?: string | undefined;
    /** The version that was edited. */
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
          `select ${locationColumns} from locations where organization_id = $1 and id = $2 for update`,
          [organizationId, input.locationId],
        )
      : { rows: [] };
    if (!found[0]) throw notFoundError(`There is no location ${input.locationId}`);

    const before = toLocation(found[0]);
    requireVersion(`The location ${before.name}`, versionOf(before), input.version);
    const given = Object.entries(input).filter(([, value]) => value !== undefined);
    const wanted: LocationFields = { ...before, ...Object.fromEntries(given) };
    // An ambiguous reference that is not changed does not prevent changes of other fields.
    if (wanted.tpReferenceId !== before.tpReferenceId)
      await requireFreeReference(client, found[0].organization_id, wanted.tpReferenceId);
    const { rows } = await client.query<LocationRow>(
      `update locations set ${fields.map(({ name }, index) => `${name} = ${parameters[index]}`).join(", ")},
         updated_at = now()
       where organization_id = $1 and id = $2 returning ${locationColumns}`,
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
 * Callers that set references of locations lock the organization first, so that two concurrent ones cannot
 * both find the same reference free. It is locked before any location is.
 */
export async function holdReferences(client: pg.ClientBase, organizationId: string): Promise<void> {
  await client.query("select from organizations where id = $1 for no key update", [organizationId]);
}

/** A partner's id identifies one location, because a CSV of locations finds them by it. */
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
    throw invalidInput(
      `tpReferenceId "${tpReferenceId}" is already that of the location ${rows[0].name} (${rows[0].id})`,
    );
}

/** The command line names a location by its uuid alone. A distributed database has to ask every shard. */
async function findOrganizationOf(client: pg.ClientBase, locationId: string): Promise<string | null> {
  if (!isUuid(locationId)) return null;
  const { rows } = await client.query<{ organization_id: string }>(
    "select organization_id from locations where id = $1",
    [locationId],
  );
  return rows[0]?.organization_id ?? null;
}

function fieldValues(given: LocationFields): unknown[] {
  const { values, problems } = checkFields(given);
  if (problems.length > 0) throw invalidInput(problems.join("; "));
  return values;
}

const checks = fields.map((field) => fieldCheck(field));

/** The values in the order of the columns, and all problems with them. */
export function checkFields(given: LocationFields): { values: unknown[]; problems: string[] } {
  const problems: string[] = [];
  const values = checks.map((check) => {
    try {
      return check(given);
    } catch (error) {
      if (!isUserError(error, "invalid", "notFound")) throw error;
      problems.push(error.message);
      return undefined;
    }
  });
  return { values, problems };
}

function fieldCheck({ field, kind, default: absent = null }: Column): (given: LocationFields) => unknown {
  const { properties, required = [] } = storedLocation.entity.schema;
  const definition = (properties as Record<string, FieldSchema>)[field] as FieldSchema;
  const isRequired = required.includes(field);
  const check = compileRecordCheck({ properties: { [field]: definition } }, { uuidFormat: "checked" });
  const maxLength = definition.maxLength ?? Number.POSITIVE_INFINITY;
  return (given) => {
    const value = (given as Record<string, unknown>)[field] ?? null;
    if (definition.format === "time-zone") return checkTimeZone(value as string);
    if (!isRequired && (value === null || value === "")) return absent;
    if (kind === "text") requireText(field, value as string, maxLength);
    const [problem] = check({ [field]: value });
    if (problem) throw invalidInput(problem.message);
    return value;
  };
}

/**
 * An IANA time zone in its canonical spelling. Offsets such as +02:00 are rejected, because they have no
 * daylight saving time.
 */
export function checkTimeZone(zone: string): string {
  try {
    if (!/^[A-Za-z]/.test(zone)) throw new RangeError("an offset");
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return spellZone(zone);
  } catch {
    throw invalidInput(`"${zone}" is not an IANA time zone such as America/New_York`);
  }
}

export function toLocation(row: Readonly<Record<string, unknown>>): Location {
  return { uuid: row["id"], ...shownFieldsOf(fields, row) } as Location;
}

export async function showLocation(
  connection: pg.ClientBase | pg.Pool,
  input: { organizationId: string; locationId: string },
): Promise<Location> {
  const { rows } = isUuid(input.locationId)
    ? await connection.query<Record<string, unknown>>(
        `select ${locationColumns} from locations where organization_id = $1 and id = $2`,
        [input.organizationId, input.locationId],
      )
    : { rows: [] };
  if (!rows[0]) throw notFoundError(`There is no location ${input.locationId}`);
  return toLocation(rows[0]);
}
