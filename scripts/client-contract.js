// Writes the parts of the contract that the client needs at run time, so that programs with the client do not
// load the contract. With --check, fails if the committed file differs.
import * as contract from "../packages/contract/dist/index.js";
import { compareOrWrite } from "./generated-file.js";

const enumerations = [
  ...["TransactionType", "BookingSource", "AccountType", "SubscriptionStatus", "RunStatus", "RecordStatus"],
  ...["ReasonCode", "ImportResource", "leadSources"],
];
/** The element type of each list. */
const typeNames = { leadSources: "LeadSource" };
const bounds = [
  "maxBodyBytes",
  "maxLeadBytes",
  "maxMetadataDepth",
  "maxKeptFailures",
  "locationPages",
  "importPages",
  "uploadPieceBytes",
  "maxPieceRequestBytes",
];
const texts = ["storedWithOtherValues"];
const receipts = [
  ...["receiptHeader", "receiptAlgorithm", "receiptType", "receiptVersion"],
  ...["maxReceiptLength", "receiptToleranceMs"],
];

/** @type {Record<string, unknown>} */
const values = { ...contract };

const { importResources, operations, errors } = contract;
const paths = mapValues(operations, ({ path }) => path);
const statuses = mapValues(errors, ({ status }) => status);
const resources = mapValues(
  importResources,
  ({ resource, importOperation, validateOperation, maxRecords }) => ({
    resource,
    importOperation,
    validateOperation,
    maxRecords,
  }),
);

const parts = [
  "// Made from packages/contract by npm run openapi. The types hold it to the contract: what is missing does not compile.",
  'import type * as contract from "@gatehouse-parking/contract";\n',
  ...enumerations.map((name) => {
    const type = /** @type {Record<string, string>} */ (typeNames)[name] ?? name;
    return `${constant(name, values[name])}export type ${type} = contract.${type};\n`;
  }),
  ...[...bounds, ...texts, ...receipts].map((name) => constant(name, values[name])),
  constant(
    "errorStatuses",
    statuses,
    '{ [Name in contract.ErrorName]: (typeof contract.errors)[Name]["status"] }',
  ),
  constant(
    "paths",
    paths,
    '{ [Name in contract.OperationName]: (typeof contract.operations)[Name]["path"] }',
  ),
  constant(
    "resources",
    resources,
    '{\n  [Name in contract.ImportResourceName]: Pick<\n    (typeof contract.importResources)[Name],\n    "resource" | "importOperation" | "validateOperation" | "maxRecords"\n  >;\n}',
  ),
];
compareOrWrite("packages/client/src/contract.ts", parts.join("\n"), "npm run openapi");

function constant(
  /** @type {string} */ name,
  /** @type {unknown} */ value,
  /** @type {string} */ type = `typeof contract.${name}`,
) {
  const lines = JSON.stringify(value, null, 2).replaceAll(/^( +)"(\w+)":/gm, "$1$2:");
  const line = lines.replaceAll(/\s+/g, " ");
  return `export const ${name} = ${line.length < 80 ? line : lines} as const satisfies ${type};\n`;
}

/**
 * @template T
 * @param {Record<string, T>} record
 * @param {(value: T) => unknown} change
 */
function mapValues(record, change) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
