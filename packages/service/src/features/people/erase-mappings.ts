import { isObject } from "@gatehouse-parking/contract";
import { headerShape } from "@gatehouse-parking/record-files";
import type pg from "pg";
import { transaction } from "../../core/database/transaction.js";
import type { Erasure } from "./delete-person.js";
import { mentionsInText, type Person } from "./person.js";
import { textsWithin } from "./texts-within.js";
import { lowestUuid } from "../../core/uuidv7.js";

/** Each may be as large as a request. */
const mappingsAStep = 10;

interface KeptMapping {
  id: string;
  name: string;
  columns: string;
  mapping: string;
}

/**
 * Mappings that are kept for the next file: the first row of a file without a header may have been taken for the names
 * of its columns, and values that are replaced are values of records.
 */
export async function eraseMappings({ pool, person }: Erasure): Promise<void> {
  let after = lowestUuid;
  for (;;) {
    const page = await transaction(pool, (client) => eraseAfter(client, person, after));
    const end = page.at(-1);
    if (end === undefined || page.length < mappingsAStep) return;
    after = end.id;
  }
}

async function eraseAfter(client: pg.PoolClient, person: Person, after: string): Promise<KeptMapping[]> {
  const { organizationId } = person;
  const { rows } = await client.query<KeptMapping>(
    `select id, name, columns, mapping from mappings
     where organization_id = $1 and id > $2 order by id limit $3 for update`,
    [organizationId, after, mappingsAStep],
  );
  for (const kept of rows) {
    // Its identifier makes the name one that no other mapping has.
    const name = mentionsInText(person, kept.name) ? `Mapping ${kept.id}` : kept.name;
    const columns = columnsWithout(person, kept.columns);
    const mapping = mappingWithout(person, kept.mapping);
    if (name === kept.name && columns === kept.columns && mapping === kept.mapping) continue;
    await client.query(
      `update mappings set name = $3, name_key = lower($3), columns = $4, mapping = $5, shape = $6
       where organization_id = $1 and id = $2`,
      [organizationId, kept.id, name, columns, mapping, headerShape(JSON.parse(columns) as string[])],
    );
  }
  return rows;
}

/** Columns are known by their places, too, so that a name is emptied and not taken out. */
export function columnsWithout(person: Person, text: string): string {
  const names = JSON.parse(text) as string[];
  if (!isAbout(person, names)) return text;
  return JSON.stringify(names.map((name) => (mentionsInText(person, name) ? "" : name)));
}

/** What is left can still be used as a mapping: columns, replacements and constants are taken out as a whole. */
export function mappingWithout(person: Person, text: string): string {
  const mapping = JSON.parse(text) as Record<string, unknown>;
  if (!isAbout(person, mapping)) return text;
  const { columns, constants, ...others } = mapping;
  return JSON.stringify({
    ...membersWithout(person, others),
    ...(isObject(columns) && { columns: columnTargetsWithout(person, columns) }),
    ...(isObject(constants) && { constants: membersWithout(person, constants) }),
  });
}

function columnTargetsWithout(person: Person, columns: Record<string, unknown>): Record<string, unknown> {
  const targets = Object.entries(columns).map(([name, target]) => {
    const values = isObject(target) ? target["values"] : undefined;
    const kept = isObject(values)
      ? { ...(target as object), values: membersWithout(person, values) }
      : target;
    return [name, kept] as const;
  });
  return membersWithout(person, Object.fromEntries(targets));
}

function membersWithout(person: Person, members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter((member) => !isAbout(person, member)));
}

function isAbout(person: Person, value: unknown): boolean {
  return textsWithin(value).some((text) => mentionsInText(person, text));
}
