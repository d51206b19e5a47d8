import { expect, test } from "vitest";
import type { ImportRun, ImportRunSummary } from "@gatehouse-parking/contract";
import { useApp } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";
import { rowsReadBy } from "../../../testing/rows-read.js";
import { recordStatements } from "../../../testing/statements.js";

// `importer` fetches every run it imports and compares it with the answer.
// @covers R34, R224
const gatehouse = useApp();

const list = async (partner: Importer, query = "") =>
  gatehouse.send({ method: "GET", url: `/integrations/imports${query}`, key: partner.apiKey });

function summaryOf(run: ImportRun): ImportRunSummary {
  const { createdEntities: _entities, results: _results, ...summary } = run;
  return summary;
}

/** @covers R7, R34, R224 */
test("a run is read exactly as it was answered", async () => {
  const partner = await importer(gatehouse);
  const run = await partner.importTransactions(
    partner.transaction("T-1", { account: { tpReferenceId: "A-1", name: "Acme" } }),
    partner.transaction("T-1"),
    partner.transaction("T-2", { type: 9 }),
    null,
    partner.transaction("T-3"),
  );
  const answer = await partner.get(run.referenceUuid);
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual(run);
  expect((await partner.get(run.referenceUuid.toUpperCase())).json).toEqual(run);
});

/** @covers R21, R228, R229, reading 21 */
test("the first 100 failures and all other results are stored, and the counters are exact", async () => {
  const partner = await importer(gatehouse);
  await partner.importTransactions(partner.transaction("old"));
  const records = Array.from({ length: 400 }, (_, index) => {
    if (index % 4 === 0) return partner.transaction(`new-${index}`);
    if (index % 4 === 1) return partner.transaction("old");
    return partner.transaction(`bad-${index}`, { type: 0 });
  });
  const run = await partner.importTransactions(...records);
  expect(run).toMatchObject({ successCount: 100, skippedCount: 100, failedCount: 200, status: 3 });
  expect(run.results).toHaveLength(400);

  const kept = (await partner.get(run.referenceUuid)).json as ImportRun;
  const failures = run.results.filter((result) => result.status === 4);
  expect(kept.results.filter((result) => result.status === 4)).toEqual(failures.slice(0, 100));
  expect(kept.results.filter((result) => result.status !== 4)).toEqual(
    run.results.filter((result) => result.status !== 4),
  );
  expect(kept).toMatchObject({ successCount: 100, skippedCount: 100, failedCount: 200, totalSubmitted: 400 });
  const references = kept.results.map((result) => result.reference);
  expect(references).toEqual(
    run.results.map((result) => result.reference).filter((each) => references.includes(each)),
  );
  expect(await partner.count("import_exceptions"), "failures after the first 100 are not stored").toBe(200);
});

/** @covers R228, R229 */
test("a run of 500 failures stores 100 of them and counts 500", async () => {
  const partner = await importer(gatehouse);
  const run = await partner.importTransactions(
    ...Array.from({ length: 500 }, () => ({ transactionId: "T" })),
  );
  expect(run).toMatchObject({ status: 2, failedCount: 500 });
  const kept = (await partner.get(run.referenceUuid)).json as ImportRun;
  expect(kept).toMatchObject({ status: 2, failedCount: 500, totalSubmitted: 500 });
  expect(kept.results).toHaveLength(100);
});

/** @covers R225-R227, reading 46 */
test("a run of another organization, an unknown one and a malformed reference get the same 404", async () => {
  const partner = await importer(gatehouse);
  const stranger = await importer(gatehouse);
  const run = await partner.importTransactions(partner.transaction("T-1"));
  const bodies = [];
  for (const reference of [
    run.referenceUuid,
    "00000000-0000-4000-8000-000000000000",
    "no-uuid",
    "1",
    `${run.referenceUuid}0`,
    run.referenceUuid.replaceAll("-", ""),
    "%00",
    "%F0%9F%98%80",
    "x".repeat(190),
  ]) {
    const answer = await stranger.get(reference);
    expect(answer.status, reference).toBe(404);
    const { timestamp, ...body } = answer.json;
    expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    bodies.push(body);
  }
  expect(bodies[0]).toEqual({ success: false, message: expect.any(String), errors: [expect.any(String)] });
  for (const body of bodies) expect(body).toEqual(bodies[0]);
});

/** @covers R6, R214-R220 */
test("runs of all three resources are listed, newest first, without their results", async () => {
  const partner = await importer(gatehouse);
  const runs = [
    await partner.importAccounts({ tpReferenceId: "A-1", name: "Acme" }),
    await partner.importTransactions(partner.transaction("T-1"), {}),
    await partner.importSubscriptions({ tpReferenceId: "S-1", accountTPReferenceId: "A-1" }),
    await partner.importTransactions(partner.transaction("T-1")),
    await partner.importAccounts({}),
  ];
  const answer = await list(partner);
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({
    data: runs.toReversed().map(summaryOf),
    totalCount: 5,
    pageSize: 20,
    currentPage: 1,
    totalPages: 1,
    hasPreviousPage: false,
    hasNextPage: false,
  });
});

/** @covers R223 */
test("a list has only the runs of the organization, and an empty list has no pages", async () => {
  const partner = await importer(gatehouse);
  const stranger = await importer(gatehouse);
  await partner.importTransactions(partner.transaction("T-1"));
  expect((await list(stranger)).json).toEqual({
    data: [],
    totalCount: 0,
    pageSize: 20,
    currentPage: 1,
    totalPages: 0,
    hasPreviousPage: false,
    hasNextPage: false,
  });
});

/** @covers R212, R219, R221, R222, reading 45 */
test("page and pageSize are clamped, default if they are not numbers, and a page past the end is empty", async () => {
  const partner = await importer(gatehouse);
  const references: string[] = [];
  for (let index = 0; index < 23; index += 1) {
    references.unshift((await partner.importTransactions(partner.transaction("T-1"))).referenceUuid);
  }
  const cases: [string, { currentPage: number; pageSize: number; from: number; to: number }][] = [
    ["", { currentPage: 1, pageSize: 20, from: 0, to: 20 }],
    ["?page=2", { currentPage: 2, pageSize: 20, from: 20, to: 23 }],
    ["?page=3", { currentPage: 3, pageSize: 20, from: 23, to: 23 }],
    ["?page=0", { currentPage: 1, pageSize: 20, from: 0, to: 20 }],
    ["?page=-7", { currentPage: 1, pageSize: 20, from: 0, to: 20 }],
    ["?page=two", { currentPage: 1, pageSize: 20, from: 0, to: 20 }],
    ["?page=", { currentPage: 1, pageSize: 20, from: 0, to: 20 }],
    ["?pageSize=5&page=2", { currentPage: 2, pageSize: 5, from: 5, to: 10 }],
    ["?pageSize=0", { currentPage: 1, pageSize: 1, from: 0, to: 1 }],
    ["?pageSize=-5", { currentPage: 1, pageSize: 1, from: 0, to: 1 }],
    ["?pageSize=100", { currentPage: 1, pageSize: 100, from: 0, to: 23 }],
    ["?pageSize=101", { currentPage: 1, pageSize: 100, from: 0, to: 23 }],
    ["?pageSize=999999999999999999999", { currentPage: 1, pageSize: 100, from: 0, to: 23 }],
    ["?pageSize=many", { currentPage: 1, pageSize: 20, from: 0, to: 20 }],
    [
      "?page=999999999999999999999&pageSize=100",
      { currentPage: 1_000_000_000, pageSize: 100, from: 23, to: 23 },
    ],
  ];
  for (const [query, { currentPage, pageSize, from, to }] of cases) {
    const totalPages = Math.ceil(23 / pageSize);
    const { data, ...page } = (await list(partner, query)).json;
    expect(page, query).toEqual({
      totalCount: 23,
      pageSize,
      currentPage,
      totalPages,
      hasPreviousPage: currentPage > 1,
      hasNextPage: currentPage < totalPages,
    });
    expect(data.map((run: ImportRunSummary) => run.referenceUuid)).toEqual(references.slice(from, to));
  }
});

/** @covers reading 45 */
test("a page past the end is answered without reading runs", async () => {
  const partner = await importer(gatehouse);
  const runs = 30;
  for (let number = 0; number < runs; number += 1) await partner.post("accounts", { accounts: [{}] });
  const readFor = (query: string) =>
    rowsReadBy(gatehouse.database, ["import_runs"], async () => {
      const { json } = await list(partner, query);
      expect(json.totalCount).toBe(runs);
    });
  const beyond = await list(partner, "?page=1000000000&pageSize=1");
  expect(beyond.json).toMatchObject({
    data: [],
    totalCount: runs,
    currentPage: 1_000_000_000,
    totalPages: 30,
  });
  expect(await readFor("?page=1000000000&pageSize=100")).toEqual({ sequential: 0, indexed: 0 });
  expect(await readFor("?page=31&pageSize=1")).toEqual({ sequential: 0, indexed: 0 });
  expect((await readFor("?page=30&pageSize=1")).indexed).toBeGreaterThan(0);
  expect((await list(partner, "?page=30&pageSize=1")).json.data).toHaveLength(1);
});

test("a list of runs does not read their metadata, however large it is", async () => {
  const partner = await importer(gatehouse);
  await partner.import("accounts", [{}], { metadata: { text: "x".repeat(1_000_000) } });
  const { sent, stop } = recordStatements();
  await list(partner).finally(stop);
  const [statement] = sent.filter(({ text }) => text.includes("run_count as total"));
  expect(statement?.text).not.toContain("metadata");
});
