import { createPrivateKey, randomBytes, X509Certificate } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { hostname } from "node:os";
import path from "node:path";
import { domainToASCII } from "node:url";

/** At startup, a certificate that expires sooner than this is replaced. */
const renewalMarginMs = 30 * 24 * 60 * 60 * 1000;

export interface LocalCertificate {
  certFile: string;
  keyFile: string;
  /** The CA certificate that clients must trust. */
  caFile: string;
}

export interface LocalCertificateOptions {
  dataDirectory: string;
  /** Names and addresses of the service, besides this machine's own. */
  hosts?: string[];
}

/**
 * The generated certificate, used if the operator provides none. A local CA signs it. The CA is created once, so
 * clients have to trust it only once. When the certificate expires soon or lacks a name, the CA issues a new one for
 * the same key.
 */
export async function loadOrCreateCertificate(options: LocalCertificateOptions): Promise<LocalCertificate> {
  const directory = path.join(path.resolve(options.dataDirectory), "tls");
  const names = neededNames(options.hosts);
  if ((await readIfPresent(path.join(directory, "ca.pem"))) === undefined) await createAll(directory, names);

  const certFile = path.join(directory, "cert.pem");
  const keyFile = path.join(directory, "key.pem");
  const caFile = path.join(directory, "ca.pem");
  const ca = await readFile(caFile, "utf8");
  const key = await readIfPresent(keyFile);
  if (key === undefined || !isUsable(await readIfPresent(certFile), key, ca, names)) {
    const caKey = await readFile(path.join(directory, "ca-key.pem"), "utf8").catch((cause: Error) => {
      throw new Error(
        `${directory} needs a new certificate but has lost its ca-key.pem. ${adviceToRecreate}`,
        {
          cause,
        },
      );
    });
    if (Date.parse(new X509Certificate(ca).validTo) < Date.now() + renewalMarginMs) {
      throw new Error(`The local certificate authority ${caFile} expires soon. ${adviceToRecreate}`);
    }
    await reissue({ certFile, keyFile, ca, caKey, key, names });
  }
  return { certFile, keyFile, caFile };
}

/** A CA that clients trust is never replaced automatically. */
const adviceToRecreate =
  "Delete the folder to create a new certificate authority. Clients then have to trust the new one.";

/** Creates the four files in a temporary folder and renames it, so the set is always complete. */
async function createAll(directory: string, names: CertificateNames): Promise<void> {
  const { issueLeaf, makeAuthority, makeKey } = await loadIssuing();
  const authority = await makeAuthority();
  const key = await makeKey();
  const leaf = await issueLeaf({ ca: authority.certificate, caKey: authority.key, key, names });
  await mkdir(path.dirname(directory), { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(`${directory}.new-`);
  try {
    const write = (name: string, text: string, mode: number) =>
      writeFile(path.join(draft, name), text, { mode, flush: true });
    await write("ca-key.pem", authority.key, 0o600);
    await write("key.pem", key, 0o600);
    await write("cert.pem", leaf + authority.certificate, 0o644);
    await write("ca.pem", authority.certificate, 0o644);
    await rename(draft, directory);
  } catch (error) {
    // Another process that starts at the same moment was faster. Its files are equally valid.
    if ((await readIfPresent(path.join(directory, "ca.pem"))) === undefined) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Most starts find a valid certificate and do not load the library that creates one. */
function loadIssuing() {
  return import("./issue.js");
}

interface Reissue {
  certFile: string;
  keyFile: string;
  ca: string;
  caKey: string;
  key: string | undefined;
  names: CertificateNames;
}

/** Keeps the key. If two processes issue a certificate at the same moment, either fits it. */
async function reissue({ certFile, keyFile, ca, caKey, key, names }: Reissue): Promise<void> {
  const { issueLeaf, makeKey } = await loadIssuing();
  const usedKey = key ?? (await makeKey());
  if (key === undefined) await replaceFile(keyFile, usedKey, 0o600);
  await replaceFile(certFile, (await issueLeaf({ ca, caKey, key: usedKey, names })) + ca, 0o644);
}

/** Readers of the file see either the old or the new content, never a part. */
async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(draft, text, { mode, flush: true });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

function isUsable(pem: string | undefined, key: string, ca: string, names: CertificateNames): boolean {
  if (pem === undefined) return false;
  try {
    const certificate = new X509Certificate(pem);
    const authority = new X509Certificate(ca);
    return (
      certificate.verify(authority.publicKey) &&
      certificate.checkPrivateKey(createPrivateKey(key)) &&
      Date.parse(certificate.validTo) > Date.now() + renewalMarginMs &&
      // A certificate from the future was issued with a fast clock. If the CA is from the future too, the clock is slow
      // now.
      (hasBegun(certificate) || !hasBegun(authority)) &&
      certificateCovers(certificate, names)
    );
  } catch {
    // A file that is not a certificate is replaced like an expired one.
    return false;
  }
}

function hasBegun({ validFrom }: X509Certificate): boolean {
  return Date.parse(validFrom) <= Date.now();
}

async function readIfPresent(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
}

/** The names and addresses in a certificate. */
export interface CertificateNames {
  dns: string[];
  addresses: string[];
}

/** Listening on these means all addresses; clients cannot connect to them. */
const unspecifiedAddresses = ["0.0.0.0", "::"];

/** This machine's names and addresses, and the given ones. */
function neededNames(hosts: string[] = []): CertificateNames {
  const all = ["localhost", "*.localhost", hostname(), "127.0.0.1", "::1", ...hosts].map((host) =>
    host.toLowerCase(),
  );
  const addresses = all.filter((host) => isIP(host) !== 0 && !unspecifiedAddresses.includes(host));
  const dns = all.filter((host) => isIP(host) === 0).map(toCertificateName);
  return {
    // A machine name may not be valid in a certificate.
    dns: [...new Set(dns.filter((name) => name !== ""))],
    addresses: [...new Set(addresses)],
  };
}

/** The ASCII form; empty if the name has none. */
function toCertificateName(name: string): string {
  return name.startsWith("*.") ? `*.${domainToASCII(name.slice(2))}` : domainToASCII(name);
}

function certificateCovers(certificate: X509Certificate, names: CertificateNames): boolean {
  const listed = new Set((certificate.subjectAltName ?? "").toLowerCase().split(", "));
  // Addresses are compared by value: the certificate spells ::1 in full.
  return (
    names.dns.every((name) => listed.has(`dns:${name}`)) &&
    names.addresses.every((address) => certificate.checkIP(address) !== undefined)
  );
}
