import { RecordStatus } from "@gatehouse-parking/contract";
import type { UploadProblem } from "@gatehouse-parking/contract/console";
import type { Prepared } from "@gatehouse-parking/record-files";
import { actorName, auditStatement, type Actor } from "../../core/audit/audit.js";
import type { Statement } from "../../core/database/pipeline.js";
import { Refused } from "../../core/refusals/refused.js";
import type { PreparedCorrection, RowToSend } from "./correct-rows.js";
import { countOutcomes, type RowOutcome } from "./outcomes.js";
import { resourceNameOf, type UploadRow } from "./uploads.js";
import { countProblems, type Problems } from "./work/problems.js";

/** The upload or one of the rows has changed since it was read. */
export class CorrectionInTheMeantime extends Refused {
  override name = "CorrectionInTheMeantime";

  constructor() {
    super("overloaded");
  }
}

export interface CorrectionGuard {
  statement: Statement;
  /** What the statement has read under the lock. */
  stored: { correction: number; problems: Problems };
}

interface GuardRow {
  problems: string;
  other_problem_rows: number;
  correction: number;
  attempts: number;
}

/**
 * Locks the upload until the end of the transaction. Runs under the organization's lock, so it sees every earlier correction.
 * A worker cannot hold the upload meanwhile, because its state would be another one.
 */
export function guardCorrection(upload: UploadRow, rows: readonly RowToSend[]): CorrectionGuard {
  const stored = { correction: 0, problems: { groups: [], otherRows: 0 } as Problems };
  const known = rows.map(({ before: { row, attempt } }) => ({ row, attempt }));
  return {
    stored,
    statement: {
      text: `select problems, other_problem_rows,
          (select coalesce(max(correction) + 1, 0) from upload_corrections
           where organization_id = $1 and upload_id = $2 and pass_number = $3) as correction,
          (select count(*)::int from upload_corrections
           where organization_id = $1 and upload_id = $2 and pass_number = $3
             and row_number = any ($5::bigint[])) as attempts
        from uploads
        where organization_id = $1 and id = $2 and pass_number = $3 and pass = 'import' and state = $4 for update`,
      values: [
        upload.organization_id,
        upload.id,
        upload.pass_number,
        upload.state,
        `{${known.map(({ row }) => row).join(",")}}`,
      ],
      take: ({ rows: [found] }) => {
        const row = found as GuardRow | undefined;
        const attempts = known.reduce((sum, { attempt }) => sum + attempt, 0);
        if (!row || row.attempts !== attempts) throw new CorrectionInTheMeantime();
        stored.correction = row.correction;
        stored.problems = {
          groups: JSON.parse(row.problems) as UploadProblem[],
          otherRows: row.other_problem_rows,
        };
      },
    },
  };
}

interface SentCorrection {
  rows: readonly PreparedCorrection[];
  /** Undefined if no row could be converted to a record. */
  runId: string | undefined;
  outcomes: readonly RowOutcome[];
}

/** The statements that store the outcomes of corrected rows, with their counts and the audit line. */
export function recordCorrection(
  actor: Actor,
  upload: UploadRow,
  { stored }: CorrectionGuard,
  { rows, runId, outcomes }: SentCorrection,
) {
  const { conflicts, ...counts } = countOutcomes(outcomes);
  const problems = problemsAfter(upload, stored.problems, { rows, outcomes });
  const texts = outcomes.map((outcome) => JSON.stringify(outcome));
  const common = [upload.organization_id, upload.id, upload.pass_number];
  const inserted = rows.map(({ corrected: { row, attempt } }, index) => [
    ...[...common, row, attempt + 1, stored.correction, runId ?? null],
    ...[(outcomes[index] as RowOutcome)[1], texts[index] as string, actorName(actor)],
  ]);
  const statements: Statement[] = [
    {
      text: `insert into upload_corrections (organization_id, upload_id, pass_number, row_number, attempt, correction, run_id,
          status, outcome, corrected_by)
        values ${placeholders(inserted)}`,
      values: inserted.flat(),
    },
    {
      text: `update uploads set created_count = created_count + $3, skipped_count = skipped_count + $4,
          failed_count = failed_count + $5, run_count = run_count + $6, problems = $7, other_problem_rows = $8,
          kept_bytes = kept_bytes + $9, conflict_count = conflict_count + $10, changed_at = now()
        where organization_id = $1 and id = $2`,
      values: [
        upload.organization_id,
        upload.id,
        counts.created,
        counts.skipped,
        counts.failed - rows.length,
        runId === undefined ? 0 : 1,
        JSON.stringify(problems.groups),
        problems.otherRows,
        texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
        conflicts,
      ],
    },
    auditStatement({
      organizationId: upload.organization_id,
      actor,
      action: "upload.correct",
      subjectId: upload.id,
      detail: { fileName: upload.file_name, rows: rows.length, ...counts, import: runId ?? null },
    }) as Statement,
  ];
  return { counts, statements };
}

/** Such as `($1, $2), ($3, $4)`. */
function placeholders(rows: readonly (readonly unknown[])[]): string {
  let number = 0;
  return rows.map((row) => `(${row.map(() => `$${(number += 1)}`).join(", ")})`).join(", ");
}

function problemsAfter(
  upload: UploadRow,
  before: Problems,
  { rows, outcomes }: Pick<SentCorrection, "rows" | "outcomes">,
): Problems {
  const resource = resourceNameOf(upload);
  const failure = (row: Prepared, [, status, , reasonCode, message]: RowOutcome) =>
    status === RecordStatus.Failed
      ? [{ row, failure: reasonCode === null ? undefined : { reasonCode, errorDetail: message ?? "" } }]
      : [];
  const earlier = rows.flatMap(({ wasPrepared, before: { outcome } }) => failure(wasPrepared, outcome));
  const now = rows.flatMap(({ prepared }, index) => failure(prepared, outcomes[index] as RowOutcome));
  return countProblems(countProblems(before, resource, earlier, -1), resource, now);
}
