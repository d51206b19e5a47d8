import { once } from "node:events";
import { request as askOverHttp } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { sections } from "../../../../testing/sections.js";
import { ownPage, signedIn } from "../../../../testing/console.js";
import { useApp } from "../../../../testing/harness.js";
import { importer } from "../../../../testing/importer.js";
import { ExportQueue } from "../../../features/exports/export-queue.js";

const gatehouse = useApp({}, (app) => app.listen({ host: "127.0.0.1", port: 0 }));
const root = "/console/api";
const pathOf = (organizationId: string) => `/organizations/${organizationId}/export.ndjson`;
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("an admin exports everything, with an audit entry before the first byte; viewers and other admins get nothing", async () => {
  const partner = await importer(gatehouse);
  await partner.importTransactions(partner.transaction("T-1"));
  const { organizationId } = partner;
  const admin = await signedIn(gatehouse, "admin", organizationId);
  const answer = await admin.get(pathOf(organizationId));
  expect(answer.status).toBe(200);
  expect(answer.headers["content-type"]).toBe("application/x-ndjson; charset=utf-8");
  expect(answer.headers["content-disposition"]).toBe(
    `attachment; filename="organization-${organizationId}.ndjson"`,
  );
  const lines = linesOf(answer.text);
  expect(lines[0]).toMatchObject({
    kind: "head",
    organization: { uuid: organizationId },
    lines: { transaction: 1 },
  });
  expect(lines.filter(({ kind }) => kind === "transaction")).toMatchObject([{ transactionId: "T-1" }]);
  expect(lines.filter(({ kind }) => kind === "audit").at(-1)).toMatchObject({
    action: "organization.export",
    actor: admin.email,
  });
  const { data } = (await admin.get(`/organizations/${organizationId}/audit`)).json;
  expect(data.slice(0, 2)).toMatchObject([
    { action: "organization.exported", detail: '{"isWhole":true}' },
    { action: "organization.export", actor: admin.email },
  ]);

  const viewer = await signedIn(gatehouse, "viewer", organizationId);
  expect((await viewer.get(pathOf(organizationId))).status).toBe(403);
  const other = await signedIn(gatehouse, "admin", (await gatehouse.tenant()).organizationId);
  expect((await other.get(pathOf(organizationId))).status).toBe(404);
});

test("an export is resumed with the value of a mark; an invalid mark or one of another organization is rejected", async () => {
  const { organizationId } = await gatehouse.tenant();
  const admin = await signedIn(gatehouse, "admin", organizationId);
  const whole = (await admin.get(pathOf(organizationId))).text;
  const [, mark = ""] = whole.split("\n");
  const { resume } = JSON.parse(mark);
  const ask = (value: string, id = organizationId) => admin.get(`${pathOf(id)}?resume=${value}`);
  const rest = (await ask(resume)).text;
  expect(JSON.parse(rest.split("\n")[0] as string)).toMatchObject({ kind: "continued" });
  expect(rest.split("\n").slice(1)).toEqual(whole.split("\n").slice(2));
  for (const wrong of ["nothing", Buffer.from('{"version":1}').toString("base64url"), resume.slice(0, -9)])
    expect((await ask(wrong)).json).toMatchObject({
      code: "invalid",
      errors: [expect.stringContaining("resume must be")],
    });
  const operator = await signedIn(gatehouse, "operator");
  const elsewhere = (await gatehouse.tenant()).organizationId;
  expect((await operator.get(`${pathOf(elsewhere)}?resume=${resume}`)).json.errors).toEqual([
    "resume belongs to the export of another organization",
  ]);
});

test("one export per organization and two per instance run at a time, and a disconnect frees the slot at once", async () => {
  const { organizationId } = await gatehouse.tenant();
  const admin = await signedIn(gatehouse, "admin", organizationId);
  // An export that another instance runs, which this instance does not know.
  const elsewhere = new ExportQueue(gatehouse.database.exports, { sections, atOnce: 1, maxMs: 60_000 });
  const held = await elsewhere.open({ organizationId, actor: "test" });
  expect((await admin.get(pathOf(organizationId))).json).toMatchObject({
    code: "conflict",
    errors: ["An export of this organization is already running. Wait until it has ended"],
  });
  const others = (await gatehouse.tenant()).organizationId;
  await expect(elsewhere.open({ organizationId: others, actor: "test" })).rejects.toMatchObject({
    refusal: "overloaded",
    details: [expect.stringContaining("the maximum number of exports")],
  });
  held.destroy();
  await elsewhere.settled();

  // A user who repeats the request gets no second slot.
  const desk = new ExportQueue(gatehouse.database.exports, { sections, atOnce: 2, maxMs: 60_000 });
  const first = await desk.open({ organizationId, actor: "test" });
  const again = desk.open({ organizationId, actor: "test" });
  const other = await desk.open({ organizationId: others, actor: "test" });
  first.destroy();
  for (const file of [await again, other]) file.destroy();
  await desk.settled();

  // A client that stops reading does not keep other organizations from their exports.
  const impatient = new ExportQueue(gatehouse.database.exports, {
    sections,
    atOnce: 1,
    maxMs: 60_000,
    maxWaitMs: 0,
  });
  const unread = await impatient.open({ organizationId, actor: "test" });
  const broken = once(unread, "error");
  unread.read();
  const next = await impatient.open({ organizationId: others, actor: "test" });
  expect(await broken).toMatchObject([
    { message: expect.stringContaining("Another organization is waiting") },
  ]);
  next.destroy();
  await impatient.settled();

  // An export whose client never reads and then disconnects.
  const { port } = gatehouse.app.addresses()[0] as AddressInfo;
  const asked = askOverHttp({
    ...{ host: "127.0.0.1", port, path: `${root}${pathOf(organizationId)}` },
    headers: { ...ownPage, cookie: admin.cookie, "x-forwarded-proto": "https" },
  });
  asked.on("error", () => undefined).end();
  const reached = await new Promise<{ statusCode?: number | undefined }>((resolve) =>
    asked.once("response", resolve),
  );
  expect(reached.statusCode).toBe(200);
  asked.destroy();
  const { exports } = gatehouse.database;
  await expect.poll(() => exports.totalCount - exports.idleCount).toBe(0);
  expect((await admin.get(pathOf(organizationId))).status).toBe(200);
});
