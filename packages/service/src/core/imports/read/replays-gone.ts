import type { Statement } from "../../database/pipeline.js";
import type { Run } from "../run.js";
import { isCandidate, type Submitted } from "./submitted.js";

/** Records that were recognized as stored are not stored where the run is. */
export class ReplaysGone extends Error {
  override name = "ReplaysGone";
}

/**
 * Replays are recognized before the transaction, perhaps by another server: between the two there can be a failover that
 * lost the last commits, and the run that created them can be taken back. So every attempt asks the server that it stores
 * on for what it is about to call stored: once, behind the organization's lock, and only whether it is there. By a lateral
 * join, for the reason given in look-up/find-stored.ts.
 */
export function expectStored({ identity, resource }: Run, records: readonly Submitted[]): Statement[] {
  const ids = new Set(records.flatMap((record) => (isCandidate(record) ? [] : record.stored.id)));
  if (ids.size === 0) return [];
  const statement: Statement = {
    name: `count-${resource.name}`,
    text: `
      select count(*)::int as count
      from json_array_elements_text($2) as wanted (id)
      cross join lateral (
        select from ${resource.name} where organization_id = $1 and id = wanted.id::uuid limit 1
      ) as found`,
    values: [identity.organizationId, JSON.stringify([...ids])],
    take: ({ rows }) => {
      if (rows[0]?.count !== ids.size)
        throw new ReplaysGone("Records that were recognized as stored are gone");
    },
  };
  return [statement];
}
