import { gzipSync } from "node:zlib";
import { afterEach, expect, test, vi } from "vitest";
import { workbookOf } from "../../../../../record-files/testing/workbook.js";
import { useApp } from "../../../../testing/harness.js";
import { transactionFile, uploader, type Uploader } from "../../../../testing/uploader.js";
import { maxCpuMs } from "../limits.js";
import { CpuBudget } from "./cpu-budget.js";

const gatehouse = useApp();

afterEach(() => void vi.restoreAllMocks());

/** Replaces the clocks with one that the test sets, or that advances by `stepMs` whenever it is read. */
function setClock(stepMs = 0) {
  const clock = { ms: performance.now() };
  vi.spyOn(performance, "now").mockImplementation(() => (clock.ms += stepMs));
  vi.spyOn(process, "cpuUsage").mockImplementation(() => ({ user: clock.ms * 1000, system: 0 }));
  return clock;
}

test("CPU time is counted, and waiting time is not", async () => {
  const clock = setClock();
  const pace = new CpuBudget(100);
  await pace.measure(async () => void (clock.ms += 60));
  clock.ms += 1_000;
  const later = () => Promise.resolve().then(() => (clock.ms += 1_000));
  await pace.measure(() => pace.wait(later()));
  await expect(pace.measure(() => pace.wait(Promise.resolve("still allowed")))).resolves.toBe(
    "still allowed",
  );
  const reading = pace.measure(async () => {
    clock.ms += 41;
    await pace.giveWay();
  });
  await expect(reading).rejects.toThrow(/^The file takes more than 0 seconds of CPU time to read/);
});

const records = (by: Uploader) =>
  [1, 2, 3].map((id) => JSON.stringify({ transactionId: `T-${id}`, locationUuid: by.locationUuid }));
const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;

test.each<[string, (by: Uploader) => string | Buffer]>([
  ["CSV", (by) => transactionFile(by, 3)],
  ["gzip", (by) => gzipSync(transactionFile(by, 3))],
  ["NDJSON", (by) => records(by).join("\n")],
  ["JSON", (by) => `[${records(by).join(",")}]`],
  [
    "a spreadsheet",
    () => {
      const row = `<row>${cell("transactionId")}${cell("type")}</row>`;
      return workbookOf([{ name: "Sessions", rows: row.repeat(3) }]);
    },
  ],
])(
  "a file that takes too much CPU time for its size is stopped with an error: %s",
  async (_what, contentOf) => {
    const by = await uploader(gatehouse);
    const content = contentOf(by);
    const uuid = await by.receive(content);
    await by.start(uuid);
    setClock(maxCpuMs(content.length) / 4);
    await gatehouse.app.uploads.runUntilIdle();
    vi.restoreAllMocks();
    expect(await by.show(uuid)).toMatchObject({
      state: "stopped",
      rows: 0,
      problem: expect.stringMatching(/^The file takes more than 40 seconds of CPU time to read/),
    });
  },
);
