import { parse } from "csv-parse/sync";
import { beforeAll, expect, test } from "vitest";
import { signedIn, type Visitor } from "../../../../testing/console.js";
import { useApp, type Tenant } from "../../../../testing/harness.js";

const gatehouse = useApp();
let tenant: Tenant;
let viewer: Visitor;
let root: string;

beforeAll(async () => {
  tenant = await gatehouse.tenant();
  viewer = await signedIn(gatehouse, "viewer", tenant.organizationId);
  root = `/organizations/${tenant.organizationId}`;
});

const transaction = (transactionId: unknown, fields: object = {}) => ({
  transactionId,
  locationUuid: tenant.locationUuid,
  type: 1,
  transactionDate: "2026-04-01T14:30:00.000Z",
  ...fields,
});
const send = async (records: unknown[], metadata?: string) => {
  const body = JSON.stringify({ transactions: records });
  const answer = await gatehouse.post(
    "/integrations/transactions",
    tenant.apiKey,
    metadata ? body.replace(/\}$/, `,"metadata":${metadata}}`) : body,
  );
  return answer.json;
};

test("a run is shown with its counters, exact metadata, key, request id and every outcome by position", async () => {
  const metadata = '{"exact": 12345678901234567890.10, "z":"\\u0000"}';
  await send([transaction("known", { amountTotal: 1 })]);
  const run = await send(
    [
      transaction("new", { vehicle: { licensePlate: "X 1" }, subscription: { tpReferenceId: "S" } }),
      transaction("known", { amountTotal: 2 }),
      transaction("bad", { type: 9 }),
      transaction("x".repeat(129)),
    ],
    metadata,
  );
  const { json } = await viewer.get(`${root}/runs/${run.referenceUuid}`);
  expect(json).toMatchObject({
    referenceUuid: run.referenceUuid,
    status: 3,
    totalSubmitted: 4,
    successCount: 1,
    skippedCount: 1,
    failedCount: 2,
    metadata,
    apiKey: { name: "test" },
    createdEntities: { vehicles: 1, subscriptions: 0 },
    differingCount: 1,
    droppedSubscriptionCount: 1,
    failuresNotKept: 0,
  });
  expect(json.requestId).toEqual(expect.any(String));
  expect(
    json.results.map(({ position, reference, status }: Record<string, unknown>) => [
      position,
      reference,
      status,
    ]),
  ).toEqual([
    [0, "new", 1],
    [1, "known", 3],
    [2, "bad", 4],
    [3, "x".repeat(129), 4],
  ]);
});

test("a run names the runs before and after it, of its organization alone", async () => {
  const other = await gatehouse.tenant();
  const own = await gatehouse.tenant();
  const member = await signedIn(gatehouse, "viewer", own.organizationId);
  const runs: string[] = [];
  for (const { apiKey, locationUuid } of [other, own, other, own, own, other]) {
    const { json } = await gatehouse.post("/integrations/transactions", apiKey, {
      transactions: [{ ...transaction("adjacent"), locationUuid }],
    });
    runs.push(json.referenceUuid);
  }
  const [, first, , second, third] = runs;
  const adjacentTo = async (run?: string) => {
    const { json } = await member.get(`/organizations/${own.organizationId}/runs/${run}`);
    return [json.previousUuid, json.nextUuid];
  };
  expect(await adjacentTo(first)).toEqual([null, second]);
  expect(await adjacentTo(second)).toEqual([first, third]);
  expect(await adjacentTo(third)).toEqual([second, null]);
});

test("the console shows the outcome of a record that the partner received", async () => {
  await send([transaction("answered")]);
  const run = await send([transaction("answered"), transaction("wrong", { type: 9 }), {}, 7]);
  const { json } = await viewer.get(`${root}/runs/${run.referenceUuid}`);
  // The console also shows the rejected field values. The partner's answers do not contain them.
  expect(
    json.results.map(({ position: _position, sent: _sent, ...rest }: Record<string, unknown>) => rest),
  ).toEqual(run.results);
  const read = await gatehouse.send({
    url: `/integrations/imports/${run.referenceUuid}`,
    key: tenant.apiKey,
  });
  expect(read.json.results).toEqual(run.results);
});

test("the trace shows how each relation was found, created or dropped", async () => {
  await gatehouse.post("/integrations/accounts", tenant.apiKey, {
    accounts: [{ tpReferenceId: "TA", name: "A" }],
  });
  const contact = { email: "trace@example.com" };
  const run = await send([
    transaction("trace-1", {
      accountTPReferenceId: "TA",
      contact,
      vehicle: { licensePlate: "TR 1" },
      subscription: { tpReferenceId: "TS" },
    }),
    transaction("trace-2", { contact, vehicle: { licensePlate: "tr-1" } }),
    transaction("trace-3", { subscription: { tpReferenceId: "nowhere" } }),
    transaction("trace-4"),
  ]);
  const { json } = await viewer.get(`${root}/runs/${run.referenceUuid}`);
  const [first, second, third, fourth] = json.results;
  expect(first.trace).toMatchObject({
    account: { via: "reference" },
    contact: { via: "created" },
    vehicle: { via: "created" },
    subscription: { via: "created" },
  });
  expect(second.trace).toMatchObject({
    contact: { via: "email", uuid: first.trace.contact.uuid },
    vehicle: { via: "plate", uuid: first.trace.vehicle.uuid },
  });
  expect(third.trace).toEqual({ subscription: { via: "dropped", uuid: null } });
  expect(fourth.trace).toBeUndefined();
});

test("a Skipped record with a different payload shows each changed field, and an equal one shows none", async () => {
  await send([transaction("twice", { amountTotal: 10, cardType: "VISA" })]);
  const run = await send([
    transaction("twice", { amountTotal: 12, cardType: "VISA" }),
    transaction("twice", { amountTotal: 10, cardType: "VISA" }),
  ]);
  const { json } = await viewer.get(`${root}/runs/${run.referenceUuid}`);
  expect(json.results[0].differences).toEqual([{ field: "amountTotal", stored: "10", sent: "12" }]);
  expect(json.results[1].differences).toBeUndefined();
});

test("failures are grouped by reason, most frequent first, with meaning and advice; after 100 they are only counted", async () => {
  const records = Array.from({ length: 130 }, (_, index) =>
    transaction(`failing-${index}`, index % 3 === 0 ? { type: 9 } : { vehicle: {} }),
  );
  records.push(transaction("failing-130", { contactUuid: "unknown" }));
  const run = await send(records);
  const { json } = await viewer.get(`${root}/runs/${run.referenceUuid}`);
  expect(json.failedCount).toBe(131);
  expect(json.failuresNotKept).toBe(31);
  expect(
    json.failureGroups.map(({ reasonCode, count, keptCount }: Record<string, number>) => [
      reasonCode,
      count,
      keptCount,
    ]),
  ).toEqual([
    [4, 86, 66],
    [5, 44, 34],
    [8, 1, 0],
  ]);
  expect(json.failureGroups[0]).toMatchObject({ name: "MissingRequiredField" });
  expect(json.failureGroups[0].advice).not.toBe("");
  expect(json.failureGroups[0].messages).toEqual([
    {
      message: "vehicle.licensePlate is required",
      count: 66,
      position: 1,
      reference: "failing-1",
      values: [],
    },
  ]);
});

test("each distinct problem is listed once, with its count and the values that were sent", async () => {
  const run = await send([
    transaction("m-1", { type: 9, amountTotal: "12" }),
    transaction("m-2", { type: 9 }),
    transaction("m-3", { type: 8.5, vehicle: { licensePlate: 7 } }),
    transaction("m-4", { type: "1" }),
    transaction("m-5", { type: [1] }),
  ]);
  const { json } = await viewer.get(`${root}/runs/${run.referenceUuid}`);
  expect(json.failureGroups[0].messages).toEqual([
    {
      message: "type must be one of 1, 2, 3, 4",
      count: 5,
      position: 0,
      reference: "m-1",
      values: ["9", "8.5", "1"],
    },
    { message: "amountTotal must be a number", count: 1, position: 0, reference: "m-1", values: ["12"] },
    {
      message: "vehicle.licensePlate must be a string",
      count: 1,
      position: 2,
      reference: "m-3",
      values: ["7"],
    },
  ]);
});

test("failed rows are exported as CSV with neutralized formulas, and as NDJSON unchanged", async () => {
  const formula = '=HYPERLINK("https://evil.example","x")';
  const run = await send([transaction(formula, { type: 9 }), transaction("-2+3", { type: 9 })]);
  const csv = await viewer.get(`${root}/runs/${run.referenceUuid}/failures.csv`);
  expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8");
  expect(csv.headers["content-disposition"]).toBe(`attachment; filename="failures-${run.referenceUuid}.csv"`);
  const rows = parse(csv.text, { bom: true, columns: true }) as Record<string, string>[];
  expect(rows.map((row) => [row["position"], row["reference"], row["reasonCode"], row["reason"]])).toEqual([
    ["0", `'${formula}`, "5", "ValidationFailed"],
    ["1", "'-2+3", "5", "ValidationFailed"],
  ]);

  const ndjson = await viewer.get(`${root}/runs/${run.referenceUuid}/failures.ndjson`);
  const lines = ndjson.text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ reference }) => reference)).toEqual([formula, "-2+3"]);
  expect((await viewer.get(`${root}/runs/${run.referenceUuid}/failures.xml`)).status).toBe(404);
});

test("the list of runs is filtered by resource, status, key and time, and paged", async () => {
  const own = await gatehouse.tenant();
  const visitor = await signedIn(gatehouse, "viewer", own.organizationId);
  const path = `/organizations/${own.organizationId}/runs`;
  const post = async (name: string, body: object) =>
    (await gatehouse.post(`/integrations/${name}`, own.apiKey, body)).json.referenceUuid as string;
  const accounts = await post("accounts", { accounts: [{ tpReferenceId: "A", name: "A" }] });
  const failed = await post("accounts", { accounts: [{}] });
  const subscriptions = await post("subscriptions", {
    subscriptions: [{ tpReferenceId: "S", accountTPReferenceId: "A" }],
  });
  const list = async (query: string) =>
    (await visitor.get(`${path}${query}`)).json.data.map(
      (run: { referenceUuid: string }) => run.referenceUuid,
    );

  expect(await list("")).toEqual([subscriptions, failed, accounts]);
  expect(await list("?resource=2")).toEqual([failed, accounts]);
  expect(await list("?status=2")).toEqual([failed]);
  expect(await list("?having=failed")).toEqual([failed]);
  expect(await list("?having=created")).toEqual([subscriptions, accounts]);
  expect(await list("?having=skipped")).toEqual([]);
  expect(await list("?reason=4")).toEqual([failed]);
  expect(await list("?reason=1")).toEqual([]);
  expect(await list("?resource=&status=")).toEqual([subscriptions, failed, accounts]);
  expect(await list(`?apiKey=${accounts}`)).toEqual([]);
  const { rows } = await gatehouse.database.work.query("select id from api_keys where organization_id = $1", [
    own.organizationId,
  ]);
  expect(await list(`?apiKey=${rows[0].id}&resource=3`)).toEqual([subscriptions]);

  const page = (await visitor.get(`${path}?limit=2`)).json;
  expect(page.data).toHaveLength(2);
  const { startedAt } = page.data[1];
  expect(await list(`?from=${startedAt}`)).toEqual([subscriptions, failed]);
  expect(await list(`?to=${startedAt}`)).toEqual([accounts]);
  const last = (await visitor.get(`${path}?limit=2&before=${page.nextCursor}`)).json;
  expect(last.data.map((run: { referenceUuid: string }) => run.referenceUuid)).toEqual([accounts]);
  expect(last.nextCursor).toBeNull();
  expect((await visitor.get(`${path}?status=9`)).json.errors).toEqual(["status must be one of 1, 2, 3"]);
});
