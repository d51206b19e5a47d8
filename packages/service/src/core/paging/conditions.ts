import { sqlParameters } from "../database/sql-parameters.js";

/**
 * The conditions of a list that is ordered by `id`, put together as they are asked for: first those that an index
 * answers, then the others. The organization is the first parameter.
 */
export function listConditions(organizationId: string) {
  const { values, add } = sqlParameters(organizationId);
  const source: string[] = ["record.organization_id = $1"];
  const filter: string[] = [];
  let sourceCount = values.length;
  return {
    /** Adds nothing where the value is undefined. */
    indexed(value: unknown, condition: (parameter: string) => string): void {
      if (filter.length > 0) throw new Error("What an index answers comes first");
      if (value !== undefined) source.push(condition(add(value)));
      sourceCount = values.length;
    },
    other(value: unknown, condition: (parameter: string) => string): void {
      if (value !== undefined) filter.push(condition(add(value)));
    },
    /** A condition without a parameter. */
    fixed(condition: string): void {
      filter.push(condition);
    },
    parts: () => ({
      where: source.join(" and "),
      filter: filter.length === 0 ? undefined : filter.join(" and "),
      sourceValues: values.slice(0, sourceCount),
      filterValues: values.slice(sourceCount),
    }),
  };
}
