import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { operationNames } from "@gatehouse-parking/contract";
import { useApp } from "../../../testing/harness.js";
import { codeSamples } from "./code-samples.js";

const gatehouse = useApp();

type Json = Record<string, unknown>;
const get = (url: string) => gatehouse.send({ url });

function* parts(value: unknown): Generator<Json> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const part of Object.values(value)) yield* parts(part);
}

describe("/openapi.json", () => {
  /** @covers R284 */
  test("is OpenAPI 3.1, version 1.0, and equals the document that the app builds", async () => {
    const answer = await get("/openapi.json");
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    expect(answer.json).toMatchObject({ openapi: "3.1.0", info: { title: "Gatehouse", version: "1.0" } });
    expect(answer.json).toEqual(JSON.parse(JSON.stringify(gatehouse.app.swagger())));
  });

  /** @covers R9, R17, R284 */
  test("paths and headers have no version, and the document refers to no other server", async () => {
    const document = (await get("/openapi.json")).json as Json & { paths: Json };
    expect(Object.keys(document.paths).filter((path) => /\bv\d|version/i.test(path))).toEqual([]);
    const headers = [...parts(document)].filter((part) => part["in"] === "header").map(({ name }) => name);
    expect(headers.filter((name) => /version/i.test(String(name)))).toEqual([]);
    expect([...parts(document)].filter((part) => part["webhooks"] ?? part["callbacks"])).toEqual([]);
  });

  /** @covers R280, R282 */
  test("success answers have no envelope", async () => {
    const document = (await get("/openapi.json")).json;
    const wrapped = [...parts(document)].filter(({ properties }) => {
      const names = Object.keys((properties as Json | undefined) ?? {});
      return names.includes("success") && names.includes("data");
    });
    expect(wrapped).toEqual([]);
  });

  test("examples say which of their values must exist", async () => {
    const { paths } = (await get("/openapi.json")).json as { paths: Record<string, { post?: Json }> };
    const bodies = Object.values(paths).flatMap(({ post }) =>
      post?.["requestBody"] ? [post["requestBody"] as Json] : [],
    );
    expect(bodies.length).toBe(10);
    for (const body of bodies) {
      const example = JSON.stringify([...parts(body)].find((part) => "example" in part)?.["example"]);
      const said = String(body["description"] ?? "");
      expect(said.includes("Elsewhere, replace it")).toBe(example.includes('"locationUuid"'));
      expect(said.includes("ACME-0042 must exist")).toBe(example.includes('"accountTPReferenceId"'));
    }
  });

  test("every reference resolves, and every schema is used", async () => {
    const document = (await get("/openapi.json")).json as Json;
    const references = [...parts(document)].map((part) => part["$ref"]).filter((ref) => ref !== undefined);
    expect(references.length).toBeGreaterThan(20);
    for (const reference of references) {
      const [root, ...path] = String(reference).split("/");
      expect(root).toBe("#");
      const target = path.reduce<unknown>((value, name) => (value as Json)?.[name], document);
      expect(target, String(reference)).toBeDefined();
    }
    const { schemas } = document["components"] as { schemas: Json };
    const used = new Set(references.map((reference) => String(reference).split("/").at(-1)));
    expect(Object.keys(schemas).filter((name) => !used.has(name))).toEqual([]);
  });

  test("uses only formats that client generators know", async () => {
    const document = (await get("/openapi.json")).json;
    const formats = [...parts(document)]
      .map((part) => part["format"])
      .filter((format) => typeof format === "string");
    expect(new Set(formats)).toEqual(new Set(["uuid", "date-time"]));
  });

  test("passes a standard linter in strict mode, like the committed document", async () => {
    const directory = await mkdtemp(join(tmpdir(), "gatehouse-openapi-"));
    const file = join(directory, "openapi.json");
    await writeFile(file, (await get("/openapi.json")).text);
    const manifest = createRequire(import.meta.url).resolve("@redocly/cli/package.json");
    const rules = fileURLToPath(new URL("../../../../../redocly.yaml", import.meta.url));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(dirname(manifest), "bin/cli.js"), "lint", file, `--config=${rules}`, "--format=json"],
      { env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
    );
    await rm(directory, { recursive: true });
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
  });
});

describe("/docs", () => {
  test("loads nothing from other servers, by its content and its policy", async () => {
    const page = await get("/docs/");
    expect(page.status).toBe(200);
    const policy = page.headers["content-security-policy"] ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe/);
    expect(policy).toMatch(/script-src 'self'(;|$)/);

    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string);
    expect(assets.length).toBeGreaterThan(3);
    for (const address of assets) {
      expect(address).not.toMatch(/^(https?:)?\/\//);
      const asset = await get(new URL(address, "https://localhost/docs/").pathname);
      expect(asset.status, address).toBe(200);
    }
    const links = [...page.text.matchAll(/<a href="([^"#]+)/g)].map(([, address]) => address as string);
    expect(links).toContain("/docs/guides/errors");
    for (const address of links.filter((one) => one !== "/"))
      expect((await get(address)).status, address).toBe(200);
  });

  test("shows the samples, fields and error names of every operation", async () => {
    const { text } = await get("/docs");
    for (const name of operationNames) {
      const section = text.slice(text.indexOf(`<section id="${name}"`)).split("</section>")[0] as string;
      for (const { label } of codeSamples(name)) expect(section).toContain(`data-language="${label}"`);
      expect(section).toContain("<code>permissionMissing</code>");
    }
    expect(text).toContain("<code>transactions[].vehicle.licensePlate</code>");
  });

  test("links in the guides lead to published pages and existing anchors", async () => {
    const { text } = await get("/docs/guides/integrators");
    expect(text).toContain('href="/docs/guides/errors#errors-of-requests"');
    expect(text).toContain('href="/docs/guides/python"');
    expect((await get("/docs/guides/errors")).text).toContain('id="errors-of-requests"');
    // Other files of the repository are not published.
    expect(text).not.toMatch(/href="[^"]*\.(?:md|ts)/);
    expect((await get("/docs/guides/python")).text).toContain("def keep_pace(headers):");
  });

  test("over plain HTTP is served only to this machine", async () => {
    const headers = { "x-forwarded-proto": "http", "x-forwarded-for": "203.0.113.7" };
    for (const url of ["/docs/", "/docs/guides/integrators", "/docs/static/docs.css"])
      expect((await gatehouse.send({ url, headers })).status, url).toBe(403);
  });
});

test.each([
  ["a path outside the folder", "/docs/static/..%2f..%2fpackage.json"],
  ["a name that is too long", `/docs/static/${"x".repeat(300)}`],
  ["a NUL character in the name", "/docs/static/a%00b"],
])("%s below /docs/static is not found, and no error of ours", async (_what, url) => {
  for (const method of ["GET", "HEAD"] as const) {
    const answer = await gatehouse.send({ method, url });
    expect(answer.status, answer.text).toBe(404);
    const line = gatehouse.logged.find(({ reqId }) => reqId === answer.headers["x-request-id"]);
    expect(line?.["level"] ?? 30).toBeLessThan(50);
  }
});
