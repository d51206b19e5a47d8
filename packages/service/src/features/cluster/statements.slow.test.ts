import { afterAll, beforeAll, expect, test } from "vitest";
import { requestTo } from "../../../testing/console-requests.js";
import { ownPage, signedIn } from "../../../testing/console.js";
import { useApp } from "../../../testing/harness.js";
import { isPersonalOperation, preparePersonalOperation } from "../../../testing/personal-operations.js";
import { renewSampleFiles } from "../../../testing/sample-files.js";
import { renewSampleRequest, sampleOrganization } from "../../../testing/sample-organization.js";
import { between, configure, sweepAt } from "../../../testing/retention.js";
import { findShardProblems } from "../../../testing/shard-problems.js";
import { recordStatements, type SentStatement } from "../../../testing/statements.js";
import { transactionFile, uploader } from "../../../testing/uploader.js";
import { useInterface } from "../../../testing/use-interface.js";
import { consoleOperations, type ConsoleOperationName } from "@gatehouse-parking/contract/console";
import { updateLocation } from "../../core/locations/manage-locations.js";
import { createDemo } from "../demo/demo.js";
import { findStoredBytes } from "../installation/list-health.js";
import { findRuns } from "../installation/search-everywhere.js";
import { erasePerson } from "../people/erase-person.js";
import { exportPerson } from "../people/export-person.js";
import { recordKindNames } from "../../core/records/kinds.js";
import { features } from "../../features.js";
import { findRemovedBy } from "../../core/records/removed-records.js";
import { showRecord } from "../../core/records/show-record.js";
import { verifyStoredData } from "../../../testing/verify.js";
import { kindName, tableKinds } from "../../core/database/table-kinds.js";

/** Checks every statement that the service sends: a sharded database must be able to run it. */
const gatehouse = useApp({ receipts: true });
const recorder = recordStatements();
afterAll(() => recorder.stop());

/** The statements that are sent while `work` runs. */
async function sentBy(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const start = recorder.sent.length;
  await work();
  return recorder.sent.slice(start);
}

/** Problems by statement, each statement once. */
async function problemsOf(sent: readonly SentStatement[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const text of new Set(sent.map((statement) => statement.text))) {
    const { problems } = await findShardProblems(gatehouse.database.work, text);
    if (problems.length > 0) found[plain(text)] = problems;
  }
  return found;
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

async function tablesOf(sent: readonly SentStatement[]): Promise<Set<string>> {
  const tables = new Set<string>();
  for (const { text } of sent) {
    for (const table of (await findShardProblems(gatehouse.database.work, text)).tables) tables.add(table);
  }
  return tables;
}

const isOfUploads = (tables: ReadonlySet<string>) => tables.has("upload_queue");
const kindsOf = (tables: Iterable<string>) =>
  new Set([...tables].map((table) => kindName(tableKinds[table] ?? "local")));

let sentByInterface: SentStatement[];
beforeAll(async () => {
  sentByInterface = await sentBy(() => useInterface(gatehouse));
});

/** Tables that the public API does not use. */
const tablesOfPages = [
  "uploads",
  "upload_pieces",
  "upload_batches",
  "upload_corrections",
  "mappings",
  "lead_work",
  "lead_notes",
];

test("every statement of a request runs on the first node or on a single shard", async () => {
  expect(await problemsOf(sentByInterface)).toEqual({});
  const distributed = Object.keys(tableKinds).filter(
    (table) => typeof tableKinds[table] === "object" && !tablesOfPages.includes(table),
  );
  expect([...(await tablesOf(sentByInterface))]).toEqual(expect.arrayContaining(distributed));
});

/** A read without a lock does not take part in the commit, wherever it runs. */
function isPlainRead({ text }: SentStatement): boolean {
  return /^\s*select\b/i.test(text) && !/\bfor (?:no key )?(?:update|share|key share)\b/i.test(text);
}

test("a transaction of a request stays on one shard, so that it commits on one machine", async () => {
  const transactions = new Map<number, SentStatement[]>();
  for (const statement of sentByInterface) {
    const { transaction } = statement;
    if (transaction === undefined) continue;
    transactions.set(transaction, [...(transactions.get(transaction) ?? []), statement]);
  }
  expect(transactions.size).toBeGreaterThan(10);
  const known = [];
  for (const statements of transactions.values()) {
    const tables = await tablesOf(statements.filter((statement) => !isPlainRead(statement)));
    // Setting up the test organization is operator work. Uploads are queued on the first node.
    if (!tables.has("audit_log") && !isOfUploads(tables)) known.push(kindsOf(tables));
  }
  expect(known.length).toBeGreaterThan(10);
  expect(known.filter((kinds) => kinds.has("local"))).toEqual([]);
});

test("console statements also stay on the first node or on a single shard", async () => {
  const organization = await sampleOrganization(gatehouse, { isDemo: true });
  const operator = await signedIn(gatehouse, "operator");
  const member = await signedIn(gatehouse, "viewer", organization.organizationId);
  const names = (Object.keys(consoleOperations) as ConsoleOperationName[]).filter(
    (name) => consoleOperations[name].role !== "public",
  );
  const lists = ["accounts", "contacts", "vehicles", "subscriptions"].flatMap((kind) => [
    `/records/${kind}`,
    `/records/${kind}?text=A&run=${organization.runUuid}`,
  ]);
  const more = [
    ...lists,
    `/records/accounts/${organization.accountUuid}`,
    `/records/transactions?location=${organization.locationUuid}&fromDate=2026-01-01&toDate=2026-12-31&type=1`,
    `/records/transactions?account=${organization.accountUuid}`,
    "/search?q=T-1",
    `/search?q=${organization.keyId}`,
    `/overview/local-days?location=${organization.locationUuid}`,
    "/leads?text=jo&workState=new&assignee=unassigned",
  ];
  const sent = await sentBy(async () => {
    for (const path of more)
      expect((await operator.get(`/organizations/${organization.organizationId}${path}`)).status, path).toBe(
        200,
      );
    expect((await operator.get("/installation/organizations?sort=stored")).status).toBe(200);
    for (const name of names) {
      // Each session must be ended by a different user.
      const person = isPersonalOperation(name) ? await signedIn(gatehouse, "operator") : operator;
      if (/Upload|Mapping/.test(name)) await renewSampleFiles(gatehouse, organization, name);
      if (name === "getRequest") await renewSampleRequest(gatehouse, organization);
      const request = requestTo(name, organization, member.userId);
      const answer = await gatehouse.send({
        ...request,
        ...(await preparePersonalOperation(gatehouse, name, person, organization)),
        headers: { ...ownPage, ...request.headers, cookie: person.cookie },
      });
      expect(answer.status, `${name}: ${answer.text}`).toBeLessThan(300);
    }
  });
  // An operator who searches for an import does not know its organization, so this query asks all shards, a
  // thousand organizations at a time. Sorting organizations by size needs a row of each.
  const { [plain(findRuns)]: runs, [plain(findStoredBytes)]: sizes, ...problems } = await problemsOf(sent);
  expect(problems).toEqual({});
  expect(runs).toEqual(["import_runs: no organization_id = $n"]);
  expect(sizes).toEqual(["import_turns: no organization_id = $n"]);
});

test("processing an upload stays on the first node or on a single shard, and so does each of its transactions", async () => {
  const by = await uploader(gatehouse);
  const location = { to: "locationUuid", location: "any" };
  const mapping = { columns: { locationUuid: location }, timeZone: "location" };
  let imported: SentStatement[] = [];
  const sent = await sentBy(async () => {
    const { uuid } = await by.run(
      transactionFile(by, 2, (index) => String(index)),
      { mapping, validateOnly: true },
    );
    await by.start(uuid, { mapping });
    imported = await sentBy(() => gatehouse.app.uploads.runUntilIdle());
    expect((await by.person.post(`${by.uploads}/${uuid}/undo`, {})).status).toBe(200);
    await gatehouse.app.uploads.runUntilIdle();
    expect((await by.show(uuid)).undone).toMatchObject({ runs: 1, keptCount: 0 });
    await by.person.delete(`${by.uploads}/${uuid}`);
    await gatehouse.app.uploads.cleanUp();
    await erasePerson(gatehouse.database.work, {
      ...{ organizationId: by.organizationId, email: "jo@example.com", actor: "test" },
    });
  });
  expect(await problemsOf(sent)).toEqual({});
  expect([...(await tablesOf(sent))]).toEqual(
    expect.arrayContaining(["uploads", "upload_pieces", "upload_batches", "upload_queue"]),
  );
  // A batch with its import. The claim is written on the first node, before and after.
  const run = imported.find(({ text }) => text.includes("insert into import_runs"));
  const together = imported.filter(({ transaction }) => transaction === run?.transaction);
  expect(together.some(({ text }) => text.includes("update uploads"))).toBe(true);
  expect(kindsOf(await tablesOf(together))).toEqual(new Set(["distributed"]));
});

test("the retention sweep and its counts stay on the first node or on a single shard", async () => {
  const { organizationId, apiKey, locationUuid } = await gatehouse.tenant();
  const tenant = { organizationId };
  const retention = { records: 1, exceptions: 1, leads: 1 };
  const settings = {
    retention,
    keepsDeletedKeys: true,
    keepsReplaysOnce: true,
    quotas: { records: 9, storageBytes: 1_000_000, leadsPerDay: 1 },
  };
  await configure(gatehouse, tenant, settings);
  const accounts = [{ tpReferenceId: "A-1", name: "Acme" }];
  const sent = await sentBy(async () => {
    for (let time = 0; time < 3; time += 1)
      expect((await gatehouse.post("/integrations/accounts", apiKey, { accounts })).status).toBe(200);
    await gatehouse.post("/lead/submit", apiKey, { email: "jo@example.com", locationUuid });
    await sweepAt(gatehouse, await between(), 2);
    expect((await gatehouse.post("/integrations/accounts", apiKey, { accounts })).json.skippedCount).toBe(1);
    await configure(gatehouse, tenant, { keepsDeletedKeys: false });
    await sweepAt(gatehouse, 0);
  });
  expect(await problemsOf(sent)).toEqual({});
  expect([...(await tablesOf(sent))]).toEqual(
    expect.arrayContaining(["deleted_records", "repeated_runs", "organization_upkeep", "lead_notes"]),
  );
});

test("the command line asks all shards in two cases only, and both are plain reads", async () => {
  const { work } = gatehouse.database;
  const { organizationId, locationUuid } = await sampleOrganization(gatehouse);
  const person = { organizationId, email: "jo@example.com", actor: "test" };
  const sent = await sentBy(async () => {
    await createDemo(work, "test");
    await updateLocation(work, { locationId: locationUuid, name: "Renamed", actor: "test" });
    for (const kind of recordKindNames)
      await showRecord(work, { organizationId, kind, reference: "nothing" }, findRemovedBy(features)).catch(
        () => undefined,
      );
    await exportPerson(work, person);
    await erasePerson(work, person);
    expect(await verifyStoredData(gatehouse.connectionString)).toMatchObject({ ok: true });
  });
  const everywhere = Object.keys(await problemsOf(sent));
  expect(everywhere.filter((text) => !/^select distinct organization_id from \w+ where/.test(text))).toEqual([
    "select organization_id from locations where id = $1",
  ]);
});

test.each([
  ["no filter", "select * from accounts where id = $1", /accounts: no organization_id/],
  [
    "a filter that a null parameter disables",
    "select * from accounts where $1::uuid is null or organization_id = $1",
    /no organ/,
  ],
  [
    "an organization filter on only one of two tables",
    "select * from accounts as a join vehicles as v on v.id = a.id where a.organization_id = $1",
    /^vehicles/,
  ],
  [
    "in a subquery",
    "select (select count(*) from leads) from locations where organization_id = $1",
    /^leads/,
  ],
  ["a range", "select * from accounts where organization_id > $1", /accounts: no/],
  [
    "a join with a table of the first node",
    "select * from import_runs as run join api_keys as key on key.id = run.api_key_id where run.organization_id = $1",
    /local and distributed/,
  ],
  ["a row lock on all shards", "select from locations where id = $1 for update", /locations: no/],
  [
    "rows of many organizations",
    "insert into import_turns (organization_id) select * from unnest($1::uuid[])",
    /import_turns: inserted with organization_id from/,
  ],
  [
    "rows of one table with an organization given separately",
    "insert into import_turns (organization_id) select $1::uuid from locations where organization_id = $1::uuid",
    /import_turns: inserted with organization_id from/,
  ],
  [
    "an upsert",
    "insert into import_turns (organization_id) values ($1) on conflict (organization_id) do update set run_count = 1",
    /insert that updates/,
  ],
  [
    "a clock function in an update",
    "update leads set created_at = clock_timestamp() where organization_id = $1",
    /not immutable/,
  ],
  [
    "a copy with its columns in another order",
    "copy accounts (id, organization_id) from stdin",
    /copied without/,
  ],
])("the check rejects %s", async (_what, statement, problem) => {
  const { problems } = await findShardProblems(gatehouse.database.work, statement);
  expect(problems.join("\n")).toMatch(problem);
});

test.each([
  "select * from accounts where id = $2 and organization_id = $1",
  "select * from import_runs as run left join leads as l on l.organization_id = run.organization_id and l.id = run.id where run.organization_id = $1",
  "with recursive r as (select 1 as n union all select n + 1 from r where n < (select count(*) from leads where organization_id = $1)) select * from r",
])("the check accepts a statement that stays on one shard: %s", async (statement) => {
  expect((await findShardProblems(gatehouse.database.work, statement)).problems).toEqual([]);
});
