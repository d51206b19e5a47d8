import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { PipelineQueue } from "../database/pipeline-queue.js";
import { transaction } from "../database/transaction.js";
import type { Run, RunIdentity } from "./run.js";
import { lockStatement } from "./write/lock-organization.js";

/** The commit of a run was sent, and the database did not say in time whether it arrived. */
export class CommitOutcomeUnknown extends Error {
  override name = "CommitOutcomeUnknown";
}

const askAgainMs = 250;

/**
 * Whether a run was committed whose commit brought no answer. What took the answer away, a failover or a restart, often
 * takes a few seconds; so it is asked again and again, for as long as a client can be expected to wait.
 */
export async function wasCommittedAfterAll(pool: pg.Pool, run: Run): Promise<boolean> {
  const deadlineMs = performance.now() + run.commitCheckTimeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await wasCommitted(pool, run.identity);
    } catch (error) {
      run.log.warn({ err: error, attempt }, "how the import ended is not known yet");
      if (performance.now() >= deadlineMs)
        throw new CommitOutcomeUnknown("The end of the import is not known", { cause: error });
    }
    await sleep(askAgainMs);
  }
}

/** The server may still be at work on it, and until it is done the run holds the organization's lock; so that comes first. */
async function wasCommitted(pool: pg.Pool, { organizationId, runId }: RunIdentity): Promise<boolean> {
  return transaction(pool, async (client) => {
    let isThere = false;
    await new PipelineQueue(client).send(lockStatement(organizationId), {
      text: "select from import_runs where organization_id = $1 and id = $2",
      values: [organizationId, runId],
      take: ({ rowCount }) => (isThere = rowCount === 1),
    });
    return isThere;
  });
}
