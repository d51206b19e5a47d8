import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, rename, rm, symlink } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect, type ConnectionOptions, type TLSSocket } from "node:tls";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadOrCreateCertificate, type LocalCertificate } from "./certificates.js";
import { tlsOptions, watchCertificate, type CertificateFiles } from "./secure-context.js";

const checkIntervalMs = 10;
const patiently = { timeout: 180_000, interval: 10 };

let folder: string;
let first: LocalCertificate;
let second: LocalCertificate;
const cleanups: (() => unknown)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gatehouse-tls-"));
  first = await loadOrCreateCertificate({ dataDirectory: path.join(folder, "first") });
  second = await loadOrCreateCertificate({ dataDirectory: path.join(folder, "second") });
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  await rm(folder, { recursive: true, force: true });
});

async function serve(files: CertificateFiles): Promise<Server> {
  const server = createServer(await tlsOptions(files), (_request, response) => response.end("still here"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  cleanups.push(() => server.close());
  return server;
}

async function handshake(server: Server, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, ...options });
  cleanups.push(() => socket.destroy());
  await once(socket, "secureConnect");
  return socket;
}

/** The serial number of the certificate on a new connection. */
async function servedSerial(server: Server): Promise<string> {
  const socket = await handshake(server);
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

async function serialOf({ certFile, keyFile }: CertificateFiles): Promise<string> {
  return servedSerial(await serve({ certFile, keyFile }));
}

test("TLS 1.2 and 1.3 work, with forward secrecy and authenticated encryption", async () => {
  const server = await serve(first);
  const modern = await handshake(server);
  expect(modern.getProtocol()).toBe("TLSv1.3");
  const older = await handshake(server, { maxVersion: "TLSv1.2" });
  expect(older.getProtocol()).toBe("TLSv1.2");
  expect(older.getCipher().name).toBe("ECDHE-ECDSA-AES128-GCM-SHA256");
  const preference = "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES128-GCM-SHA256";
  const overruled = await handshake(server, { maxVersion: "TLSv1.2", ciphers: preference });
  expect(overruled.getCipher().name).toBe("ECDHE-ECDSA-AES128-GCM-SHA256");
});

test.each([
  // Security level 0 lets the client offer outdated versions.
  ["TLS 1.1", { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" }],
  ["a CBC suite", { maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-SHA256" }],
  ["a suite without forward secrecy", { maxVersion: "TLSv1.2", ciphers: "AES128-GCM-SHA256" }],
  ["an unsupported curve", { ecdhCurve: "secp521r1" }],
] as [string, ConnectionOptions][])("%s is refused", async (_name, options) => {
  const server = await serve(first);
  await expect(handshake(server, options)).rejects.toThrow(/alert/);
});

test("a key that does not match the certificate is rejected at startup", async () => {
  await expect(tlsOptions({ certFile: first.certFile, keyFile: second.keyFile })).rejects.toThrow(
    /does not belong/,
  );
});

interface Watched {
  server: Server;
  files: CertificateFiles;
  reloads: number;
  errors: Error[];
}

async function watch(files: CertificateFiles): Promise<Watched> {
  const watched: Watched = { server: await serve(files), files, reloads: 0, errors: [] };
  const watcher = watchCertificate(watched.server, files, {
    intervalMs: checkIntervalMs,
    onReload: () => watched.reloads++,
    onError: (error) => watched.errors.push(error),
  });
  cleanups.push(watcher.stop);
  return watched;
}

async function watchCopyOfFirst(): Promise<Watched> {
  const files = { certFile: path.join(folder, "cert.pem"), keyFile: path.join(folder, "key.pem") };
  await copyFile(first.certFile, files.certFile);
  await copyFile(first.keyFile, files.keyFile);
  return watch(files);
}

test("new connections get a renewed certificate while an old connection continues", async () => {
  const watched = await watchCopyOfFirst();
  const old = await handshake(watched.server);
  await copyFile(second.certFile, watched.files.certFile);
  await copyFile(second.keyFile, watched.files.keyFile);
  await expect.poll(() => watched.reloads, patiently).toBeGreaterThan(0);
  expect(await servedSerial(watched.server)).toBe(await serialOf(second));

  old.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  expect(String((await once(old, "data"))[0])).toMatch(/^HTTP\/1.1 200[^]*still here/);
  // The second certificate gets the same settings as the first.
  await expect(
    handshake(watched.server, { maxVersion: "TLSv1.2", ciphers: "AES128-GCM-SHA256" }),
  ).rejects.toThrow(/alert/);
});

test("a symbolic link changed to another folder is a renewal", async () => {
  await mkdir(path.join(folder, "mounted"));
  const data = path.join(folder, "mounted", "..data");
  await symlink(path.join(folder, "first", "tls"), data);
  const watched = await watch({ certFile: path.join(data, "cert.pem"), keyFile: path.join(data, "key.pem") });
  await symlink(path.join(folder, "second", "tls"), `${data}_new`);
  await rename(`${data}_new`, data);
  await expect.poll(() => watched.reloads, patiently).toBe(1);
  expect(await servedSerial(watched.server)).toBe(await serialOf(second));
});

test("a mismatched pair is reported once and not loaded", async () => {
  const watched = await watchCopyOfFirst();
  // Written in one step, because a reader of a half-written file finds no certificate.
  await copyFile(second.certFile, `${watched.files.certFile}.new`);
  await rename(`${watched.files.certFile}.new`, watched.files.certFile);
  await expect.poll(() => watched.errors.map(({ message }) => message), patiently).toHaveLength(1);
  expect(watched.errors[0]?.message).toMatch(/does not belong/);
  expect(await servedSerial(watched.server)).toBe(await serialOf(first));

  // The second file completes the renewal.
  await copyFile(second.keyFile, watched.files.keyFile);
  await expect.poll(() => watched.reloads, patiently).toBe(1);
  expect(watched.errors).toHaveLength(1);
  expect(await servedSerial(watched.server)).toBe(await serialOf(second));
});

test("a missing file is reported, and loaded when it is back", async () => {
  const watched = await watchCopyOfFirst();
  await rm(watched.files.keyFile);
  await expect.poll(() => watched.errors, patiently).toHaveLength(1);
  await copyFile(first.keyFile, watched.files.keyFile);
  await expect.poll(() => watched.reloads, patiently).toBe(1);
});
