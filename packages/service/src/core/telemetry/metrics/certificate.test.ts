import { X509Certificate } from "node:crypto";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { useApp } from "../../../../testing/harness.js";
import { sampleOf } from "../../../../testing/metric-samples.js";
import { buildApp } from "../../../app.js";
import { listen } from "../../server/servers.js";
import { loadOrCreateCertificate, type LocalCertificate } from "../../server/tls/certificates.js";

const gatehouse = useApp();
const expiry = "gatehouse_certificate_expiry_timestamp_seconds";
const refused = "TLS certificate is expired or not yet valid";
const dayMs = 24 * 60 * 60 * 1000;

/** A certificate as issued this many days ago. */
async function certificateMadeAgo(days: number, dataDirectory: string): Promise<LocalCertificate> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - days * dayMs });
  try {
    return await loadOrCreateCertificate({ dataDirectory });
  } finally {
    vi.useRealTimers();
  }
}

async function expiryOf({ certFile }: LocalCertificate): Promise<number> {
  return Date.parse(new X509Certificate(await readFile(certFile)).validTo) / 1_000;
}

test("the metric has the expiry of the certificate in use and follows renewals; an expired one is logged", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "gatehouse-expiry-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const old = await certificateMadeAgo(500, path.join(folder, "old"));
  const renewed = await certificateMadeAgo(0, path.join(folder, "renewed"));
  const [oldExpiry, renewedExpiry] = [await expiryOf(old), await expiryOf(renewed)];
  expect(renewedExpiry).toBeGreaterThan(oldExpiry);

  const { config, database } = gatehouse;
  const warnings: string[] = [];
  const logger = pino({ level: "warn" }, { write: (line) => line.includes(refused) && warnings.push(line) });
  const app = await buildApp({ config, database, logger });
  onTestFinished(() => app.close());
  const ports = { host: "127.0.0.1", httpsPort: 0, httpPort: 0 };
  await listen(app, { ...ports, certificate: old, certificateCheckMs: 10 });
  expect(await sampleOf(app, expiry)).toBe(oldExpiry);
  expect(warnings).toHaveLength(1);
  await copyFile(renewed.keyFile, old.keyFile);
  await copyFile(renewed.certFile, old.certFile);
  await expect.poll(() => sampleOf(app, expiry)).toBe(renewedExpiry);
  expect(warnings).toHaveLength(1);
});

test("without TLS the metric is missing", async () => {
  expect(await sampleOf(gatehouse.app, expiry)).toBeUndefined();
});
