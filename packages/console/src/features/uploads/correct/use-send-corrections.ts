import { importResources } from "@gatehouse-parking/contract";
import {
  correctionLimits,
  type CorrectedRows,
  type UploadDetail,
  type UploadFailure,
} from "@gatehouse-parking/contract/console";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { request } from "../../../core/api/client.js";
import { useOrganization } from "../../../core/session/session.js";
import { retryWhileUnavailable } from "../send-file.js";
import { uploadQueries } from "../upload-status.js";
import { correctedCells, withoutRows, type Corrections } from "./corrections.js";

/** The counts of the rows that were sent so far. */
export type SentRows = CorrectedRows & { isDone: boolean };

export interface SendingCorrections {
  isSending: boolean;
  isWaiting: boolean;
  error: unknown;
  sent: SentRows | null;
  send: (corrections: Corrections) => Promise<void>;
}

interface CorrectedRow {
  row: number;
  attempt: number;
  cells: string[];
}

/** Reserved for the rest of the request body. */
const envelopeBytes = 4_096;
const rowsPerPage = 100;

/**
 * Reads all failed rows of an upload and sends those that were changed, in requests of limited size. The service sends no row
 * twice, so a request can be repeated.
 */
export function useSendCorrections(
  upload: UploadDetail,
  onCorrections: (change: (before: Corrections) => Corrections) => void,
): SendingCorrections {
  const { uuid: organizationUuid } = useOrganization();
  const client = useQueryClient();
  const [isSending, setSending] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [sent, setSent] = useState<SentRows | null>(null);
  const isUnderWay = useRef(false);
  const stopper = useRef(new AbortController());
  useEffect(() => {
    stopper.current = new AbortController();
    return () => stopper.current.abort();
  }, []);
  const parameters = { organizationUuid, uploadUuid: upload.uuid };

  async function sendAll(corrections: Corrections): Promise<void> {
    const { signal } = stopper.current;
    const retry = { onWait: setWaiting, signal };
    let total: SentRows = { created: 0, skipped: 0, failed: 0, notSent: [], isDone: false };
    setSent(total);
    const failures = readFailures((after) =>
      retryWhileUnavailable(retry, () =>
        request("listUploadFailures", { parameters, query: { after, limit: rowsPerPage }, signal }),
      ),
    );
    for await (const rows of batchesOf(failures, corrections, importResources[upload.resource].maxRecords)) {
      const answer = await retryWhileUnavailable(retry, () =>
        request("correctUploadRows", { parameters, body: { rows }, signal }),
      );
      total = addSent(total, answer);
      setSent(total);
      onCorrections((before) =>
        withoutRows(
          before,
          rows.map(({ row }) => row),
        ),
      );
    }
    onCorrections((before) => ({ ...before, replacements: [] }));
    setSent({ ...total, isDone: true });
  }

  async function send(corrections: Corrections): Promise<void> {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setSending(true);
    setError(null);
    try {
      await sendAll(corrections);
    } catch (problem) {
      setError(problem);
    } finally {
      isUnderWay.current = false;
      setSending(false);
      setWaiting(false);
      for (const name of [...uploadQueries, "listUploadCorrections"] as const)
        void client.invalidateQueries({ queryKey: [name] });
    }
  }

  return { isSending, isWaiting, error, sent, send };
}

interface FailuresPage {
  data: UploadFailure[];
  nextAfter: number | null;
}

async function* readFailures(
  readPage: (after: number) => Promise<FailuresPage>,
): AsyncGenerator<UploadFailure> {
  for (let after: number | null = 0; after !== null;) {
    const page: FailuresPage = await readPage(after);
    yield* page.data;
    after = page.nextAfter;
  }
}

/** Groups the rows that were changed into requests. */
async function* batchesOf(
  failures: AsyncIterable<UploadFailure>,
  corrections: Corrections,
  maxRows: number,
): AsyncGenerator<CorrectedRow[]> {
  const encoder = new TextEncoder();
  let batch: CorrectedRow[] = [];
  let bytes = envelopeBytes;
  for await (const failure of failures) {
    const cells = correctedCells(corrections, failure);
    if (cells.every((cell, column) => cell === failure.cells[column])) continue;
    const row = { row: failure.row, attempt: failure.attempt, cells };
    const rowBytes = encoder.encode(JSON.stringify(row)).length + 1;
    if (batch.length === maxRows || (batch.length > 0 && bytes + rowBytes > correctionLimits.requestBytes)) {
      yield batch;
      batch = [];
      bytes = envelopeBytes;
    }
    batch.push(row);
    bytes += rowBytes;
  }
  if (batch.length > 0) yield batch;
}

function addSent(before: SentRows, answer: CorrectedRows): SentRows {
  return {
    created: before.created + answer.created,
    skipped: before.skipped + answer.skipped,
    failed: before.failed + answer.failed,
    notSent: [...before.notSent, ...answer.notSent],
    isDone: false,
  };
}
