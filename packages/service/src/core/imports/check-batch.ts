import type { ImportRun } from "@gatehouse-parking/contract";
import { PipelineQueue } from "../database/pipeline-queue.js";
import { dryRun } from "../database/transaction.js";
import { prepareBatch, type ImportRequest, type ImportService } from "./import-batch.js";
import { outcomeOf } from "./judge/decision.js";
import { judge } from "./judge/judge.js";
import { lookUp } from "./look-up/look-up.js";
import { withDifferences } from "./observe.js";
import { report } from "./report.js";
import { timesOf } from "./run.js";

/**
 * What importing the batch would answer, by look-ups alone: it writes nothing and takes no lock, so no import waits for it. It does not
 * find a value that only the database would reject.
 */
export function checkBatch(
  service: ImportService,
  request: Omit<ImportRequest, "validateOnly">,
): Promise<ImportRun> {
  const attributes = { "gatehouse.resource": request.resource.name };
  return service.tracer.span("check", attributes, async (span) => {
    const { run, records } = await prepareBatch(service, { ...request, validateOnly: true }, span);
    return dryRun(service.pool, async (client) => {
      const queue = new PipelineQueue(client);
      const { statements, lookup } = lookUp(run, records);
      await queue.send(...statements);
      const decisions = await run.tracer.step("judge", () => judge(run, records, lookup));
      const outcomes = await withDifferences(queue, run, records, decisions.map(outcomeOf));
      return report(run.identity.runId, run.resource, timesOf(run), records, outcomes);
    });
  });
}
