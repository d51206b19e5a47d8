import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { consoleRoot, signedIn, type Visitor } from "../../../../testing/console.js";
import { useApp } from "../../../../testing/harness.js";
import { loadOrCreateCertificate } from "../../server/tls/certificates.js";

const folder = await mkdtemp(join(tmpdir(), "gatehouse-authority-"));
const gatehouse = useApp({ dataDirectory: folder });
let operator: Visitor;
let authority: string;

beforeAll(async () => {
  const { caFile } = await loadOrCreateCertificate({ dataDirectory: folder });
  authority = await readFile(caFile, "utf8");
  operator = await signedIn(gatehouse, "operator");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("pages on the service's own ports get its CA certificate, without a key, and its ports", async () => {
  const { json } = await gatehouse.send({
    method: "GET",
    url: `${consoleRoot}/session`,
    headers: { cookie: operator.cookie, host: "localhost", "x-forwarded-proto": "http" },
  });
  expect(json).toMatchObject({ authority, ports: { https: 8443, http: 8080 } });
  expect(authority).not.toContain("PRIVATE");
});

test("pages behind a proxy that terminates TLS get no certificate, because the proxy's certificate is not ours", async () => {
  expect((await operator.get("/session")).json).toMatchObject({ authority: null });
});
