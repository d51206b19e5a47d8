import type { ImportRun } from "./schema/import-run.js";

/**
 * A signed import receipt (docs/how-to/check-a-receipt.md): a compact JWS (RFC 7515) with Ed25519 (RFC 8037) in a
 * response header, and a set of public keys (RFC 7517) at a well-known address.
 */
export const receiptHeader = "X-Import-Receipt";
export const receiptKeysPath = "/.well-known/gatehouse-receipts.json";
export const receiptAlgorithm = "EdDSA";
export const receiptType = "gatehouse-receipt+jwt";
export const receiptVersion = 1;
/** A receipt is a response header, so it must be short and ASCII to pass every proxy. */
export const maxReceiptLength = 2_048;
/** Tolerance between the end of a run and the validity of its key: clocks differ, and instances learn of rotations late. */
export const receiptToleranceMs = 300_000;

/** The contents of a receipt. Everything but the hash is also in the response. */
export interface Receipt extends Pick<
  ImportRun,
  | "referenceUuid"
  | "resource"
  | "status"
  | "completedAt"
  | "totalSubmitted"
  | "successCount"
  | "failedCount"
  | "skippedCount"
> {
  version: typeof receiptVersion;
  /** The public address of the service, if its operator has named one. */
  iss?: string;
  organizationUuid: string;
  /** SHA-256 of the results, as base64url. */
  results: string;
}

/** A public key that signs or has signed receipts. */
export interface ReceiptKey {
  kty: "OKP";
  crv: "Ed25519";
  x: string;
  /** The thumbprint of the key (RFC 7638). */
  kid: string;
  use: "sig";
  alg: typeof receiptAlgorithm;
  createdAt: string;
  /** Absent: this key signs receipts now. */
  retiredAt?: string;
}

export interface ReceiptKeySet {
  keys: ReceiptKey[];
}
