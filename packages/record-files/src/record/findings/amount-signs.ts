import { shortened } from "../../messages.js";
import type { Finding } from "../../refusals.js";
import type { RecordTree } from "../record-builder.js";

/** Fees are often 0; the totals are not. */
const totals = ["amountTotal", "netAmount"] as const;
/** In fewer rows, a majority means nothing. */
const minRows = 5;

interface Counts {
  rows: number;
  others: number;
  examples: { line: number; value: string }[];
}

/** Finds totals that are 0 or negative in most rows. */
export class AmountSigns {
  readonly #counts = new Map(
    totals.map((path): [string, Counts] => [path, { rows: 0, others: 0, examples: [] }]),
  );

  add(draft: RecordTree, line: number): void {
    for (const [path, counts] of this.#counts) {
      const value = draft.get(path);
      if (typeof value !== "string" || Number.isNaN(Number(value))) continue;
      if (Number(value) > 0) counts.others += 1;
      else {
        counts.rows += 1;
        if (counts.examples.length < 3) counts.examples.push({ line, value: shortened(value) });
      }
    }
  }

  findings(): Finding[] {
    return [...this.#counts].flatMap(([path, { rows, others, examples }]): Finding[] =>
      rows > others && rows + others >= minRows
        ? [{ code: "amountsNotPositive", data: { path, total: rows + others }, rows, examples }]
        : [],
    );
  }
}
