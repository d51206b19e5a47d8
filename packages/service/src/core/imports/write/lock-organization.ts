import { RecordStatus } from "@gatehouse-parking/contract";
import type { Statement } from "../../database/pipeline.js";
import { Refused } from "../../refusals/refused.js";
import type { Run, StoredPart } from "../run.js";

/** Imports of one organization are judged one after the other, on whatever instance they are. */
export function lockStatement(organizationId: string): Statement {
  return {
    name: "lock-organization",
    text: "select from import_turns where organization_id = $1 for no key update",
    values: [organizationId],
  };
}

/** What a run adds to what its organization stores. */
export interface Taken {
  /** The records and what they bring along. */
  records: number;
  /** The size of their rows, as COPY sends them. */
  bytes: number;
}

export const nothingTaken: Taken = { records: 0, bytes: 0 };

/**
 * Compares what an organization stores with its quota. What it stores is in the row that a run locks, so the check costs no
 * extra statement, and it is exact however many imports arrive at once.
 */
export class QuotaCheck {
  readonly #run: Run;
  #stored: { records: number | null; bytes: number | null } = { records: null, bytes: null };

  constructor(run: Run) {
    this.#run = run;
  }

  /** Locks the organization. Where it has a quota, the same statement reads what it stores. */
  lockStatement(): Statement {
    const { rules, identity } = this.#run;
    const { records, storageBytes } = rules.quotas;
    if (records === undefined && storageBytes === undefined) return lockStatement(identity.organizationId);
    return {
      name: "lock-organization-and-count",
      text: `
        select records_base + records_net as records, bytes_base + bytes_net as bytes
        from import_turns where organization_id = $1 for no key update`,
      values: [identity.organizationId],
      take: ({ rows }) => {
        if (rows[0]) this.#stored = rows[0];
      },
    };
  }

  taken({ outcomes, bytes }: StoredPart): Taken {
    let records = 0;
    for (const outcome of outcomes)
      if (outcome.status === RecordStatus.Created) records += 1 + outcome.brought.length;
    return records === 0 ? nothingTaken : { records, bytes };
  }

  /** Refuses the run if it would store more than the quota allows. One that stores nothing new is never refused. */
  require(part: StoredPart): void {
    const { quotas } = this.#run.rules;
    const taken = this.taken(part);
    if (taken.records === 0) return;
    requireWithin("records", quotas.records, this.#stored.records, taken.records);
    requireWithin("bytes of storage", quotas.storageBytes, this.#stored.bytes, taken.bytes);
  }
}

/** `stored`: null, it was not counted yet. */
function requireWithin(what: string, limit: number | undefined, stored: number | null, more: number): void {
  if (limit === undefined || stored === null || stored + more <= limit) return;
  const [allowed, used, wanted] = [limit, stored, more].map((number) => number.toLocaleString("en"));
  throw new Refused("quotaExceeded", {
    details: [
      `The organization may store ${allowed} ${what}. It stores ${used}, and this batch would add ${wanted}; nothing of it was stored`,
    ],
  });
}
