import { beforeAll, expect, test } from "vitest";
import { useApp, type Tenant } from "../../../testing/harness.js";
import { uploaderOf } from "../../../testing/uploader.js";
import { between, configure, deleteBefore } from "../../../testing/retention.js";
import { countChangedDays } from "../local-days/count-days.js";
import { undoRun } from "../../features/undo/undo-run.js";
import { verifyStoredData } from "../../../testing/verify.js";
import type { VerifyReport } from "./verify.js";

const app = useApp();
let tenant: Tenant;
const nowhere = "11111111-1111-1111-1111-111111111111";

beforeAll(async () => {
  tenant = await app.tenant();
  await importEverything(tenant);
  await importEverything(await app.tenant());
});

/**
 * Created, Skipped and Failed records of all three resources, with every relation; an undone import; expired
 * records; a batch that was sent several times; a file with a mapping.
 */
async function importEverything(of: Tenant): Promise<void> {
  const { organizationId, apiKey, locationUuid } = of;
  const by = await uploaderOf(app, of, "admin");
  const mapping = { columns: { Ticket: "transactionId" } };
  const kept = { name: "Garage", resource: "transactions", columns: ["Ticket"], mapping };
  expect((await by.person.post(by.uploads.replace("uploads", "mappings"), kept)).status).toBe(200);
  expect(await by.run("transactionId\nT-1\n", { validateOnly: true })).toMatchObject({ failed: 1 });
  const { uuid } = await by.run("transactionId\nT-2\n");
  const rows = [{ row: 1, attempt: 0, cells: ["T-2"] }];
  expect((await by.person.post(`${by.uploads}/${uuid}/corrections`, { rows })).json.failed).toBe(1);
  const accounts = [{ tpReferenceId: "A-1", name: "Acme", locationUuid }, { tpReferenceId: "A-2" }];
  const subscriptions = [{ tpReferenceId: "S-1", accountTPReferenceId: "A-1", locationUuid }];
  const transaction = (transactionId: string, transactionDate: string) => ({
    transactionId,
    locationUuid,
    type: 1,
    transactionDate,
    account: { tpReferenceId: `A-${transactionId}`, name: "Nested" },
    contact: { email: `${transactionId}@Example.com`, phoneNumber: `+1 555 010 0${transactionId}` },
    vehicle: { licensePlate: `abc ${transactionId}` },
    subscription: { tpReferenceId: `S-${transactionId}` },
  });
  const past = { transactions: [transaction("000", "2026-07-01T03:30:00Z")] };
  expect((await app.post("/integrations/transactions", apiKey, past)).json.successCount).toBe(1);
  await configure(app, of, { keepsDeletedKeys: true, keepsReplaysOnce: true });
  expect(await deleteBefore(app, of, { moment: await between(), keepsKeys: true })).toBe(5);
  for (let time = 0; time < 2; time += 1)
    expect((await app.post("/integrations/transactions", apiKey, past)).json.skippedCount).toBe(1);
  await configure(app, of, { keepsReplaysOnce: false });
  const transactions = [
    transaction("100", "2026-07-01T03:30:00Z"),
    transaction("101", "2026-11-01T05:30:00.250Z"),
    { transactionId: "failed", type: 9 },
  ];
  expect((await app.post("/integrations/accounts", apiKey, { accounts })).status).toBe(200);
  expect((await app.post("/integrations/subscriptions", apiKey, { subscriptions })).status).toBe(200);
  const lead = { email: "jo@example.com", locationUuid };
  const { leadUuid } = (await app.post("/lead/submit", apiKey, lead)).json;
  const leads = by.uploads.replace("uploads", "leads");
  expect((await by.person.patch(`${leads}/${leadUuid}`, { workState: "contacted" })).status).toBe(200);
  expect((await by.person.post(`${leads}/${leadUuid}/notes`, { text: "Called" })).status).toBe(200);
  for (const expected of [3, 3]) {
    const answer = await app.post("/integrations/transactions", apiKey, { transactions });
    expect(answer.json.status).toBe(expected);
  }
  const { account, ...plain } = transaction("200", "2026-07-01T03:30:00Z");
  const { contact: _contact, vehicle: _vehicle, subscription: _subscription, ...bare } = plain;
  const undone = { ...bare, account };
  const later = { ...bare, transactionId: "201", account };
  const sent = [[undone], [undone], [later]];
  const answers = [];
  for (const batch of sent)
    answers.push(await app.post("/integrations/transactions", apiKey, { transactions: batch }));
  expect(answers.map(({ json }) => json.skippedCount)).toEqual([0, 1, 0]);
  // Its account stays, because the later transaction refers to it.
  const undoing = { organizationId, runId: answers[0]?.json.referenceUuid, version: undefined, undoDays: 1 };
  expect(await undoRun(app.database.work, { ...undoing, actor: "test" })).toMatchObject({
    count: 1,
    keptCount: 1,
  });
  await countChangedDays(app.database.work, organizationId);
}

function verify(organizationId?: string): Promise<VerifyReport> {
  return verifyStoredData(app.connectionString, { organizationId });
}

function readBy(report: VerifyReport, name: RegExp): number {
  return report.checks.find((check) => name.test(check.name))?.read ?? -1;
}

test("imported data passes every check, for all organizations and for one", async () => {
  const all = await verify();
  expect(all.checks.filter((check) => check.violations > 0)).toEqual([]);
  expect(all).toMatchObject({ ok: true, organizations: 2 });
  const one = await verify(tenant.organizationId);
  expect(one).toMatchObject({ ok: true, organizations: 1 });
  for (const name of [
    /transactions.account_id/,
    /many transactions/,
    /store every Skipped/,
    /times:/,
    /days:/,
  ]) {
    expect(readBy(one, name)).toBeGreaterThan(0);
    expect(readBy(all, name)).toBe(2 * readBy(one, name));
  }
});

test("an unknown organization is rejected", async () => {
  await expect(verify(nowhere)).rejects.toThrow(/no organization/);
});

const strayTables = [
  "import_turns",
  "locations",
  "accounts",
  "contacts",
  "vehicles",
  "subscriptions",
  "transactions",
  "import_runs",
  "import_exceptions",
  "undo_records",
  "deleted_records",
  "repeated_runs",
  "import_sent_values",
  "clock_signs",
  "local_days",
  "leads",
  "lead_work",
  "lead_notes",
  "uploads",
  "upload_pieces",
  "upload_batches",
  "upload_corrections",
  "mappings",
];

/** A violation: the check that must report it, how to plant it, and how to undo it. */
const planted: [check: string, plant: string, repair: string][] = [
  ...[
    ["accounts", "location_id"],
    ["subscriptions", "account_id"],
    ["subscriptions", "location_id"],
    ["transactions", "location_id"],
    ["transactions", "account_id"],
    ["transactions", "contact_id"],
    ["transactions", "vehicle_id"],
    ["transactions", "subscription_id"],
    ["import_runs", "api_key_id"],
  ].map(([table, column]): [string, string, string] => [
    `links: ${table}.${column} `,
    `update ${table} set ${column} = '${nowhere}' where ${column} is not null`,
    `update ${table} set ${column} = kept.${column} from kept_${table} as kept where kept.id = ${table}.id`,
  ]),
  ...["accounts", "contacts", "vehicles", "subscriptions", "transactions"].map(
    (table): [string, string, string] => [
      `links: ${table}.import_run_id `,
      `update ${table} set import_run_id = '${nowhere}'`,
      `update ${table} set import_run_id = kept.import_run_id from kept_${table} as kept where kept.id = ${table}.id`,
    ],
  ),
  ...strayTables.map((table): [string, string, string] => [
    `links: the organization of ${table} exists`,
    `update ${table} set organization_id = '${nowhere}'
     where organization_id = (select organization_id from ${table} order by 1 limit 1)`,
    `truncate ${table}; insert into ${table} select * from kept_${table}`,
  ]),
  ...[
    ["leads", "location_id"],
    ["leads", "api_key_id"],
    ["leads", "duplicate_of"],
  ].map(([table, column]): [string, string, string] => [
    `links: ${table}.${column} `,
    `update ${table} set ${column} = '${nowhere}'`,
    `truncate ${table}; insert into ${table} select * from kept_${table}`,
  ]),
  [
    "links: import_exceptions.run_id",
    `insert into import_exceptions (organization_id, run_id, position, reference, status, reason_code) select id, '${nowhere}', 0, 'x', 4, 5 from organizations`,
    `delete from import_exceptions where run_id = '${nowhere}'`,
  ],
  ...["lead_work", "lead_notes"].map((table): [string, string, string] => [
    `links: ${table}.lead_id`,
    `update ${table} set lead_id = '${nowhere}'`,
    `truncate ${table}; insert into ${table} select * from kept_${table}`,
  ]),
  [
    "links: import_sent_values.run_id",
    `insert into import_sent_values (organization_id, run_id, position, sent) select id, '${nowhere}', 0, '[]' from organizations`,
    `delete from import_sent_values where run_id = '${nowhere}'`,
  ],
  [
    "links: import_exceptions.record_id",
    `update import_exceptions set record_id = '${nowhere}' where status = 3`,
    `update import_exceptions set record_id = kept.record_id from kept_import_exceptions as kept where kept.run_id = import_exceptions.run_id and kept.position = import_exceptions.position`,
  ],
  [
    "counters: uploads store the outcome",
    "delete from upload_batches",
    "insert into upload_batches select * from kept_upload_batches",
  ],
  [
    "counters: uploads store the outcome",
    "update uploads set failed_count = failed_count + 1",
    "update uploads set failed_count = failed_count - 1",
  ],
  [
    "counters: the counts of a run",
    "update import_runs set total_submitted = total_submitted + 1",
    "update import_runs set total_submitted = total_submitted - 1",
  ],
  [
    "counters: the counts of a run",
    "update import_runs set status = 2 where status = 3",
    "update import_runs set status = 3 where status = 2",
  ],
  ...["accounts", "contacts", "vehicles", "subscriptions"].map((table): [string, string, string] => [
    `counters: runs created as many ${table}`,
    `update import_runs set created_${table} = created_${table} + 1 where resource = 1`,
    `update import_runs set created_${table} = created_${table} - 1 where resource = 1`,
  ]),
  [
    "counters: runs created as many transactions",
    "delete from transactions where transaction_id = '100'",
    "insert into transactions select * from kept_transactions where transaction_id = '100'",
  ],
  [
    "links: import_exceptions.record_id",
    "update undo_records set kind = 'accounts' where is_removed",
    "update undo_records set kind = 'transactions' where is_removed",
  ],
  [
    "counters: runs created as many transactions",
    "delete from undo_records where is_removed",
    "truncate undo_records; insert into undo_records select * from kept_undo_records",
  ],
  [
    "undone: undo_records.run_id",
    `update undo_records set run_id = '${nowhere}'`,
    "truncate undo_records; insert into undo_records select * from kept_undo_records",
  ],
  [
    "undone: removed records",
    "update undo_records set is_removed = not is_removed where is_removed",
    "truncate undo_records; insert into undo_records select * from kept_undo_records",
  ],
  [
    "undone: removed records",
    "update undo_records set is_removed = true",
    "truncate undo_records; insert into undo_records select * from kept_undo_records",
  ],
  [
    "undone: runs count",
    "update import_runs set undone_count = undone_count + 1",
    "update import_runs set undone_count = undone_count - 1",
  ],
  [
    "undone: runs count",
    "update import_runs set undone_by = null",
    "update import_runs set undone_by = 'test' where undone_at is not null",
  ],
  ...[
    ["links: repeated_runs.run_id", `update repeated_runs set run_id = '${nowhere}' where same_as is null`],
    ["links: repeated_runs.same_as", `update repeated_runs set same_as = '${nowhere}'`],
    ["counters: runs store every Skipped", "update repeated_runs set same_as = run_id"],
  ].map(([check = "", plant = ""]): [string, string, string] => [
    check,
    plant,
    "truncate repeated_runs; insert into repeated_runs select * from kept_repeated_runs",
  ]),
  ...[
    ["deleted: deleted_records.run_id", `update deleted_records set run_id = '${nowhere}'`],
    [
      "deleted: deleted records are not stored",
      `update deleted_records set record_id = transactions.id from transactions
       where transactions.organization_id = deleted_records.organization_id and transaction_id = '100'
         and deleted_records.kind = 'transactions'`,
    ],
    ["deleted: deleted records are not stored", "update deleted_records set kind = 'people'"],
    [
      "deleted: runs count their deleted records",
      `insert into deleted_records
       select organization_id, gen_random_uuid(), kind, reference, run_id, position, deleted_at from deleted_records`,
    ],
  ].map(([check = "", plant = ""]): [string, string, string] => [
    check,
    plant,
    "truncate deleted_records; insert into deleted_records select * from kept_deleted_records",
  ]),
  ...[
    ["counters: runs created as many contacts", "deleted_records = deleted_records - 'contacts'"],
    ["deleted: runs count their deleted records", `deleted_records = '{"people": 1}'`],
    ["counters: runs store every Skipped", "exceptions_deleted_at = now()"],
  ].map(([check = "", planted = ""]): [string, string, string] => [
    check,
    `update import_runs set ${planted}`,
    "truncate import_runs; insert into import_runs select * from kept_import_runs",
  ]),
  [
    "links: import_exceptions.record_id",
    "update import_turns set deleted_before = null",
    `update import_turns set deleted_before = kept.deleted_before from kept_import_turns as kept
     where kept.organization_id = import_turns.organization_id`,
  ],
  [
    "counters: runs store every Skipped",
    "delete from import_exceptions where status = 4",
    "insert into import_exceptions select * from kept_import_exceptions where status = 4",
  ],
  [
    "counters: organizations have a row",
    "update import_turns set run_count = run_count + 1",
    "update import_turns set run_count = run_count - 1",
  ],
  [
    "counters: organizations have a row",
    "delete from import_turns",
    "insert into import_turns select * from kept_import_turns",
  ],
  ...[
    ["transactions", "transaction_id"],
    ["accounts", "tp_reference_id"],
    ["subscriptions", "tp_reference_id"],
    ["contacts", "email_key"],
    ["contacts", "phone_key"],
    ["vehicles", "plate_key"],
  ].map(([table, column]): [string, string, string] => [
    `keys: ${column} is unique in ${table}`,
    `update ${table} set ${column} = 'same'`,
    `update ${table} set ${column} = kept.${column} from kept_${table} as kept where kept.id = ${table}.id`,
  ]),
  [
    "keys: hash is unique in api_keys",
    "update api_keys set hash = 'same'",
    "update api_keys set hash = kept.hash from kept_api_keys as kept where kept.id = api_keys.id",
  ],
  [
    "keys: users belong to an organization only once",
    `with person as (
       insert into users (id, email, email_key, role, organization_id)
       select gen_random_uuid(), 'twice@example.com', 'twice@example.com', 'viewer', id from organizations limit 1
       returning id, organization_id, email
     )
     insert into memberships (id, user_id, organization_id, email, role)
     select gen_random_uuid(), id, organization_id, email, 'viewer' from person`,
    "delete from users where email_key = 'twice@example.com'",
  ],
  [
    "keys: the search keys of contacts",
    "update contacts set email = 'other@example.com'",
    "update contacts set email = kept.email from kept_contacts as kept where kept.id = contacts.id",
  ],
  [
    "keys: the search keys of vehicles",
    "update vehicles set license_plate = 'OTHER'",
    "update vehicles set license_plate = kept.license_plate from kept_vehicles as kept where kept.id = vehicles.id",
  ],
  [
    "erasures: none was interrupted",
    "insert into person_erasures (organization_id, person_hash, begun_at) select id, '', now() - interval '25 hours' from organizations",
    "delete from person_erasures",
  ],
  ...["update local_days set totals = '[]'", "delete from local_days"].map(
    (plant): [string, string, string] => [
      "days: the totals of a local day",
      plant,
      "truncate local_days; insert into local_days select * from kept_local_days",
    ],
  ),
  [
    "times: transactions",
    "update transactions set local_date = local_date + 1",
    "update transactions set local_date = local_date - 1",
  ],
  [
    "times: transactions",
    "update transactions set utc_offset_seconds = utc_offset_seconds + 1",
    "update transactions set utc_offset_seconds = utc_offset_seconds - 1",
  ],
  [
    "times: transactions",
    "update transactions set time_zone = 'Mars/Olympus'",
    "update transactions set time_zone = kept.time_zone from kept_transactions as kept where kept.id = transactions.id",
  ],
];

test("every planted violation is reported by its check, with examples", async () => {
  const pool = app.database.work;
  for (const table of [...strayTables, "api_keys"])
    await pool.query(`create table kept_${table} as select * from ${table}`);
  // Without the unique indexes, so that duplicate keys can be planted.
  for (const index of [
    ...["transactions_by_reference", "accounts_by_reference", "subscriptions_by_reference"],
    ...["contacts_by_email", "contacts_by_phone", "vehicles_by_plate", "api_keys_by_hash"],
  ])
    await pool.query(`drop index ${index}`);
  for (const [check, plant, repair] of planted) {
    await pool.query(plant);
    const report = await verify();
    const finding = report.checks.find(({ name }) => name.startsWith(check));
    expect(finding, `${check} after ${plant}`).toMatchObject({ violations: expect.toSatisfy((n) => n > 0) });
    expect(finding?.examples?.length, check).toBeGreaterThan(0);
    expect(report.ok).toBe(false);
    await pool.query(repair);
  }
  expect(await verify()).toMatchObject({ ok: true });
});

test("every check has a planted violation, except those that need more than one wrong row", () => {
  const covered = planted.map(([check]) => check);
  // Violations of values are planted in values.test.ts, one column at a time.
  const uncovered = [...checkNames].filter(
    (name) => !name.startsWith("values: ") && !covered.some((check) => name.startsWith(check)),
  );
  expect(uncovered).toEqual([
    "links: the organization of lead_attempts exists",
    "links: api_keys.replaced_by refers to a row of api_keys",
    "keys: idempotency_key is unique in leads",
  ]);
});

let checkNames: Set<string>;
beforeAll(async () => {
  checkNames = new Set((await verify()).checks.map(({ name }) => name));
});

test("tables larger than one batch are read completely", async () => {
  const rows = 45_001;
  await app.database.work.query(
    `insert into contacts (organization_id, id, email, email_key, import_run_id, position, created_at)
     select $1, gen_random_uuid(), 'n' || number || '@example.com', 'n' || number || '@example.com',
       case when number % 1000 = 0 then $2::uuid else (select id from import_runs where organization_id = $1 limit 1) end, 0, now()
     from generate_series(1, $3::int) as number`,
    [tenant.organizationId, nowhere, rows],
  );
  const before = 4;
  const report = await verify();
  const link = report.checks.find(({ name }) => name.startsWith("links: contacts.import_run_id"));
  expect(link).toMatchObject({ read: rows + before, violations: 45 });
  expect(link?.examples).toHaveLength(5);
  expect(readBy(report, /search keys of contacts/)).toBe(rows + before);
  const other = await verify(tenant.organizationId);
  expect(readBy(other, /search keys of contacts/)).toBe(rows + before / 2);
});
