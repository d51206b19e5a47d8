import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  randomUUID,
  sign,
  type KeyObject,
} from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ImportRun, ReceiptKey } from "@gatehouse-parking/contract";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { sendTo, useApp } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";
import { sampleOf } from "../../../testing/metric-samples.js";
import { between, configure, sweepAt } from "../../../testing/retention.js";
import { buildApp } from "../../app.js";
import { runCommandLine } from "../../cli/command-line.js";
import { secretKeySource } from "../../core/organizations/secrets.js";
import { previewUndo } from "../undo/preview-undo.js";
import { undoRun } from "../undo/undo-run.js";
import { checkReceipt } from "./check-receipt.js";
import { ReceiptIssuer } from "./receipt-issuer.js";
import { listReceiptKeys, maxKeys, rotateReceiptKey } from "./receipt-keys.js";
import { hashOfResults, parseReceipt, receiptOf, signReceipt } from "./signed-receipt.js";
import { logSerializers } from "../../core/logger.js";

const header = "x-import-receipt";
const issuer = "https://gate.example.com";
const gatehouse = useApp({ receipts: true, publicUrl: issuer });
let partner: Importer;
beforeAll(async () => {
  partner = await importer(gatehouse);
  vi.stubEnv("DATABASE_URL", gatehouse.connectionString);
  vi.stubEnv("GATEHOUSE_SECRET_KEY", gatehouse.config.secretKey?.toString("base64"));
});
afterAll(() => vi.unstubAllEnvs());

const work = () => gatehouse.database.work;
const check = (receipt: string) => checkReceipt(work(), receipt);
const published = () => gatehouse.send({ url: "/.well-known/gatehouse-receipts.json" });

/** Imports accounts and returns the answer with its receipt. */
async function acknowledged(...accounts: object[]): Promise<{ run: ImportRun; receipt: string }> {
  const answer = await partner.post("accounts", { accounts });
  expect(answer.status, answer.text).toBe(200);
  return { run: answer.json as ImportRun, receipt: answer.headers[header] ?? "" };
}
const account = (tpReferenceId: string) => ({ tpReferenceId, name: "Acme" });

/** A second app on the same database with other settings. */
async function otherApp(changes: object) {
  const logged: Record<string, unknown>[] = [];
  const logger = pino(
    { level: "warn", serializers: logSerializers },
    { write: (line: string) => void logged.push(JSON.parse(line)) },
  );
  const config = { ...gatehouse.config, ...changes };
  const app = await buildApp({ config, database: gatehouse.database, logger, maxEventLoopDelayMs: 0 });
  const importOne = (reference: string) =>
    sendTo(app, {
      ...{ method: "POST", url: "/integrations/accounts", key: partner.apiKey },
      headers: { "content-type": "application/json" },
      payload: JSON.stringify({ accounts: [account(reference)] }),
    });
  return { app, logged, importOne };
}

test("no receipt is issued and no key is published while receipts are off, and validations get no receipt", async () => {
  const { app, importOne } = await otherApp({ receipts: false });
  const answer = await importOne("off");
  expect(answer.json).toMatchObject({ successCount: 1 });
  expect(answer.headers).not.toHaveProperty(header);
  await app.close();
  const validated = await partner.post("accounts/validate" as "accounts", { accounts: [account("V-1")] });
  expect([validated.status, validated.headers[header]]).toEqual([200, undefined]);
  expect((await published()).status).toBe(404);
  expect(await listReceiptKeys(work())).toEqual([]);
});

test("instances that start together create one key and one audit line", async () => {
  const instances = Array.from({ length: 4 }, () => issuerWith());
  const run = (await partner.post("accounts", { accounts: [account("first")] })).json as ImportRun;
  const made = await Promise.all(instances.map((one) => one.issue(partner.organizationId, run)));
  const kids = made.map((receipt) => parseReceipt(receipt as string)?.kid);
  expect(await listReceiptKeys(work())).toHaveLength(1);
  expect(new Set(kids).size).toBe(1);
  expect(await trail("receipt-key.create")).toEqual([{ actor: "service", detail: { kid: kids[0] } }]);
});

test("every import is answered with a valid receipt: all resources, outcomes and replays", async () => {
  const odd = "line\nbreak\tand é\ud800";
  const batches = [
    ["accounts", [account("A-1"), account("A-1"), {}, account(odd)]],
    ["accounts", [account("A-1"), account("A-1"), {}, account(odd)]],
    ["transactions", [partner.transaction("T-1"), partner.transaction("T-1"), { transactionId: 7 }]],
    ["subscriptions", [{ tpReferenceId: "S-1", accountTPReferenceId: "A-1" }, { tpReferenceId: "S-2" }]],
    ["subscriptions", [{ tpReferenceId: "S-2" }]],
  ] as const;
  const receipts = new Set<string>();
  for (const [resource, records] of batches) {
    const answer = await partner.post(resource, { [resource]: records });
    const receipt = answer.headers[header] as string;
    expect(receipt).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{86}$/);
    expect(receipt.length).toBeLessThan(1_000);
    receipts.add(receipt);
    // The body has no additional fields.
    expect((await partner.get(answer.json.referenceUuid)).json).toEqual(answer.json);
    const report = await check(receipt);
    expect(report.checks.filter(({ holds }) => holds !== true)).toEqual([]);
    const { createdEntities: _none, startedAt: _start, durationMs: _ms, results, ...said } = answer.json;
    expect(report).toMatchObject({
      ok: true,
      receipt: { version: 1, iss: issuer, organizationUuid: partner.organizationId, ...said },
    });
    expect(report.receipt?.results).toBe(hashOfResults(results));
  }
  expect(receipts.size).toBe(batches.length);
});

test("a failed import also gets a receipt", async () => {
  await work().query("alter table import_exceptions rename to away");
  const answer = await partner.post("accounts", { accounts: [{}] });
  await work().query("alter table away rename to import_exceptions");
  expect([answer.status, answer.json.results[0].reasonCode]).toEqual([500, 99]);
  const { receipt } = parseReceipt(answer.headers[header] as string) ?? {};
  const { referenceUuid, results } = answer.json;
  expect(receipt).toMatchObject({
    referenceUuid,
    status: 2,
    failedCount: 1,
    results: hashOfResults(results),
  });
  // It matches the import that is recorded later.
  const failed = answer.headers[header] as string;
  await expect
    .poll(async () => (await check(failed)).checks.at(-1))
    .toMatchObject({ name: "results", holds: true });
  expect((await check(failed)).ok).toBe(true);
});

test("a receipt stays valid after an undo, and the check reports differences and what it cannot check", async () => {
  const { run, receipt } = await acknowledged(account("undone"));
  const one = { organizationId: partner.organizationId, runId: run.referenceUuid, undoDays: 7 };
  const { version } = await previewUndo(work(), one);
  await undoRun(work(), { ...one, version, actor: "test" });
  const undone = await check(receipt);
  expect(undone).toMatchObject({ ok: true, takenBack: { at: expect.any(String), removed: 1 } });
  expect(undone.checks.at(-1)).toMatchObject({ name: "results", holds: true });

  const many = await acknowledged(...Array.from({ length: 100 }, () => ({})));
  expect((await check(many.receipt)).checks.at(-1)).toMatchObject({ name: "results", holds: true });
  const transactions = Array.from({ length: 101 }, () => ({}));
  const more = await partner.post("transactions", { transactions });
  const unknown = await check(more.headers[header] as string);
  expect(unknown.ok).toBe(true);
  expect(unknown.checks.at(-1)).toEqual({
    ...{ name: "results", holds: null },
    says: expect.stringContaining("101 records failed, and only the first 100 of them are stored"),
  });

  await work().query("update import_runs set skipped_count = 7 where organization_id = $1 and id = $2", [
    partner.organizationId,
    more.json.referenceUuid,
  ]);
  expect((await check(more.headers[header] as string)).checks[5]).toMatchObject({
    name: "counts",
    holds: false,
  });
  await work().query(
    "update import_exceptions set reason_code = 9 where organization_id = $1 and run_id = $2 and position = 99",
    [partner.organizationId, many.run.referenceUuid],
  );
  expect((await check(many.receipt)).checks.at(-1)).toMatchObject({ name: "results", holds: false });
  await work().query("update import_runs set id = $3 where organization_id = $1 and id = $2", [
    partner.organizationId,
    many.run.referenceUuid,
    randomUUID(),
  ]);
  expect((await check(many.receipt)).checks.at(-1)).toMatchObject({ name: "run", holds: false });
});

test("results that retention deleted are reported as unchecked, and any other missing result fails the check", async () => {
  const retained = await importer(gatehouse);
  const post = async (...accounts: object[]) =>
    (await retained.post("accounts", { accounts })).headers[header] as string;
  const created = await post(account("R-1"), account("R-2"), {});
  const skipped = await post(account("R-1"));
  const lastOf = async (receipt: string) => (await check(receipt)).checks.at(-1);
  await configure(gatehouse, retained, { retention: { exceptions: 1 } });
  await sweepAt(gatehouse, await between(), 2);
  for (const receipt of [created, skipped]) {
    expect(await lastOf(receipt)).toMatchObject({ name: "results", holds: null });
    expect((await check(receipt)).ok).toBe(true);
  }
  await configure(gatehouse, retained, { retention: { records: 1 } });
  await work().query("delete from accounts where organization_id = $1 and tp_reference_id = 'R-1'", [
    retained.organizationId,
  ]);
  expect(await lastOf(created)).toMatchObject({ name: "results", holds: false });
  await sweepAt(gatehouse, await between());
  expect(await lastOf(created), "one of two was deleted by retention, but two are missing").toMatchObject({
    holds: false,
  });
});

describe("any text that is not a receipt of this installation is rejected", () => {
  const strange = generateKeyPairSync("ed25519").privateKey;
  const parts = (receipt: string) => receipt.split(".") as [string, string, string];
  const text = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const parsed = (part: string) =>
    JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
  const signed = (head: string, body: string, key: KeyObject) =>
    `${head}.${body}.${sign(null, Buffer.from(`${head}.${body}`), key).toString("base64url")}`;
  const withHeader = (receipt: string, change: object) => {
    const [head, body, signature] = parts(receipt);
    return `${text({ ...parsed(head), ...change })}.${body}.${signature}`;
  };
  const attacks: [string, (receipt: string) => string, string][] = [
    ["nothing", () => "", "form"],
    ["a megabyte", () => "eyJ.".repeat(262_144), "form"],
    ["a line break", (receipt) => receipt.replace(".", "\r\n."), "form"],
    [
      "another spelling of the same bytes",
      (receipt) => `${receipt.slice(0, -1)}${receipt.at(-1) === "A" ? "B" : "h"}`,
      "form",
    ],
    ["padding", (receipt) => `${receipt}==`, "form"],
    ["no signature", (receipt) => `${parts(receipt).slice(0, 2).join(".")}.`, "form"],
    ["alg none", (receipt) => withHeader(receipt, { alg: "none" }), "form"],
    ["alg HS256", (receipt) => withHeader(receipt, { alg: "HS256" }), "form"],
    ["another typ", (receipt) => withHeader(receipt, { typ: "JWT" }), "form"],
    ["no object", (receipt) => `${text([])}.${parts(receipt)[1]}.${parts(receipt)[2]}`, "form"],
    ["a path as kid", (receipt) => withHeader(receipt, { kid: "../../etc/passwd" }), "key"],
    ["SQL as kid", (receipt) => withHeader(receipt, { kid: "' or true --" }), "key"],
    [
      "another installation's key",
      (receipt) =>
        signed(text({ ...parsed(parts(receipt)[0]), kid: "k".repeat(43) }), parts(receipt)[1], strange),
      "key",
    ],
    [
      "another key under our kid",
      (receipt) => signed(parts(receipt)[0], parts(receipt)[1], strange),
      "signature",
    ],
    [
      "another count",
      (receipt) => {
        const [head, body, signature] = parts(receipt);
        return `${head}.${text({ ...parsed(body), successCount: 2 })}.${signature}`;
      },
      "signature",
    ],
    ["an added header field", (receipt) => withHeader(receipt, { crit: ["b64"] }), "signature"],
  ];
  let receipt: string;
  beforeAll(async () => {
    ({ receipt } = await acknowledged(account("attacked")));
  });
  test.each(attacks)("%s", async (_what, alter, failing) => {
    const altered = alter(receipt);
    expect(altered).not.toBe(receipt);
    const report = await check(altered);
    expect(report).not.toHaveProperty("receipt");
    expect([report.ok, report.checks.at(-1)?.name, report.checks.at(-1)?.holds]).toEqual([
      false,
      failing,
      false,
    ]);
  });
});

test("a rotation reaches every instance within a minute, and old receipts and public keys stay valid", async () => {
  const clock = { nowMs: 0 };
  const instance = issuerWith(clock);
  const { run, receipt: old } = await acknowledged(account("rotated"));
  const kidOf = async () =>
    parseReceipt((await instance.issue(partner.organizationId, run)) as string)?.kid as string;
  const before = await kidOf();
  const secretKey = secretKeySource(gatehouse.config);
  const rotations = await Promise.all(
    Array.from({ length: 6 }, () => rotateReceiptKey(work(), secretKey, { actor: "test" })),
  );
  const keys = await listReceiptKeys(work());
  const current = keys.filter(({ retiredAt }) => retiredAt === undefined);
  expect([keys.length, current.length]).toEqual([7, 1]);
  expect(new Set(rotations.map(({ kid }) => kid))).toEqual(new Set(keys.slice(1).map(({ kid }) => kid)));
  expect(await trail("receipt-key.rotate")).toHaveLength(6);

  clock.nowMs = 1_000;
  expect(await kidOf()).toBe(before);
  clock.nowMs = 60_000;
  expect(await kidOf()).toBe(current[0]?.kid);
  expect(await check(old)).toMatchObject({ ok: true, key: { kid: before, retiredAt: expect.any(String) } });

  // An attacker with an old key signs an import that ended after the rotation or before the key was created.
  const move = (by: string) =>
    work().query(
      "update receipt_keys set created_at = created_at + $1::interval, retired_at = retired_at + $1::interval where kid = $2",
      [by, before],
    );
  for (const [away, back] of [
    ["-6 minutes", "6 minutes"],
    ["1 hour", "-1 hour"],
  ] as const) {
    await move(away);
    expect((await check(old)).checks[3]).toMatchObject({ name: "time", holds: false });
    await move(back);
  }
  expect(await check(old)).toMatchObject({ ok: true });
});

test("the key set is public over TLS and cacheable, and has every key with its times but no private parts", async () => {
  const answer = await vi.waitFor(async () => {
    const asked = await published();
    expect(asked.status).toBe(200);
    return asked;
  }, 180_000);
  expect(answer.headers).toMatchObject({
    "content-type": "application/jwk-set+json; charset=utf-8",
    "cache-control": "public, max-age=300",
  });
  const { keys } = JSON.parse(answer.text) as { keys: ReceiptKey[] };
  expect(keys).toEqual(await listReceiptKeys(work()));
  for (const key of keys) {
    expect(Object.keys(key).slice(0, 7)).toEqual(["kty", "crv", "x", "kid", "use", "alg", "createdAt"]);
    expect(key.kid).toMatch(/^[\w-]{43}$/);
  }
  const plain = { "x-forwarded-proto": "http", "x-forwarded-for": "203.0.113.7" };
  expect((await gatehouse.send({ url: "/.well-known/gatehouse-receipts.json", headers: plain })).status).toBe(
    403,
  );
});

test("an instance without the secret key answers imports without a receipt and records it in a log line and a metric", async () => {
  const { app, logged, importOne } = await otherApp({ secretKey: Buffer.alloc(32, 8) });
  for (const reference of ["other-1", "other-2"]) {
    const answer = await importOne(reference);
    expect([answer.status, answer.json.successCount, answer.headers[header]]).toEqual([200, 1, undefined]);
    const line = logged.find(({ referenceUuid }) => referenceUuid === answer.json.referenceUuid);
    expect(line).toMatchObject({
      msg: "signing an import receipt failed",
      err: { message: expect.stringContaining("does not open with this secret key") as string },
    });
  }
  expect(await sampleOf(app, "gatehouse_receipts_missing_total")).toBe(2);
  expect(await sampleOf(gatehouse.app, "gatehouse_receipts_missing_total")).toBe(0);
  await app.close();
  const other = secretKeySource({ ...gatehouse.config, secretKey: Buffer.alloc(32, 8) });
  const refused = rotateReceiptKey(work(), other, { actor: "test" });
  await expect(refused).rejects.toThrow(/not the one of the service.*--secret-lost/);
  expect(await rotateReceiptKey(work(), other, { actor: "test", isSecretLost: true })).toMatchObject({
    kid: expect.any(String),
  });
  // Restores it for the tests below.
  await rotateReceiptKey(work(), secretKeySource(gatehouse.config), { actor: "test", isSecretLost: true });
});

test("if the database does not answer, an import waits briefly and is answered without a receipt", async () => {
  const never = new Promise<never>(() => undefined);
  let asked = 0;
  const query = () => {
    asked += 1;
    return never;
  };
  const log = { warn: vi.fn() };
  const missingReceipts = { inc: vi.fn() };
  const maxWaitMs = 7;
  const stuck = new ReceiptIssuer({
    ...{
      database: { gate: { query } as never, work: work() },
      issuer,
      missingReceipts: missingReceipts as never,
    },
    ...{ secretKey: secretKeySource(gatehouse.config), log: log as never, nowMs: () => 0, maxWaitMs },
  });
  const { run } = await acknowledged(account("stuck"));
  const timers = vi.spyOn(globalThis, "setTimeout");
  const both = [1, 2].map(() => stuck.issue(partner.organizationId, run));
  expect(await Promise.all(both)).toEqual([undefined, undefined]);
  // Later imports do not wait again.
  expect(await stuck.issue(partner.organizationId, run)).toBeUndefined();
  const waits = timers.mock.calls.filter(([, delayMs]) => delayMs === maxWaitMs).length;
  timers.mockRestore();
  expect([asked, waits]).toEqual([1, 2]);
  for (const told of [log.warn, missingReceipts.inc]) expect(told).toHaveBeenCalledTimes(3);
});

test("a rotation fails when the maximum number of keys is reached", async () => {
  await work().query(
    `insert into receipt_keys (kid, public_key, sealed_private_key, retired_at)
     select 'many-' || number, '', '', now() from generate_series(1, $1 - (select count(*)::int from receipt_keys)) number`,
    [maxKeys],
  );
  const refused = rotateReceiptKey(work(), secretKeySource(gatehouse.config), { actor: "test" });
  await expect(refused).rejects.toThrow(`There are already ${maxKeys} keys`);
  await work().query("delete from receipt_keys where kid like 'many-%'");
});

test("the command line lists and rotates keys and checks a receipt from a file or an argument", async () => {
  const rotated = JSON.parse((await run("receipt-key", "rotate", "--json")).out) as { kid: string };
  const listed = JSON.parse((await run("receipt-key", "list", "--json")).out) as ReceiptKey[];
  expect(listed.filter(({ retiredAt }) => retiredAt === undefined).map(({ kid }) => kid)).toEqual([
    rotated.kid,
  ]);
  const { receipt } = await acknowledged(account("command line"));
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-receipts-"));
  const file = join(folder, "receipt.txt");
  await writeFile(file, `${receipt}\r\n`);
  expect(await run("verify", "--receipt", file)).toMatchObject({
    exitCode: undefined,
    out: expect.stringMatching(/results +passed[^]*is valid/),
  });
  const altered = `${receipt.slice(0, -9)}AAAAAAAAA`;
  const report = await run("verify", "--receipt", altered, "--json");
  expect([report.exitCode, JSON.parse(report.out).ok]).toEqual([1, false]);
  await writeFile(file, Buffer.alloc(1_048_576, "eyJ."));
  expect(await run("verify", "--receipt", file)).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining("more than 2048"),
  });
  expect(await run("verify", "--receipt", join(folder, "absent"))).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining("There is no file"),
  });
  expect((await run("verify", "--receipt", folder)).error).toContain("is a folder, not a file");
  await rm(folder, { recursive: true });
});

test("the published example has the exact signature", async () => {
  const vector = JSON.parse(
    await readFile(new URL("../../../../../examples/receipt-vector.json", import.meta.url), "utf8"),
  ) as {
    keys: { keys: ReceiptKey[] };
    answer: ImportRun;
    organizationUuid: string;
    lines: string;
    receipt: string;
  };
  const [key] = vector.keys.keys as [ReceiptKey];
  // The key of RFC 8037, appendix A.1, is public.
  const d = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A";
  const privateKey = createPrivateKey({ key: { kty: key.kty, crv: key.crv, x: key.x, d }, format: "jwk" });
  const { organizationUuid: organizationId, answer } = vector;
  const receipt = receiptOf({ organizationId, run: answer, issuer });
  expect(signReceipt(receipt, { kid: key.kid, privateKey })).toBe(vector.receipt);
  expect(createHash("sha256").update(vector.lines).digest("base64url")).toBe(receipt.results);
  expect(parseReceipt(vector.receipt)?.isSignedWith(Buffer.from(key.x, "base64url"))).toBe(true);
  expect(() => signReceipt({ ...receipt, iss: "x".repeat(2_048) }, { kid: key.kid, privateKey })).toThrow(
    /fit into/,
  );
});

function issuerWith(clock?: { nowMs: number }): ReceiptIssuer {
  return new ReceiptIssuer({
    ...{
      database: gatehouse.database,
      secretKey: secretKeySource(gatehouse.config),
      issuer,
      log: gatehouse.app.log,
      missingReceipts: { inc: () => undefined } as never,
    },
    ...(clock ? { nowMs: () => clock.nowMs } : {}),
  });
}

async function trail(action: string): Promise<{ actor: string; detail: unknown }[]> {
  const { rows } = await work().query<{ actor: string; detail: string }>(
    "select actor, detail from audit_log where action = $1",
    [action],
  );
  return rows.map(({ actor, detail }) => ({ actor, detail: JSON.parse(detail) as unknown }));
}

/** Runs a command as a shell would, on the database of the app. */
async function run(...words: string[]) {
  const written = { out: "", error: "" };
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((text) => {
      written[stream === "stdout" ? "out" : "error"] += String(text);
      return true;
    }),
  );
  try {
    await runCommandLine(words);
    return { ...written, exitCode: process.exitCode };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.exitCode = undefined;
  }
}
