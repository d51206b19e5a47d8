import { createPrivateKey, randomBytes, X509Certificate } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { hostname } from "node:os";
import path from "node:path";
import { domainToASCII } from "node:url";

/** A certificate with less time left than this is replaced at the start. */
const renewalMarginMs = 30 * 24 * 60 * 60 * 1000;

export interface LocalCertificate {
  certFile: string;
  keyFile: string;
  /** The authority that clients are told to trust. */
  caFile: string;
}

export interface LocalCertificateOptions {
  dataDirectory: string;
  /** Names and addresses the service is reached by, besides this machine's own. */
  hosts?: string[];
}

/**
 * The service's own certificate, for where the operator gives none: signed by a local authority that is made once, so
 * that clients trust it once. The certificate is issued anew, for the same key, when it runs out or lacks a name.
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
      throw new Error(`The local certificate authority ${caFile} is running out. ${adviceToRecreate}`);
    }
    await reissue({ certFile, keyFile, ca, caKey, key, names });
  }
  return { certFile, keyFile, caFile };
}

/** An authority that clients trust is never replaced behind the operator's back. */
const adviceToRecreate =
  "Delete the folder to have a new authority made, which clients then have to trust anew.";

/** Makes the four files in a folder of their own and moves it into place, so that there is never half a set. */
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
    // Another process that starts at the same moment was faster, and its set is as good.
    if ((await readIfPresent(path.join(directory, "ca.pem"))) === undefined) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Most starts find a certificate that is still good and need not load the library that makes them. */
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

/** Keeps the key: then a certificate that two processes issue at the same moment fits it, whichever is written last. */
async function reissue({ certFile, keyFile, ca, caKey, key, names }: Reissue): Promise<void> {
  const { issueLeaf, makeKey } = await loadIssuing();
  const usedKey = key ?? (await makeKey());
  if (key === undefined) await replaceFile(keyFile, usedKey, 0o600);
  await replaceFile(certFile, (await issueLeaf({ ca, caKey, key: usedKey, names })) + ca, 0o644);
}

/** Whoever reads the file meanwhile sees the old one or the new one, never half of one. */
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
      // One of the future was issued by a clock that was fast. If the authority is of the future too, the clock is slow now.
      (hasBegun(certificate) || !hasBegun(authority)) &&
      certificateCovers(certificate, names)
    );
  } catch {
    // A file that is no certificate is replaced like one that has run out.
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

/** What a certificate is valid for. */
export interface CertificateNames {
  dns: string[];
  addresses: string[];
}

/** Listening on these means listening on every address; nobody connects to them. */
const unspecifiedAddresses = ["0.0.0.0", "::"];

/** This machine's names and addresses, and the given ones. */
function neededNames(hosts: string[] = []): CertificateNames {
  const all = ["localhost", "*.localhost", hostname(), "127.0.0.1", "::1", ...hosts].map((host) =>
    host.toLowerCase(),
  );
  const addresses = all.filter((host) => isIP(host) !== 0 && !unspecifiedAddresses.includes(host));
  const dns = all.filter((host) => isIP(host) === 0).map(toCertificateName);
  return {
    // A machine may be called something that no certificate can hold.
    dns: [...new Set(dns.filter((name) => name !== ""))],
    addresses: [...new Set(addresses)],
  };
}

/** In ASCII; empty if the name cannot be written in it. */
function toCertificateName(name: string): string {
  return name.startsWith("*.") ? `*.${domainToASCII(name.slice(2))}` : domainToASCII(name);
}

function certificateCovers(certificate: X509Certificate, names: CertificateNames): boolean {
  const listed = new Set((certificate.subjectAltName ?? "").toLowerCase().split(", "));
  // Addresses are compared by their meaning: the listing spells ::1 in full.
  return (
    names.dns.every((name) => listed.has(`dns:${name}`)) &&
    names.addresses.every((address) => certificate.checkIP(address) !== undefined)
  );
}
