import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config.js";
import { configError } from "../../operator-error.js";
import { loadOrCreateCertificate } from "./certificates.js";
import { tlsOptions, type CertificateFiles } from "./secure-context.js";

export interface ChosenCertificate {
  /** Undefined: no TLS listener. */
  certificate: CertificateFiles | undefined;
  /** The local CA that signed it, if it was generated. */
  caFile: string | undefined;
}

/** Unusable files are reported before anything is started or created. */
export async function checkOwnCertificate({ tlsCertificateFile, tlsKeyFile }: Config): Promise<void> {
  if (tlsCertificateFile === undefined || tlsKeyFile === undefined) return;
  try {
    await tlsOptions({ certFile: tlsCertificateFile, keyFile: tlsKeyFile });
  } catch (error) {
    throw configError([
      `GATEHOUSE_TLS_CERT and GATEHOUSE_TLS_KEY cannot be used: ${(error as Error).message}`,
    ]);
  }
}

export async function chooseCertificate(config: Config): Promise<ChosenCertificate> {
  if (!config.https) return { certificate: undefined, caFile: undefined };
  if (config.tlsCertificateFile !== undefined && config.tlsKeyFile !== undefined)
    return {
      certificate: { certFile: config.tlsCertificateFile, keyFile: config.tlsKeyFile },
      caFile: undefined,
    };
  const { caFile, ...certificate } = await loadOrCreateCertificate({
    dataDirectory: config.dataDirectory,
    hosts: [config.host, ...config.tlsNames, ...publicHost(config)],
  });
  return { certificate, caFile };
}

/** The name that clients request, without the brackets of an IPv6 address. */
function publicHost({ publicUrl }: Config): string[] {
  return publicUrl === undefined ? [] : [new URL(publicUrl).hostname.replace(/^\[|\]$/g, "")];
}

export type CertificateChoice = Pick<Config, "https" | "tlsCertificateFile" | "dataDirectory">;

/** The path of the local CA certificate. Undefined: the service does not use one. */
export function ownAuthorityFile(config: CertificateChoice): string | undefined {
  if (!config.https || config.tlsCertificateFile !== undefined) return undefined;
  return path.join(path.resolve(config.dataDirectory), "tls", "ca.pem");
}

/** The local CA certificate, which clients need. Undefined: the service does not use one. */
export async function readOwnAuthority(config: CertificateChoice): Promise<string | undefined> {
  const file = ownAuthorityFile(config);
  if (file === undefined) return undefined;
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
}
