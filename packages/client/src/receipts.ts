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
  /** The header X-Import-Receipt: `receipt` in the response of an import. */
  receipt: string;
  /**
   * The response that came with the receipt, or the same import read later with `getImport` if at most 100
   * records failed.
   */
  answer: Omit<ImportRun, "createdEntities" | "startedAt" | "durationMs">;
  /** The key set of the service from /.well-known/gatehouse-receipts.json, current or stored. */
  keys: ReceiptKeySet;
  /** The UUID of your organization, if you know it. */
  organizationUuid?: string;
  /** The public address that the receipt must name. */
  issuer?: string;
}

export type ReceiptProblem =
  /** Not a receipt, or truncated. */
  | "malformed"
  /** Unknown type or version, or not signed with Ed25519. */
  | "unsupported"
  /** The key set does not contain the key. Fetch the key set again; the key may be newer. */
  | "unknownKey"
  /** The receipt was altered or signed with a different key. */
  | "badSignature"
  /** The import did not end while the key was in use. */
  | "keyNotInUse"
  | "otherOrganization"
  | "otherIssuer"
  /** The receipt belongs to a different import. */
  | "otherRun"
  /** Status, time or counts differ from the receipt. */
  | "otherCounts"
  /** Results are missing: the import was read later, when only the first 100 failures are available. */
  | "resultsMissing"
  /** A result differs from the receipt. */
  | "otherResults";

/** The receipt does not prove the response; `problem` is the machine-readable reason. */
export class ReceiptError extends Error {
  override name = "ReceiptError";
  readonly problem: ReceiptProblem;

  constructor(problem: ReceiptProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/**
 * Verifies offline that the service acknowledged exactly this response. Returns the content of the receipt,
 * or throws a ReceiptError.
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
    fail("unsupported", "The receipt is not signed with EdDSA");
  if (payload["version"] !== receiptVersion)
    fail("unsupported", "This client does not know the version of the receipt");
  const key = keyOf(keys, header["kid"]);
  if (!isSigned(signed, signature, key))
    fail("badSignature", "The receipt was altered or signed with a different key");
  // The signature is valid, so the service wrote the payload.
  const receipt = payload as unknown as Receipt;
  requireTime(receipt, key);
  requireAnswer(receipt, answer);
  if (organizationUuid !== undefined && organizationUuid.toLowerCase() !== receipt.organizationUuid)
    fail("otherOrganization", `The receipt belongs to the organization ${receipt.organizationUuid}`);
  if (issuer !== undefined && issuer !== receipt.iss)
    fail("otherIssuer", `The receipt was issued by ${receipt.iss ?? "a service without a public address"}`);
  return receipt;
}

function parseReceipt(text: string) {
  const parts = typeof text === "string" && text.length <= maxReceiptLength ? text.split(".") : [];
  const [header, payload, signature] = parts.map(decode);
  if (parts.length !== 3 || !header || !payload || !signature)
    return fail("malformed", "This is not a complete receipt");
  const signed = Buffer.from(text.slice(0, text.lastIndexOf(".")));
  return { header: parse(header), payload: parse(payload), signed, signature };
}

/** Accepts only canonical base64url: the decoder is lenient, and a receipt must have exactly one spelling. */
function decode(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}

function parse(bytes: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Not JSON: reported below.
  }
  return fail("malformed", "This is not a receipt: it does not contain a JSON object");
}

function keyOf(keys: ReceiptKeySet, kid: unknown): ReceiptKey {
  const known = Array.isArray(keys?.keys) ? keys.keys : [];
  const key = known.find((one) => typeof kid === "string" && one?.kid === kid);
  if (!key)
    return fail("unknownKey", "The key set does not contain the key of the receipt; fetch the key set again");
  if (key.kty !== "OKP" || key.crv !== "Ed25519" || typeof key.x !== "string")
    return fail("unsupported", "The key of the receipt is not an Ed25519 key");
  return key;
}

function isSigned(signed: Buffer, signature: Buffer, { kty, crv, x }: ReceiptKey): boolean {
  const { createPublicKey, verify } = nodeCrypto();
  try {
    return verify(null, signed, createPublicKey({ key: { kty, crv, x }, format: "jwk" }), signature);
  } catch {
    return fail("unsupported", "The key of the receipt cannot be read");
  }
}

function requireTime({ completedAt }: Receipt, { createdAt, retiredAt }: ReceiptKey): void {
  const at = Date.parse(completedAt);
  const isInUse =
    at >= Date.parse(createdAt) - receiptToleranceMs &&
    (retiredAt === undefined || at <= Date.parse(retiredAt) + receiptToleranceMs);
  if (!isInUse) fail("keyNotInUse", `The import ended at ${completedAt}, when the key was not in use`);
}

const compared = [
  ...(["resource", "status", "completedAt"] as const),
  ...(["totalSubmitted", "successCount", "failedCount", "skippedCount"] as const),
];

function requireAnswer(receipt: Receipt, answer: ReceiptToCheck["answer"]): void {
  if (answer.referenceUuid !== receipt.referenceUuid)
    fail("otherRun", `The receipt belongs to the import ${receipt.referenceUuid}`);
  for (const name of compared)
    if (answer[name] !== receipt[name])
      fail("otherCounts", `${name} is ${receipt[name]} in the receipt and ${answer[name]} in the response`);
  const { results } = answer;
  if (!Array.isArray(results) || results.length !== receipt.totalSubmitted)
    fail(
      "resultsMissing",
      "The response does not contain all results; use the original response of the import",
    );
  if (!results.every(isResult) || hashOf(results) !== receipt.results)
    fail("otherResults", "The results of the response differ from the receipt");
}

/** Rejects values that could imitate the lines of other results, such as text in place of a number. */
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

/** Loaded on demand: the rest of the client also runs outside Node. */
function nodeCrypto(): typeof crypto {
  return process.getBuiltinModule("node:crypto");
}

function fail(problem: ReceiptProblem, message: string): never {
  throw new ReceiptError(problem, message);
}
