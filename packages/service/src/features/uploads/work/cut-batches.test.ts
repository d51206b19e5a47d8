import { maxBodyBytes } from "@gatehouse-parking/contract";
import type { Row } from "@gatehouse-parking/record-files";
import { expect, test } from "vitest";
import { cutBatches } from "./cut-batches.js";
import { ReadingPace } from "./reading-pace.js";

async function* rowsOf(cells: string[], count: number): AsyncGenerator<Row> {
  for (let line = 2; line < count + 2; line += 1) yield { line, cells };
}

test.each([
  ["empty", Array.from({ length: 10_000 }, () => "")],
  ["of control characters", ["\u0001".repeat(30_000)]],
  ["of quotes", ['"'.repeat(30_000)]],
  ["of letters beyond ASCII", ["\u00fc\u20ac".repeat(10_000)]],
])("what is kept of a batch is bounded as it is stored: cells that are %s", async (_what, cells) => {
  const file = {
    columns: [],
    reading: "",
    readBytes: 0,
    rows: rowsOf(cells, 500),
    prepare: ({ line }: Row) => ({ line, cells, text: undefined, refusal: undefined }) as never,
  };
  let rows = 0;
  const pace = new ReadingPace(Infinity);
  for await (const batch of cutBatches(file, { skipped: 0, maxRows: 500, pace })) {
    rows += batch.rows.length;
    const stored = JSON.stringify(batch.rows.map((row) => row.cells));
    expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(maxBodyBytes);
  }
  expect(rows).toBe(500);
});
