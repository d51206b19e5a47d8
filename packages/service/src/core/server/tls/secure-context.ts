import { createPrivateKey, X509Certificate } from "node:crypto";
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Server } from "node:https";
import { createSecureContext, type SecureContextOptions } from "node:tls";

export interface CertificateFiles {
  certFile: string;
  keyFile: string;
}

export type TlsOptions = SecureContextOptions & { cert: string };

/** Forward secrecy and authenticated encryption only, for both certificate types; fastest first. */
const cipherSuites = [
  "TLS_AES_128_GCM_SHA256",
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
];

/**
 * Options for https.createServer. Node's defaults still include suites without forward secrecy. Throws if the files
 * are unreadable or the key does not match the certificate.
 */
export async function tlsOptions({ certFile, keyFile }: CertificateFiles): Promise<TlsOptions> {
  const [cert, key] = await Promise.all([readFile(certFile, "utf8"), readFile(keyFile, "utf8")]);
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
    throw new Error(`The private key ${keyFile} does not belong to the certificate ${certFile}.`);
  }
  const options: TlsOptions = {
    cert,
    key,
    minVersion: "TLSv1.2",
    maxVersion: "TLSv1.3",
    ciphers: cipherSuites.join(":"),
    honorCipherOrder: true,
    ecdhCurve: "X25519:P-256:P-384",
  };
  // OpenSSL has further checks, such as a broken chain or a short key. They should fail here and not in a server.
  createSecureContext(options);
  return options;
}

export interface WatchOptions {
  intervalMs: number;
  /** Receives the context for new connections. */
  onReload?: (options: TlsOptions) => void;
  onError?: (error: Error) => void;
}

/**
 * Loads renewed files without a restart: new connections get the new certificate, open ones continue. Files that do
 * not match change nothing. The files are polled, because a watch is lost when a renewal replaces a link or a folder,
 * as Kubernetes does.
 */
export function watchCertificate(
  server: Pick<Server, "setSecureContext">,
  files: CertificateFiles,
  { intervalMs, onReload, onError }: WatchOptions,
): { stop(): void } {
  let handled = identify(files);
  let seen = handled;
  let busy = false;

  const look = async () => {
    const current = identify(files);
    // A renewal writes two files. It is complete when two checks in a row see the same files.
    const isSettled = current === seen;
    seen = current;
    if (!isSettled || current === handled) return;
    handled = current;
    const options = await tlsOptions(files);
    server.setSecureContext(options);
    onReload?.(options);
  };
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    look()
      .catch((error: Error) => onError?.(error))
      .finally(() => (busy = false));
  }, intervalMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** Changes whenever a file changes. Links are followed. */
function identify({ certFile, keyFile }: CertificateFiles): string {
  const identities = [certFile, keyFile].map((file) => {
    const status = statSync(file, { bigint: true, throwIfNoEntry: false });
    // A missing file is a state too: it is reported if it lasts, and its return is noticed.
    return status === undefined ? "missing" : `${status.dev}:${status.ino}:${status.mtimeNs}:${status.size}`;
  });
  return identities.join(" ");
}
