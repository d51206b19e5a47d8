import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import Fastify from "fastify";
import { expect, onTestFinished, test, vi } from "vitest";
import { consoleRoot, ownPage, signedIn } from "../../../testing/console.js";
import { useApp } from "../../../testing/harness.js";
import { renewSampleFiles } from "../../../testing/sample-files.js";
import { transactionHeader, uploader, type Uploader } from "../../../testing/uploader.js";
import { createDefineExport } from "./define-export.js";
import { LargeFiles } from "./download.js";
import { renderConsoleError } from "../refusals/render-console-error.js";
import { consoleOperations, type ConsoleOperationName } from "@gatehouse-parking/contract/console";

const gatehouse = useApp();

/** Every route that answers with a file, and its noun in the audit log. */
const downloads = {
  downloadLeads: { path: "/leads.csv?state=accepted&text=jo%40example.com", action: "lead.download" },
  downloadAudit: { path: "/audit.csv?action=jo%40example.com", action: "audit.download" },
  downloadFailures: { path: "/runs/RUN/failures.csv", action: "import.download-failures" },
  downloadUploadOutcomes: { path: "/uploads/UPLOAD/outcomes.csv", action: "upload.download" },
  downloadUploadFailures: { path: "/uploads/UPLOAD/failures.csv", action: "upload.download" },
  downloadUploadCorrections: { path: "/uploads/UPLOAD/corrections.csv", action: "upload.download" },
  downloadRuns: { path: "/runs.csv?status=2", action: "import.download" },
  downloadRequests: { path: "/requests.csv?requestId=jo%40example.com", action: "request.download" },
  downloadUploads: { path: "/uploads.csv", action: "upload.download" },
  downloadRecords: { path: "/records/contacts.csv?text=jo%40example.com", action: "record.download" },
  downloadLocations: { path: "/locations.csv?query=jo%40example.com", action: "location.download" },
  downloadApiKeys: { path: "/api-keys.csv", action: "api-key.download" },
  downloadMembers: { path: "/members.csv", action: "user.download" },
  downloadMapping: { path: "/mappings/MAPPING/mapping.json", action: "mapping.download" },
};

test("no other route sends a file", () => {
  const named = Object.keys(consoleOperations).filter((name) => name.startsWith("download"));
  // Routes without an organization have a separate test below.
  expect(named.toSorted()).toEqual([...Object.keys(downloads), "downloadOrganizations"].toSorted());
});

async function adminOfRun() {
  const { organizationId, apiKey, locationUuid } = await gatehouse.tenant();
  await gatehouse.post("/lead/submit", apiKey, { email: "jo@example.com", locationUuid });
  const run = await gatehouse.post("/integrations/accounts", apiKey, { accounts: [{}] });
  const files = { organizationId, uploadUuid: randomUUID(), mappingUuid: randomUUID() };
  await renewSampleFiles(gatehouse, files);
  const admin = await signedIn(gatehouse, "admin", organizationId);
  const root = `/organizations/${organizationId}`;
  const places = { RUN: run.json.referenceUuid, UPLOAD: files.uploadUuid, MAPPING: files.mappingUuid };
  return {
    admin,
    organizationId,
    get: (path: string) =>
      admin.get(root + path.replace(/RUN|UPLOAD|MAPPING/, (place) => places[place as keyof typeof places])),
  };
}

test.each(Object.entries(downloads))(
  "%s is audited with the user and the list, without the search text",
  async (_name, { path, action }) => {
    const { admin, organizationId, get } = await adminOfRun();
    const answer = await get(path);
    expect(answer.headers["content-disposition"]).toContain("attachment");
    const { rows } = await gatehouse.database.work.query(
      "select actor, action, detail from audit_log where organization_id = $1 and actor = $2 and action = $3",
      [organizationId, admin.email, action],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].detail).not.toContain("jo@");
  },
);

test.each(Object.entries(downloads))(
  "%s sends nothing if the audit entry cannot be written",
  async (_name, { path }) => {
    const { get } = await adminOfRun();
    await gatehouse.database.work.query("alter table audit_log rename to audit_log_elsewhere");
    try {
      const answer = await get(path);
      expect(answer.status).toBe(500);
      expect(answer.headers).not.toHaveProperty("content-disposition");
    } finally {
      await gatehouse.database.work.query("alter table audit_log_elsewhere rename to audit_log");
    }
  },
);

test("only operators can download the organizations, and the audit log without an organization records it", async () => {
  const { admin } = await adminOfRun();
  expect((await admin.get("/organizations.csv")).status).toBe(403);
  const operator = await signedIn(gatehouse, "operator");
  const { text } = await operator.get("/organizations.ndjson?query=jo%40example.com");
  expect(text).toBe("");
  expect((await operator.get("/organizations.csv")).text).toContain("uuid,name,isDemo,createdAt\r\n");
  const { rows } = await gatehouse.database.work.query(
    "select action, detail::text from audit_log where actor = $1 and organization_id is null and action ~ 'download' order by id",
    [operator.email],
  );
  expect(rows.slice(0, 2)).toEqual([
    { action: "organization.download", detail: '{"format":"ndjson","searched":["query"]}' },
    { action: "organization.downloaded", detail: '{"format":"ndjson","rows":0,"isWhole":true}' },
  ]);
});

test("a download that takes too long is cut off, and the audit log says that it is incomplete", async () => {
  const { organizationId } = await gatehouse.tenant();
  const pool = gatehouse.database.console;
  const app = Fastify();
  app.addHook("onRequest", async (request) => {
    const person = { id: randomUUID(), email: "slow@example.com" };
    const userPermit = { leave: () => undefined, take: <T>(work: () => Promise<T>) => work() };
    Object.assign(request, { person, organization: { id: organizationId }, userPermit });
  });
  const reads = { perKey: 1, overall: 1, maxWaiting: 1, maxWaitMs: 1_000 };
  const person = { perMinute: 9, atOnce: 1 };
  createDefineExport(pool, { reads, person, maxMs: 50 })(app, "downloadMembers", {
    noun: "user",
    fileName: () => "members",
    format: () => ({ heading: "", toLine: () => "x".repeat(1_000) }),
    read: () => async (_cursor, limit) => ({ data: Array.from({ length: limit }), nextCursor: "more" }),
  });
  const url = `${consoleRoot}/organizations/${organizationId}/members.csv`;
  const answer = await app.inject({ url, payloadAsStream: true });
  expect(answer.statusCode).toBe(200);
  await vi.waitFor(async () => {
    const { rows } = await pool.query<{ detail: string }>(
      "select detail::text from audit_log where organization_id = $1 and action = 'user.downloaded'",
      [organizationId],
    );
    expect(rows.map(({ detail }) => JSON.parse(detail).isWhole)).toEqual([false]);
  }, 180_000);
  answer.stream().destroy();
  await app.close();
});

test("large downloads are limited to two at a time per user and four per organization", async () => {
  const files = new LargeFiles();
  const taken: (() => void)[] = [];
  const app = Fastify();
  onTestFinished(() => {
    for (const resolve of taken) resolve();
    return app.close();
  });
  app.setErrorHandler(renderConsoleError);
  app.get("/:organization/:person", async (request, reply) => {
    const { organization, person } = request.params as Record<string, string>;
    Object.assign(request, { organization: { id: organization }, person: { id: person } });
    files.enter(request, reply);
    await new Promise<void>((resolve) => taken.push(resolve));
    return "whole";
  });
  const take = (path: string) => app.inject({ url: path });
  const held = ["/one/jo", "/one/jo", "/one/al", "/one/al", "/other/li"].map(take);
  await expect.poll(() => taken.length).toBe(held.length);
  for (const path of ["/one/jo", "/one/li"]) expect((await take(path)).statusCode).toBe(429);
  for (const resolve of taken.splice(0)) resolve();
  for (const answer of await Promise.all(held)) expect(answer.statusCode).toBe(200);
  const again = take("/one/jo");
  await expect.poll(() => taken.length).toBe(1);
  taken[0]?.();
  expect((await again).statusCode).toBe(200);
});

/** The files are larger than the client's buffers, so the rest waits until the client reads. */
const largeFiles = {
  downloadUploadOutcomes: async () => {
    const by = await uploader(gatehouse);
    const { uuid } = await by.run(fileOf(by, "1"));
    return { by, path: `${by.uploads}/${uuid}/outcomes.csv` };
  },
  downloadUploadFailures: async () => {
    const by = await uploader(gatehouse);
    const { uuid } = await by.run(fileOf(by, "no type"));
    return { by, path: `${by.uploads}/${uuid}/failures.csv` };
  },
  exportPerson: async () => {
    const by = await uploader(gatehouse);
    const metadata = { text: "x".repeat(50_000) };
    const lead = { email: "jo@example.com", locationUuid: by.locationUuid, metadata };
    for (let sent = 0; sent < 3; sent += 1)
      expect((await gatehouse.post("/lead/submit", by.apiKey, lead)).status).toBe(200);
    const body = { email: lead.email, format: "ndjson" };
    return { by, path: `/organizations/${by.organizationId}/people/export`, body };
  },
} satisfies Partial<
  Record<ConsoleOperationName, () => Promise<{ by: Uploader; path: string; body?: object }>>
>;

function fileOf(by: Uploader, type: string): string {
  const lines = Array.from({ length: 1_000 }, (_, index) => by.line(`T-${index}`, type));
  return transactionHeader + lines.join("");
}

test.each(Object.entries(largeFiles))(
  "%s: a user with two slow downloads gets a third when one of them ends",
  async (_name, prepare) => {
    const { by, path, body }: { by: Uploader; path: string; body?: object } = await prepare();
    const take = () =>
      gatehouse.app.inject({
        method: body ? "POST" : "GET",
        url: consoleRoot + path,
        headers: { ...ownPage, cookie: by.person.cookie, "x-forwarded-proto": "https" },
        ...(body && { payload: body }),
        payloadAsStream: true,
      });
    const [first, second, third] = [await take(), await take(), await take()];
    expect([first, second, third].map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
    await text(first.stream());
    const fourth = await take();
    expect(fourth.statusCode).toBe(200);
    for (const { stream } of [second, fourth]) await text(stream());
  },
);
