import { expect } from "vitest";
import {
  importResources,
  type ImportResourceName,
  type ImportRun,
  type RecordResult,
} from "@gatehouse-parking/contract";
import type { Answer, Tenant, TestApp } from "./harness.js";

/** A partner of the tested service: a separate organization, minimal valid records, and ways to send them. */
export interface Importer extends Tenant {
  /** A minimal valid transaction with these fields added or replaced. */
  transaction(transactionId: unknown, fields?: object): Record<string, unknown>;
  post(resource: ImportResourceName, body: unknown): Promise<Answer>;
  /** Imports the records, checks the answer for consistency with its history, and returns it. */
  import(resource: ImportResourceName, records: readonly unknown[], envelope?: object): Promise<ImportRun>;
  importTransactions(...records: unknown[]): Promise<ImportRun>;
  importAccounts(...records: unknown[]): Promise<ImportRun>;
  importSubscriptions(...records: unknown[]): Promise<ImportRun>;
  /** The outcome of a single imported record. */
  outcome(resource: ImportResourceName, record: unknown): Promise<RecordResult>;
  /** The outcome of a minimal valid transaction with these fields added or replaced. */
  outcomeOf(fields: object): Promise<RecordResult>;
  get(referenceUuid: string): Promise<Answer>;
  /** Rows of a table that belong to the organization, in order of creation. */
  rows(table: string): Promise<StoredRow[]>;
  count(table: string): Promise<number>;
}

// Tests read stored rows without types; a wrong column fails the test.
// oxlint-disable-next-line typescript/no-explicit-any
export type StoredRow = Record<string, any>;

let made = 0;

export async function importer(
  gatehouse: TestApp,
  options: Parameters<TestApp["tenant"]>[0] = {},
): Promise<Importer> {
  const tenant = await gatehouse.tenant(options);

  const self: Importer = {
    ...tenant,
    transaction: (transactionId, fields = {}) => ({
      transactionId,
      locationUuid: tenant.locationUuid,
      type: 1,
      transactionDate: "2026-04-01T14:30:00.000Z",
      ...fields,
    }),
    post: (resource, body) => gatehouse.post(`/integrations/${resource}`, tenant.apiKey, body),
    async import(resource, records, envelope = {}) {
      const answer = await self.post(resource, { [resource]: records, ...envelope });
      expect(answer.status, answer.text).toBe(200);
      const run = answer.json as ImportRun;
      expectConsistent(run, resource, records.length);
      expect((await self.get(run.referenceUuid)).json).toEqual({ ...run, results: keptResults(run) });
      return run;
    },
    importTransactions: (...records) => self.import("transactions", records),
    importAccounts: (...records) => self.import("accounts", records),
    importSubscriptions: (...records) => self.import("subscriptions", records),
    outcome: async (resource, record) => (await self.import(resource, [record])).results[0] as RecordResult,
    outcomeOf: (fields) => self.outcome("transactions", self.transaction(uniqueReference(), fields)),
    get: (referenceUuid) =>
      gatehouse.send({ method: "GET", url: `/integrations/imports/${referenceUuid}`, key: tenant.apiKey }),
    async rows(table) {
      const { rows } = await gatehouse.database.work.query<StoredRow>(
        `select * from ${table} where organization_id = $1 order by ${table === "import_exceptions" ? "run_id, position" : "id"}`,
        [tenant.organizationId],
      );
      return rows;
    },
    count: async (table) => (await self.rows(table)).length,
  };
  return self;
}

export function uniqueReference(): string {
  made += 1;
  return `REFERENCE-${made}`;
}

const fieldsByStatus: Record<number, string[]> = {
  1: ["reference", "status", "uuid"],
  3: ["errorDetail", "reasonCode", "reference", "status", "uuid"],
  4: ["errorDetail", "reasonCode", "reference", "status"],
};
const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const timestampShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Checks that hold for every import. */
export function expectConsistent(run: ImportRun, resource: ImportResourceName, submitted: number): void {
  const count = (status: number) => run.results.filter((result) => result.status === status).length;
  const failed = count(4);
  expect(run).toEqual({
    referenceUuid: expect.stringMatching(uuidShape),
    resource: importResources[resource].resource,
    status: failed === 0 ? 1 : failed === submitted ? 2 : 3,
    startedAt: expect.stringMatching(timestampShape),
    completedAt: expect.stringMatching(timestampShape),
    durationMs: expect.any(Number),
    totalSubmitted: submitted,
    successCount: count(1),
    failedCount: failed,
    skippedCount: count(3),
    createdEntities: {
      accounts: expect.any(Number),
      contacts: expect.any(Number),
      vehicles: expect.any(Number),
      subscriptions: expect.any(Number),
    },
    results: expect.any(Array),
  });
  expect(run.results).toHaveLength(submitted);
  expect(run.startedAt <= run.completedAt).toBe(true);
  expect(Number.isInteger(run.durationMs) && run.durationMs >= 0).toBe(true);
  if (resource !== "transactions") {
    expect(run.createdEntities).toEqual({ accounts: 0, contacts: 0, vehicles: 0, subscriptions: 0 });
  }
  for (const result of run.results) expectWellFormed(result);
}

function expectWellFormed(result: RecordResult): void {
  expect(Object.keys(result).toSorted()).toEqual(fieldsByStatus[result.status]);
  expect(typeof result.reference).toBe("string");
  if (result.status !== 4) expect(result.uuid).toMatch(uuidShape);
  if (result.status === 3) expect(result.reasonCode).toBe(1);
  if (result.status === 4) expect([2, 4, 5, 6, 7, 8, 9, 99]).toContain(result.reasonCode);
  if (result.status !== 1) expect(result.errorDetail?.trim()).not.toBe("");
}

/** Reading 21: everything except the failures beyond the first 100. */
export function keptResults(run: ImportRun): RecordResult[] {
  let failures = 0;
  return run.results.filter((result) => result.status !== 4 || (failures += 1) <= 100);
}
