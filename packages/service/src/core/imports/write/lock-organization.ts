import { RecordStatus } from "@gatehouse-parking/contract";
import type { Statement } from "../../database/pipeline.js";
import { Refused } from "../../refusals/refused.js";
import type { Run, StoredPart } from "../run.js";

/** Serializes the imports of an organization across all instances. */
export function lockStatement(organizationId: string): Statement {
  return {
    name: "lock-organization",
    text: "select from import_turns where organization_id = $1 for no key update",
    values: [organizationId],
  };
}

/** What a run adds to the storage of its organization. */
export interface StoredAmount {
  /** The imported records and the related entities that are created with them. */
  records: number;
  /** The size of their rows, as COPY sends them. */
  bytes: number;
}

export const noStorage: StoredAmount = { records: 0, bytes: 0 };

/**
 * Compares what an organization stores with its quota. The locked row has these figures, so the check needs no statement
 * and is exact for concurrent imports.
 */
export class QuotaCheck {
  readonly #run: Run;
  #stored: { records: number | null; bytes: number | null } = { records: null, bytes: null };

  constructor(run: Run) {
    this.#run = run;
  }

  /** If the organization has a quota, the same statement reads what it stores. */
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

  amountOf({ outcomes, bytes }: StoredPart): StoredAmount {
    let records = 0;
    for (const outcome of outcomes)
      if (outcome.status === RecordStatus.Created) records += 1 + outcome.related.length;
    return records === 0 ? noStorage : { records, bytes };
  }

  /** Rejects a run that would exceed the quota. A run that stores nothing new is always accepted. */
  check(part: StoredPart): void {
    const { quotas } = this.#run.rules;
    const { records, bytes } = this.amountOf(part);
    if (records === 0) return;
    checkQuota("records", quotas.records, this.#stored.records, records);
    checkQuota("bytes of storage", quotas.storageBytes, this.#stored.bytes, bytes);
  }
}

/** `stored` is null until it has been counted. */
function checkQuota(what: string, limit: number | undefined, stored: number | null, more: number): void {
  if (limit === undefined || stored === null || stored + more <= limit) return;
  const [allowed, used, wanted] = [limit, stored, more].map((number) => number.toLocaleString("en"));
  throw new Refused("quotaExceeded", {
    details: [
      `The organization may store ${allowed} ${what}. It stores ${used}, and this batch would add ${wanted}; nothing of it was stored`,
    ],
  });
}
