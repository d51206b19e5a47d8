import type { RunSummary } from "@gatehouse-parking/contract/console";
import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { transactionFile, uploader, type Uploader } from "../../../testing/uploader.js";

const gatehouse = useApp();

const runsOf = (by: Uploader) => `/organizations/${by.organizationId}/runs`;

async function list(by: Uploader, query = ""): Promise<RunSummary[]> {
  const { status, text, json } = await by.person.get(`${runsOf(by)}${query}`);
  expect(status, text).toBe(200);
  return json.data;
}

const importOne = (by: Uploader, id: string) =>
  gatehouse.post("/integrations/transactions", by.apiKey, {
    transactions: [
      { transactionId: id, locationUuid: by.locationUuid, type: 1, transactionDate: "2026-04-01T14:30:00Z" },
    ],
  });

/** 1,203 rows in three imports. Only the last import has failures. */
const failing = (by: Uploader) => transactionFile(by, 1_203, (index) => (index > 1_200 ? "9" : "1"));

test("the list of imports shows a file as one line with its totals, which opens to its imports", async () => {
  const by = await uploader(gatehouse);
  await importOne(by, "P-1");
  await by.run(failing(by));
  await importOne(by, "P-2");
  const [newest, file, oldest, ...others] = await list(by);
  expect(others).toEqual([]);
  expect([newest?.file, oldest?.file]).toEqual([null, null]);
  expect(file).toMatchObject({
    ...{
      status: 3,
      totalSubmitted: 1_203,
      successCount: 1_201,
      failedCount: 2,
      skippedCount: 0,
      undone: null,
    },
    file: { referenceUuid: file?.referenceUuid, name: "sessions.csv", runs: 3 },
  });
  const runs = await list(by, `?file=${file?.file?.referenceUuid}`);
  expect(runs.map((run) => [run.totalSubmitted, run.file?.runs])).toEqual([
    [203, 1],
    [500, 1],
    [500, 1],
  ]);
  // Every import links to the file, and the public operations still list all of them.
  const { json } = await by.person.get(`${runsOf(by)}/${runs[0]?.referenceUuid}`);
  expect(json.file).toMatchObject({ referenceUuid: file?.referenceUuid, name: "sessions.csv" });
  const published = await gatehouse.send({ method: "GET", url: "/integrations/imports", key: by.apiKey });
  expect(published.json.totalCount).toBe(5);
});

test("filters and exports of the list of imports apply to the totals of a file", async () => {
  const by = await uploader(gatehouse);
  await by.run(failing(by));
  await importOne(by, "P-1");
  await importOne(by, "P-1");
  const files = async (query: string) =>
    (await list(by, query)).map(({ file, totalSubmitted }) => [file?.runs ?? 0, totalSubmitted]);
  const [file, single] = [
    [3, 1_203],
    [0, 1],
  ];
  expect(await files("?status=3")).toEqual([file]);
  expect(await files("?status=2")).toEqual([]);
  expect(await files("?status=1")).toEqual([single, single]);
  expect(await files("?having=failed")).toEqual([file]);
  expect(await files("?having=skipped")).toEqual([single]);
  const [failed] = await list(by, `?file=${(await list(by, "?status=3"))[0]?.referenceUuid}&status=3`);
  const { json } = await by.person.get(`${runsOf(by)}/${failed?.referenceUuid}`);
  expect(await files(`?reason=${json.failureGroups[0].reasonCode}`)).toEqual([file]);
  expect(await files("?reason=7")).toEqual([]);
  expect(await files("?resource=1&having=created")).toEqual([single, file]);
  expect(await files("?limit=1&sort=oldest")).toEqual([file]);
  const csv = await by.person.get(`${runsOf(by)}.csv?status=3`);
  const lines = csv.text.trim().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/,1203,/);
  expect(lines[1]).toContain("sessions.csv");
});

test("a file is undone as one line, with one line in the audit log", async () => {
  const by = await uploader(gatehouse);
  const { uuid } = await by.run(transactionFile(by, 1_001));
  expect((await by.person.post(`${by.uploads}/${uuid}/undo`, {})).status).toBe(200);
  await gatehouse.app.uploads.runUntilIdle();
  expect(await list(by)).toMatchObject([
    { successCount: 1_001, undone: { by: by.person.email, count: 1_001 }, file: { runs: 3 } },
  ]);
  const { rows } = await gatehouse.database.work.query(
    "select action from audit_log where organization_id = $1 and action like '%undo'",
    [by.organizationId],
  );
  expect(rows).toEqual([{ action: "upload.undo" }]);
});

test("an import by the previous release is a line of the list", async () => {
  const by = await uploader(gatehouse);
  await by.run(transactionFile(by, 501));
  // The previous release does not write the column.
  await gatehouse.database.work.query(
    "update import_runs set file_run_id = null where organization_id = $1",
    [by.organizationId],
  );
  expect((await list(by)).map(({ totalSubmitted, file }) => [totalSubmitted, file])).toEqual([
    [1, null],
    [500, null],
  ]);
});
