import type pg from "pg";

/** What one check found: how many rows it read, how many of them are wrong, and a few of those by name. */
export interface Finding {
  read: number;
  violations: number;
  examples: string[];
}

/** Looks at one organization at a time, so that each of its statements stays on one shard of a distributed database. */
export interface Check {
  name: string;
  /** Where its examples are rows: the table that they are in, and the column that is wrong if it is one. */
  of?: { table: string; column?: string };
  /** Work in progress may break it, so it holds for what was just imported from an export only. */
  inExportsOnly?: true;
  run(client: pg.ClientBase, organizationId: string): Promise<Finding>;
}

/** Looks at what no single organization shows. `organizationIds` are those that are known. */
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

/** A check that is one statement. It returns read, violations and examples, which are rows of `table`; $1 is the organization. */
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

/** Sums up rows of (id, read, is_wrong). */
export function summary(judged: string): string {
  return `
    select coalesce(sum(judged.read), 0)::float8 as read,
           count(*) filter (where is_wrong)::float8 as violations,
           coalesce((array_agg(judged.id::text) filter (where is_wrong))[1:${maxExamples}], '{}') as examples
    from (${judged}) as judged`;
}
