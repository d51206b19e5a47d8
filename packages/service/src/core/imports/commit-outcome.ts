import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { PipelineQueue } from "../database/pipeline-queue.js";
import { transaction } from "../database/transaction.js";
import type { Run, RunIdentity } from "./run.js";
import { lockStatement } from "./write/lock-organization.js";

/** The commit was sent, and the database did not confirm it in time. */
export class CommitOutcomeUnknown extends Error {
  override name = "CommitOutcomeUnknown";
}

const pollMs = 250;

/**
 * Whether a run was committed whose commit got no answer. The cause, such as a failover or a restart, often takes a few
 * seconds, so this polls for as long as a client can be expected to wait.
 */
export async function wasCommittedAfterAll(pool: pg.Pool, run: Run): Promise<boolean> {
  const deadlineMs = performance.now() + run.commitCheckTimeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await wasCommitted(pool, run.identity);
    } catch (error) {
      run.log.warn({ err: error, attempt }, "checking the commit outcome failed");
      if (performance.now() >= deadlineMs)
        throw new CommitOutcomeUnknown("commit outcome unknown", { cause: error });
    }
    await sleep(pollMs);
  }
}

/** Takes the organization's lock first: the server may still be committing, and holds the lock until then. */
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
