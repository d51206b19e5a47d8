import type pg from "pg";

/**
 * What tells this database from others: the number that PostgreSQL gives a cluster when it is made, which a restore keeps, in
 * letters and digits.
 */
export async function nameOfDatabase(client: Pick<pg.ClientBase, "query">): Promise<string> {
  const { rows } = await client.query<{ number: string }>(
    "select system_identifier::text as number from pg_control_system()",
  );
  return BigInt(rows[0]?.number ?? "0").toString(36);
}
