import type pg from "pg";

export interface Finding {
  read: number;
  violations: number;
  examples: string[];
}

/** Checks one organization at a time, so that each statement runs on one shard of a distributed database. */
export interface Check {
  name: string;
  /** The table and the column that the examples are from. */
  of?: { table: string; column?: string };
  /** For imported exports only, because work in progress may break it. */
  inExportsOnly?: true;
  run(client: pg.ClientBase, organizationId: string): Promise<Finding>;
}

/** Checks all organizations together. */
export interface OverallCheck {
  name: string;
  run(client: pg.ClientBase, organizationIds: readonly string[]): Promise<Finding>;
}

export const maxExamples = 5;

export function addFindings(one: Finding, other: Finding): Finding {
  return {
    read: one.read + other.read,
    violations: one.violations + other.violations,
    examples: [...one.examples, ...other.examples].slice(0, maxExamples),
  };
}

export const nothingFound: Finding = { read: 0, violations: 0, examples: [] };

/** A check by one statement, which returns a Finding with examples from `table`; $1 is the organization. */
export function statementCheck(name: string, statement: string, table?: string): Check {
  return {
    name,
    ...(table !== undefined && { of: { table } }),
    run: async (client, organizationId) => {
      const { rows } = await client.query<Finding>(statement, [organizationId]);
      return { ...(rows[0] as Finding) };
    },
  };
}

/** Turns rows of (id, read, is_wrong) into a Finding. */
export function summary(judged: string): string {
  return `
    select coalesce(sum(judged.read), 0)::float8 as read,
           count(*) filter (where is_wrong)::float8 as violations,
           coalesce((array_agg(judged.id::text) filter (where is_wrong))[1:${maxExamples}], '{}') as examples
    from (${judged}) as judged`;
}
