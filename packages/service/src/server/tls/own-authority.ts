import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config.js";

/**
 * The certificate of our own authority, which callers have to be told of. Undefined where the operator brought a
 * certificate or ends TLS elsewhere.
 */
export async function readOwnAuthority(
  config: Pick<Config, "https" | "tlsCertificateFile" | "dataDirectory">,
): Promise<string | undefined> {
  if (!config.https || config.tlsCertificateFile !== undefined) return undefined;
  const file = path.join(path.resolve(config.dataDirectory), "tls", "ca.pem");
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
}
