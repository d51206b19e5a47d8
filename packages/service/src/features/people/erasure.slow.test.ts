import { afterAll, beforeAll, expect, test } from "vitest";
import { isLong } from "../../../../../testing/seed.js";
import { startFaultProxy, type FaultProxy } from "../../../testing/fault-proxy.js";
import { openPatientDatabase, useApp } from "../../../testing/harness.js";
import { uploaderOf } from "../../../testing/uploader.js";
import { importer, type Importer } from "../../../testing/importer.js";
import { rowsReadBy } from "../../../testing/rows-read.js";
import { waitingForLocks } from "../../../testing/waiting-for-locks.js";
import type { Database } from "../../core/database/pool.js";
import { erasePerson } from "./erase-person.js";
import { nothingErased, type ErasureCounts } from "./erasure-state.js";
import { exportPerson } from "./export-person.js";

// The person is erased through `database`, whose connection the tests can break; the app uses a healthy one.
const gatehouse = useApp();
let proxy: FaultProxy;
let database: Database;
const readTables = [
  "accounts",
  "contacts",
  "leads",
  "lead_work",
  "lead_notes",
  "import_exceptions",
  "import_sent_values",
  "transactions",
];
beforeAll(async () => {
  // Runs before there are rows: with statistics from autovacuum, the planner would scan such small tables.
  for (const table of readTables)
    await gatehouse.database.work.query(`alter table ${table} set (autovacuum_enabled = off)`);
  proxy = await startFaultProxy(gatehouse.connectionString);
  database = openPatientDatabase({ connectionString: proxy.connectionString, workConnections: 1 });
});
afterAll(async () => {
  await database.close();
  await proxy.close();
});

const email = "Jo.Kö@example.com";
const phone = "+1 (212) 555-0100";
const traces = /jo\.k|555\D*0100|joanna|12125550100/i;

/** Stores Jo everywhere: under the address, under the number alone, and in the records of others. */
async function partnerOfJo(): Promise<Importer> {
  const partner = await importer(gatehouse);
  const { apiKey, locationUuid } = partner;
  const lead = (fields: object) => gatehouse.post("/lead/submit", apiKey, { locationUuid, ...fields });
  await lead({ email, firstName: "Joanna" });
  await lead({ email: "shared@example.com", phone: "+1-212-555.0100", lastName: "Joanna" });
  const other = await lead({ email: "somebody@else.example", phone: "+1-212-555-0199" });
  await workOn(partner.organizationId, other.json.leadUuid);
  const account = (tpReferenceId: string, fields: object = {}) => ({
    tpReferenceId,
    name: "Acme",
    ...fields,
  });
  const accounts = (...list: object[]) =>
    gatehouse.post("/integrations/accounts", apiKey, { accounts: list });
  await accounts(
    account("A-1", { contactName: "Joanna", contactEmail: ` ${email.toUpperCase()} ` }),
    account("A-2", { contactName: "Joanna", contactPhoneNumber: "1.212.555.0100" }),
    account("A-3", {
      contactName: "Sam",
      contactEmail: "jo.ö@example.com",
      contactPhoneNumber: "+12125550199",
    }),
    account("A-4", { contactName: "Sam" }),
  );
  await partner.importTransactions(
    partner.transaction("T-1", { contact: { email, firstName: "Joanna" } }),
    partner.transaction("T-2", { contact: { phoneNumber: phone, lastName: "Joanna" } }),
    partner.transaction("T-3", { contact: { email: "somebody@else.example" } }),
  );
  // Resent with other content, these leave differences, some of which do not name the person by address or
  // number.
  await accounts(
    account("A-1", { contactName: "Joanna Other", contactEmail: email }),
    account("A-2", { contactName: "Joanna Other", contactPhoneNumber: "1.212.555.0100" }),
    account("A-4", { contactName: "Sam", contactEmail: email }),
  );
  await partner.importTransactions(
    partner.transaction("T-1", { contact: { email }, metadata: { name: "Joanna" } }),
    partner.transaction("T-2", { contact: { phoneNumber: phone }, metadata: { name: "Joanna" } }),
    partner.transaction("T-3", { contact: { phoneNumber: phone } }),
  );
  // The rejected values of failed records are stored for a while.
  await gatehouse.post("/integrations/transactions", apiKey, {
    transactions: [
      partner.transaction("T-4", { contact: { email: `${email} (home)` } }),
      partner.transaction("T-5", { contact: { email: "Sam (home)" } }),
    ],
  });
  return partner;
}

/** Adds a note and a state to every lead, and notes that mention Jo by address and number to another person's lead. */
async function workOn(organizationId: string, leadUuid: string): Promise<void> {
  const { work } = gatehouse.database;
  await work.query(
    `insert into lead_work (organization_id, lead_id, state, changed_by, changed_at)
     select organization_id, id, 'contacted', 'ann@example.com', now() from leads where organization_id = $1`,
    [organizationId],
  );
  const note = `insert into lead_notes (organization_id, lead_id, id, author_id, author, note, created_at)
    select organization_id, id, gen_random_uuid(), gen_random_uuid(), 'ann@example.com', $2, now() from leads
    where organization_id = $1`;
  await work.query(note, [organizationId, "Spoke to them on 3 May"]);
  for (const text of [`Same firm as ${email}`, `Call 001/212-555 0100 at 5`, "Not the one of 212-555-0199"])
    await work.query(`${note} and id = $3`, [organizationId, text, leadUuid]);
  // In national spelling, between other digits.
  for (const text of ["At 9:30, (212) 555-0100; 2 spaces", "Ask at 555 0100", "Not the 212 of 5551"])
    await work.query(`${note} and id = $3`, [organizationId, text, leadUuid]);
}

const everything: ErasureCounts = {
  leadsDeleted: 2,
  leadNotesDeleted: 6,
  contactsErased: 2,
  accountsErased: 2,
  differencesErased: 7,
  uploadRowsErased: 0,
};

async function everythingStored({ organizationId }: Importer): Promise<string> {
  const tables = [
    "leads",
    "lead_work",
    "lead_notes",
    "contacts",
    "accounts",
    "transactions",
    "import_exceptions",
    "import_sent_values",
    "audit_log",
  ];
  const { rows } = await gatehouse.database.work.query<{ everything: string }>(
    `select concat(${tables.map((table) => `(select json_agg(${table}) from ${table} where organization_id = $1)`).join(", ")}) as everything`,
    [organizationId],
  );
  return rows[0]?.everything as string;
}

const jo = ({ organizationId }: Importer) => ({
  organizationId,
  email,
  phone,
  actor: "test",
  rowsPerStep: 2,
});

test("a person is erased by address and number from contacts, accounts, leads and the differences of all records", async () => {
  const partner = await partnerOfJo();
  const exported = await exportPerson(database.work, jo(partner));
  expect(exported.accounts.map((account) => account["tpReferenceId"])).toEqual(["A-1", "A-2"]);
  expect([exported.leads.length, exported.contacts.length]).toEqual([2, 2]);
  expect(exported.leads[0]).toMatchObject({
    workState: "contacted",
    workStateChangedBy: "ann@example.com",
    workNotes: [{ text: "Spoke to them on 3 May", author: "ann@example.com" }],
  });

  expect(await everythingStored(partner)).toMatch(traces);
  expect(await erasePerson(database.work, jo(partner))).toEqual(everything);
  const stored = await everythingStored(partner);
  expect(stored).not.toMatch(traces);
  for (const other of ["somebody@else.example", "jo.ö@example.com", "+12125550199", '"Sam"', "Sam (home)"])
    expect(stored).toContain(other);
  // The remaining lead keeps its own note, notes about other people, and its state.
  const { rows } = await gatehouse.database.work.query(
    `select (select count(*)::integer from lead_notes where organization_id = $1) as notes,
            (select count(*)::integer from lead_work where organization_id = $1) as states`,
    [partner.organizationId],
  );
  expect(rows).toEqual([{ notes: 3, states: 1 }]);
});

test("erasing a person by phone number alone leaves no number in the audit log", async () => {
  const partner = await partnerOfJo();
  const deletion = await erasePerson(database.work, { ...jo(partner), email: undefined });
  expect(deletion).toEqual({
    ...nothingErased,
    ...{ leadsDeleted: 1, leadNotesDeleted: 4, contactsErased: 1, accountsErased: 1, differencesErased: 3 },
  });
  expect(await everythingStored(partner)).not.toMatch(/555\D*0100/);
  const { rows } = await gatehouse.database.work.query(
    "select detail from audit_log where organization_id = $1 and action = 'person.delete'",
    [partner.organizationId],
  );
  expect(rows.map(({ detail }) => JSON.parse(detail))).toEqual([{ byPhone: true, ...deletion }]);
});

test("an erasure that was interrupted at any step is completed by a repeated one, which reports the total of both", async () => {
  for (let nth = 1; ; nth += isLong ? 1 : 7) {
    const partner = await partnerOfJo();
    proxy.spoil(nth, "cut after", true);
    const cut = await erasePerson(database.work, jo(partner)).catch(() => undefined);
    const { spoiled } = proxy.heal();
    if (spoiled === 0) {
      expect(cut).toEqual(everything);
      expect(nth).toBeGreaterThan(20);
      return;
    }
    // Simulates the time after which another process may take over.
    await gatehouse.database.work.query(
      "update person_erasures set leased_until = now() - interval '1 second' where organization_id = $1",
      [partner.organizationId],
    );
    const repeated = await erasePerson(database.work, jo(partner));
    // If the last commit succeeded, nothing was left to do, and the audit log has the first report.
    expect([everything, nothingErased]).toContainEqual(repeated);
    expect(await everythingStored(partner), `step ${nth}`).not.toMatch(traces);
    const { rows } = await gatehouse.database.work.query(
      "select detail::jsonb - 'emailSha256' - 'byPhone' as detail from audit_log where organization_id = $1 and action = 'person.delete' order by id limit 1",
      [partner.organizationId],
    );
    expect(rows[0].detail, `step ${nth}`).toEqual(everything);
  }
});

test("imports of the organization continue while a person is erased", async () => {
  const partner = await partnerOfJo();
  const holder = await gatehouse.database.work.connect();
  try {
    // The erasure must wait for the transaction with these locks, and must not delay imports meanwhile.
    await holder.query("begin");
    await holder.query("select from import_exceptions where organization_id = $1 for update", [
      partner.organizationId,
    ]);
    const erasure = erasePerson(database.work, jo(partner));
    await expect.poll(() => waitingForLocks(gatehouse)).toBeGreaterThan(0);
    const run = await partner.importTransactions(partner.transaction("T-4"));
    expect(run.successCount).toBe(1);
    await holder.query("rollback");
    expect(await erasure).toEqual(everything);
  } finally {
    holder.release(true);
  }
});

test("an erasure reads other people's data only once and uses indexes", async () => {
  const partner = await partnerOfJo();
  const others = [
    `insert into accounts (organization_id, id, tp_reference_id, name, type, is_active, contact_email, contact_phone_number, import_run_id, position, created_at)
     select $1, gen_random_uuid(), 'B-' || n, 'Acme', 1, true, 'other' || n || '@else.example', '+49 30 ' || 100000 + n, $1, n, now()
     from generate_series(1, 20000) as n`,
    `insert into leads (organization_id, id, location_id, email, email_key, phone, api_key_id, address, created_at)
     select $1, gen_random_uuid(), $1, 'other', 'other' || n || '@else.example', '+49 30 ' || 100000 + n, $1, '127.0.0.1', now()
     from generate_series(1, 20000) as n`,
    `insert into import_exceptions (organization_id, run_id, position, reference, status, reason_code, record_id)
     select $1, gen_random_uuid(), n, 'B-' || n, 3, 1, $1 from generate_series(1, 20000) as n`,
  ];
  for (const statement of others) await gatehouse.database.work.query(statement, [partner.organizationId]);
  const read = await rowsReadBy(gatehouse.database, readTables, () =>
    erasePerson(gatehouse.database.work, { ...jo(partner), rowsPerStep: 200 }),
  );
  expect(read.sequential).toBe(0);
  // Records are found by index; the search of all texts reads each of these 60,000 rows once.
  expect(read.indexed).toBeLessThan(61_000);
});

test("an erasure needs a valid address or number", async () => {
  const { organizationId } = await importer(gatehouse);
  const noPerson = { organizationId, actor: "test" };
  await expect(erasePerson(database.work, noPerson)).rejects.toThrow("email address, phone number, or both");
  await expect(erasePerson(database.work, { ...noPerson, phone: "+1 call me" })).rejects.toThrow(
    "is not a phone number",
  );
});

test("corrected rows that mention the person keep only their outcome", async () => {
  const partner = await partnerOfJo();
  const by = await uploaderOf(gatehouse, partner, "admin");
  const { uuid } = await by.run("transactionId,contact.email\nU-1,\nU-2,\n");
  const rows = [
    { row: 1, attempt: 0, cells: ["U-1", email] },
    { row: 2, attempt: 0, cells: ["U-2", "sam@else.example"] },
  ];
  const sent = await by.person.post(`${by.uploads}/${uuid}/corrections`, { rows });
  expect(sent.json).toMatchObject({ failed: 2 });
  expect(await erasePerson(database.work, jo(partner))).toMatchObject({ uploadRowsErased: 1 });
  const { data } = (await by.person.get(`${by.uploads}/${uuid}/failures`)).json;
  expect(data).toMatchObject([
    { reference: "", message: "The row was erased on request", cells: ["", ""] },
    { reference: "U-2", cells: ["U-2", "sam@else.example"] },
  ]);
});

test("uploaded rows that mention the person keep only their outcome, in files of every format", async () => {
  const partner = await partnerOfJo();
  const by = await uploaderOf(gatehouse, partner, "admin");
  const csv = await by.run(
    `transactionId,contact.email,contact.phoneNumber\nU-1,${email},\nU-2,,+1 212 555 0100\nU-3,sam@else.example,\n`,
  );
  const json = await by.run(
    [
      { transactionId: "U-4", contact: { email: `${email} x` } },
      { transactionId: "U-5", contact: { email: "sam@else.example" } },
    ]
      .map((record) => JSON.stringify(record))
      // If a name occurs twice, the second value is read.
      .concat(String.raw`{"transactionId":"U-6 \\","contact":{"email":"${email}"},"contact":{"email":"sam"}}`)
      .join("\n"),
  );
  expect([csv.failed, json.failed]).toEqual([3, 3]);
  expect(json.problems.some(({ example }) => example?.includes("Jo.K"))).toBe(true);
  expect(await erasePerson(database.work, jo(partner))).toEqual({
    ...everything,
    // The import of the file also stores the problem with U-4.
    differencesErased: everything.differencesErased + 1,
    uploadRowsErased: 4,
  });
  const { rows } = await gatehouse.database.work.query<{ kept: string }>(
    `select concat((select json_agg(rows) from upload_batches where organization_id = $1),
                   (select json_agg(problems) from uploads where organization_id = $1)) as kept`,
    [partner.organizationId],
  );
  expect(rows[0]?.kept).not.toMatch(traces);
  const failures = (await by.person.get(`${by.uploads}/${csv.uuid}/failures`)).json.data;
  expect(failures).toMatchObject([
    { line: 2, reference: "", message: "The row was erased on request", cells: ["", "", ""] },
    { line: 3, cells: ["", "", ""] },
    { line: 4, reference: "U-3", cells: ["U-3", "sam@else.example", ""] },
  ]);
});

test("summaries of uploads do not keep the person: numbers, truncated values, and rows taken for a header", async () => {
  const partner = await partnerOfJo();
  const by = await uploaderOf(gatehouse, partner, "admin");
  const padded = `${"x".repeat(130)} ${email}`;
  const json = await by.run(
    [
      { transactionId: "U-1", contact: { phoneNumber: 12_125_550_100 } },
      { transactionId: "U-2", contact: { email: padded } },
      { transactionId: "U-3", contact: { phoneNumber: 12_125_550_199 } },
    ]
      .map((record) => JSON.stringify(record))
      .join("\n"),
  );
  expect(json.problems.some(({ example }) => example?.startsWith("xxx"))).toBe(true);
  const headless = `U-4,${email},${phone}\nU-5,sam@else.example,+1 212 555 0199\n`;
  const taken = { mapping: { file: { headerRows: 1 } } };
  const stopped = await by.run(headless, taken);
  expect(stopped.problem).toMatch(traces);
  const byNumber = await by.run(`U-4,x,${phone}\nU-5,y,+1 212 555 0199\n`, taken);
  expect(byNumber.problem).toMatch(/555-0100/);
  const values = { [email]: "U-9", Sam: "U-8" };
  const mapping = {
    ...taken.mapping,
    columns: { "U-4": { to: "transactionId", values }, [email]: "contact.email", [phone]: null },
    constants: { "metadata.by": "212 555 0100", type: 1 },
  };
  const keep = (name: string) =>
    by.person.post(by.uploads.replace("uploads", "mappings"), {
      ...{ name, resource: "transactions", columns: ["U-4", email, phone], mapping },
    });
  const named = [(await keep("Garage")).json.uuid, (await keep(`File of ${email}`)).json.uuid];
  const ignoring = await by.run(headless, { mapping, ignoreUnknownColumns: true });
  expect(ignoring.columns).toEqual(["U-4", email, phone]);
  expect(await erasePerson(database.work, jo(partner))).toEqual({
    ...everything,
    // Its import also stores the problem with U-2.
    differencesErased: everything.differencesErased + 1,
    uploadRowsErased: 2,
  });
  const { rows } = await gatehouse.database.work.query<{ kept: string }>(
    `select concat((select json_agg(rows) from upload_batches where organization_id = $1),
                   (select json_agg(mappings) from mappings where organization_id = $1),
                   (select json_agg(uploads) from uploads where organization_id = $1)) as kept`,
    [partner.organizationId],
  );
  expect(rows[0]?.kept).not.toMatch(/xxx/);
  expect(rows[0]?.kept).not.toMatch(traces);
  expect(rows[0]?.kept).toContain("12125550199");
  expect(await by.show(stopped.uuid)).toMatchObject({
    state: "stopped",
    problem: "The problem with the file was erased on request",
  });
  expect((await by.show(ignoring.uuid)).columns).toEqual(["U-4", "", ""]);
  const left = {
    ...taken.mapping,
    columns: { "U-4": { to: "transactionId", values: { Sam: "U-8" } } },
    constants: { type: 1 },
  };
  expect((await by.show(ignoring.uuid)).mapping).toEqual(left);
  for (const uuid of named) {
    const kept = (await by.person.get(`${by.uploads.replace("uploads", "mappings")}/${uuid}`)).json;
    expect(kept).toMatchObject({ columns: ["U-4", "", ""], mapping: left });
  }
});
