import { phoneDigits } from "@gatehouse-parking/contract";
import type { UploadProblem } from "@gatehouse-parking/contract/console";
import { isJson } from "@gatehouse-parking/json-text";
import { transaction } from "../../core/database/transaction.js";
import type { RowOutcome } from "../uploads/row-outcome.js";
import { isCut } from "../uploads/work/problems.js";
import type { Erasure } from "./delete-person.js";
import { columnsWithout, mappingWithout } from "./erase-mappings.js";
import { mentions, mentionsInText, type Person } from "./person.js";
import { erasedText, textsOfJson } from "./texts-within.js";
import { lowestUuid } from "../../core/uuidv7.js";

/** Each has as many rows as an import, so that few of them are looked at in one transaction. */
const batchesAStep = 2;
const erasedMessage = "The row was erased on request";
const erasedProblem = "What was wrong with the file was erased on request";

interface KeptBatch {
  upload_id: string;
  pass_number: number;
  first_row: number;
  rows: string;
}

/** Uploads keep the rows of their files for a while: of those that mention the person, nothing stays but their outcome. */
export async function eraseUploadRows(erasure: Erasure): Promise<void> {
  await eraseSummaries(erasure);
  let last = { upload_id: lowestUuid, pass_number: 0, first_row: -1 };
  for (;;) {
    const page = await eraseAfter(erasure, last);
    if (page.length < batchesAStep) return;
    last = page.at(-1) as KeptBatch;
  }
}

async function eraseAfter(
  { pool, person, personHash }: Erasure,
  last: Omit<KeptBatch, "rows">,
): Promise<KeptBatch[]> {
  const { organizationId } = person;
  return transaction(pool, async (client) => {
    const { rows: page } = await client.query<KeptBatch>(
      `select upload_id, pass_number, first_row, rows from upload_batches
       where organization_id = $1 and (upload_id, pass_number, first_row) > ($2, $3, $4)
       order by upload_id, pass_number, first_row limit $5 for update`,
      [organizationId, last.upload_id, last.pass_number, last.first_row, batchesAStep],
    );
    for (const batch of page) {
      const outcomes = JSON.parse(batch.rows) as RowOutcome[];
      const kept = outcomes.map((outcome) => (isAbout(person, outcome) ? erased(outcome) : outcome));
      const count = kept.filter((outcome, index) => outcome !== outcomes[index]).length;
      if (count === 0) continue;
      await client.query(
        `update upload_batches set rows = $5
         where organization_id = $1 and upload_id = $2 and pass_number = $3 and first_row = $4`,
        [organizationId, batch.upload_id, batch.pass_number, batch.first_row, JSON.stringify(kept)],
      );
      await client.query(
        `update person_erasures set upload_rows_erased = upload_rows_erased + $3
         where organization_id = $1 and person_hash = $2`,
        [organizationId, personHash, count],
      );
    }
    return page;
  });
}

function isAbout(person: Person, [, , , , message, reference, cells]: RowOutcome): boolean {
  return [message ?? "", reference, ...cells].some((cell) =>
    textsIn(cell).some((text) => mentions(person, text)),
  );
}

/** A row of a JSON file is one cell with the whole record. */
function textsIn(cell: string): string[] {
  return cell.startsWith("{") && isJson(cell) ? textsOfJson(cell) : [cell];
}

function erased([line, status, uuid, reasonCode, , , cells]: RowOutcome): RowOutcome {
  return [line, status, uuid, reasonCode, erasedMessage, "", cells.map(() => "")];
}

interface Summary {
  id: string;
  file_name: string;
  reading: string | null;
  problems: string;
  problem: string | null;
  columns: string | null;
  mapping: string | null;
}

/**
 * An upload has the name of its file. Its summary shows a value of each problem, and the first row of a file without a header
 * where the names of columns are, in the mapping too. The worker of the upload holds all of it in memory and writes the name into the
 * metadata of runs, so the upload is taken from it: it has to be claimed and read again.
 */
async function eraseSummaries({ pool, person }: Erasure): Promise<void> {
  const { organizationId } = person;
  await transaction(pool, async (client) => {
    const { rows } = await client.query<Summary>(
      `select id, file_name, reading, problems, problem, columns, mapping from uploads
       where organization_id = $1 for update`,
      [organizationId],
    );
    for (const summary of rows) {
      const kept = withoutPerson(person, summary);
      if (JSON.stringify(kept) === JSON.stringify(summary)) continue;
      await client.query(
        `update uploads set problems = $3, problem = $4, columns = $5, mapping = $6, file_name = $7, reading = $8,
           holder = null
         where organization_id = $1 and id = $2`,
        [
          ...[organizationId, kept.id, kept.problems, kept.problem, kept.columns, kept.mapping],
          ...[kept.file_name, kept.reading],
        ],
      );
    }
  });
}

function withoutPerson(person: Person, summary: Summary): Summary {
  const { problems, problem, columns, mapping, reading } = summary;
  const groups = JSON.parse(problems) as UploadProblem[];
  const isShown = ({ example }: UploadProblem) =>
    example !== null && (isCut(example) || mentions(person, example));
  return {
    id: summary.id,
    file_name: mentionsInText(person, summary.file_name) ? erasedText : summary.file_name,
    reading: reading !== null && mentionsInText(person, reading) ? null : reading,
    problems: JSON.stringify(groups.map((group) => (isShown(group) ? { ...group, example: null } : group))),
    problem: problem !== null && mayQuote(person, problem) ? erasedProblem : problem,
    columns: columns && columnsWithout(person, columns),
    mapping: mapping && mappingWithout(person, mapping),
  };
}

/** A sentence has the number among other words. Of what it quotes only in part nobody can tell what the rest was. */
function mayQuote(person: Person, sentence: string): boolean {
  const isNumberIn = person.phone !== undefined && phoneDigits(sentence).includes(person.phone);
  return isNumberIn || sentence.includes('..."') || mentions(person, sentence);
}
