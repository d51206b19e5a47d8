import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { databaseParameters } from "./database-url.js";

/**
 * The certificates and the key that DATABASE_URL names are tried before anything starts. The driver would find out with
 * its first connection, and leave that connection hanging.
 */
export function databaseFileProblems(databaseUrl: string): string[] {
  const parameters = databaseParameters(databaseUrl);
  const problems: string[] = [];
  const read = (parameter: string): Buffer | undefined => {
    const file = parameters.get(parameter);
    if (!file) return undefined;
    try {
      return readFileSync(file);
    } catch (error) {
      problems.push(
        `DATABASE_URL has ${parameter}=${file}, which cannot be read: ${(error as Error).message}`,
      );
      return undefined;
    }
  };

  // libpq's word for the authorities of the operating system; the driver would look for a file of this name.
  if (parameters.get("sslrootcert") === "system")
    return [
      "DATABASE_URL has sslrootcert=system. Leave it out: then the authorities that Node.js trusts are trusted",
    ];
  const authority = read("sslrootcert");
  if (authority && !isCertificate(authority))
    problems.push("DATABASE_URL names a file in sslrootcert that holds no certificate (PEM)");
  if (parameters.has("sslcert") !== parameters.has("sslkey"))
    problems.push("DATABASE_URL must have both sslcert and sslkey, or neither");
  const cert = read("sslcert");
  const key = read("sslkey");
  const mismatch = cert && key && mismatchOf(cert, key);
  if (mismatch)
    problems.push(
      `DATABASE_URL names files in sslcert and sslkey that are not a certificate and its key (PEM): ${mismatch}`,
    );
  return problems;
}

function isCertificate(pem: Buffer): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

function mismatchOf(cert: Buffer, key: Buffer): string | undefined {
  try {
    createSecureContext({ cert, key });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
