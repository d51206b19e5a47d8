import { importResources } from "@gatehouse-parking/contract";
import type { ForeignExport, Truth } from "./export-folder.js";

/** A record that would be stored. */
export interface StoredRecord {
  line: number;
  record: Record<string, unknown>;
}

/** A stored value that is not the true one. */
export interface Difference {
  line: number;
  /** Empty for a whole record. */
  path: string;
  expected: unknown;
  stored: unknown;
}

/** Values that the service stores if a field is not given. */
const defaults: Readonly<Record<string, unknown>> = {
  ...{ amountTotal: 0, netAmount: 0, convenienceFee: 0, processingFee: 0, promotionAmount: 0 },
  ...{ currentRate: 0, currentBaseRate: 0, currentTax: 0, currentFeeTotal: 0, numberOfSpaces: 1, status: 1 },
  ...{ isRefunded: false, promoApplied: false, bookingSource: 6, isActive: true },
};

/** Every value that would be stored and differs from the truth, and every value of the truth that would not be stored. */
export function differencesOf(
  { facts, truth }: ForeignExport,
  stored: readonly StoredRecord[],
  refusedLines: ReadonlySet<number>,
): Difference[] {
  const { keyField } = importResources[facts.resource];
  const hasKeys = truth.some(({ record }) => record?.[keyField] !== undefined);
  const keyOf = ({ line, record }: { line: number; record: Record<string, unknown> | null }) =>
    hasKeys ? String(record?.[keyField] ?? `line ${line}`) : String(line);
  const found = new Map(stored.map((one) => [keyOf(one), one]));
  const expected = new Map(truth.filter(({ record }) => record !== null).map((one) => [keyOf(one), one]));
  return [
    ...[...expected].flatMap(([key, one]) => {
      const other = found.get(key);
      if (other) return differencesIn(one, other.record, facts.optional ?? []);
      // A refused row is reported, so it is no difference in silence.
      return refusedLines.has(one.line)
        ? []
        : [{ line: one.line, path: "", expected: key, stored: undefined }];
    }),
    ...[...found]
      .filter(([key]) => !expected.has(key))
      .map(([key, { line }]) => ({ line, path: "", expected: undefined, stored: key })),
    ...(hasKeys ? [] : repeatedKeys(stored, keyField)),
  ];
}

/** A key that the product made up only has to be unique. */
function repeatedKeys(stored: readonly StoredRecord[], keyField: string): Difference[] {
  const seen = new Set<unknown>();
  return stored.flatMap(({ line, record }) => {
    const key = record[keyField];
    const isNew = typeof key === "string" && key.trim() !== "" && !seen.has(key);
    seen.add(key);
    return isNew ? [] : [{ line, path: keyField, expected: "a unique key", stored: key }];
  });
}

function differencesIn(
  { line, record }: Truth,
  stored: Record<string, unknown>,
  optional: readonly string[],
): Difference[] {
  const expected = new Map(leaves(record ?? {}));
  const found = new Map(leaves(stored));
  const paths = [...new Set([...expected.keys(), ...found.keys()])];
  return paths
    .filter((path) => !path.startsWith("metadata") && path !== "transactionId" && path !== "tpReferenceId")
    .filter((path) => !(optional.includes(path) && !found.has(path)))
    .filter((path) => !isSame(path, expected.get(path), found.get(path)))
    .map((path) => ({ line, path, expected: expected.get(path), stored: found.get(path) }));
}

function leaves(object: object, above = ""): [string, unknown][] {
  return Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
    const path = `${above}${name}`;
    if (path === "metadata" || value === null || value === "") return [];
    return typeof value === "object" ? leaves(value as object, `${path}.`) : [[path, value]];
  });
}

function isSame(path: string, expected: unknown, stored: unknown): boolean {
  const [one = defaults[path], other = defaults[path]] = [expected, stored];
  if (one === other) return true;
  if (typeof one !== "string" || typeof other !== "string") return false;
  return /^\d{4}-\d\d-\d\d/.test(one) && Date.parse(one) === Date.parse(other);
}
