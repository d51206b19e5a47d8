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
import { open } from "node:fs/promises";
import { invalidInput } from "../../core/refusals/user-error.js";

/** A receipt as it travels: a compact JWS (RFC 7515), signed with Ed25519 (RFC 8037). */

export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
}

/** What is acknowledged to whom. */
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
  const signed = `${encoded({ alg: receiptAlgorithm, kid, typ: receiptType })}.${encoded(receipt)}`;
  const text = `${signed}.${sign(null, Buffer.from(signed), privateKey).toString("base64url")}`;
  if (text.length > maxReceiptLength)
    throw new Error(
      `The receipt has ${text.length} characters, and at most ${maxReceiptLength} fit into its header`,
    );
  return text;
}

/** A text that has the form of a receipt. Nothing it says is true before its signature has been checked. */
export interface ReadReceipt {
  kid: string;
  receipt: Receipt;
  /** Whether it was signed with this key: the 32 bytes of an Ed25519 public key. */
  isSignedWith(publicKey: Buffer): boolean;
}

/** Undefined: the text is no receipt of ours. */
export function readReceipt(text: string): ReadReceipt | undefined {
  if (text.length > maxReceiptLength) return undefined;
  const parts = text.split(".");
  const [header, payload, signature] = parts.map(decoded);
  if (parts.length !== 3 || !header || !payload || signature?.length !== signatureBytes) return undefined;
  const { alg, kid, typ } = parsed(header);
  const receipt = parsed(payload);
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

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Only what encodes to the same text again: the decoder is lenient, and one receipt must not have several spellings. */
function decoded(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return text !== "" && bytes.toString("base64url") === text ? bytes : undefined;
}

function parsed(bytes: Buffer): Record<string, unknown> {
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
 * SHA-256 of the results of a run, in a form that any language can make of the answer: a line for each result, of its
 * position from 0, status, reason code, uuid, the length of its reference in bytes of UTF-8, and the reference, with tabs
 * between them. The length keeps a reference with line breaks from looking like several results. The words of
 * errorDetail are left out: a later release may choose others for what is stored.
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

/** Room for a receipt with white space around it. More is not read, whatever was named by mistake. */
const maxBytes = maxReceiptLength * 2;

/** A receipt itself, which begins like every JWS with a JSON object; "-" for standard input; otherwise a file with one. */
export async function readReceiptText(given: string): Promise<string> {
  const isReceipt = given.startsWith("eyJ") && given.includes(".");
  const text = isReceipt ? given : given === "-" ? await fromStandardInput() : await fromFile(given);
  if (text.length > maxBytes)
    throw invalidInput(`A receipt has at most ${maxReceiptLength} characters; this has more`);
  return text.trim();
}

async function fromFile(path: string): Promise<string> {
  const file = await open(path);
  try {
    if ((await file.stat()).isDirectory()) throw invalidInput(`${path} is a folder, not a file`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function fromStandardInput(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    text += chunk as string;
    if (text.length > maxBytes) break;
  }
  return text;
}
