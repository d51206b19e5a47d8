import { pino } from "pino";
import { afterEach, expect, test, vi } from "vitest";
import { workbookOf } from "../../../../../record-files/testing/workbook.js";
import { useApp } from "../../../../testing/harness.js";
import { transactionFile, uploader, type Uploader } from "../../../../testing/uploader.js";
import { buildApp } from "../../../app.js";

const gatehouse = useApp();

afterEach(() => void vi.restoreAllMocks());

/** Sheets without rows: 240 MB of XML that must be read before the first row. */
function slowSpreadsheet(): Buffer {
  const rows = "<x/>".repeat(6_000_000);
  return workbookOf(Array.from({ length: 10 }, (_, index) => ({ name: `Sheet ${index}`, rows })));
}

async function begin(by: Uploader, content: Buffer | string, validateOnly: boolean): Promise<string> {
  const uuid = await by.receive(content);
  expect((await by.start(uuid, { validateOnly })).status).toBe(200);
  return uuid;
}

test("uploads of other organizations finish while slow files of two organizations are read", async () => {
  const { config, database } = gatehouse;
  const app = await buildApp({ config, database, logger: pino({ level: "silent" }) });
  const people = await Promise.all([1, 2, 3, 4].map(() => uploader(gatehouse)));
  const [slow, alsoSlow, other, another] = people as [Uploader, Uploader, Uploader, Uploader];
  const file = slowSpreadsheet();
  const slowUploads: [Uploader, string][] = [
    [slow, await begin(slow, file, true)],
    [alsoSlow, await begin(alsoSlow, file, false)],
  ];
  const isUnderWay = async () => {
    for (const [by, uuid] of slowUploads)
      expect(["waiting", "working"]).toContain((await by.show(uuid)).state);
  };
  try {
    app.uploads.start();
    await expect.poll(() => app.uploads.taken).toBe(2);
    const quick = await begin(other, transactionFile(other, 3), true);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + 20_000);
    await expect.poll(async () => (await other.show(quick)).state).toBe("finished");
    await isUnderWay();
    // The slow uploads have lost a turn, and share one slot from now on.
    const asQuick = await begin(another, transactionFile(another, 3), false);
    await expect.poll(async () => (await another.show(asQuick)).state).toBe("finished");
    await isUnderWay();
  } finally {
    for (const [by, uuid] of slowUploads) await by.act(uuid, "cancel");
    await app.close();
  }
});
