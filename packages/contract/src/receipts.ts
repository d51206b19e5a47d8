import type { ImportRun } from "./schema/import-run.js";

/**
 * What a signed receipt of an import is (docs/how-to/check-a-receipt.md): a compact JWS (RFC 7515) with Ed25519 (RFC 8037) in a
 * header of the answer, and a set of public keys (RFC 7517) at a well-known address.
 */
export const receiptHeader = "X-Import-Receipt";
export const receiptKeysPath = "/.well-known/gatehouse-receipts.json";
export const receiptAlgorithm = "EdDSA";
export const receiptType = "gatehouse-receipt+jwt";
export const receiptVersion = 1;
/** A receipt is text in a header, and has to get through every proxy. */
export const maxReceiptLength = 2_048;
/** Between the end of a run and the time of its key: clocks differ, and an instance learns of a rotation a little later. */
export const receiptToleranceMs = 300_000;

/** What a receipt says. Everything but the hash stands in the answer in the same words. */
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

/** A public key that receipts are or were signed with. */
export interface ReceiptKey {
  kty: "OKP";
  crv: "Ed25519";
  x: string;
  /** The thumbprint of the key (RFC 7638). */
  kid: string;
  use: "sig";
  alg: typeof receiptAlgorithm;
  createdAt: string;
  /** Absent: receipts are signed with it now. */
  retiredAt?: string;
}

export interface ReceiptKeySet {
  keys: ReceiptKey[];
}
