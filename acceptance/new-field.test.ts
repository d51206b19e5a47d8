import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { environment } from "./command.js";
import { newResource } from "./new-resource.js";
import { leave, placeAt, startService, stop, type Place, type RunningService } from "./running-service.js";

/**
 * A new field is one line in the entity's file and one migration, and a new resource eight files, as CONTRIBUTING says.
 * Here both are done to a copy of the repository, and everything that ought to know them is asked for them.
 */
const run = promisify(execFile);
const checkout = fileURLToPath(new URL("..", import.meta.url));
const entityFile = "packages/contract/src/entities/transaction.ts";
const line = "    entryLane: optional(text(32)),\n";
const migration = `-- phase: expand
alter table transactions add column entry_lane text;
alter table contacts add column middle_name text;
`;
const contactFile = "packages/contract/src/entities/contact.ts";
const contactLine = "    middleName: optional(text(64)),\n";

let home: string;
let copy: string;
let place: Place;
let service: RunningService;
let cookie: string;
let firstRun: { referenceUuid: string; results: { uuid: string }[] };

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "gatehouse-new-field-"));
  copy = path.join(home, "repository");
  await copyRepository();
  await addField();
  await addResource();
  await run(process.execPath, ["node_modules/typescript/bin/tsc", "-b", "--noCheck"], { cwd: copy });
  place = placeAt(path.join(home, "place"), {}, path.join(copy, "packages/service/bin/gatehouse.js"));
  service = await startService(place);
  firstRun = (await sendTransaction("North 1")).json;
  const signedIn = await service.send("/console/api/session/link", {
    body: { token: service.signIn?.link.split("#token=")[1] },
    headers: { origin: service.apiAddress },
  });
  cookie = signedIn.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
});

afterAll(async () => {
  if (service) await stop(service);
  if (place) await leave(place);
  await rm(home, { recursive: true, force: true });
});

async function copyRepository(): Promise<void> {
  const isSource = (name: string) => !/\/(node_modules|dist|e2e)(\/|$)/.test(name.slice(checkout.length - 1));
  for (const entry of ["packages", "scripts", "package.json", "tsconfig.json", "tsconfig.base.json"])
    await cp(path.join(checkout, entry), path.join(copy, entry), { recursive: true, filter: isSource });
  // What is installed is shared; our own packages are those of the copy.
  const scope = "@gatehouse-parking";
  const modules = path.join(copy, "node_modules");
  await mkdir(path.join(modules, scope), { recursive: true });
  for (const name of await readdir(path.join(checkout, "node_modules")))
    if (name !== scope) await symlink(path.join(checkout, "node_modules", name), path.join(modules, name));
  for (const name of await readdir(path.join(copy, "packages")))
    await symlink(path.join(copy, "packages", name), path.join(modules, scope, name));
}

async function addField(): Promise<void> {
  await insertLine(entityFile, "    promoCode:", line);
  await insertLine(contactFile, "    tpReferenceId:", contactLine);
  await addMigration("entry_lane.sql", migration);
}

async function addResource(): Promise<void> {
  for (const { file, text, lines = [] } of newResource) {
    if (file.endsWith(".sql")) await addMigration(path.basename(file), text as string);
    else if (text !== undefined) await writeFile(path.join(copy, file), text);
    for (const { before, added } of lines) await insertLine(file, before, added);
  }
}

async function addMigration(name: string, text: string): Promise<void> {
  const migrations = path.join(copy, "packages/service/migrations");
  const last = (await readdir(migrations)).toSorted().at(-1) as string;
  const number = String(Number(last.slice(0, 4)) + 1).padStart(4, "0");
  await writeFile(path.join(migrations, `${number}_${name}`), text);
}

async function insertLine(name: string, before: string, added: string): Promise<void> {
  const file = path.join(copy, name);
  const text = await readFile(file, "utf8");
  expect(text).toContain(before);
  await writeFile(file, text.replace(before, added + before));
}

function demo() {
  if (!service.demo) throw new Error("a first start has a demo organization");
  return service.demo;
}

function sendTransaction(entryLane: unknown) {
  const transaction = {
    transactionId: "T-1",
    locationUuid: demo().locationUuid,
    type: 1,
    transactionDate: "2026-04-01T14:30:00Z",
    entryLane,
    contact: { email: "jo@example.com", middleName: "Robin" },
  };
  return service.send("/integrations/transactions", {
    key: demo().key,
    body: { transactions: [transaction] },
  });
}

function showContact(reference = "jo@example.com") {
  return place.gatehouse([
    ...["record", "show", "contact", reference],
    ...["--organization", demo().organizationUuid, "--json"],
  ]);
}

async function askConsole(address: string) {
  const { json } = await service.send(`/console/api/organizations/${demo().organizationUuid}${address}`, {
    headers: { cookie },
  });
  return json;
}

function showRecord(reference: string) {
  return place.gatehouse([
    ...["record", "show", "transaction", reference],
    ...["--organization", demo().organizationUuid, "--json"],
  ]);
}

async function push(resource: string, file: string): Promise<void> {
  const program = path.join(copy, "packages/client/bin/gatehouse-push.js");
  await run(
    process.execPath,
    [
      ...[program, resource, file, "--json"],
      ...["--url", service.apiAddress, "--ca", service.caFile as string],
    ],
    { env: environment({ GATEHOUSE_API_KEY: demo().key }) },
  );
}

test("it is imported, and shown by record show", async () => {
  expect(firstRun).toMatchObject({ successCount: 1 });
  expect((await showRecord("T-1")).json).toMatchObject({ transactionId: "T-1", entryLane: "North 1" });
});

test("it is checked", async () => {
  const { json } = await service.send("/integrations/transactions/validate", {
    key: demo().key,
    body: { transactions: [{ transactionId: "T-9", entryLane: "x".repeat(33) }] },
  });
  expect(json.results[0].errorDetail).toContain("entryLane must have at most 32 characters");
});

test("it is compared on replay, and the console shows what differed", async () => {
  const { json: again } = await sendTransaction("South 2");
  expect(again).toMatchObject({ skippedCount: 1 });
  const shown = await askConsole(`/runs/${again.referenceUuid}`);
  expect(JSON.stringify(shown)).toContain('{"field":"entryLane","stored":"North 1","sent":"South 2"}');
});

test("the record's page in the console has it", async () => {
  const record = await askConsole(`/records/transactions/${firstRun.results[0]?.uuid}`);
  expect(record.fields).toMatchObject({ entryLane: "North 1" });
});

test("an export of the organization has it", async () => {
  const { stdout } = await place.gatehouse(["export", "--organization", demo().organizationUuid]);
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text));
  expect(lines.find(({ transactionId }) => transactionId === "T-1")).toMatchObject({ entryLane: "North 1" });
});

test("a file may have a column for it", async () => {
  const file = path.join(home, "transactions.csv");
  const { locationUuid } = demo();
  await writeFile(
    file,
    `transactionId,locationUuid,type,transactionDate,entryLane\nT-2,${locationUuid},1,2026-04-01T14:30:00Z,West 3\n`,
  );
  await push("transactions", file);
  expect((await showRecord("T-2")).json).toMatchObject({ entryLane: "West 3" });
});

test("a new field of a person is forgotten with them", async () => {
  const show = () =>
    place.gatehouse([
      ...["person", "export", "--email", "jo@example.com"],
      ...["--organization", demo().organizationUuid, "--json"],
    ]);
  expect((await show()).stdout).toContain("Robin");
  const { json: contact } = await showContact();
  await place.gatehouse([
    ...["person", "delete", "--email", "jo@example.com"],
    ...["--organization", demo().organizationUuid, "--json"],
  ]);
  const { stdout } = await showContact(contact.uuid);
  expect(stdout).not.toContain("Robin");
  expect(JSON.parse(stdout)).toMatchObject({ uuid: contact.uuid, middleName: null });
});

test("openapi.json has it", async () => {
  const { json } = await service.send("/openapi.json");
  expect(json.components.schemas.Transaction.properties.entryLane).toMatchObject({ maxLength: 32 });
});

describe("a new resource", () => {
  function sendCitation(citationNumber: string, fine: number) {
    return service.send("/integrations/citations", {
      key: demo().key,
      body: { citations: [{ citationNumber, locationUuid: demo().locationUuid, fine }] },
    });
  }

  test("takes eight files, and CONTRIBUTING names each of them", async () => {
    expect(newResource).toHaveLength(8);
    const contributing = await readFile(path.join(checkout, "CONTRIBUTING.md"), "utf8");
    const [, section = ""] = contributing.split("### A new resource\n");
    const [list = ""] = section.split("\n## ");
    const named = newResource.map(({ file }) =>
      file.replace(/citations?\.ts$/, "NAME.ts").replace(/citations\.sql$/, "NNNN_NAMEs.sql"),
    );
    expect([...list.matchAll(/`(packages\/[^`]*)`/g)].map(([, file]) => file).toSorted()).toEqual(
      named.toSorted(),
    );
  });

  test("is imported, skipped with its differences when it comes again, and refused by the same rules", async () => {
    const { json: created } = await sendCitation("C-1", 40);
    expect(created).toMatchObject({ resource: 4, successCount: 1 });
    const { json: again } = await sendCitation("C-1", 45);
    expect(again).toMatchObject({
      resource: 4,
      skippedCount: 1,
      results: [{ uuid: created.results[0].uuid }],
    });
    const shown = await askConsole(`/runs/${again.referenceUuid}`);
    expect(JSON.stringify(shown)).toContain('"field":"fine"');
    const { json: refused } = await service.send("/integrations/citations/validate", {
      key: demo().key,
      body: { citations: [{ citationNumber: "C-2", accountTPReferenceId: "NOBODY" }, {}] },
    });
    expect(refused.results.map(({ reasonCode }: { reasonCode: number }) => reasonCode)).toEqual([6, 4]);
  });

  test("is shown by record show, on its page of the console and in openapi.json", async () => {
    await sendCitation("C-3", 40);
    await sendCitation("C-3", 40);
    const { json: shown } = await place.gatehouse([
      ...["record", "show", "citation", "C-3"],
      ...["--organization", demo().organizationUuid, "--json"],
    ]);
    expect(shown).toMatchObject({ citationNumber: "C-3", fine: 40 });
    const page = await askConsole(`/records/citations/${shown.uuid}`);
    expect(page).toMatchObject({
      kind: "citations",
      reference: "C-3",
      occurrences: [{ resource: 4, status: 3 }],
    });
    const { json: document } = await service.send("/openapi.json");
    expect(document.paths["/integrations/citations"].post.operationId).toBe("importCitations");
    expect(document.components.schemas.CitationBatch.properties.citations.maxItems).toBe(50);
  });

  test("is pushed from a file, and verify finds nothing wrong", async () => {
    const file = path.join(home, "citations.csv");
    await writeFile(file, "citationNumber,fine\nC-4,12.50\n");
    await push("citations", file);
    const { stdout } = await place.gatehouse(["verify", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true });
  });
});
