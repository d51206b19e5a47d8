import type { DeletableKind } from "@gatehouse-parking/contract";
import { createInterface } from "node:readline/promises";
import { InvalidInput } from "../../core/refusals/input-errors.js";
import type { Deletable, DeletionPreview } from "./preview-deletion.js";
import { remark } from "../../core/cli/output.js";

const names: Record<DeletableKind, string> = {
  records: "records",
  exceptions: "skipped and failed records of runs",
  runDetails: "values of failed records",
  requestLog: "requests of the log",
  leads: "leads",
  deletedKeys: "keys of deleted records",
};

/** Deletes 21 leads after 2026-11-19T12:31:00.000Z */
export function describeDeletion({ what, count, isMinimum }: Omit<Deletable, "days">, at: string): string {
  return `Deletes ${isMinimum ? "more than " : ""}${count.toLocaleString("en")} ${names[what]} after ${at}`;
}

/** Prints what a change deletes and asks whether to save it. */
export async function confirmDeletion({ data, at }: DeletionPreview, isConfirmed: boolean): Promise<boolean> {
  for (const deletable of data) remark(describeDeletion(deletable, at));
  if (isConfirmed) return true;
  if (!process.stdin.isTTY)
    throw new InvalidInput("This change deletes stored data. Nothing was saved. Add --yes to save it");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question("Save this change? Type yes: ")).trim() === "yes";
  } finally {
    terminal.close();
  }
}
