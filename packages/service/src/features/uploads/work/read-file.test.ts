import { expect, test, vi } from "vitest";
import { maxBodyBytes } from "@gatehouse-parking/contract";
import { FileFindings, type Row } from "@gatehouse-parking/record-files";
import { maxUnpackedBytes } from "../limits.js";
import { LeaseLost } from "./progress.js";
import { CpuBudget } from "./cpu-budget.js";
import { countRows, limitSize, splitBatches, UnreadableFile } from "./read-file.js";

const pace = new CpuBudget(Infinity);

async function* chunks(bytes: number): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(64 * 1024 * 1024);
  for (let left = bytes; left > 0; left -= chunk.length) yield chunk.subarray(0, left);
}

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of source) bytes += chunk.length;
  return bytes;
}

test("a file is rejected as soon as it unpacks to more than the limit", async () => {
  const { signal } = new AbortController();
  expect(await bytesOf(limitSize(chunks(maxUnpackedBytes), signal, pace))).toBe(maxUnpackedBytes);
  await expect(bytesOf(limitSize(chunks(maxUnpackedBytes + 1), signal, pace))).rejects.toThrow(
    UnreadableFile,
  );
});

test("unpacking ends when the lease is lost", async () => {
  const lost = new AbortController();
  const unpacked = limitSize(chunks(maxUnpackedBytes), lost.signal, pace);
  expect((await unpacked.next()).done).toBe(false);
  lost.abort(new LeaseLost());
  await expect(unpacked.next()).rejects.toThrow(LeaseLost);
});

async function* rowsOf(cells: string[], count: number): AsyncGenerator<Row> {
  for (let line = 2; line < count + 2; line += 1) yield { line, cells };
}

test.each([
  ["empty", Array.from({ length: 10_000 }, () => "")],
  ["of control characters", ["\u0001".repeat(30_000)]],
  ["of quotes", ['"'.repeat(30_000)]],
  ["with letters beyond ASCII", ["\u00fc\u20ac".repeat(10_000)]],
])(
  "the stored size of a batch is bounded, and its findings are about the rows so far: cells that are %s",
  async (_what, cells) => {
    const findings = new FileFindings();
    let found = 0;
    vi.spyOn(findings, "list").mockImplementation(() => [
      { code: "timesTwice", data: {}, rows: found, examples: [] },
    ]);
    const file = {
      findings,
      addFindings: () => void (found += 1),
      rows: rowsOf(cells, 500),
      prepare: ({ line }: Row) => ({ line, cells, text: undefined, refusal: undefined }) as never,
    };
    let rows = 0;
    for await (const batch of splitBatches(file, { skipped: 0, maxRows: 500, pace })) {
      rows += batch.rows.length;
      expect(batch.findings).toMatchObject([{ rows }]);
      const stored = JSON.stringify(batch.rows.map((row) => row.cells));
      expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(maxBodyBytes);
    }
    expect(rows).toBe(500);
  },
);

test("a file with too many rows is rejected when its rows are counted", async () => {
  expect(await countRows({ rows: rowsOf([], 1_000) }, pace, 1_000)).toBe(1_000);
  await expect(countRows({ rows: rowsOf([], 1_001) }, pace, 1_000)).rejects.toThrow(/more than 1,000 rows/);
});
