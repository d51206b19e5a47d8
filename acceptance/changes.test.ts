import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { environment } from "./command.js";
import { changes, type Edit } from "./changes.js";
import { leave, placeAt, startService, stop, type Place, type RunningService } from "./running-service.js";

/**
 * Makes every change that docs/architecture.md describes in one copy of the repository, compiles it with type
 * checking, starts it, and checks all expected effects.
 */
const run = promisify(execFile);
const checkout = fileURLToPath(new URL("..", import.meta.url));

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
  for (const edits of Object.values(changes)) await apply(edits);
  await compile("-b");
  await compile("-p", "packages/console");
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
  for (const entry of [
    "packages",
    "scripts",
    "testing",
    "package.json",
    "tsconfig.json",
    "tsconfig.base.json",
  ])
    await cp(path.join(checkout, entry), path.join(copy, entry), { recursive: true, filter: isSource });
  // Installed packages are shared. Our own packages are those of the copy.
  const scope = "@gatehouse-parking";
  const modules = path.join(copy, "node_modules");
  await mkdir(path.join(modules, scope), { recursive: true });
  for (const name of await readdir(path.join(checkout, "node_modules")))
    if (name !== scope) await symlink(path.join(checkout, "node_modules", name), path.join(modules, name));
  for (const name of await readdir(path.join(copy, "packages")))
    await symlink(path.join(copy, "packages", name), path.join(modules, scope, name));
}

/** Prints the compiler's errors, because they are the reason of the failure. */
async function compile(...options: string[]): Promise<void> {
  const compiling = run(process.execPath, ["node_modules/typescript/bin/tsc", ...options], { cwd: copy });
  await compiling.catch(({ stdout }: { stdout: string }) => Promise.reject(new Error(stdout)));
}

async function apply(edits: readonly Edit[]): Promise<void> {
  for (const { file, text, lines = [] } of edits) {
    if (file.endsWith(".sql")) await addMigration(path.basename(file), text as string);
    else if (text !== undefined) await writeFile(path.join(copy, file), text);
    for (const { before, added, isReplaced } of lines)
      await changeText(file, before, isReplaced ? added : added + before);
  }
}

async function addMigration(name: string, text: string): Promise<void> {
  const migrations = path.join(copy, "packages/service/migrations");
  const last = (await readdir(migrations)).toSorted().at(-1) as string;
  const number = String(Number(last.slice(0, 4)) + 1).padStart(4, "0");
  await writeFile(path.join(migrations, `${number}_${name}`), text);
}

async function changeText(name: string, before: string, after: string): Promise<void> {
  const file = path.join(copy, name);
  const text = await readFile(file, "utf8");
  expect(text).toContain(before);
  await writeFile(
    file,
    text.replace(before, () => after),
  );
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

const entityFiles = (entity: string) => [
  `packages/contract/src/entities/${entity}.ts`,
  `packages/service/migrations/${entity}_field.sql`,
];

test("each change takes only these files", () => {
  const files = Object.entries(changes).map(([what, edits]) => [what, edits.map(({ file }) => file)]);
  expect(Object.fromEntries(files)).toEqual({
    "field of a transaction": entityFiles("transaction"),
    "field of a contact": entityFiles("contact"),
    "field of a lead": entityFiles("lead"),
    "field of a location": entityFiles("location"),
    resource: expect.objectContaining({ length: 8 }),
    "reason code": [
      "packages/contract/src/reason-codes.ts",
      "packages/contract/src/entities/vehicle.ts",
      "packages/client/src/contract.ts",
    ],
    "captcha provider": [
      "packages/contract/src/captcha.ts",
      "packages/service/migrations/captcha_provider.sql",
    ],
    endpoint: [
      "packages/contract/src/operations.ts",
      "packages/contract/src/schema/answers.ts",
      "packages/contract/src/examples.ts",
      "packages/service/src/core/locations/routes.ts",
      "packages/client/src/contract.ts",
    ],
    "page of the console": [
      "packages/console/src/features/search/search-help-page.tsx",
      "packages/console/src/features/search/feature.tsx",
    ],
    "organization setting": [
      "packages/contract/src/organization-settings.ts",
      "packages/service/migrations/is_read_only.sql",
      "packages/service/src/core/imports/import-batch.ts",
    ],
  });
});

test("the new field is imported, and record show displays it", async () => {
  expect(firstRun).toMatchObject({ successCount: 1 });
  expect((await showRecord("T-1")).json).toMatchObject({ transactionId: "T-1", entryLane: "North 1" });
});

test("the new field is validated", async () => {
  const { json } = await service.send("/integrations/transactions/validate", {
    key: demo().key,
    body: { transactions: [{ transactionId: "T-9", entryLane: "x".repeat(33) }] },
  });
  expect(json.results[0].errorDetail).toContain("entryLane must have at most 32 characters");
});

test("the new field is compared on replay, and the console shows the difference", async () => {
  const { json: again } = await sendTransaction("South 2");
  expect(again).toMatchObject({ skippedCount: 1 });
  const shown = await askConsole(`/runs/${again.referenceUuid}`);
  expect(JSON.stringify(shown)).toContain('{"field":"entryLane","stored":"North 1","sent":"South 2"}');
});

test("the record's page in the console shows the new field", async () => {
  const record = await askConsole(`/records/transactions/${firstRun.results[0]?.uuid}`);
  expect(record.fields).toMatchObject({ entryLane: "North 1" });
});

test("an export of the organization contains the new field", async () => {
  const { stdout } = await place.gatehouse(["export", "--organization", demo().organizationUuid]);
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text));
  expect(lines.find(({ transactionId }) => transactionId === "T-1")).toMatchObject({ entryLane: "North 1" });
});

test("an imported file may have a column for the new field", async () => {
  const file = path.join(home, "transactions.csv");
  const { locationUuid } = demo();
  await writeFile(
    file,
    `transactionId,locationUuid,type,transactionDate,entryLane\nT-2,${locationUuid},1,2026-04-01T14:30:00Z,West 3\n`,
  );
  await push("transactions", file);
  expect((await showRecord("T-2")).json).toMatchObject({ entryLane: "West 3" });
});

test("a new field of a person is erased with the person", async () => {
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

test("openapi.json contains the new field", async () => {
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

  test("the resource takes the files that CONTRIBUTING names", async () => {
    const contributing = await readFile(path.join(checkout, "CONTRIBUTING.md"), "utf8");
    const [, section = ""] = contributing.split("### A new resource\n");
    const [list = ""] = section.split("\n## ");
    const named = changes.resource.map(({ file }) =>
      file.replace(/citations?\.ts$/, "NAME.ts").replace(/citations\.sql$/, "NNNN_NAMEs.sql"),
    );
    expect([...list.matchAll(/`(packages\/[^`]*)`/g)].map(([, file]) => file).toSorted()).toEqual(
      named.toSorted(),
    );
  });

  test("the resource is imported, skipped with its differences when it is sent again, and rejected by the same rules", async () => {
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
      body: { citations: [{ citationNumber: "C-2", accountTPReferenceId: "UNKNOWN" }, {}] },
    });
    expect(refused.results.map(({ reasonCode }: { reasonCode: number }) => reasonCode)).toEqual([6, 4]);
  });

  test("the resource is in record show, on its page of the console and in openapi.json", async () => {
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

  test("the resource is pushed from a file, and verify finds no violation", async () => {
    const file = path.join(home, "citations.csv");
    await writeFile(file, "citationNumber,fine\nC-4,12.50\n");
    await push("citations", file);
    const { stdout } = await place.gatehouse(["verify", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true });
  });
});

describe("a new field of a lead", () => {
  const submit = (parkingReason: string, email = "lead@example.com") =>
    service.send("/lead/submit", {
      key: demo().key,
      body: { email, locationUuid: demo().locationUuid, parkingReason },
    });

  test("the field is validated, stored, and shown by record show and the console", async () => {
    expect((await submit("x".repeat(65))).json.errors).toEqual([
      "parkingReason must have at most 64 characters",
    ]);
    const { leadUuid } = (await submit("Near the station")).json;
    const { json: shown } = await place.gatehouse([
      ...["record", "show", "lead", leadUuid],
      ...["--organization", demo().organizationUuid, "--json"],
    ]);
    expect(shown).toMatchObject({ parkingReason: "Near the station" });
    expect(await askConsole(`/leads/${leadUuid}`)).toMatchObject({ parkingReason: "Near the station" });
    const { data } = await askConsole("/leads");
    expect(data.find(({ uuid }: { uuid: string }) => uuid === leadUuid)).toMatchObject({
      parkingReason: "Near the station",
    });
    const pages = await import(path.join(copy, "packages/contract/dist/console/record-facts.js"));
    expect(pages.fieldFacts.lead.map(({ name }: { name: string }) => name)).toContain("parkingReason");
  });

  test("the field is a column of the lead export, and in openapi.json", async () => {
    await submit("Cheap");
    const { text } = await service.send(`/console/api/organizations/${demo().organizationUuid}/leads.csv`, {
      headers: { cookie },
    });
    const [heading = "", ...rows] = text.split("\r\n");
    const column = heading.split(",").indexOf("parkingReason");
    expect(rows.map((row) => row.split(",")[column])).toContain("Cheap");
    const { json } = await service.send("/openapi.json");
    expect(json.components.schemas.Lead.properties.parkingReason).toMatchObject({ maxLength: 64 });
  });

  test("the field is erased with the person", async () => {
    const { leadUuid } = (await submit("Sent by erased@example.com", "friend@example.com")).json;
    await place.gatehouse([
      ...["person", "delete", "--email", "erased@example.com"],
      ...["--organization", demo().organizationUuid, "--json"],
    ]);
    expect(await askConsole(`/leads/${leadUuid}`)).toMatchObject({ parkingReason: null });
  });
});

describe("a new field of a location", () => {
  const where = ["--address", "1 Road", "--city", "Town", "--state", "NY", "--zipcode", "1"];
  const create = (...options: string[]) =>
    place.gatehouse([
      ...["location", "create", "--organization", demo().organizationUuid, "--name", "Deck", ...where],
      ...["--time-zone", "UTC", "--json", ...options],
    ]);

  test("the field is an option of the command, and validated", async () => {
    const { json } = await create("--site-code", "D-1", "--space-count", "40");
    expect(json).toMatchObject({ siteCode: "D-1", spaceCount: 40 });
    expect((await create("--space-count", "many")).stderr).toContain("spaceCount must be a whole number");
    const { json: changed } = await place.gatehouse([
      ...["location", "update", json.uuid, "--site-code", "", "--json"],
    ]);
    expect(changed).toMatchObject({ siteCode: null, spaceCount: 40 });
  });

  test("the field is in the lists, in the forms of the console and in openapi.json", async () => {
    const { json: made } = await service.send(
      `/console/api/organizations/${demo().organizationUuid}/locations`,
      {
        body: { ...fields, siteCode: "C-1", spaceCount: 7 },
        headers: { cookie, origin: service.apiAddress },
      },
    );
    expect(made).toMatchObject({ siteCode: "C-1", spaceCount: 7 });
    const { json: list } = await service.send("/integrations/locations?query=Console", { key: demo().key });
    expect(list.data).toMatchObject([{ siteCode: "C-1", spaceCount: 7 }]);
    const pages = await import(path.join(copy, "packages/contract/dist/console/record-facts.js"));
    expect(pages.fieldFacts.location.map(({ name }: { name: string }) => name)).toContain("siteCode");
    const { json } = await service.send("/openapi.json");
    expect(json.components.schemas.Location.properties).toHaveProperty("spaceCount");
  });
  const fields = {
    ...{ name: "Console", address: "1 Road", city: "Town", state: "NY", zipcode: "1", timeZone: "UTC" },
  };

  test("the field may be a column of a file of locations", async () => {
    const file = path.join(home, "locations.csv");
    await writeFile(
      file,
      "name,address,city,state,zipcode,timeZone,Site code,spaceCount\nFile,1 Road,Town,NY,1,UTC,F-1,12\n",
    );
    const { json } = await place.gatehouse([
      ...["location", "import", "--organization", demo().organizationUuid, file, "--json"],
    ]);
    expect(json.locations).toMatchObject([{ siteCode: "F-1", spaceCount: 12 }]);
  });
});

test("a new reason code is returned", async () => {
  const { json } = await service.send("/integrations/transactions/validate", {
    key: demo().key,
    body: {
      transactions: [
        {
          transactionId: "T-10",
          locationUuid: demo().locationUuid,
          type: 1,
          transactionDate: "2026-04-01T14:30:00Z",
          vehicleUuid: demo().organizationUuid,
        },
      ],
    },
  });
  expect(json.results).toMatchObject([{ reasonCode: 10 }]);
});

test("a new captcha provider can be chosen", async () => {
  const secret = path.join(home, "captcha.secret");
  await writeFile(secret, "secret");
  const { exitCode, stderr } = await place.gatehouse([
    ...["organization", "configure", demo().organizationUuid, "--captcha", "friendly"],
    ...["--captcha-secret-file", secret],
  ]);
  expect(exitCode, stderr).toBe(0);
  await place.gatehouse(["organization", "configure", demo().organizationUuid, "--captcha", "off"]);
});

test("a new endpoint responds, is rate limited and documented", async () => {
  const { status, headers, json } = await service.send("/integrations/locations/count", {
    key: demo().key,
  });
  expect([status, headers["x-ratelimit-limit"]]).toEqual([200, "300"]);
  expect(json).toEqual({ count: expect.any(Number) });
  const { json: document } = await service.send("/openapi.json");
  expect(document.paths["/integrations/locations/count"].get.operationId).toBe("countLocations");
});

test("new fields are transferred to another installation", async () => {
  const file = path.join(home, "organization.ndjson");
  const from = ["--organization", demo().organizationUuid];
  await place.gatehouse(["export", ...from, "--output", file]);
  const elsewhere = placeAt(
    path.join(home, "elsewhere"),
    {},
    path.join(copy, "packages/service/bin/gatehouse.js"),
  );
  await elsewhere.gatehouse(["migrate"]);
  const { json: empty } = await elsewhere.gatehouse(["organization", "create", "--name", "Moved", "--json"]);
  const to = ["--organization", empty.uuid, "--json"];
  const { json: imported } = await elsewhere.gatehouse(["import-export", file, ...to]);
  expect(imported.lines).toMatchObject({ lead: expect.any(Number) });
  const again = path.join(home, "again.ndjson");
  await elsewhere.gatehouse(["export", "--organization", empty.uuid, "--output", again]);
  const moved = await readFile(again, "utf8");
  expect(moved).toContain('"parkingReason":"Cheap"');
  expect(moved).toContain('"spaceCount":12');
  expect((await elsewhere.gatehouse(["verify", "--json"])).json).toMatchObject({ ok: true });
  await leave(elsewhere);
});

test("a new setting is set by command and in the console, applied to imports, and exported", async () => {
  const configure = async (...options: string[]) => {
    const command = ["organization", "configure", demo().organizationUuid, ...options, "--json"];
    return (await place.gatehouse(command)).json;
  };
  const send = () =>
    service.send("/integrations/transactions", {
      key: demo().key,
      body: { transactions: [{ transactionId: "T-setting" }] },
    });
  expect(await configure()).toMatchObject({ isReadOnly: false });
  expect((await send()).status).toBe(200);
  expect(await configure("--read-only", "on")).toMatchObject({ isReadOnly: true });
  const refused = await send();
  expect(refused.status).not.toBe(200);
  expect(refused.text).toContain("The organization is read-only");
  const { stdout } = await place.gatehouse(["export", "--organization", demo().organizationUuid]);
  expect(JSON.parse(stdout.slice(0, stdout.indexOf("\n"))).settings).toMatchObject({ isReadOnly: true });
  const shown = await askConsole("");
  expect(shown).toMatchObject({ isReadOnly: true });
  const changed = await service.send(`/console/api/organizations/${demo().organizationUuid}`, {
    method: "PATCH",
    headers: { cookie, origin: service.apiAddress },
    body: { isReadOnly: false, version: shown.version },
  });
  expect(changed).toMatchObject({ status: 200, json: { isReadOnly: false } });
  expect(await configure()).toMatchObject({ isReadOnly: false });
});
