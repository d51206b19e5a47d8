import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { consoleOperations, type ConsoleOperation } from "@gatehouse-parking/contract/console";
import { afterAll, beforeAll, expect, test } from "vitest";
import { amount, isLong, startRig } from "../../../../../testing/rig.js";
import { signedIn, visitor, type Visitor } from "../../../testing/console.js";
import { fillOrganization } from "../../../testing/filled-organization.js";
import { useApp } from "../../../testing/harness.js";
import { kindOf, lineOf, membersOf, sealed } from "../../../testing/sealed-export.js";
import { createApiKey } from "../../core/organizations/api-keys.js";
import { createOrganization } from "../../core/organizations/organizations.js";
import { isUserError } from "../../core/refusals/user-error.js";
import { sections } from "../../../testing/sections.js";
import { verifyStoredData } from "../../../testing/verify.js";
import { ExportQueue } from "./export-queue.js";
import { importExport } from "./import-export.js";
import { consistencyChecks } from "../../core/verify/verify.js";
import { features } from "../../features.js";

const checks = await consistencyChecks(features);

/**
 * Changes every field of every section in turn and seals the file again. The file must either be rejected by
 * line and field, or be imported and work: `verify` finds no problems, pages answer, and every location
 * accepts imports.
 */
const source = useApp();
const target = useApp();
const actor = "test";
const shortMutations = 100;
const longMutationsPerField = 10;
let folder: string;
let lines: string[];
let operator: Visitor;
let strangers: string[];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gatehouse-mutated-"));
  const { organizationId } = await fillOrganization(source);
  const desk = new ExportQueue(source.database.exports, { sections, atOnce: 1, maxMs: 60_000 });
  lines = (await text(await desk.open({ organizationId, actor }))).trimEnd().split("\n");
  operator = await signedIn(target, "operator");
  // A second organization of the installation, because a file may contain its identifiers.
  const other = await fillOrganization(target);
  const { work } = target.database;
  const ids = (table: string) =>
    work.query<{ id: string }>(`select id from ${table} where organization_id = $1`, [other.organizationId]);
  strangers = (
    await Promise.all(
      ["locations", "import_runs", "accounts", "uploads", "leads", "audit_log"].map(
        async (table) => (await ids(table)).rows[0]?.id ?? "",
      ),
    )
  ).map((id) => JSON.stringify(id));
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Mutation {
  name: string;
  kind: string;
  field: string;
  line: number;
  changed: string[];
}

const dangling = '"0190a0b0-0000-7000-8000-00000000abcd"';
const long = JSON.stringify("x".repeat(100_000));

/** Values as they are written in a line. The field determines which of them are invalid. */
const values: [name: string, json: string][] = [
  ["null", "null"],
  ["a string", '"a string"'],
  ["an empty string", '""'],
  ["a blank string", '"  "'],
  ["a long string", long],
  ["an unknown zone", '"Mars/Olympus"'],
  ["an offset instead of a zone", '"+02:00"'],
  ["text that is not JSON", '"{not JSON"'],
  ["JSON of the wrong type", '"[1]"'],
  ["JSON text of null", '"null"'],
  ["a list of objects", '[{"field":1}]'],
  ["U+0000", '"a\\u0000b"'],
  ["half a surrogate pair", '"a\\ud800b"'],
  ["0", "0"],
  ["-1", "-1"],
  ["2147483647", "2147483647"],
  ["a huge integer", "999999999999999999"],
  ["an endless integer", "9".repeat(400)],
  ["a huge decimal", "1e300"],
  ["a fraction", "0.5"],
  ["true", "true"],
  ["an object", "{}"],
  ["a list", "[]"],
  ["deep JSON", `${'{"a":'.repeat(75)}1${"}".repeat(75)}`],
  ["a dangling uuid", dangling],
  ["a uuid in upper case", dangling.toUpperCase()],
  ["a uuid of version 4", '"ffffffff-0000-4000-8000-00000000abcd"'],
  ["a uuid with a future time", '"ffffffff-0000-7000-8000-00000000abcd"'],
  ["an infinite timestamp", '"infinity"'],
  ["a timestamp far in the future", '"9999-12-31T23:59:59.999999+00:00"'],
  ["a timestamp beyond the calendar", '"20260-01-01T00:00:00+00:00"'],
  ["a timestamp in the distant past", '"0001-01-01T00:00:00+00:00 BC"'],
  ["a date in the distant past", '"4000-01-01 BC"'],
  ["bytes", '"00"'],
  ["markup", '"<img src=x onerror=alert(1)>"'],
];

function* mutationsOf(at: number): Generator<Mutation> {
  const line = lines[at] as string;
  const kind = kindOf(line);
  const members = membersOf(line);
  const with_ = (field: string, name: string, ...replaced: string[]): Mutation => ({
    ...{ name, kind, field, line: at + 1 },
    changed: lines.toSpliced(at, 1, ...replaced),
  });
  const others = lines.filter((other, index) => index !== at && kindOf(other) === kind).map(membersOf);
  for (const [field, json] of members) {
    if (field === "kind") continue;
    const set = (name: string, changed: string) =>
      with_(field, name, lineOf([...members].map(([each, own]) => [each, each === field ? changed : own])));
    for (const [name, changed] of values) if (changed !== json) yield set(name, changed);
    for (const stranger of strangers) yield set("another organization's uuid", stranger);
    const taken = others
      .map((other) => other.get(field))
      .find((value) => value !== undefined && value !== json);
    if (taken !== undefined) yield set("the value of another line", taken);
    yield with_(field, "no such member", lineOf([...members].filter(([each]) => each !== field)));
    yield with_(field, "the member twice", `${line.slice(0, -1)},${JSON.stringify(field)}:7}`);
  }
  yield with_("", "the line twice", line, line);
  yield with_("", "without the line", ...[]);
}

/** Three lines of each kind: the first, a middle one, and the last. */
function chosenLines(): number[] {
  const kinds = ["head", ...sections.map(({ kind }) => kind)];
  return kinds.flatMap((kind) => {
    const places = lines.flatMap((line, index) => (kindOf(line) === kind ? [index] : []));
    return [...new Set([places[0], places.at(-1), places[Math.floor(places.length / 2)]])].filter(
      (place) => place !== undefined,
    );
  });
}

test(
  "a mutated export is rejected by its line and field, or all of its data works",
  async () => {
    const rig = startRig("mutated exports");
    const all = chosenLines().flatMap((at) => [...mutationsOf(at)]);
    const shuffled = rig.random.shuffled(all);
    const chosen = isLong ? someOfEachField(shuffled) : shuffled.slice(0, shortMutations);
    const figures = { refused: 0, imported: 0 };
    const failures: string[] = [];
    for (const mutation of chosen) {
      const what = `line ${mutation.line}, ${mutation.kind} ${mutation.field}: ${mutation.name}`;
      try {
        figures[await outcomeOf(mutation)] += 1;
      } catch (error) {
        failures.push(`${what}: ${(error as Error).message.slice(0, 600)}`);
      }
    }
    expect(failures).toEqual([]);
    expect(figures.refused).toBeGreaterThan(chosen.length / 4);
    rig.held({
      "possible mutations": all.length,
      fields: new Set(all.map(({ kind, field }) => `${kind} ${field}`)).size,
      "mutations tried": chosen.length,
      ...figures,
    });
  },
  amount(10, 120) * 60_000,
);

function someOfEachField(mutations: readonly Mutation[]): Mutation[] {
  const taken = new Map<string, number>();
  return mutations.filter(({ kind, field }) => {
    const name = `${kind} ${field}`;
    taken.set(name, (taken.get(name) ?? 0) + 1);
    return (taken.get(name) as number) <= longMutationsPerField;
  });
}

async function outcomeOf(mutation: Mutation): Promise<"refused" | "imported"> {
  const { work } = target.database;
  const { uuid: organizationId } = await createOrganization(work, { name: "Empty", actor });
  const file = path.join(folder, "mutated.ndjson");
  await writeFile(file, sealed(mutation.changed));
  try {
    await importExport(target.database.exports, { organizationId, file, actor, checks, sections });
  } catch (error) {
    if (!isUserError(error, "invalid", "notFound")) throw error;
    expectNamed(mutation, error.message);
    return "refused";
  }
  try {
    await expectWorking(organizationId);
  } finally {
    await empty(organizationId);
  }
  return "imported";
}

/** The error names invalid lines with their sections. If the value is invalid in its line, it also names the field. */
function expectNamed({ kind, field, line }: Mutation, message: string): void {
  if (kind === "head") return expect(message).not.toBe("");
  expect(message).toMatch(/[Ll]ines? \d+/);
  if (message.startsWith("The file is inconsistent")) return;
  if (message.startsWith(`Line ${line} (${kind}): `)) expect(message).toContain(field);
}

const wanted = Object.entries<ConsoleOperation>(consoleOperations).filter(
  ([, { method, path: template }]) => method === "GET" && template.includes(":organizationUuid"),
);

async function expectWorking(organizationId: string): Promise<void> {
  const { work } = target.database;
  const report = await verifyStoredData(target.connectionString, { organizationId });
  expect(report.checks.filter(({ violations }) => violations > 0)).toEqual([]);
  const ids = async (table: string) =>
    (
      await work.query<{ id: string }>(
        `select id from ${table} where organization_id = $1 order by id desc limit 6`,
        [organizationId],
      )
    ).rows.map(({ id }) => id);
  const found: Record<string, string[]> = {
    organizationUuid: [organizationId],
    keyUuid: await ids("api_keys"),
    referenceUuid: await ids("import_runs"),
    leadUuid: await ids("leads"),
    locationUuid: await ids("locations"),
    uploadUuid: await ids("uploads"),
    mappingUuid: await ids("mappings"),
    kind: ["transactions"],
    recordUuid: await ids("transactions"),
  };
  const person = visitor(target, operator.email, operator.userId, operator.cookie);
  for (const [name, { path: template }] of wanted)
    for (const url of addresses(template.replace("/console/api", ""), found)) {
      const { status, text: answer } = await person.get(url);
      expect(status, `${name} ${url}: ${answer.slice(0, 200)}`).toBeLessThan(500);
    }
  await expectInterface(organizationId, found["referenceUuid"] ?? []);
  const desk = new ExportQueue(target.database.exports, { sections, atOnce: 1, maxMs: 60_000 });
  expect(await text(await desk.open({ organizationId, actor }))).toContain('{"kind":"end"');
  expect(target.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
}

async function expectInterface(organizationId: string, runs: readonly string[]): Promise<void> {
  const { key } = await createApiKey(target.database.work, { organizationId, name: "new", actor });
  const listed = await target.send({ url: "/integrations/locations?pageSize=500", key });
  expect(listed.status, listed.text).toBe(200);
  const urls = ["/integrations/imports?pageSize=100", ...runs.map((run) => `/integrations/imports/${run}`)];
  for (const url of urls) expect((await target.send({ url, key })).status, url).toBe(200);
  for (const { uuid } of listed.json.data as { uuid: string }[]) {
    const transaction = { locationUuid: uuid, type: 1, transactionDate: "2026-04-01T14:30:00Z" };
    const run = await target.post("/integrations/transactions", key, {
      transactions: [{ ...transaction, transactionId: `new at ${uuid}` }],
    });
    expect(run.json, run.text).toMatchObject({ successCount: 1 });
    const lead = await target.send({
      ...{ method: "POST", url: "/lead/submit", key },
      headers: { "content-type": "application/json", "idempotency-key": "once" },
      payload: JSON.stringify({ email: "new@example.com", locationUuid: uuid }),
    });
    expect(lead.status, lead.text).toBeLessThan(500);
  }
}

/** Expands a template with every value of its parameters, in sequence. */
function addresses(template: string, found: Record<string, string[]>): string[] {
  const parameter = /:(\w+)/.exec(template)?.[1];
  if (parameter === undefined) return [template];
  return (found[parameter] ?? []).flatMap((value) =>
    addresses(template.replace(`:${parameter}`, value), found),
  );
}

/** Deletes the organization, so that the same identifiers can be imported again. */
async function empty(organizationId: string): Promise<void> {
  for (const table of ["upload_queue", ...sections.map((section) => section.table)])
    await target.database.work.query(`delete from ${table} where organization_id = $1`, [organizationId]);
}
