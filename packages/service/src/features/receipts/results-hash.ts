import { createHash } from "node:crypto";
import type { RecordResult } from "@gatehouse-parking/contract";

/**
 * SHA-256 of the results of a run, in a form that any language can make of the answer: a line for each result, of its
 * position from 0, status, reason code, uuid, the length of its reference in bytes of UTF-8, and the reference, with tabs
 * between them. The length keeps a reference with line breaks from looking like several results. The words of
 * errorDetail are left out: a later release may choose others for what is stored.
 */
export function hashOfResults(results: readonly RecordResult[]): string {
  return createHash("sha256").update(linesOf(results), "utf8").digest("base64url");
}

function linesOf(results: readonly RecordResult[]): string {
  let lines = "";
  for (const [position, { status, reasonCode, uuid, reference }] of results.entries())
    lines += `${position}\t${status}\t${reasonCode ?? "-"}\t${uuid ?? "-"}\t${Buffer.byteLength(reference)}\t${reference}\n`;
  return lines;
}
