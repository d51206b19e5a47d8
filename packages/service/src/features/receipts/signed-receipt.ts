import { createPublicKey, sign, verify, type KeyObject, createHash } from "node:crypto";
import {
  maxReceiptLength,
  receiptAlgorithm,
  receiptType,
  receiptVersion,
  type ImportRun,
  type Receipt,
  type RecordResult,
} from "@gatehouse-parking/contract";

// A receipt is a compact JWS (RFC 7515), signed with Ed25519 (RFC 8037).

export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
}

export interface Acknowledged {
  organizationId: string;
  run: ImportRun;
  issuer: string | undefined;
}

export function receiptOf({ organizationId, run, issuer }: Acknowledged): Receipt {
  return {
    version: receiptVersion,
    ...(issuer === undefined ? {} : { iss: issuer }),
    organizationUuid: organizationId,
    referenceUuid: run.referenceUuid,
    resource: run.resource,
    status: run.status,
    completedAt: run.completedAt,
    totalSubmitted: run.totalSubmitted,
    successCount: run.successCount,
    failedCount: run.failedCount,
    skippedCount: run.skippedCount,
    results: hashOfResults(run.results),
  };
}

export function signReceipt(receipt: Receipt, { kid, privateKey }: SigningKey): string {
  const signed = `${encode({ alg: receiptAlgorithm, kid, typ: receiptType })}.${encode(receipt)}`;
  const text = `${signed}.${sign(null, Buffer.from(signed), privateKey).toString("base64url")}`;
  if (text.length > maxReceiptLength)
    throw new Error(
      `The receipt has ${text.length} characters, and at most ${maxReceiptLength} fit into its header`,
    );
  return text;
}

/** A well-formed receipt. Check the signature before you trust its contents. */
export interface ParsedReceipt {
  kid: string;
  receipt: Receipt;
  /** `publicKey`: the 32 bytes of an Ed25519 public key. */
  isSignedWith(publicKey: Buffer): boolean;
}

/** Undefined if the text is not a receipt. */
export function parseReceipt(text: string): ParsedReceipt | undefined {
  if (text.length > maxReceiptLength) return undefined;
  const parts = text.split(".");
  const [header, payload, signature] = parts.map(decode);
  if (parts.length !== 3 || !header || !payload || signature?.length !== signatureBytes) return undefined;
  const { alg, kid, typ } = parseObject(header);
  const receipt = parseObject(payload);
  if (alg !== receiptAlgorithm || typ !== receiptType || typeof kid !== "string" || !isReceipt(receipt))
    return undefined;
  const signed = Buffer.from(text.slice(0, text.lastIndexOf(".")));
  return {
    kid,
    receipt,
    isSignedWith: (publicKey) => verify(null, signed, publicKeyOf(publicKey), signature),
  };
}

const signatureBytes = 64;

function publicKeyOf(bytes: Buffer): KeyObject {
  return createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: bytes.toString("base64url") },
    format: "jwk",
  });
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Rejects text that is not canonical base64url. The decoder is lenient, but a receipt must have only one spelling. */
function decode(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return text !== "" && bytes.toString("base64url") === text ? bytes : undefined;
}

function parseObject(bytes: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const texts = ["organizationUuid", "referenceUuid", "completedAt", "results"];
const numbers = ["resource", "status", "totalSubmitted", "successCount", "failedCount", "skippedCount"];

function isReceipt(value: object): value is Receipt {
  const fields = value as Record<string, unknown>;
  return (
    fields["version"] === receiptVersion &&
    texts.every((name) => typeof fields[name] === "string") &&
    numbers.every((name) => Number.isSafeInteger(fields[name]))
  );
}

/**
 * SHA-256 of the results of an import, in a form that any language can compute from the answer. One line per
 * result has these fields, separated by tabs: position from 0, status, reason code, uuid, length of the
 * reference in bytes of UTF-8, and reference. The length prevents a reference with line breaks from looking
 * like several results. errorDetail is left out, because a later release may reword it.
 */
export function hashOfResults(results: readonly RecordResult[]): string {
  return createHash("sha256").update(linesOf(results), "utf8").digest("base64url");
}

function linesOf(results: readonly RecordResult[]): string {
  let lines = "";
  for (const [position, { status, reasonCode, uuid, reference }] of results.entries())
    lines += `${position}\t${status}\t${reasonCode ?? "-"}\t${uuid ?? "-"}\t${Buffer.byteLength(reference)}\t${reference}\n`;
  return lines;
}
