import { maxExportedRows, savedViewLimits } from "@gatehouse-parking/contract";
import { maxCounted } from "@gatehouse-parking/contract/console";
import { parse } from "csv-parse/sync";
import { beforeAll, expect, test, vi } from "vitest";
import { signedIn, type Visitor } from "../../../../testing/console.js";
import { useApp, type Tenant } from "../../../../testing/harness.js";
import { erasePerson } from "../../../features/people/erase-person.js";
import { begun, exportList, wholeReader, type Exported } from "../../downloads/export-list.js";

/** Common behaviour of all lists: paging in both directions, exports, and saved views. */
const gatehouse = useApp();
const rows = 7;
let tenant: Tenant;
let admin: Visitor;
let root: string;

beforeAll(async () => {
  tenant = await gatehouse.tenant();
  const { organizationId, apiKey } = tenant;
  root = `/organizations/${organizationId}`;
  admin = await signedIn(gatehouse, "admin", organizationId);
  for (let number = 1; number <= rows; number += 1) {
    await gatehouse.post("/integrations/accounts", apiKey, {
      accounts: [{ tpReferenceId: `A-${number}`, name: number === 1 ? "=1+1" : `Company ${number}` }],
    });
    await admin.post(`${root}/locations`, {
      ...{ name: `Deck ${number}`, address: "1 Road", city: `City ${rows - number}`, state: "NY" },
      ...{ zipcode: "1", timeZone: "America/New_York" },
    });
    await admin.post(`${root}/uploads`, { fileName: `${number}.csv`, size: 1, resource: "accounts" });
  }
  await vi.waitFor(async () => expect((await admin.get(`${root}/requests`)).json.data).toHaveLength(rows), {
    timeout: 180_000,
  });
});

const uuidOf = (row: { uuid?: string; referenceUuid: string }) => row.uuid ?? row.referenceUuid;

test.each([
  "/runs?status=1&",
  "/runs?having=created&",
  "/requests?outcome=accepted&",
  "/uploads?state=receiving&",
  "/records/accounts?",
  "/records/accounts?text=A-&",
  "/audit?action=location.create&",
])("%s can be paged from either end and back", async (path) => {
  const page = async (query: string) => (await admin.get(`${root}${path}limit=3&${query}`)).json;
  const newest = (await admin.get(`${root}${path}`)).json.data.map(uuidOf);
  expect(newest.length).toBeGreaterThanOrEqual(rows);
  for (const [sort, onwards, back, expected] of [
    ["newest", "before", "after", newest],
    ["oldest", "after", "before", newest.toReversed()],
  ] as const) {
    const pages = [await page(`sort=${sort}`)];
    expect(pages[0].previousCursor).toBeNull();
    for (let cursor = pages[0].nextCursor; cursor !== null; cursor = pages.at(-1).nextCursor)
      pages.push(await page(`sort=${sort}&${onwards}=${cursor}`));
    expect(pages.flatMap(({ data }) => data.map(uuidOf))).toEqual(expected);

    let shown = pages.at(-1);
    for (const before of pages.slice(0, -1).toReversed()) {
      shown = await page(`sort=${sort}&${back}=${shown.previousCursor}`);
      expect(shown.data.map(uuidOf)).toEqual(before.data.map(uuidOf));
      expect(shown.nextCursor).toBe(before.nextCursor);
    }
    expect(shown.previousCursor).toBeNull();
  }
});

test.each([
  "/runs?",
  "/runs?status=1&",
  "/leads?",
  "/leads?workState=new&",
  "/requests?outcome=accepted&",
  "/uploads?state=receiving&",
  "/records/accounts?text=A-&",
  "/records/transactions?fromDate=2026-01-01&",
  "/audit?action=location.create&",
])("%s counts its rows on request", async (path) => {
  const all = (await admin.get(`${root}${path}`)).json;
  expect(all).not.toHaveProperty("total");
  const counted = (await admin.get(`${root}${path}limit=1&total=yes`)).json;
  expect(counted.total).toEqual({ count: all.data.length, isMore: false });
});

test("counting ends at a limit", async () => {
  const other = await gatehouse.tenant();
  const viewer = await signedIn(gatehouse, "viewer", other.organizationId);
  await gatehouse.database.work.query(
    `insert into accounts (organization_id, id, tp_reference_id, name, type, is_active, import_run_id, position, created_at)
     select $1, gen_random_uuid(), 'A-' || number, 'A', 1, true, gen_random_uuid(), number, now()
     from generate_series(1, $2) as number`,
    [other.organizationId, maxCounted + 1],
  );
  const path = `/organizations/${other.organizationId}/records/accounts?limit=1&total=yes`;
  for (const filter of ["", "&type=1"])
    expect((await viewer.get(path + filter)).json.total).toEqual({ count: maxCounted, isMore: true });
  expect((await viewer.get(`${path}&type=2`)).json.total).toEqual({ count: 0, isMore: false });
});

test("transactions of a date range can be paged in both directions by day", async () => {
  const sold = ["2026-04-02", "2026-04-01", "2026-04-03", "2026-04-01"].map((date, index) => ({
    ...{ transactionId: `T-${index}`, locationUuid: tenant.locationUuid, type: 1 },
    transactionDate: `${date}T16:00:00.000Z`,
  }));
  await gatehouse.post("/integrations/transactions", tenant.apiKey, { transactions: sold });
  const page = async (query: string) =>
    (await admin.get(`${root}/records/transactions?fromDate=2026-04-01&limit=2&${query}`)).json;
  const references = ({ data }: { data: { reference: string }[] }) => data.map(({ reference }) => reference);
  const first = await page("sort=oldest");
  expect(references(first)).toEqual(["T-1", "T-3"]);
  const second = await page(`sort=oldest&after=${first.nextCursor}`);
  expect(references(second)).toEqual(["T-0", "T-2"]);
  expect(references(await page(`sort=oldest&before=${second.previousCursor}`))).toEqual(["T-1", "T-3"]);
  expect(references(await page(""))).toEqual(["T-2", "T-0"]);
  const forged = ["2026-02-30", "99999999999", "2145042906", "-2440589", "1e3", ""].map(
    async (day) =>
      (
        await admin.get(
          `${root}/records/transactions?fromDate=2026-04-01&before=${day}~${tenant.locationUuid}`,
        )
      ).status,
  );
  expect(await Promise.all(forged)).toEqual(forged.map(() => 400));

  // The first and last possible day, and days before the first year and of the year 10000.
  const { rows: made } = await gatehouse.database.work.query(
    `update transactions as record set local_date = days.day from (values
       ('T-0', date '4714-11-24 BC'), ('T-1', date '0001-12-31 BC'), ('T-2', date '10000-01-01'), ('T-3', date '5874897-12-31')
     ) as days (reference, day)
     where organization_id = $1 and transaction_id = days.reference returning transaction_id`,
    [tenant.organizationId],
  );
  expect(made).toHaveLength(4);
  const read: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const query = `location=${tenant.locationUuid}&type=1&limit=1&sort=oldest${cursor && `&after=${cursor}`}`;
    const { json } = await admin.get(`${root}/records/transactions?${query}`);
    read.push(...references(json));
    cursor = json.nextCursor;
  }
  expect(read).toEqual(["T-0", "T-1", "T-2", "T-3"]);
  await gatehouse.database.work.query(
    "update transactions set local_date = case when transaction_id in ('T-1', 'T-3') then date '2026-04-01' else '2026-04-02' end where organization_id = $1",
    [tenant.organizationId],
  );
});

test("locations and organizations are sorted by the requested column", async () => {
  const names = async (sort: string) =>
    (await admin.get(`${root}/locations?query=Deck&sort=${sort}`)).json.data.map(
      ({ name }: { name: string }) => name,
    );
  const decks = Array.from({ length: rows }, (_, index) => `Deck ${index + 1}`);
  expect(await names("-name")).toEqual(decks.toReversed());
  expect(await names("city")).toEqual(decks.toReversed());
  expect(await names("-city")).toEqual(decks);
  expect((await admin.get(`${root}/locations?sort=address`)).status).toBe(400);
  await gatehouse.tenant();
  const operator = await signedIn(gatehouse, "operator");
  const made = async (sort: string) =>
    (await operator.get(`/organizations?sort=${sort}`)).json.data.map(({ uuid }: { uuid: string }) => uuid);
  expect(await made("-createdAt")).toEqual((await made("createdAt")).toReversed());
});

test("names are sorted without case and by the value of their numbers; the public list keeps its order", async () => {
  const other = await gatehouse.tenant();
  const operator = await signedIn(gatehouse, "operator");
  const names = ["lot 9", "Lot 10", "Lot 2", "lot 009b"];
  for (const name of names) {
    await operator.post("/organizations", { name });
    await operator.post(`/organizations/${other.organizationId}/locations`, {
      ...{ name, address: "1 Road", city: "Rye", state: "NY", zipcode: "1", timeZone: "America/New_York" },
    });
  }
  const namesIn = async (list: string) =>
    (await operator.get(list)).json.data.map(({ name }: { name: string }) => name);
  const sorted = ["Lot 2", "lot 9", "lot 009b", "Lot 10"];
  for (const list of ["/organizations", `/organizations/${other.organizationId}/locations`]) {
    expect(await namesIn(`${list}?query=lot`)).toEqual(sorted);
    expect(await namesIn(`${list}?query=lot&sort=-name`)).toEqual(sorted.toReversed());
  }
  const answer = await gatehouse.send({
    method: "GET",
    url: "/integrations/locations?query=lot",
    key: other.apiKey,
  });
  const { data } = answer.json as { data: { name: string }[] };
  expect(data.map(({ name }) => name)).toEqual(names.toSorted());
});

const exports: [path: string, list: string, heading: string][] = [
  [
    "/runs",
    "/runs?limit=100",
    "referenceUuid,resource,status,startedAt,completedAt,durationMs,totalSubmitted,successCount,failedCount,skippedCount,apiKeyUuid,apiKeyName,apiKeyPrefix,undoneAt,undoneBy,undoneCount,fileReferenceUuid,fileName,fileRuns",
  ],
  [
    "/requests",
    "/requests?limit=100",
    "uuid,at,apiKeyUuid,apiKeyName,apiKeyPrefix,operation,status,reason,referenceUuid,bodyBytes,durationMs,requestId",
  ],
  [
    "/uploads",
    "/uploads?limit=100",
    "uuid,fileName,size,receivedBytes,resource,state,pass,actions,progress,rows,created,skipped,failed,conflicts,leftOut,setAside,runCount,problem,createdBy,createdAt,changedAt,keptUntil,isFileKept,reference",
  ],
  [
    "/locations",
    "/locations?pageSize=500",
    "uuid,name,address,city,state,zipcode,timeZone,isActive,tpReferenceId",
  ],
  [
    "/api-keys",
    "/api-keys",
    "uuid,organizationUuid,name,prefix,permissions,leadOrigins,leadLimitRequests,leadLimitWindowSeconds,createdAt,expiresAt,revokedAt,replacedByUuid,replacedByName,replacedByPrefix,lastUsedAt,lastUsedAddress",
  ],
  ["/members", "/members", "uuid,email,role,createdAt,disabledAt,hasPassword,hasSecondFactor,lastSeenAt"],
];

test.each(exports)(
  "%s is exported as CSV and NDJSON with every row of the list",
  async (path, list, heading) => {
    const listed = (await admin.get(`${root}${list}`)).json.data;
    const csv = await admin.get(`${root}${path}.csv`);
    expect(csv.headers["content-disposition"]).toMatch(/^attachment; filename="[a-z-]+[.]csv"$/);
    const [head, ...lines] = parse(csv.text, { bom: true }) as string[][];
    expect(head?.join(",")).toBe(heading);
    expect(lines).toHaveLength(listed.length);
    const ndjson = (await admin.get(`${root}${path}.ndjson`)).text.trimEnd().split("\n");
    expect(ndjson.map((line) => JSON.parse(line))).toEqual(
      listed.map(({ version: _version, ...row }: Record<string, unknown>) => row),
    );
  },
);

test("an export has the filters and order of the list, neutralized cells, and two audit entries", async () => {
  const csv = (await admin.get(`${root}/records/accounts.csv?sort=oldest&text=A-&type=1`)).text;
  const accounts = parse(csv, { bom: true, columns: true }) as Record<string, string>[];
  expect(accounts.map(({ reference }) => reference)).toEqual(
    Array.from({ length: rows }, (_, index) => `A-${index + 1}`),
  );
  expect(accounts[0]).toMatchObject({ name: "'=1+1", type: "1", tpReferenceId: "A-1" });
  expect((await admin.get(`${root}/records/accounts.csv?text=Z`)).text.split("\r\n")).toHaveLength(2);
  expect((await admin.get(`${root}/runs.csv?status=2`)).text.split("\r\n")).toHaveLength(2);
  expect((await admin.get(`${root}/runs.csv?status=9`)).status).toBe(400);
  expect((await admin.get(`${root}/runs.xlsx`)).status).toBe(404);
  expect((await admin.get(`${root}/records/accounts.csv?before=nonsense`)).status).toBe(400);
  // Such a row would be skipped.
  const other = `after=${(await admin.get(`${root}/runs?limit=1`)).json.nextCursor}`;
  expect((await admin.get(`${root}/runs.csv?${other}`)).status).toBe(400);
  expect((await admin.get(`${root}/runs.csv?sort=oldest&${other}`)).text.split("\r\n")).toHaveLength(2);

  const { data } = (await admin.get(`${root}/audit?action=record.download&sort=oldest`)).json;
  expect(data.slice(0, 2)).toMatchObject([
    { action: "record.download", actor: admin.email },
    { action: "record.downloaded", actor: admin.email },
  ]);
  // The search text may be a person's name.
  expect(data.slice(0, 2).map(({ detail }: { detail: string }) => JSON.parse(detail))).toEqual([
    { format: "csv", filters: { sort: "oldest", type: 1 }, searched: ["text"] },
    { format: "csv", rows, isWhole: true },
  ]);
});

test("an export has a maximum size, and the audit log records how much was sent however it ends", async () => {
  const endless = async (_cursor: string | undefined, limit: number) => ({
    data: Array.from({ length: limit }, () => 1),
    nextCursor: "more",
  });
  const none = async () => ({ data: [], nextCursor: "more" });
  const format = { heading: "n\n", toLine: (row: number) => `${row}\n` };
  const ends: Exported[] = [];
  const options = { onEnd: async (exported: Exported) => void ends.push({ ...exported }) };
  const linesOf = async (pieces: AsyncIterable<string>) => {
    let lines = 0;
    for await (const piece of pieces) lines += piece.split("\n").length - 1;
    return lines;
  };
  expect(await linesOf(exportList(endless, format, options))).toBe(1 + maxExportedRows);
  expect(await linesOf(exportList(endless, format, { ...options, rowsPerRead: 50 }))).toBe(
    1 + maxExportedRows,
  );
  // An export that stopped early must not look complete.
  await expect(linesOf(exportList<number>(none, format, options))).rejects.toThrow("it read too many rows");
  for await (const piece of exportList(endless, format, options)) if (piece !== "n\n") break;
  const all = (count: number) =>
    wholeReader(async (limit) => Array.from({ length: Math.min(limit, count) }, () => 1));
  expect(await linesOf(exportList(await begun(all(1_200)), format, options))).toBe(1 + 1_200);
  expect(await linesOf(exportList(all(maxExportedRows), format, options))).toBe(1 + maxExportedRows);
  expect(await linesOf(exportList(all(maxExportedRows + 1), format, options))).toBe(1 + maxExportedRows);
  const failing = exportList<number>(() => Promise.reject(new Error("gone")), format, options);
  await expect(failing.next().then(() => failing.next())).rejects.toThrow("gone");
  expect(ends).toEqual([
    { rows: maxExportedRows, isWhole: false },
    { rows: maxExportedRows, isWhole: false },
    { rows: 0, isWhole: false },
    { rows: 100, isWhole: false },
    { rows: 1_200, isWhole: true },
    { rows: maxExportedRows, isWhole: true },
    { rows: maxExportedRows, isWhole: false },
    { rows: 0, isWhole: false },
  ]);
});

test("saved views belong to one user in one organization, have unique names and are limited in number", async () => {
  const viewer = await signedIn(gatehouse, "viewer", tenant.organizationId);
  const views = async (person: Visitor, where = root) => (await person.get(`${where}/saved-views`)).json.data;
  const save = (name: string, query: string, where = root) =>
    viewer.post(`${where}/saved-views`, { list: "runs", name, query });
  const { json: saved } = await save(" Failed ", "status=2");
  expect(saved).toEqual({ uuid: saved.uuid, list: "runs", name: "Failed", query: "status=2" });
  expect((await save("Failed", "status=2&from=2026-04-01")).json.uuid).toBe(saved.uuid);
  expect(await views(viewer)).toEqual([{ ...saved, query: "status=2&from=2026-04-01" }]);
  expect(await views(admin)).toEqual([]);
  expect((await admin.delete(`${root}/saved-views/${saved.uuid}`)).status).toBe(204);
  expect(await views(viewer)).toHaveLength(1);

  for (const [name, query] of [
    ["", "a=1"],
    ["x".repeat(savedViewLimits.name + 1), "a=1"],
    ["long", "x".repeat(savedViewLimits.query + 1)],
    ["markup", 'a="><script>'],
    ["lines", "a=1\nb"],
    ["zero", "a=\u0000"],
  ] as const)
    expect((await save(name, query)).status, name).toBe(400);
  expect((await viewer.post(`${root}/saved-views`, { list: "nothing", name: "A", query: "" })).status).toBe(
    400,
  );

  // Concurrent requests, as from many tabs, cannot exceed the limit.
  await gatehouse.database.work.query(
    `insert into saved_views (organization_id, user_id, id, list, name, query)
     select $1, $2, gen_random_uuid(), 'audit', 'View ' || number, '' from generate_series(4, $3::int) as number`,
    [tenant.organizationId, viewer.userId, savedViewLimits.views],
  );
  const answers = await Promise.all(["One", "Two", "Three", "Four"].map((name) => save(name, "page=1")));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409]);
  expect(await views(viewer)).toHaveLength(savedViewLimits.views);
  expect((await save("Failed", "")).status).toBe(200);
  expect((await viewer.delete(`${root}/saved-views/${saved.uuid}`)).status).toBe(204);
  expect(await views(viewer)).toHaveLength(savedViewLimits.views - 1);
  expect((await viewer.delete(`${root}/saved-views/${saved.uuid}`)).status).toBe(204);
});

test("a saved view that searches for a person is deleted when that person is erased", async () => {
  const { organizationId } = tenant;
  const viewer = await signedIn(gatehouse, "viewer", organizationId);
  for (const [name, query] of [
    ["Jo", "text=jo%40example.com&sort=oldest"],
    ["Of jo@example.com", "type=1"],
    ["By number", "text=(212)+555-0100"],
    ["Others", "text=other%40example.com"],
  ])
    await viewer.post(`${root}/saved-views`, { list: "contacts", name, query });
  const { locationUuid, apiKey } = tenant;
  await gatehouse.post("/lead/submit", apiKey, { email: "jo@example.com", locationUuid });
  await erasePerson(gatehouse.database.work, {
    organizationId,
    ...{ email: "Jo@example.com", phone: "+1 212 555 0100" },
    actor: "test",
    rowsPerStep: 1,
  });
  const { data } = (await viewer.get(`${root}/saved-views`)).json;
  expect(data.map(({ name }: { name: string }) => name)).toEqual(["Others"]);
});

test("amounts in different currencies are not added up: the days of all locations have no total then", async () => {
  const days = async (query = "") =>
    (await admin.get(`${root}/overview/local-days?fromDate=2026-04-01&toDate=2026-04-01${query}`)).json;
  expect(await days()).toMatchObject({ isWithoutAmounts: false, days: [{ transactions: 2, revenue: "0" }] });
  await admin.patch(root, { hasSeveralCurrencies: true });
  expect(await days()).toMatchObject({
    isWithoutAmounts: true,
    days: [{ transactions: 2, revenue: null, refunded: null }],
  });
  expect(await days(`&location=${tenant.locationUuid}`)).toMatchObject({
    isWithoutAmounts: false,
    days: [{ transactions: 2, revenue: "0" }],
  });
});
