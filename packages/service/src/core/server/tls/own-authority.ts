import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config.js";

export type CertificateChoice = Pick<Config, "https" | "tlsCertificateFile" | "dataDirectory">;

/** The file that callers on this machine name; undefined where the service has no authority. */
export function ownAuthorityFile(config: CertificateChoice): string | undefined {
  if (!config.https || config.tlsCertificateFile !== undefined) return undefined;
  return path.join(path.resolve(config.dataDirectory), "tls", "ca.pem");
}

/**
 * The certificate of our own authority, which callers have to be told of. Undefined where the operator brought a
 * certificate or ends TLS elsewhere.
 */
export async function readOwnAuthority(config: CertificateChoice): Promise<string | undefined> {
  const file = ownAuthorityFile(config);
  if (file === undefined) return undefined;
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
}
