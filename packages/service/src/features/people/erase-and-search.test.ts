import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { amount, startRig, type Random } from "../../../../../testing/rig.js";
import { useApp } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";
import { interceptStatements } from "../../../testing/statements.js";
import { transactionFile, uploaderOf } from "../../../testing/uploader.js";
import { fillOrganization } from "../../../testing/filled-organization.js";
import { createApiKey } from "../../core/organizations/api-keys.js";
import { verifyStoredData } from "../../../testing/verify.js";
import { erasePerson } from "./erase-person.js";
import { personalData, searchedTables } from "./personal-data.js";

/**
 * Puts one person into every text that an organization stores, erases the person, and then searches the whole
 * database for traces.
 */
const gatehouse = useApp();

interface CatalogueColumn {
  table: string;
  column: string;
  type: string;
  isNullable: boolean;
  isOrganizations: boolean;
}
let catalogue: CatalogueColumn[];

beforeAll(async () => {
  const { rows } = await gatehouse.database.work.query<CatalogueColumn>(
    `select c.table_name as table, c.column_name as column, c.data_type as type, c.is_nullable = 'YES' as "isNullable",
            exists (
              select from information_schema.columns as o
              where o.table_name = c.table_name and o.column_name = 'organization_id'
            ) as "isOrganizations"
     from information_schema.columns as c
     join information_schema.tables as t on t.table_name = c.table_name and t.table_schema = c.table_schema
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
     order by 1, 2`,
  );
  catalogue = rows;
});

const holdsText = ({ type, column }: CatalogueColumn) =>
  ["text", "character varying", "json", "jsonb", "bytea"].includes(type) ||
  // Text lists need a rule, but lists of uuids, counts and timestamps do not.
  (type === "ARRAY" && !/_ids$|_examples$|^counts$|^moments$/.test(column));

test("every column of text, JSON or bytes has an erasure rule", () => {
  const stored = catalogue.filter(holdsText).map(({ table, column }) => `${table}.${column}`);
  const declared = Object.entries(personalData).flatMap(([table, { columns }]) =>
    Object.keys(columns).map((column) => `${table}.${column}`),
  );
  expect(declared.toSorted()).toEqual(stored.toSorted());
  const differing = catalogue.filter(({ table, column, isNullable }) => {
    const rule = personalData[table]?.columns[column];
    return (rule === "text" && !isNullable) || (rule === "name" && isNullable);
  });
  expect(differing).toEqual([]);
});

test("docs/explanation/security.md names every column that an erasure keeps", async () => {
  const page = await readFile(
    new URL("../../../../../docs/explanation/security.md", import.meta.url),
    "utf8",
  );
  const section = page.slice(page.indexOf("## What an erasure leaves"));
  const named = [...section.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, column]) => column);
  const kept = Object.entries(personalData).flatMap(([table, { columns }]) =>
    Object.entries(columns).flatMap(([column, rule]) =>
      typeof rule === "object" ? [`${table}.${column}`] : [],
    ),
  );
  expect(named.toSorted()).toEqual(kept.toSorted());
});

const email = "ann.o'neil+park@x-mail.test";
const phone = "+1-212-555-0147";
const digits = "12125550147";
/** Other people, whose addresses and numbers contain the person's or resemble them. */
const lookAlikes = [
  "joann.o'neil+park@x-mail.test",
  "ann.o'neil+park@x-mail.tests",
  "9912125550147301",
  "jo.ann.o'neil+park@x-mail.test",
  "x_ann.o'neil+park@x-mail.test",
  "ann.o'neil+park@x-mail.test.au",
];
const otherAddresses = lookAlikes.filter((other) => other.includes("@"));

const addressSpellings = [
  email,
  email.toUpperCase(),
  ` ${email} `,
  `mailto:${email}?subject=Hi`,
  `<${email}>`,
  encodeURIComponent(email),
  `to_${email}_2026.csv`,
  `${email}2026.csv`,
  `leads-${email}.final (2).xlsx`,
  `请联系${email}谢谢`,
  `{"to":"${email}"}`,
];
const numberSpellings = [
  phone,
  digits,
  "+1 (212) 555-0147",
  "001 212 555 0147",
  "call 1.212.555.0147 at 5",
  `%2B${digits}`,
];

/** All stored data of these organizations as PostgreSQL prints it, except for columns that are documented to stay. */
async function dump(without: readonly string[]): Promise<string> {
  const parts: string[] = [];
  for (const table of new Set(catalogue.map((each) => each.table))) {
    const columns = catalogue.filter((each) => each.table === table);
    const shown = columns.filter(({ column }) => typeof personalData[table]?.columns[column] !== "object");
    const isOrganizations = columns.some(({ column }) => column === "organization_id");
    const { rows } = await gatehouse.database.work.query<{ row: string }>(
      `select concat_ws(E'\\n', ${shown.map(({ column }) => `'${table}.${column} ' || ${column}::text`).join(", ")}) as row
       from ${table} ${isOrganizations ? "where organization_id is null or organization_id <> all ($1::uuid[])" : ""}`,
      isOrganizations ? [without] : [],
    );
    parts.push(...rows.map(({ row }) => row));
  }
  return parts.join("\n");
}

/** The lines of a dump that mention the person, in any spelling that a search would try. */
function tracesIn(dumped: string): string[] {
  const wanted = [email, encodeURIComponent(email), email.replace("+", "%2B"), email.replace("@", "%40")];
  const encoded = [
    Buffer.from(email).toString("base64").replace(/=+$/, ""),
    Buffer.from(email).toString("hex"),
  ];
  return dumped.split("\n").filter((line) => {
    const name = /^[a-z_]+\.[a-z_0-9]+ /.exec(line)?.[0] ?? "";
    let text = line.slice(name.length);
    for (const other of lookAlikes) text = text.replaceAll(other, "");
    const unescaped = text.replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    const lower = unescaped.toLowerCase();
    return (
      wanted.some((each) => lower.includes(each.toLowerCase())) ||
      encoded.some((each) => text.includes(each)) ||
      unescaped.replaceAll(/\D/g, "").includes(digits)
    );
  });
}

/** Stores the person through real operations: as a customer, as a lead, and in the texts of others. */
async function plantByOperations(partner: Importer): Promise<void> {
  const { apiKey, locationUuid, organizationId } = partner;
  const { work } = gatehouse.database;
  const lead = (fields: object) => gatehouse.post("/lead/submit", apiKey, { locationUuid, ...fields });
  await lead({ email, phone, firstName: "Ann", metadata: { plate: "ANN 1" } });
  await lead({ email: "office@else.test", phone, lastName: "O'Neil" });
  const other = await lead({
    ...{ email: "sam@else.test", notes: `Ask ${email}`, companyName: email },
    referrerUrl: `https://www.example.com/?for=${encodeURIComponent(email)}`,
    metadata: { partner: email.toUpperCase(), number: Number(digits), [email]: 1 },
  });
  for (const other of otherAddresses) await lead({ email: other, notes: `I am ${other}` });
  const body = {
    metadata: { sentBy: email, note: `call ${phone}`, exact: 1 },
    transactions: [
      partner.transaction("P-1", { contact: { email, phoneNumber: phone, firstName: "Ann" } }),
      partner.transaction("P-2", { metadata: { driver: email, phones: [digits] }, promoCode: digits }),
      partner.transaction("P-3", {
        account: {
          tpReferenceId: "PA-1",
          name: `Firm of ${email}`,
          contactEmail: email,
          metadata: { email },
        },
        vehicle: { licensePlate: "XY 1", type: digits, metadata: { owner: email } },
        subscription: { tpReferenceId: "PS-1", permitType: digits, metadata: { for: email } },
      }),
      partner.transaction("P-4", { metadata: { drivers: otherAddresses, ticket: lookAlikes[2] } }),
      partner.transaction("P-5", { contact: { email: `${email} (home)` } }),
    ],
  };
  const send = (payload: string) =>
    gatehouse.send({
      ...{ method: "POST", url: "/integrations/transactions", key: apiKey, payload },
      headers: { "content-type": "application/json", "x-request-id": `ticket-${digits}` },
    });
  expect((await send(JSON.stringify(body))).status).toBe(200);
  // Resent with other content, so that the import records differences.
  const changed = body.transactions.map((each) => ({ ...each, cardType: "other", promoCode: phone }));
  expect((await send(JSON.stringify({ transactions: changed }))).status).toBe(200);
  // The request log is written in the background. An erasure does not cover lines that are written after it.
  const logged = "select 1 from request_log where organization_id = $1 and request_id = $2";
  await expect
    .poll(async () => (await work.query(logged, [organizationId, `ticket-${digits}`])).rowCount)
    .toBe(2);
  await createApiKey(work, { organizationId, name: `Key of ${email}`, actor: "test" });

  const by = await uploaderOf(gatehouse, partner, "admin");
  const organization = `/organizations/${organizationId}`;
  const { leadUuid } = other.json;
  expect(
    (await by.person.post(`${organization}/leads/${leadUuid}/notes`, { text: `Knows ${email}` })).status,
  ).toBe(200);
  for (const other of otherAddresses)
    expect(
      (await by.person.post(`${organization}/leads/${leadUuid}/notes`, { text: `Not ${other}` })).status,
    ).toBe(200);
  const mapping = { name: `For ${email}`, resource: "transactions", columns: ["Ticket", email] };
  expect(
    (
      await by.person.post(`${organization}/mappings`, {
        ...mapping,
        mapping: { columns: { Ticket: "transactionId" } },
      })
    ).status,
  ).toBe(200);
  const view = { list: "leads", name: "Ann", query: `q=${encodeURIComponent(email)}` };
  expect((await by.person.post(`${organization}/saved-views`, view)).status).toBe(200);
  for (const fileName of [`${email}.csv`, `leads_${digits}.csv`, `${lookAlikes[0]}.csv`]) {
    const uuid = await by.receive(transactionFile(by, 2).replaceAll("T-", `${fileName.length}-`), {
      fileName,
    });
    await by.start(uuid);
    await gatehouse.app.uploads.runUntilIdle();
  }
  await by.run(
    `transactionId,contact.email,contact.phoneNumber\nR-1,${email},\nR-2,,${phone}\nR-3,${lookAlikes[0]},\n`,
  );
}

/** Adds some rows to every searched column, in random spellings, beyond what the operations write. */
async function plantBySql({ organizationId }: Importer, random: Random): Promise<string[]> {
  const planted: string[] = [];
  for (const { table, key, columns } of searchedTables)
    for (const { name, rule } of columns) {
      if (typeof rule === "function") continue;
      const spelled = random.pick([...addressSpellings, ...numberSpellings]);
      const escaped = JSON.stringify({ note: [spelled], other: 1.5 }).replaceAll("a", String.raw`\u0061`);
      const object = random.pick([escaped, JSON.stringify({ [spelled]: spelled })]);
      const json = name === "unusable_reference" ? JSON.stringify(spelled) : object;
      const value = rule === "json" ? json : spelled;
      // The oldest rows belong to others, because the person's own are erased as a whole.
      const keys = key.map((each) => each.name).join(", ");
      const { rowCount } = await gatehouse.database.work.query(
        `update ${table} set ${name} = $2${rule === "json" ? "::json" : ""}
         where organization_id = $1 and (${keys}) in (
           select ${keys} from ${table} where organization_id = $1 ${table === "audit_log" ? "and action not like 'person.%'" : ""}
           order by ${keys} limit 2)`,
        [organizationId, value],
      );
      if ((rowCount ?? 0) > 0) planted.push(`${table}.${name}`);
    }
  return planted;
}

async function ofOrganization(table: string, organizationId: string): Promise<string> {
  const { rows } = await gatehouse.database.work.query(
    `select json_agg(each order by each::text)::text as stored from ${table} as each where organization_id = $1`,
    [organizationId],
  );
  return rows[0].stored ?? "";
}

const comparedTables = (): string[] =>
  Object.keys(personalData).filter(
    (table) =>
      Object.values(personalData[table]?.columns ?? {}).some((rule) => rule !== "closed") &&
      catalogue.some((each) => each.table === table && each.isOrganizations) &&
      !["organization_health", "organization_upkeep", "local_days", "request_log"].includes(table),
  );

/** The organization's texts that an erasure could change. */
async function textsOf(table: string, organizationId: string): Promise<string[]> {
  const columns = Object.entries(personalData[table]?.columns ?? {}).filter(([, rule]) => rule !== "closed");
  const shown = ["organization_id", ...columns.map(([column]) => column)].map((column) => `${column}::text`);
  const { rows } = await gatehouse.database.work.query<{ row: string }>(
    `select concat_ws(chr(10), ${shown.join(", ")}) as row from ${table} where organization_id = $1 order by 1`,
    [organizationId],
  );
  return rows.map(({ row }) => row);
}

test(
  "after an erasure no table mentions the person, and other people's data is unchanged",
  async () => {
    const rig = startRig("erase and search");
    const rounds = amount(1, 12);
    const figures = { "columns planted": 0, "traces before": 0 };
    const neighbour = await importer(gatehouse);
    await plantByOperations(neighbour);
    // Leaves out columns that the service itself changes in the background, such as the last use of a key.
    const others = () =>
      Promise.all(comparedTables().map((table) => textsOf(table, neighbour.organizationId)));
    const before = await others();
    for (let round = 0; round < rounds; round += 1) {
      const partner = await fillOrganization(gatehouse);
      await plantByOperations(partner);
      const { organizationId } = partner;
      const planted = await plantBySql(partner, rig.random);
      const searched = searchedTables.flatMap(({ table, columns }) =>
        columns.flatMap(({ name, rule }) => (typeof rule === "string" ? `${table}.${name}` : [])),
      );
      const unplanted = searched.filter((column) => !planted.includes(column));
      // Operators' health figures, and a log that is written with a delay.
      expect(unplanted.filter((column) => !/^(organization_health|request_log)\./.test(column))).toEqual([]);
      figures["columns planted"] = planted.length;
      figures["traces before"] += tracesIn(await dump([neighbour.organizationId])).length;

      await erasePerson(gatehouse.database.work, { organizationId, email, phone, actor: "test" });

      const dumped = await dump([neighbour.organizationId]);
      expect(tracesIn(dumped)).toEqual([]);
      for (const other of otherAddresses)
        for (const place of ["lead_notes.note Not ", "leads.notes I am ", "leads.email "])
          expect(dumped.split("\n"), place).toContain(place + other);
      expect(dumped).toContain(`"drivers":${JSON.stringify(otherAddresses)}`);
      expect(dumped).toContain(`uploads.file_name ${otherAddresses[0]}.csv`);
      expect(dumped).toContain(lookAlikes[2]);
      const { checks } = await verifyStoredData(gatehouse.connectionString, { organizationId });
      expect(checks.filter(({ violations }) => violations > 0)).toEqual([]);
    }
    expect(await others()).toEqual(before);
    rig.held({ rounds, ...figures });
  },
  120_000 * amount(1, 12),
);

test("erasing the name of a file while it is imported leaves the name in no import", async () => {
  const partner = await importer(gatehouse);
  const { organizationId } = partner;
  const { work } = gatehouse.database;
  const by = await uploaderOf(gatehouse, partner, "admin");
  const rows = 1_200;
  const uuid = await by.receive(transactionFile(by, rows), { fileName: `${email}.csv` });
  let erasing: Promise<unknown> | undefined;
  // The erasure waits for the batch that has locked the upload, and runs between it and the next one.
  const stop = interceptStatements(work, (texts, send) => {
    const isBatch = texts.some((statement) => statement.includes("insert into upload_batches"));
    if (isBatch) erasing ??= erasePerson(work, { organizationId, email, actor: "test" });
    return send();
  });
  await by.start(uuid);
  await gatehouse.app.uploads.runUntilIdle();
  await erasing;
  stop();
  // Simulates an expired lease of the worker that lost the upload.
  await work.query(
    "update upload_queue set leased_until = now() - interval '1 second' where upload_id = $1",
    [uuid],
  );
  await gatehouse.app.uploads.runUntilIdle();
  expect(await by.show(uuid)).toMatchObject({ state: "finished", created: rows, fileName: "(erased)" });
  for (const table of ["uploads", "import_runs", "audit_log"])
    expect(await ofOrganization(table, organizationId), table).not.toContain(email);
});
