import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startFaultProxy, type FaultProxy } from "../../../testing/fault-proxy.js";
import { openPatientDatabase, sendTo, useApp, type Answer } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";
import { sampleOf } from "../../../testing/metric-samples.js";
import { buildApp } from "../../app.js";
import { logSerializers } from "../logger.js";

// The service under test has its own proxy to the database: otherwise recording an earlier failed run could
// count among the steps of another import. `gatehouse` is a healthy instance next to them.
const gatehouse = useApp();

interface SpoiledService {
  app: FastifyInstance;
  proxy: FaultProxy;
  logged: Record<string, unknown>[];
}

const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

async function startSpoiled(options: { commitCheckTimeoutMs?: number }): Promise<SpoiledService> {
  const proxy = await startFaultProxy(gatehouse.connectionString);
  closers.push(() => proxy.close());
  const database = openPatientDatabase({ connectionString: proxy.connectionString, workConnections: 3 });
  closers.push(() => database.close());
  const logged: Record<string, unknown>[] = [];
  const logger = pino(
    { level: "debug", serializers: logSerializers },
    { write: (line: string) => void logged.push(JSON.parse(line)) },
  );
  // Keys and limits use a direct connection, because only the import should fail.
  const parts = { ...gatehouse.database, work: database.work };
  const config = { ...gatehouse.config, receipts: true };
  const app = await buildApp({ config, database: parts, logger, ...options });
  closers.push(() => app.close());
  return { app, proxy, logged };
}

/** One app checks a commit outcome once, the other for as long as production does. */
let impatient: SpoiledService;
let patient: SpoiledService;
beforeAll(async () => {
  impatient = await startSpoiled({ commitCheckTimeoutMs: 0 });
  patient = await startSpoiled({});
  // Creating the key for receipts takes separate statements.
  await post(impatient, await importer(gatehouse), "first");
});

const unknownCommits = ({ app }: SpoiledService) => sampleOf(app, "gatehouse_runs_unknown_end_total");

function post({ app }: SpoiledService, partner: Importer, transactionId: string): Promise<Answer> {
  return sendTo(app, {
    method: "POST",
    url: "/integrations/transactions",
    key: partner.apiKey,
    headers: { "content-type": "application/json" },
    payload: JSON.stringify({ transactions: [partner.transaction(transactionId)] }),
  });
}

/** The commit is the last step of an import. */
async function stepsOfImport(service: SpoiledService, partner: Importer): Promise<number> {
  service.proxy.spoil(Number.MAX_SAFE_INTEGER, "failed", false);
  expect((await post(service, partner, "healthy")).status).toBe(200);
  return service.proxy.heal().steps;
}

test("a run is counted as unknown only if its commit outcome cannot be determined", async () => {
  const partner = await importer(gatehouse);
  const { proxy } = impatient;
  const commit = await stepsOfImport(impatient, partner);
  expect(await unknownCommits(impatient)).toBe(0);

  // The query finds that the commit succeeded.
  proxy.spoil(commit, "cut after", false);
  const settled = await post(impatient, partner, "settled");
  expect(settled).toMatchObject({ status: 200, json: { successCount: 1 } });
  expect(settled.headers).toHaveProperty("x-import-receipt");
  proxy.heal();
  expect(await unknownCommits(impatient)).toBe(0);

  // The commit succeeds, but its answer is lost and the database becomes unavailable.
  proxy.spoil(commit, "cut after", true);
  const answer = await post(impatient, partner, "unknown");
  proxy.heal();
  expect(answer).toMatchObject({ status: 500, json: { status: 2, failedCount: 1 } });
  expect(answer.json.results).toEqual([
    {
      reference: "unknown",
      status: 4,
      reasonCode: 99,
      errorDetail: expect.stringMatching(/not known whether the record was stored.*Send it again/),
    },
  ]);
  // A run that may be stored must not be signed as failed.
  expect(answer.headers).not.toHaveProperty("x-import-receipt");
  expect(await unknownCommits(impatient)).toBe(1);
  expect(await post(impatient, partner, "unknown")).toMatchObject({ status: 200, json: { skippedCount: 1 } });
  expect(await unknownCommits(impatient)).toBe(1);
  // The run was stored after all and stays unchanged.
  expect((await partner.get(answer.json.referenceUuid)).json).toMatchObject({ status: 1, successCount: 1 });
});

test.each([
  ["has arrived", "cut after" as const],
  ["has not arrived", "cut before" as const],
])(
  "the commit outcome is checked until the database is back: a commit that %s is not a failure",
  async (_end, fault) => {
    const partner = await importer(gatehouse);
    const { proxy, logged } = patient;
    const commit = await stepsOfImport(patient, partner);
    logged.length = 0;
    proxy.spoil(commit, fault, true);
    const answering = post(patient, partner, "asked for");
    await expect
      .poll(() => logged.filter(({ msg }) => msg === "checking the commit outcome failed").length)
      .toBeGreaterThan(1);
    proxy.heal();
    expect(await answering).toMatchObject({ status: 200, json: { successCount: 1 } });
    expect(await unknownCommits(patient)).toBe(0);
    expect(await partner.count("transactions")).toBe(2);
  },
);
