import { X509Certificate } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, get } from "node:https";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadOrCreateCertificate, type LocalCertificate } from "./certificates.js";
import { tlsOptions } from "./secure-context.js";

const dayMs = 24 * 60 * 60 * 1000;

let dataDirectory: string;
beforeEach(async () => {
  dataDirectory = await mkdtemp(path.join(tmpdir(), "gatehouse-certificates-"));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(dataDirectory, { recursive: true, force: true });
});

async function readCertificate(file: string): Promise<X509Certificate> {
  return new X509Certificate(await readFile(file));
}

function lifetimeDays({ validFrom, validTo }: X509Certificate): number {
  return (Date.parse(validTo) - Date.parse(validFrom)) / dayMs;
}

/** The status of a request that trusts only the local CA. */
async function statusOf(
  files: LocalCertificate,
  host: string,
  servername: string,
): Promise<number | undefined> {
  const server = createServer(await tlsOptions(files), (_request, response) => response.end()).listen(
    0,
    host,
  );
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    const ca = await readFile(files.caFile);
    const request = get({ host, port, servername, ca, rejectUnauthorized: true, agent: false });
    const [response] = (await once(request, "response")) as [{ statusCode?: number; resume(): void }];
    response.resume();
    return response.statusCode;
  } finally {
    server.close();
  }
}

test("a client that trusts the local CA can connect under every name of the service", async () => {
  const files = await loadOrCreateCertificate({
    dataDirectory,
    hosts: ["gate.example.com", "192.0.2.7", "0.0.0.0"],
  });
  for (const servername of ["localhost", "gate.example.com"]) {
    expect(await statusOf(files, "127.0.0.1", servername)).toBe(200);
  }
  const certificate = await readCertificate(files.certFile);
  for (const address of ["127.0.0.1", "::1", "192.0.2.7"]) expect(certificate.checkIP(address)).toBe(address);
  expect(certificate.checkHost(hostname())).toBeDefined();
  expect(certificate.subjectAltName).toContain("DNS:*.localhost");
  expect(certificate.checkIP("0.0.0.0")).toBeUndefined();
  await expect(statusOf(files, "127.0.0.1", "other.example.com")).rejects.toThrow(/altnames/);
});

test("the CA is long-lived and signs only servers, and clients accept the certificate", async () => {
  const files = await loadOrCreateCertificate({ dataDirectory });
  const [authority, certificate] = [
    await readCertificate(files.caFile),
    await readCertificate(files.certFile),
  ];
  expect(authority.ca).toBe(true);
  expect(lifetimeDays(authority)).toBe(3650);
  expect(authority.publicKey.asymmetricKeyDetails?.namedCurve).toBe("prime256v1");
  expect(certificate.ca).toBe(false);
  expect(lifetimeDays(certificate)).toBe(397);
  expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
  expect(certificate.checkIssued(authority)).toBe(true);
  // The server sends the whole chain.
  expect(await readFile(files.certFile, "utf8")).toContain(await readFile(files.caFile, "utf8"));
});

test("key files are readable only by their owner", async () => {
  await loadOrCreateCertificate({ dataDirectory });
  for (const name of ["key.pem", "ca-key.pem"]) {
    expect((await stat(path.join(dataDirectory, "tls", name))).mode & 0o777).toBe(0o600);
  }
});

test("a second start uses the same files", async () => {
  const first = await loadOrCreateCertificate({ dataDirectory });
  const before = await readFile(first.certFile, "utf8");
  expect(await loadOrCreateCertificate({ dataDirectory })).toEqual(first);
  expect(await readFile(first.certFile, "utf8")).toBe(before);
});

test("concurrent first starts agree on one CA and leave no temporary files", async () => {
  const starts = Array.from({ length: 8 }, () => loadOrCreateCertificate({ dataDirectory }));
  const [files] = await Promise.all(starts);
  expect(await statusOf(files as LocalCertificate, "127.0.0.1", "localhost")).toBe(200);
  expect(await readdir(dataDirectory)).toEqual(["tls"]);
  const names = await readdir(path.join(dataDirectory, "tls"));
  expect(names.toSorted()).toEqual(["ca-key.pem", "ca.pem", "cert.pem", "key.pem"]);
});

test("the CA issues a new certificate when the old one expires soon, and not before", async () => {
  const files = await loadOrCreateCertificate({ dataDirectory });
  const [authority, first] = [await readFile(files.caFile, "utf8"), await readCertificate(files.certFile)];

  vi.useFakeTimers({ now: Date.now() + 366 * dayMs, toFake: ["Date"] });
  await loadOrCreateCertificate({ dataDirectory });
  expect((await readCertificate(files.certFile)).serialNumber).toBe(first.serialNumber);

  vi.useFakeTimers({ now: Date.now() + 2 * dayMs, toFake: ["Date"] });
  await loadOrCreateCertificate({ dataDirectory });
  const second = await readCertificate(files.certFile);
  expect(second.serialNumber).not.toBe(first.serialNumber);
  expect(Date.parse(second.validTo)).toBeGreaterThan(Date.parse(first.validTo) + 300 * dayMs);
  expect(await readFile(files.caFile, "utf8")).toBe(authority);
});

test("a certificate from the future is replaced once the clock is right, and a slow clock replaces none", async () => {
  const now = Date.now();
  const issuedAt = async (time: number) => {
    vi.useFakeTimers({ now: time, toFake: ["Date"] });
    return readCertificate((await loadOrCreateCertificate({ dataDirectory })).certFile);
  };
  await issuedAt(now);
  expect(Date.parse((await issuedAt(now + 400 * dayMs)).validFrom)).toBeGreaterThan(now);
  const right = await issuedAt(now);
  expect(Date.parse(right.validFrom)).toBeLessThanOrEqual(now);
  expect((await issuedAt(0)).serialNumber).toBe(right.serialNumber);
});

test("the CA issues a new certificate if one lacks a name, is damaged or belongs to another key", async () => {
  const files = await loadOrCreateCertificate({ dataDirectory });
  await loadOrCreateCertificate({ dataDirectory, hosts: ["New.example.com"] });
  expect(await statusOf(files, "127.0.0.1", "new.example.com")).toBe(200);
  await writeFile(files.certFile, "half a certific");
  await loadOrCreateCertificate({ dataDirectory });
  expect(await statusOf(files, "127.0.0.1", "localhost")).toBe(200);
  await rm(files.keyFile);
  await loadOrCreateCertificate({ dataDirectory });
  expect(await statusOf(files, "127.0.0.1", "localhost")).toBe(200);
});

test("a CA that clients trust is never replaced automatically", async () => {
  await loadOrCreateCertificate({ dataDirectory });
  await rm(path.join(dataDirectory, "tls", "ca-key.pem"));
  await expect(loadOrCreateCertificate({ dataDirectory })).resolves.toBeDefined();
  await expect(loadOrCreateCertificate({ dataDirectory, hosts: ["new.example.com"] })).rejects.toThrow(
    /lost its ca-key.pem/,
  );
});
