import { parse } from "csv-parse/sync";
import {
  maxChangedLeads,
  maxExportedRows,
  maxLeadNoteLength,
  maxLeadNotes,
} from "@gatehouse-parking/contract";
import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import { consoleRoot, ownPage, signedIn, type Visitor } from "../../../testing/console.js";
import { useApp, type Tenant } from "../../../testing/harness.js";
import { rowsReadBy } from "../../../testing/rows-read.js";

/** How users of the console work on leads. */
const gatehouse = useApp();
let tenant: Tenant;
let root: string;
let ann: Visitor;
let bob: Visitor;
let viewer: Visitor;

beforeAll(async () => {
  tenant = await gatehouse.tenant();
  root = `/organizations/${tenant.organizationId}`;
  ann = await signedIn(gatehouse, "admin", tenant.organizationId);
  bob = await signedIn(gatehouse, "admin", tenant.organizationId);
  viewer = await signedIn(gatehouse, "viewer", tenant.organizationId);
});

let people = 0;
async function submit(fields: object = {}): Promise<string> {
  people += 1;
  const { apiKey, locationUuid } = tenant;
  const lead = { email: `person-${people}@example.com`, locationUuid, ...fields };
  // Formatted as people write JSON. Metadata keeps the formatting.
  const answer = await gatehouse.post("/lead/submit", apiKey, JSON.stringify(lead, null, 2));
  expect(answer.status).toBe(200);
  return answer.json.leadUuid;
}
const show = async (uuid: string, by = ann) => (await by.get(`${root}/leads/${uuid}`)).json;
const listed = async (query: string) =>
  (await ann.get(`${root}/leads?${query}`)).json.data.map(({ uuid }: { uuid: string }) => uuid);
const trail = async (action: string) =>
  (await ann.get(`${root}/audit?action=${action}`)).json.data.map(
    ({ detail, ...line }: { detail: string }) => ({ ...line, detail: JSON.parse(detail) }),
  );

test("a lead is new and stores no work state until a user works on it, and then shows who and when", async () => {
  const uuid = await submit();
  const rows = async () =>
    (await gatehouse.database.work.query("select state from lead_work where lead_id = $1", [uuid])).rows;
  expect(await rows()).toEqual([]);
  const fresh = await show(uuid);
  expect(fresh).toMatchObject({ workState: "new", workChanged: null, workNotes: [] });
  // Saving a lead unchanged does not count as work.
  await ann.patch(`${root}/leads/${uuid}`, { workState: "new" });
  expect(await rows()).toEqual([]);

  const { version } = fresh;
  const changed = await ann.patch(`${root}/leads/${uuid}`, { workState: "contacted", version });
  expect(changed.json).toMatchObject({ workState: "contacted", workChanged: { actor: ann.email } });
  expect((await trail("lead.work"))[0]).toMatchObject({
    actor: ann.email,
    subject: { uuid },
    detail: { workState: { from: "new", to: "contacted" } },
  });
  const late = await bob.patch(`${root}/leads/${uuid}`, { workState: "closed", version });
  expect([late.status, late.json.code]).toEqual([409, "changedMeanwhile"]);
  expect(await show(uuid)).toMatchObject({ workState: "contacted", workChanged: { actor: ann.email } });

  expect((await viewer.patch(`${root}/leads/${uuid}`, { workState: "closed" })).status).toBe(403);
  expect((await ann.patch(`${root}/leads/${uuid}`, { workState: "lost" })).status).toBe(400);
  expect((await ann.patch(`${root}/leads/${uuid}`, {})).status).toBe(400);
});

test("of concurrent changes of one version, one succeeds", async () => {
  const uuid = await submit();
  const { version } = await show(uuid);
  const answers = await Promise.all(
    ["contacted", "closed", "contacted", "closed"].map((workState) =>
      ann.patch(`${root}/leads/${uuid}`, { workState, version }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
});

test("quarantine and work state are independent, and quarantined leads are excluded from the work filter", async () => {
  const uuid = await submit();
  await ann.patch(`${root}/leads/${uuid}`, { workState: "closed" });
  await ann.patch(`${root}/leads/${uuid}`, { state: "quarantined" });
  expect(await show(uuid)).toMatchObject({ state: "quarantined", workState: "closed" });
  expect(await listed("workState=closed")).not.toContain(uuid);
  expect(await listed("workState=closed&state=quarantined")).toEqual([uuid]);
  await ann.patch(`${root}/leads/${uuid}`, { state: "accepted" });
  expect(await listed("workState=closed")).toContain(uuid);
  expect(await listed("workState=new")).not.toContain(uuid);
});

test("several leads are changed together or not at all, with one audit entry that names them", async () => {
  const uuids = [await submit(), await submit(), await submit()];
  const versions = await Promise.all(
    uuids.map(async (uuid) => ({ uuid, version: (await show(uuid)).version })),
  );
  await bob.patch(`${root}/leads/${uuids[2]}`, { workState: "closed" });
  const late = await ann.post(`${root}/leads/changes`, { leads: versions, workState: "contacted" });
  expect([late.status, late.json.code]).toEqual([409, "changedMeanwhile"]);
  expect(late.json.errors[0]).toContain("1 of these leads");
  expect(await show(uuids[0] as string)).toMatchObject({ workState: "new" });

  // The same lead twice in different spellings counts once.
  const leads = [...uuids.map((uuid) => ({ uuid })), { uuid: uuids[0]?.toUpperCase() }];
  const closed = await ann.post(`${root}/leads/changes`, { leads, workState: "closed" });
  expect(closed.json).toEqual({ changed: 2 });
  expect((await trail("lead.update-several"))[0]).toMatchObject({
    actor: ann.email,
    detail: { workState: "closed", count: 3, changed: 2, leads: uuids },
  });
  expect(await show(uuids[0] as string)).toMatchObject({ workChanged: { actor: ann.email } });
  // A lead that was closed before keeps who closed it.
  expect(await show(uuids[2] as string)).toMatchObject({ workChanged: { actor: bob.email } });

  const moved = await ann.post(`${root}/leads/changes`, { leads, state: "quarantined" });
  expect(moved.json).toEqual({ changed: 3 });
  expect(await show(uuids[1] as string)).toMatchObject({
    state: "quarantined",
    movedBy: { actor: ann.email },
  });
});

test("an invalid bulk change gets an explanation and changes nothing", async () => {
  const uuid = await submit();
  const post = (body: object, by = ann) => by.post(`${root}/leads/changes`, body);
  const leads = [{ uuid }];
  const elsewhere = await gatehouse.tenant();
  const foreign = await signedIn(gatehouse, "admin", elsewhere.organizationId);
  const refused = [
    [await post({ leads: [], workState: "closed" }), 400],
    [await post({ leads }), 400],
    [await post({ leads: [{ uuid: "x" }], workState: "closed" }), 400],
    [await post({ leads: ["x"], workState: "closed" }), 400],
    [
      await post({ leads: Array.from({ length: maxChangedLeads + 1 }, () => ({ uuid })), state: "accepted" }),
      400,
    ],
    [await post({ leads: [{ uuid }, { uuid: randomUUID() }], workState: "closed" }), 404],
    [await post({ leads, workState: "closed" }, viewer), 403],
    [
      await foreign.post(`/organizations/${elsewhere.organizationId}/leads/changes`, {
        leads,
        workState: "closed",
      }),
      404,
    ],
  ] as const;
  expect(refused.map(([{ status }]) => status)).toEqual(refused.map(([, status]) => status));
  expect(await show(uuid)).toMatchObject({ workState: "new" });
});

test("notes show author and time, are limited in length and number, and only their author removes them", async () => {
  const uuid = await submit();
  const notes = `${root}/leads/${uuid}/notes`;
  const token = randomUUID();
  const first = await ann.post(notes, { text: " Called back,\nwants two spaces " }, token);
  // The same note again, as by a double click.
  expect((await ann.post(notes, { text: " Called back,\nwants two spaces " }, token)).json).toEqual(
    first.json,
  );
  await bob.post(notes, { text: "Sent an offer" });
  expect((await show(uuid)).workNotes).toMatchObject([
    { text: "Called back,\nwants two spaces", author: ann.email, isOwn: true },
    { text: "Sent an offer", author: bob.email, isOwn: false },
  ]);
  const [{ uuid: own }, { uuid: other }] = (await show(uuid)).workNotes;
  expect((await ann.delete(`${notes}/${other}`)).status).toBe(409);
  expect((await viewer.delete(`${notes}/${own}`)).status).toBe(403);
  expect((await ann.delete(`${notes}/${own}`)).status).toBe(204);
  expect((await ann.delete(`${notes}/${own}`)).status).toBe(404);
  expect((await show(uuid)).workNotes).toHaveLength(1);
  // The text of a note is stored nowhere else.
  expect(JSON.stringify(await trail("lead"))).not.toMatch(/offer|spaces/);
  expect(await trail("lead.remove-note")).toMatchObject([{ actor: ann.email, subject: { uuid } }]);

  for (const text of [" \n", "x".repeat(maxLeadNoteLength + 1), "a\u0000b"])
    expect((await ann.post(notes, { text })).status, JSON.stringify(text).slice(0, 20)).toBe(400);
  await gatehouse.database.work.query(
    `insert into lead_notes (organization_id, lead_id, id, author_id, author, note, created_at)
     select $1, $2, gen_random_uuid(), $1, 'x', 'x', now() from generate_series(1, $3::integer)`,
    [tenant.organizationId, uuid, maxLeadNotes - 2],
  );
  const atOnce = await Promise.all([1, 2, 3].map(() => ann.post(notes, { text: "The last" })));
  expect(atOnce.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
});

test("leads with the same email or phone are counted in the list and shown together", async () => {
  const first = await submit({ email: "Kim@example.com" });
  const second = await submit({ email: "kim@EXAMPLE.com", phone: "+1 (555) 010-7777" });
  const third = await submit({ email: "kim@work.example", phone: "+1-555-010-7777" });
  await submit({ email: "other@example.com", phone: "+1 555 010 7778" });
  const rows = (await ann.get(`${root}/leads?limit=4`)).json.data;
  expect(rows.map((row: { leadsOfPerson: number }) => row.leadsOfPerson)).toEqual([1, 2, 3, 2]);
  const others = async (uuid: string) => (await show(uuid)).others.map((lead: { uuid: string }) => lead.uuid);
  expect(await others(second)).toEqual([third, first]);
  expect(await others(third)).toEqual([second]);
});

test("the list of leads is paged in both directions, with filters", async () => {
  const uuids: string[] = [];
  for (const _ of [1, 2, 3, 4, 5]) uuids.unshift(await submit({ companyName: "Paging" }));
  const page = async (query: string) => (await ann.get(`${root}/leads?text=paging&limit=2&${query}`)).json;
  const first = await page("");
  expect(first).toMatchObject({ previousCursor: null });
  const second = await page(`before=${first.nextCursor}`);
  const third = await page(`before=${second.nextCursor}`);
  expect([first, second, third].flatMap(({ data }) => data.map((row: { uuid: string }) => row.uuid))).toEqual(
    uuids,
  );
  expect(third.nextCursor).toBeNull();
  const back = await page(`after=${third.previousCursor}`);
  expect(back.data).toEqual(second.data);
  expect((await page(`after=${back.previousCursor}`)).data).toEqual(first.data);
  expect((await page(`before=${back.nextCursor}`)).data).toEqual(third.data);
});

test("exports have the active filters and the work state, and NDJSON has the exact metadata", async () => {
  const uuid = await submit({ companyName: "Files", metadata: { exact: 12_345 }, notes: "=1+1" });
  await submit({ companyName: "Files" });
  await ann.patch(`${root}/leads/${uuid}`, { workState: "contacted" });
  const query = "text=files&workState=contacted";
  const ndjson = await viewer.get(`${root}/leads.ndjson?${query}`);
  expect(ndjson.headers["content-disposition"]).toBe('attachment; filename="leads.ndjson"');
  expect(
    ndjson.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    {
      leadUuid: uuid,
      workState: "contacted",
      workStateChangedBy: ann.email,
      notes: "=1+1",
      metadata: { exact: 12_345 },
    },
  ]);
  const csv = await viewer.get(`${root}/leads.csv?${query}`);
  expect(parse(csv.text, { bom: true, columns: true })).toMatchObject([
    { leadUuid: uuid, workState: "contacted", notes: "'=1+1" },
  ]);
  expect(await trail("lead.download")).toMatchObject([
    { actor: viewer.email, action: "lead.downloaded", detail: { format: "csv", rows: 1, isWhole: true } },
    { action: "lead.download", detail: { filters: { workState: "contacted" }, searched: ["text"] } },
    { action: "lead.downloaded", detail: { format: "ndjson", rows: 1, isWhole: true } },
    { action: "lead.download", detail: { format: "ndjson" } },
  ]);
  expect((await ann.get(`${root}/leads.xml`)).status).toBe(404);
});

test("the cost of a page, a lead and a bulk change does not depend on the number of other leads", async () => {
  const uuid = await submit();
  const { organizationId, locationUuid } = tenant;
  const { work } = gatehouse.database;
  const tables = ["leads", "lead_work", "lead_notes"];
  await work.query(
    `insert into leads (organization_id, id, location_id, email, email_key, phone, api_key_id, address, created_at)
     select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2, 'x', 'x' || n, '+49 30 ' || 100000 + n, $1, '127.0.0.1', '2020-01-01'
     from generate_series(1, 5000) as n`,
    [organizationId, locationUuid],
  );
  await work.query(
    `insert into lead_work (organization_id, lead_id, state, changed_by, changed_at)
     select organization_id, id, 'closed', 'x', now() from leads where organization_id = $1 on conflict do nothing`,
    [organizationId],
  );
  const read = await rowsReadBy(gatehouse.database, tables, async () => {
    expect((await ann.get(`${root}/leads?limit=10`)).json.data).toHaveLength(10);
    expect((await show(uuid)).uuid).toBe(uuid);
    const change = { leads: [{ uuid }], workState: "contacted" };
    expect((await ann.post(`${root}/leads/changes`, change)).json).toEqual({ changed: 1 });
  });
  expect(read.sequential).toBe(0);
  expect(read.indexed).toBeLessThan(500);
});

test("a user with slow downloads, at most two at a time, does not keep others from exporting", async () => {
  const slowly = async () => {
    const headers = { ...ownPage, cookie: viewer.cookie, "x-forwarded-proto": "https" };
    const url = `${consoleRoot}${root}/leads.csv`;
    const answer = await gatehouse.app.inject({ url, headers, payloadAsStream: true });
    return { status: answer.statusCode, stream: answer.stream() };
  };
  const taken = [await slowly(), await slowly()];
  expect(taken.map(({ status }) => status)).toEqual([200, 200]);
  const third = await viewer.get(`${root}/leads.csv`);
  expect([third.status, third.headers["retry-after"]]).toEqual([429, "1"]);
  const whole = await ann.get(`${root}/leads.csv`);
  expect(whole.headers["gatehouse-max-rows"]).toBe(String(maxExportedRows));
  expect(parse(whole.text, { bom: true, columns: true }).length).toBeGreaterThan(5_000);

  for (const { stream } of taken) await text(stream);
  expect((await viewer.get(`${root}/leads.csv`)).status).toBe(200);
});
