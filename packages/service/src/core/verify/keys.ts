import { emailKey, phoneDigits, plateKey } from "@gatehouse-parking/contract";
import { storedEntities } from "../entities/entities.js";
import { rowCheck } from "./batches.js";
import { maxExamples, statementCheck, type Check, type Finding, type OverallCheck } from "./check.js";

/** Columns that are unique within an organization. */
const uniqueKeys: [table: string, column: string][] = [
  ...storedEntities.flatMap(({ table, matches }) =>
    matches.map(({ column }): [string, string] => [table, column]),
  ),
  ["leads", "idempotency_key"],
];

export const keyChecks: Check[] = [
  ...uniqueKeys.map(([table, column]) =>
    statementCheck(`keys: ${column} is unique in ${table}`, repeated(table, column, "organization_id = $1")),
  ),
  rowCheck<{
    id: string;
    email: string | null;
    email_key: string | null;
    phone_number: string | null;
    phone_key: string | null;
  }>(
    "keys: the search keys of contacts match their values",
    { table: "contacts", columns: ["email", "email_key", "phone_number", "phone_key"] },
    (contact) =>
      contact.email_key === keyOf(contact.email, emailKey) &&
      contact.phone_key === keyOf(contact.phone_number, phoneDigits),
  ),
  rowCheck<{ id: string; license_plate: string; plate_key: string }>(
    "keys: the search keys of vehicles match their values",
    { table: "vehicles", columns: ["license_plate", "plate_key"] },
    (vehicle) => vehicle.plate_key === plateKey(vehicle.license_plate),
  ),
];

function keyOf(text: string | null, key: (text: string) => string): string | null {
  return text === null || text.trim() === "" ? null : key(text);
}

/** API keys are looked up by hash alone, so hashes must be unique across organizations. */
export const hashCheck: OverallCheck = {
  name: "keys: hash is unique in api_keys",
  run: async (client) => {
    const { rows } = await client.query<Finding>(repeated("api_keys", "encode(hash, 'hex')", "true"));
    return rows[0] as Finding;
  },
};

function repeated(table: string, key: string, within: string): string {
  return `
    select coalesce(sum(rows), 0)::float8 as read,
           count(*) filter (where rows > 1)::float8 as violations,
           coalesce((array_agg(key) filter (where rows > 1))[1:${maxExamples}], '{}') as examples
    from (
      select ${key} as key, count(*) as rows from ${table} where ${within} and ${key} is not null group by ${key}
    ) as counted`;
}
