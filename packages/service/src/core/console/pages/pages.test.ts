import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readlink, rm, writeFile } from "node:fs/promises";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useApp } from "../../../../testing/harness.js";
import { renderError } from "../../refusals/render-error.js";
import { knownHosts } from "../../server/https-only.js";
import { pagePolicy, pages } from "./pages.js";

let directory: string;
let app: FastifyInstance;
const gatehouse = useApp();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatehouse-pages-"));
  await mkdir(join(directory, "assets"));
  await writeFile(join(directory, "index.html"), "<!doctype html><title>Console</title>");
  await writeFile(join(directory, "assets/index-Ab12_cD9.js"), "export {};");
  await writeFile(join(directory, "assets/index-Ab12_cD9.js.br"), brotliCompressSync("export {};"));
  await writeFile(join(directory, "favicon.svg"), "<svg/>");
  await writeFile(join(directory, "..", "gatehouse-secret.txt"), "secret");
  app = Fastify({ routerOptions: { caseSensitive: false, ignoreTrailingSlash: true } });
  app.decorateRequest("refusal", null);
  app.decorateRequest("refusalMessages", null);
  app.setErrorHandler(renderError);
  app.setNotFoundHandler(async (_request, reply) => reply.code(404).send({ success: false }));
  await app.register(knownHosts, { config: gatehouse.config });
  await app.register(pages, { directory });
});
afterAll(async () => {
  await app.close();
  await rm(directory, { recursive: true });
  await rm(join(directory, "..", "gatehouse-secret.txt"), { force: true });
});

const open = (url: string, headers: Record<string, string> = { accept: "text/html,*/*" }) =>
  app.inject({ method: "GET", url, headers });

test.each(["/", "/sign-in", "/organizations/7/runs?status=2", "/Runs/"])(
  "%s is a page of the application",
  async (url) => {
    const answer = await open(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toContain("text/html");
    expect(answer.headers["cache-control"]).toBe("no-cache");
    expect(answer.body).toContain("<title>Console</title>");
  },
);

test("/ redirects browsers to the application", async () => {
  for (const headers of [{}, { accept: "*/*" }, { accept: "application/json" }]) {
    const answer = await open("/", headers);
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([
      200,
      expect.stringContaining("text/html"),
    ]);
  }
});

test("the content security policy allows only our own files, and no inline script", async () => {
  const { headers } = await open("/");
  const policy = String(headers["content-security-policy"]);
  expect(policy).toBe(pagePolicy);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("style-src 'self';");
  expect(policy).not.toMatch(/unsafe|nonce|\*/);
  expect(policy).not.toMatch(/https?:/);
});

test("files with a digest in their name are cached for a year, and others are revalidated", async () => {
  const hashed = await open("/assets/index-Ab12_cD9.js", {});
  expect(hashed.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect(hashed.headers["content-type"]).toContain("javascript");
  expect((await open("/favicon.svg", {})).headers["cache-control"]).toBe("no-cache");
});

test("a compressed build file is sent to clients that accept the encoding", async () => {
  const answer = await open("/assets/index-Ab12_cD9.js", { "accept-encoding": "gzip, br" });
  expect(answer.headers["content-encoding"]).toBe("br");
  expect(brotliDecompressSync(answer.rawPayload).toString()).toBe("export {};");
  expect(answer.headers["cache-control"]).toContain("immutable");
});

test("an unchanged file gets 304, and a changed one is sent", async () => {
  const path = "/assets/index-Ab12_cD9.js";
  const first = await open(path, {});
  const again = await open(path, { "if-none-match": String(first.headers["etag"]) });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
  await writeFile(join(directory, path), "export default 1;");
  const changed = await open(path, { "if-none-match": String(first.headers["etag"]) });
  expect([changed.statusCode, changed.body]).toEqual([200, "export default 1;"]);
});

test.each([
  "/missing.js",
  "/assets/",
  "/../gatehouse-secret.txt",
  "/..%2fgatehouse-secret.txt",
  "/assets/..%2f..%2fgatehouse-secret.txt",
  "/%00.js",
])("%s is absent, and nothing outside the folder is reachable", async (url) => {
  const answer = await open(url, {});
  expect(answer.statusCode).toBe(404);
  expect(answer.body).not.toContain("secret");
});

test("the plain port serves pages to this machine only", async () => {
  const far = await app.inject({
    method: "GET",
    url: "/",
    headers: { accept: "text/html" },
    remoteAddress: "203.0.113.9",
  });
  expect(far.statusCode).toBe(403);
});

/** The files of the folder that this process has open. */
async function openFiles(): Promise<string[]> {
  const descriptors = await readdir("/proc/self/fd");
  const names = await Promise.all(
    descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => "")),
  );
  return names.filter((name) => name.startsWith(directory));
}

test.runIf(existsSync("/proc/self/fd"))("downloads that clients never read leave no file open", async () => {
  const path = "/assets/large-Ab12_cD9.js";
  await writeFile(join(directory, path), "x".repeat(1024 * 1024));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const closed = Array.from({ length: 10 }, async () => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(10));
    await once(socket, "data");
    socket.destroy();
    await once(socket, "close");
  });
  await Promise.all(closed);
  await expect.poll(openFiles).toEqual([]);
});

function ask(url: string, accept: string) {
  return gatehouse.send({ method: "GET", url, headers: { accept } });
}

/** @covers R44 */
test("the interfaces keep their 404 and 405 for browsers too", async () => {
  for (const accept of ["application/json", "text/html"]) {
    const wrongMethod = await ask("/integrations/transactions", accept);
    expect([wrongMethod.status, wrongMethod.headers["allow"]]).toEqual([405, "POST"]);
    expect((await ask("/lead/submit", accept)).status).toBe(405);
    expect((await ask("/integrations/nothing", accept)).json).toMatchObject({ success: false });
    expect((await ask("/Console/API/nothing", accept)).json).toMatchObject({ success: false });
  }
  expect((await ask("/nothing", "*/*")).json).toMatchObject({
    success: false,
    message: "There is nothing at this address",
  });
});
