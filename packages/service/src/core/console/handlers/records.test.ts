import { beforeAll, expect, test } from "vitest";
import { signedIn, type Visitor } from "../../../../testing/console.js";
import { useApp, type Tenant } from "../../../../testing/harness.js";
import { maxScannedRows } from "../../paging/bounded-page.js";
import { browseRecords } from "../../records/browse-records.js";

const gatehouse = useApp();
let tenant: Tenant;
let viewer: Visitor;
let secondLocation: string;

beforeAll(async () => {
  tenant = await gatehouse.tenant();
  viewer = await signedIn(gatehouse, "viewer", tenant.organizationId);
  const admin = await signedIn(gatehouse, "admin", tenant.organizationId);
  const created = await admin.post(`/organizations/${tenant.organizationId}/locations`, {
    name: "Harbour",
    address: "2 Quay",
    city: "London",
    state: "England",
    zipcode: "E1",
    timeZone: "Europe/London",
  });
  secondLocation = created.json.uuid;
  await gatehouse.post("/integrations/transactions", tenant.apiKey, {
    transactions: [
      record("T-1", "2026-04-01T12:00:00Z", { type: 1, contact: { email: "jo@example.com" } }),
      record("T-2", "2026-04-02T12:00:00Z", { type: 2, account: { tpReferenceId: "A-1", name: "Acme" } }),
      record("T-3", "2026-04-03T12:00:00Z", {
        type: 1,
        locationUuid: secondLocation,
        contact: { email: "JO@example.com" },
        vehicle: { licensePlate: "AB 12" },
      }),
      record("U-4", "2026-04-01T13:00:00Z", {
        type: 1,
        accountTPReferenceId: "A-1",
        subscription: { tpReferenceId: "S-1" },
      }),
    ],
  });
});

const record = (transactionId: string, transactionDate: string, fields: object = {}) => ({
  transactionId,
  locationUuid: tenant.locationUuid,
  type: 1,
  transactionDate,
  ...fields,
});
const list = async (kind: string, query = "") =>
  (await viewer.get(`/organizations/${tenant.organizationId}/records/${kind}${query}`)).json;
const references = async (kind: string, query = "") =>
  (await list(kind, query)).data.map((row: { reference: string }) => row.reference);

test("each kind of record is listed newest first, with the fields of the API and a summary line", async () => {
  expect(await references("transactions")).toEqual(["U-4", "T-3", "T-2", "T-1"]);
  const { data } = await list("transactions");
  expect(data[1]).toMatchObject({
    kind: "transactions",
    title: "Harbour, 2026-04-03",
    fields: {
      transactionId: "T-3",
      type: 1,
      timeZone: "Europe/London",
      localDate: "2026-04-03",
      amountTotal: null,
    },
  });
  expect(data[1].fields).not.toHaveProperty("metadata");
  expect(await references("accounts")).toEqual(["A-1"]);
  expect(await references("subscriptions")).toEqual(["S-1"]);
  expect(await references("contacts")).toEqual(["jo@example.com"]);
  expect(await references("vehicles")).toEqual(["AB 12"]);
  expect((await list("subscriptions")).data[0].title).toBe("Acme");
});

test("records are filtered by location, type, days, run, links and reference prefix, alone and combined", async () => {
  expect(await references("transactions", `?location=${secondLocation}`)).toEqual(["T-3"]);
  expect(await references("transactions", "?type=2")).toEqual(["T-2"]);
  expect(await references("transactions", "?fromDate=2026-04-02")).toEqual(["T-3", "T-2"]);
  expect(await references("transactions", "?fromDate=2026-04-01&toDate=2026-04-01")).toEqual(["U-4", "T-1"]);
  expect(await references("transactions", "?fromDate=2026-04-02&type=1")).toEqual(["T-3"]);
  expect(await references("transactions", "?text=T-")).toEqual(["T-3", "T-2", "T-1"]);
  expect(await references("transactions", "?text=t-")).toEqual([]);
  expect(await references("transactions", `?text=T-&toDate=2026-04-02&type=1`)).toEqual(["T-1"]);
  expect(await references("contacts", "?text=JO@")).toEqual(["jo@example.com"]);
  expect(await references("vehicles", "?text=a-b1")).toEqual(["AB 12"]);

  const [{ uuid: contact }] = (await list("contacts")).data;
  const [{ uuid: account }] = (await list("accounts")).data;
  const [{ uuid: subscription }] = (await list("subscriptions")).data;
  expect(await references("transactions", `?contact=${contact}`)).toEqual(["T-3", "T-1"]);
  expect(await references("transactions", `?contact=${contact}&location=${secondLocation}`)).toEqual(["T-3"]);
  expect(await references("transactions", `?account=${account}`)).toEqual(["U-4", "T-2"]);
  expect(await references("transactions", `?subscription=${subscription}`)).toEqual(["U-4"]);
  expect(await references("subscriptions", `?account=${account}`)).toEqual(["S-1"]);

  const detail = await viewer.get(`/organizations/${tenant.organizationId}/records/contacts/${contact}`);
  expect(await references("transactions", `?run=${detail.json.createdIn.referenceUuid}`)).toHaveLength(4);
  expect(await references("transactions", `?run=${contact}`)).toEqual([]);
});

test.each(["", "&fromDate=2026-01-01", "&text=", "&type=1"])(
  "pages follow one another without gaps or duplicates (%j)",
  async (query) => {
    const whole = await references("transactions", `?limit=100${query}`);
    const read: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: { data: { reference: string }[]; nextCursor: string | null } = await list(
        "transactions",
        `?limit=1${query}&before=${cursor}`,
      );
      expect(page.data.length).toBeLessThanOrEqual(1);
      read.push(...page.data.map((row) => row.reference));
      cursor = page.nextCursor;
    }
    expect(read).toEqual(whole);
  },
);

test("the sort of a day's transactions uses only the order and filter columns, and full rows are read for one page", async () => {
  const { work } = gatehouse.database;
  const asked: [string, unknown[]][] = [];
  const query = (text: string, values: unknown[]) => (asked.push([text, values]), work.query(text, values));
  await browseRecords({ query } as unknown as typeof work, {
    ...{ organizationId: tenant.organizationId, kind: "transactions", limit: 50 },
    ...{ fromDate: "2026-04-01", type: 1 },
  });
  const [text, values] = asked[0] as (typeof asked)[0];
  const { rows } = await work.query(`explain (verbose) ${text}`, values);
  const lines = rows.map((row) => row["QUERY PLAN"] as string);
  const widths = lines.flatMap((line) => /\bSort +\(.*width=(\d+)/.exec(line)?.[1] ?? []).map(Number);
  // A date, an identifier and a type.
  expect(widths.at(-1)).toBeLessThanOrEqual(4 + 16 + 2);
});

test("a filter that matches nothing scans a limited number of rows and says where it stopped", async () => {
  const many = await gatehouse.tenant();
  const visitor = await signedIn(gatehouse, "viewer", many.organizationId);
  await gatehouse.database.work.query(
    `insert into accounts (organization_id, id, tp_reference_id, name, type, is_active, import_run_id, position, created_at)
     select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid, 'A-' || number, 'name',
            case when number = 1 then 2 else 1 end, true, gen_random_uuid(), 0, now()
     from generate_series(1, ${maxScannedRows + 10}) as number`,
    [many.organizationId],
  );
  const path = `/organizations/${many.organizationId}/records/accounts?type=2`;
  const first = (await visitor.get(path)).json;
  expect(first.data).toEqual([]);
  expect(first.nextCursor).not.toBeNull();
  const second = (await visitor.get(`${path}&before=${first.nextCursor}`)).json;
  expect(second.data.map((row: { reference: string }) => row.reference)).toEqual(["A-1"]);
  expect(second.nextCursor).toBeNull();
});

test("a detail page shows metadata exactly and markup as text", async () => {
  const metadata = '{"html": "<script>alert(1)</script>", "n": 1.10000000000000000001}';
  const body = `{"transactions":[{"transactionId":"<img src=x onerror=alert(1)>","locationUuid":"${tenant.locationUuid}","type":1,"transactionDate":"2026-05-01T00:00:00Z","metadata":${metadata}}]}`;
  const run = await gatehouse.post("/integrations/transactions", tenant.apiKey, body);
  const answer = await viewer.get(
    `/organizations/${tenant.organizationId}/records/transactions/${run.json.results[0].uuid}`,
  );
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  expect(answer.json).toMatchObject({
    reference: "<img src=x onerror=alert(1)>",
    metadata,
    trace: {},
    occurrences: [],
  });
});

test("a wrong kind, uuid or cursor gets a clear error", async () => {
  expect((await list("leads")).code).toBe("notFound");
  expect((await list("transactions/not-a-uuid")).code).toBe("notFound");
  expect((await list("transactions", "?before=nonsense")).errors).toEqual([
    "before is not a cursor of this list; leave it out to start over",
  ]);
  expect((await list("transactions", "?account=7")).errors).toEqual(["account must be a UUID"]);
});
