import { RecordStatus } from "@gatehouse-parking/contract";
import type { Statement } from "../../database/pipeline.js";
import { Refused } from "../../refusals/refused.js";
import type { Outcome } from "../judge/decision.js";
import type { Submitted } from "../read/submitted.js";
import type { Run } from "../run.js";
import type { Rows } from "./encode.js";
import { lockStatement } from "./lock-organization.js";

/** What a run adds to what its organization stores. */
export interface Taken {
  /** The records and what they bring along. */
  records: number;
  /** The size of their rows, as COPY sends them. */
  bytes: number;
}

export const nothingTaken: Taken = { records: 0, bytes: 0 };

/**
 * The room that an organization has left. What it stores stands on the row that a run locks, so a quota costs no question
 * of its own, and is kept to exactly however many send at once.
 */
export class Room {
  readonly #run: Run;
  #stored: { records: number | null; bytes: number | null } = { records: null, bytes: null };
  readonly #bytesOfPart = new Map<readonly Submitted[], number>();
  #bytes = 0;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Locks the organization. Where it has a quota, the same statement tells what it stores. */
  lockStatement(): Statement {
    const { rules, identity } = this.#run;
    const { records, storageBytes } = rules.quotas ?? {};
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

  /** How large the rows of a part of the batch are. Whether they stay is known later. */
  measure(part: readonly Submitted[], rows: Rows): void {
    this.#bytesOfPart.set(
      part,
      Object.values(rows).reduce((sum, { bytes }) => sum + bytes, 0),
    );
  }

  note(part: readonly Submitted[]): void {
    this.#bytes += this.#bytesOfPart.get(part) ?? 0;
  }

  taken(outcomes: readonly Outcome[]): Taken {
    let records = 0;
    for (const outcome of outcomes)
      if (outcome.status === RecordStatus.Created) records += 1 + outcome.brought.length;
    return { records, bytes: records === 0 ? 0 : this.#bytes };
  }

  /** Refuses the run if it would store more than there is room for. One that stores nothing new always has room. */
  require(outcomes: readonly Outcome[]): void {
    const { quotas } = this.#run.rules;
    const taken = this.taken(outcomes);
    if (!quotas || taken.records === 0) return;
    requireWithin("records", quotas.records, this.#stored.records, taken.records);
    requireWithin("bytes of storage", quotas.storageBytes, this.#stored.bytes, taken.bytes);
  }
}

/** `stored`: null, nobody has counted yet. */
function requireWithin(what: string, limit: number | undefined, stored: number | null, more: number): void {
  if (limit === undefined || stored === null || stored + more <= limit) return;
  const [allowed, used, wanted] = [limit, stored, more].map((number) => number.toLocaleString("en"));
  throw new Refused("quotaExceeded", [
    `The organization may store ${allowed} ${what}. It stores ${used}, and this batch would add ${wanted}; nothing of it was stored`,
  ]);
}
