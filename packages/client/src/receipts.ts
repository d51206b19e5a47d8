import type * as crypto from "node:crypto";
import type {
  ImportRun,
  Receipt,
  ReceiptKey,
  ReceiptKeySet,
  RecordResult,
} from "@gatehouse-parking/contract";
import {
  maxReceiptLength,
  receiptAlgorithm,
  receiptToleranceMs,
  receiptType,
  receiptVersion,
} from "./contract.js";

export interface ReceiptToCheck {
  /** What came in X-Import-Receipt: `receipt` of an import's answer. */
  receipt: string;
  /** The answer that it came with, or the same run fetched later (`getImport`), unless more than 100 records failed. */
  answer: Omit<ImportRun, "createdEntities" | "startedAt" | "durationMs">;
  /** The key set of the service, from /.well-known/gatehouse-receipts.json, as it was kept or is fetched now. */
  keys: ReceiptKeySet;
  /** Your organization, if you know its uuid. */
  organizationUuid?: string;
  /** The public address that must be named in it. */
  issuer?: string;
}

export type ReceiptProblem =
  /** It is no receipt, or not all of it. */
  | "malformed"
  /** It is of a kind or version that this client does not know, signed in another manner than with Ed25519, or not at all. */
  | "unsupported"
  /** The key set has no such key. It may be newer than the set: fetch it again. */
  | "unknownKey"
  /** It was altered, or another key has signed it. */
  | "badSignature"
  /** The run did not end while the key was in use. */
  | "keyNotInUse"
  | "otherOrganization"
  | "otherIssuer"
  /** It belongs to another run than the answer. */
  | "otherRun"
  /** Status, time or counts of the answer are not the acknowledged ones. */
  | "otherCounts"
  /** The answer lacks results: it was fetched later, when failures past the first 100 are no longer known. */
  | "resultsMissing"
  /** A result of the answer is not the acknowledged one. */
  | "otherResults";

/** A receipt that proves nothing of the answer; `problem` says why, for programs. */
export class ReceiptError extends Error {
  override name = "ReceiptError";
  readonly problem: ReceiptProblem;

  constructor(problem: ReceiptProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/**
 * Checks that the service has acknowledged exactly this answer, without asking anybody. Returns what the receipt says;
 * throws a ReceiptError if it does not hold.
 */
export function checkReceipt({
  receipt: text,
  answer,
  keys,
  organizationUuid,
  issuer,
}: ReceiptToCheck): Receipt {
  const { header, payload, signed, signature } = parseReceipt(text);
  if (header["alg"] !== receiptAlgorithm || header["typ"] !== receiptType || "crit" in header)
    fail("unsupported", "The receipt is not signed as receipts are (EdDSA)");
  if (payload["version"] !== receiptVersion)
    fail("unsupported", "The receipt is of a version that this client does not know");
  const key = keyOf(keys, header["kid"]);
  if (!isSigned(signed, signature, key))
    fail("badSignature", "The receipt was altered, or another key has signed it");
  // From here on it is what the service has written.
  const receipt = payload as unknown as Receipt;
  requireTime(receipt, key);
  requireAnswer(receipt, answer);
  if (organizationUuid !== undefined && organizationUuid.toLowerCase() !== receipt.organizationUuid)
    fail("otherOrganization", `The receipt is of the organization ${receipt.organizationUuid}`);
  if (issuer !== undefined && issuer !== receipt.iss)
    fail("otherIssuer", `The receipt is of ${receipt.iss ?? "a service that names no address"}`);
  return receipt;
}

function parseReceipt(text: string) {
  const parts = typeof text === "string" && text.length <= maxReceiptLength ? text.split(".") : [];
  const [header, payload, signature] = parts.map(decode);
  if (parts.length !== 3 || !header || !payload || !signature)
    return fail("malformed", "This is no receipt, or not all of it");
  const signed = Buffer.from(text.slice(0, text.lastIndexOf(".")));
  return { header: parse(header), payload: parse(payload), signed, signature };
}

/** Only what encodes to the same text again: the decoder is lenient, and one receipt must not have several spellings. */
function decode(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}

function parse(bytes: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // It is not JSON, which is said below.
  }
  return fail("malformed", "This is no receipt: what it holds is no JSON object");
}

function keyOf(keys: ReceiptKeySet, kid: unknown): ReceiptKey {
  const known = Array.isArray(keys?.keys) ? keys.keys : [];
  const key = known.find((one) => typeof kid === "string" && one?.kid === kid);
  if (!key)
    return fail("unknownKey", "The key set does not have the key that the receipt names; fetch it again");
  if (key.kty !== "OKP" || key.crv !== "Ed25519" || typeof key.x !== "string")
    return fail("unsupported", "The key that the receipt names is not an Ed25519 key");
  return key;
}

function isSigned(signed: Buffer, signature: Buffer, { kty, crv, x }: ReceiptKey): boolean {
  const { createPublicKey, verify } = nodeCrypto();
  try {
    return verify(null, signed, createPublicKey({ key: { kty, crv, x }, format: "jwk" }), signature);
  } catch {
    return fail("unsupported", "The key that the receipt names cannot be read");
  }
}

function requireTime({ completedAt }: Receipt, { createdAt, retiredAt }: ReceiptKey): void {
  const at = Date.parse(completedAt);
  const isInUse =
    at >= Date.parse(createdAt) - receiptToleranceMs &&
    (retiredAt === undefined || at <= Date.parse(retiredAt) + receiptToleranceMs);
  if (!isInUse) fail("keyNotInUse", `The run ended at ${completedAt}, when the key was not in use`);
}

const compared = [
  ...(["resource", "status", "completedAt"] as const),
  ...(["totalSubmitted", "successCount", "failedCount", "skippedCount"] as const),
];

function requireAnswer(receipt: Receipt, answer: ReceiptToCheck["answer"]): void {
  if (answer.referenceUuid !== receipt.referenceUuid)
    fail("otherRun", `The receipt is of the run ${receipt.referenceUuid}`);
  for (const name of compared)
    if (answer[name] !== receipt[name])
      fail("otherCounts", `Acknowledged was ${name} ${receipt[name]}, and the answer has ${answer[name]}`);
  const { results } = answer;
  if (!Array.isArray(results) || results.length !== receipt.totalSubmitted)
    fail("resultsMissing", "The answer does not have all results; check the one that the import itself gave");
  if (!results.every(isResult) || hashOf(results) !== receipt.results)
    fail("otherResults", "The results of the answer are not the acknowledged ones");
}

/** Text in the place of a number, or a uuid of several fields, could make up the lines of other results. */
function isResult(result: Partial<RecordResult> | null): boolean {
  const { status, reasonCode, uuid, reference } = result ?? {};
  return (
    Number.isInteger(status) &&
    Number.isInteger(reasonCode ?? 0) &&
    /^(?:[0-9a-f-]{36})?$/.test(uuid ?? "") &&
    typeof reference === "string"
  );
}

/** The hashed lines. docs/how-to/check-a-receipt.md specifies them for any language. */
function hashOf(results: readonly RecordResult[]): string {
  const lines = results.map(
    ({ status, reasonCode, uuid, reference }, position) =>
      `${[position, status, reasonCode ?? "-", uuid ?? "-", Buffer.byteLength(reference), reference].join("\t")}\n`,
  );
  return nodeCrypto().createHash("sha256").update(lines.join("")).digest("base64url");
}

/** Loaded when a receipt is checked: everything else in the client runs where there is no Node, too. */
function nodeCrypto(): typeof crypto {
  return process.getBuiltinModule("node:crypto");
}

function fail(problem: ReceiptProblem, message: string): never {
  throw new ReceiptError(problem, message);
}
