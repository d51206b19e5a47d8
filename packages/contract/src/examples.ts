import {
  importResourceNames,
  importResources,
  type ImportResource,
  type ImportResourceName,
} from "./import-resources.js";
import { uploadExamples } from "./upload-examples.js";
import type { OperationName } from "./operations.js";

/** One request and response of each operation, and an example of each special error shape, for the published reference. */
export interface OperationExample {
  request?: unknown;
  answer: unknown;
}

/** The uuid of the first location of the demo organization, so that the examples work there unchanged. */
export const exampleLocationUuid = "0198f2d0-5c1e-7a30-9b5e-2f6d1c7a9e10";
const locationUuid = exampleLocationUuid;
const referenceUuid = "0198f2d0-6b44-7c21-8f0a-51b7c2d3e4f5";
const moment = "2026-04-01T14:30:00.000Z";

const transactions = {
  transactions: [
    {
      transactionId: "T-2026-000001",
      locationUuid,
      type: 1,
      transactionDate: moment,
      amountTotal: 18.5,
      netAmount: 16.2,
      contact: { email: "jo@example.com", firstName: "Jo" },
      vehicle: { licensePlate: "ABC 1234", state: "NY" },
      metadata: { lane: 4 },
    },
    {
      transactionId: "T-2026-000002",
      locationUuid,
      type: 2,
      transactionDate: moment,
      account: { tpReferenceId: "ACME-0042", name: "Acme Logistics" },
    },
  ],
  metadata: { export: "nightly" },
};
const accounts = { accounts: [{ tpReferenceId: "ACME-0042", name: "Acme Logistics", locationUuid }] };
const subscriptions = {
  subscriptions: [
    { tpReferenceId: "PERMIT-7", accountTPReferenceId: "ACME-0042", numberOfSpaces: 2, currentRate: 180 },
  ],
};

function summary(resource: ImportResource, total: number, failed: number) {
  return {
    referenceUuid,
    resource,
    status: failed === 0 ? 1 : 3,
    startedAt: moment,
    completedAt: "2026-04-01T14:30:00.021Z",
    durationMs: 21,
    totalSubmitted: total,
    successCount: total - failed,
    failedCount: failed,
    skippedCount: 0,
  };
}

const firstResult = { reference: "T-2026-000001", status: 1, uuid: "0198f2d0-6b50-7000-9a6a-89d4a88213b2" };
const transactionsRun = {
  ...summary(1, 2, 0),
  createdEntities: { accounts: 1, contacts: 1, vehicles: 1, subscriptions: 0 },
  results: [
    firstResult,
    { reference: "T-2026-000002", status: 1, uuid: "0198f2d0-6b50-7001-b3f4-6d0e6a1c9f77" },
  ],
};
/** A record that fails. */
const partialRun = {
  ...summary(1, 2, 1),
  createdEntities: { accounts: 0, contacts: 1, vehicles: 1, subscriptions: 0 },
  results: [
    firstResult,
    {
      reference: "T-2026-000002",
      status: 4,
      reasonCode: 6,
      errorDetail: "accountTPReferenceId names no account of the organization",
    },
  ],
};
const noEntities = { accounts: 0, contacts: 0, vehicles: 0, subscriptions: 0 };
const singleRun = (name: ImportResourceName, reference: string) => ({
  ...summary(importResources[name].resource, 1, 0),
  createdEntities: noEntities,
  results: [{ reference, status: 1, uuid: "0198f2d0-6b51-7000-8a1c-0c3b6f1d2e4a" }],
});

function page(item: unknown, pageSize: number) {
  return {
    data: [item],
    totalCount: 1,
    pageSize,
    currentPage: 1,
    totalPages: 1,
    hasPreviousPage: false,
    hasNextPage: false,
  };
}

const batchExamples: Record<ImportResourceName, { request: unknown; answer: { referenceUuid: string } }> = {
  transactions: { request: transactions, answer: transactionsRun },
  accounts: { request: accounts, answer: singleRun("accounts", "ACME-0042") },
  subscriptions: { request: subscriptions, answer: singleRun("subscriptions", "PERMIT-7") },
};

function examplesOf<Kind extends "importOperation" | "validateOperation">(
  kind: Kind,
  toAnswer: (run: { referenceUuid: string }) => unknown,
) {
  return Object.fromEntries(
    importResourceNames.map((name) => {
      const { request, answer } = batchExamples[name];
      return [importResources[name][kind], { request, answer: toAnswer(answer) }];
    }),
  ) as Record<(typeof importResources)[ImportResourceName][Kind], OperationExample>;
}

export const operationExamples: Record<OperationName, OperationExample> = {
  submitLead: {
    request: {
      email: "jo@example.com",
      locationUuid,
      firstName: "Jo",
      phone: "+1-555-010-0123",
      source: "Website",
      notes: "Two spaces from May.",
    },
    answer: { success: true, message: "The lead was submitted", leadUuid: referenceUuid, timestamp: moment },
  },
  ...examplesOf("importOperation", (run) => run),
  listLocations: {
    answer: page(
      {
        uuid: locationUuid,
        name: "Battery Park Garage",
        address: "70 Greenwich Street",
        city: "New York",
        state: "NY",
        zipcode: "10006",
        timeZone: "America/New_York",
        isActive: true,
        tpReferenceId: "LOC-1",
      },
      100,
    ),
  },
  listImports: { answer: page(summary(1, 2, 1), 20) },
  getImport: { answer: partialRun },
  ...examplesOf("validateOperation", ({ referenceUuid: _none, ...report }) => report),
  ...uploadExamples,
};

/** Error bodies other than the envelope, by the $id of their schema. */
export const errorShapeExamples: Record<string, unknown> = {
  RateLimitAnswer: { success: false, message: "Too many requests", retryAfter: 60, timestamp: moment },
  EmptyBatchError: { error: "transactions must contain at least one record" },
  BatchTooLargeError: { error: "A request takes at most 500 transactions", submitted: 501, max: 500 },
  ProblemDetails: {
    type: "about:blank",
    title: "The request is not valid",
    status: 400,
    errors: { transactions: ["transactions is required"] },
    error: "transactions is required",
  },
};
export const exampleTimestamp = moment;
