import { RecordStatus } from "@gatehouse-parking/contract";
import type { Statement } from "../../database/pipeline.js";
import { dayNumber, noteChangedDays } from "../../local-days/note-changes.js";
import type { Outcome } from "../judge/decision.js";
import type { Run } from "../run.js";

/** Notes the days of the local calendar that the created records tell of. */
export function localDayStatements(run: Run, outcomes: readonly Outcome[]): Statement[] {
  const days = new Set<number>();
  for (const outcome of outcomes) {
    const localTime = outcome.status === RecordStatus.Created ? outcome.location?.localTime : undefined;
    if (localTime !== undefined) days.add(dayNumber(localTime));
  }
  return noteChangedDays(run.identity.organizationId, days);
}
