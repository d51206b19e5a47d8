import { readFile, readdir } from "node:fs/promises";
import * as contract from "@gatehouse-parking/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLocation } from "../../service/src/core/locations/manage-locations.js";
import { useStalledBody, whileGarbageIsCollected } from "../../service/testing/stalled-body.js";
import { useLiveService } from "../testing/live-service.js";
import {
  ConnectionError,
  ForbiddenError,
  GatehouseError,
  IdempotencyConflictError,
  InvalidRequestError,
  NotFoundError,
  RecordTooLargeError,
  ServerError,
  TooLargeError,
  UnauthorizedError,
  createClient,
  errorStatuses,
  limits,
  type ClientOptions,
  type Fetch,
  type Pause,
  type Transaction,
} from "./index.js";
import * as constants from "./constants.js";
import { maxBodyBytes } from "./contract.js";
import { outcomeOf } from "./outcomes.js";
import { openTransport, type Transport } from "./push/transport.js";

const live = useLiveService();
const stalled = useStalledBody();
let transport: Transport;
beforeAll(async () => {
  transport = await openTransport({ caFile: live.caFile });
});
afterAll(() => transport.close());

const clientFor = (apiKey: string, options: Partial<ClientOptions> = {}) =>
  createClient({
    url: live.url,
    apiKey,
    fetch: transport.fetch,
    retry: { firstPauseMs: 1, maxPauseMs: 2 },
    ...options,
  });

const transaction = (locationUuid: string, transactionId: string): Transaction => ({
  transactionId,
  locationUuid,
  type: 1,
  transactionDate: "2026-04-01T14:30:00.000Z",
});

/** @covers R2-R7 */
test("typed functions import records and read locations and past imports", async () => {
  const { apiKey, locationUuid } = await live.gatehouse.tenant();
  const client = clientFor(apiKey);

  const accounts = await client.importAccounts([{ tpReferenceId: "A-1", name: "Acme" }], {
    metadata: { source: "test" },
  });
  expect(accounts).toMatchObject({ resource: 2, successCount: 1 });
  const subscriptions = await client.importSubscriptions([
    { tpReferenceId: "S-1", accountTPReferenceId: "A-1" },
  ]);
  expect(subscriptions).toMatchObject({ resource: 3, successCount: 1 });
  const run = await client.importTransactions([
    transaction(locationUuid, "T-1"),
    transaction(locationUuid, "T-1"),
    { ...transaction(locationUuid, "T-2"), amountTotal: -1e12 },
  ]);
  expect(run.results.map((result) => result.status)).toEqual([1, 3, 4]);

  expect(await client.getImport(run.referenceUuid)).toEqual(run);
  expect((await client.listImports({ pageSize: 2 })).data.map((item) => item.resource)).toEqual([1, 3]);
  expect((await client.listLocations({ query: "main garage" })).data).toMatchObject([{ uuid: locationUuid }]);
});

/** @covers R1, R230, reading 49 */
test("a lead is submitted; the same Idempotency-Key returns the same lead", async () => {
  const { apiKey, locationUuid } = await live.gatehouse.tenant();
  const client = clientFor(apiKey);
  const lead = { email: "jo@example.com", locationUuid };
  const first = await client.submitLead(lead, { idempotencyKey: "form-1" });
  expect(first).toMatchObject({ success: true, leadUuid: expect.any(String) });
  const again = await client.submitLead(lead, { idempotencyKey: "form-1" });
  expect(again.leadUuid).toBe(first.leadUuid);
  expect((await client.submitLead(lead)).leadUuid).not.toBe(first.leadUuid);
  const other = { ...lead, email: "sam@example.com" };
  await expect(client.submitLead(other, { idempotencyKey: "form-1" })).rejects.toBeInstanceOf(
    IdempotencyConflictError,
  );
});

test("the client loads only itself; it imports only types from the contract", async () => {
  const folder = new URL(".", import.meta.url);
  const files = (await readdir(folder)).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  expect(files).toContain("client.ts");
  for (const name of files) {
    const source = await readFile(new URL(name, folder), "utf8");
    const loaded = [...source.matchAll(/^(?:import|export)(?! type)[^;]*? from "([^"]+)"/gms)].map(
      (match) => match[1],
    );
    expect(loaded.filter((module) => !module?.startsWith("./"))).toEqual([]);
  }
});

test("the constants equal those of the contract: enumerations, limits, reason names and error names", () => {
  const { limits: _limits, errorStatuses: _errors, reasonNames, ...enumerations } = constants;
  expect(Object.keys(enumerations)).toHaveLength(9);
  expect({ ...contract }).toMatchObject(enumerations);
  for (const { code, name } of contract.reasons) expect(reasonNames[code]).toBe(name);
  const { maxRecords, ...bounds } = limits;
  expect({ ...contract }).toMatchObject(bounds);
  expect(maxRecords).toEqual({ transactions: 500, accounts: 100, subscriptions: 100 });
  const statuses = Object.entries(contract.errors).map(([name, { status }]) => [name, status]);
  expect(errorStatuses).toEqual(Object.fromEntries(statuses));
});

test("allLocations and allImports read a whole list with any page size", async () => {
  const { apiKey, organizationId } = await live.gatehouse.tenant();
  for (const name of ["North", "South", "West"])
    await createLocation(live.gatehouse.database.work, {
      organizationId,
      name: `${name} deck`,
      address: "1 High Street",
      city: "Salem",
      state: "MA",
      zipcode: "01970",
      timeZone: "UTC",
      actor: "test",
    });
  const client = clientFor(apiKey);
  const names = async (query: Parameters<typeof client.allLocations>[0]) => {
    const read: string[] = [];
    for await (const { name } of client.allLocations(query)) read.push(name);
    return read;
  };
  expect(await names({ pageSize: 3 })).toEqual(["Main garage", "North deck", "South deck", "West deck"]);
  expect(await names({ query: "deck", pageSize: 1 })).toEqual(["North deck", "South deck", "West deck"]);
  expect(await names({ query: "nowhere" })).toEqual([]);

  for (const name of ["A-1", "A-2", "A-3"]) await client.importAccounts([{ tpReferenceId: name, name }]);
  const before = (await client.listImports()).data;
  const read: string[] = [];
  for await (const { referenceUuid } of client.allImports({ pageSize: 2 })) {
    read.push(referenceUuid);
    // A new import now shifts the second item of the first page to the second page.
    if (read.length === 1) await client.importAccounts([{ tpReferenceId: "A-4", name: "A-4" }]);
  }
  expect(read).toEqual(before.map(({ referenceUuid }) => referenceUuid));
});

test("the validate operations return outcomes and store nothing", async () => {
  const { apiKey, locationUuid } = await live.gatehouse.tenant();
  const client = clientFor(apiKey);
  const records = [transaction(locationUuid, "T-1")];
  expect(await client.validateTransactions(records)).toMatchObject({ successCount: 1 });
  expect(await client.validateAccounts([{ tpReferenceId: "A-1", name: "" }])).toMatchObject({
    failedCount: 1,
  });
  expect(await client.validateSubscriptions([{ tpReferenceId: "S-1" }])).toMatchObject({ failedCount: 1 });
  expect((await client.listImports()).totalCount).toBe(0);
  expect(await client.importTransactions(records)).toMatchObject({ successCount: 1 });
});

const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

test("each status has an error class with the message of the service", async () => {
  const { apiKey, locationUuid } = await live.gatehouse.tenant();
  const limited = await live.gatehouse.tenant({ permissions: ["locations:read"] });
  const client = clientFor(apiKey);
  expect(await errorOf(clientFor("wrong").listLocations())).toBeInstanceOf(UnauthorizedError);
  const forbidden = await errorOf(clientFor(limited.apiKey).listImports());
  expect(forbidden).toBeInstanceOf(ForbiddenError);
  expect(forbidden).toMatchObject({ status: 403, details: ["The key needs the permission imports:read"] });
  expect((forbidden as ForbiddenError).requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect((forbidden as ForbiddenError).errorName).toBe("permissionMissing");
  expect(await errorOf(client.getImport("nothing"))).toBeInstanceOf(NotFoundError);
  expect(await errorOf(client.importTransactions([]))).toBeInstanceOf(InvalidRequestError);
  const tooMany = Array.from({ length: 501 }, (_, index) => transaction(locationUuid, `T-${index}`));
  const tooLarge = await errorOf(client.importTransactions(tooMany));
  expect(tooLarge).toBeInstanceOf(TooLargeError);
  expect(tooLarge).toMatchObject({ submitted: 501, max: 500 });
});

/** Breaks the connection in the given ways: before the request arrives, or after it was processed. */
function unreliable(cuts: ("before" | "after" | Response)[]): { fetch: Fetch; calls: () => number } {
  let calls = 0;
  return {
    calls: () => calls,
    fetch: async (url, init) => {
      calls += 1;
      const cut = cuts.shift();
      if (cut === "before") throw new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") });
      if (cut instanceof Response) return cut;
      const answer = await transport.fetch(url, init);
      if (cut === "after") throw new TypeError("fetch failed", { cause: new Error("ECONNRESET") });
      return answer;
    },
  };
}

test("imports are retried after broken connections and 5xx, and stored records are Skipped", async () => {
  const { apiKey, locationUuid } = await live.gatehouse.tenant();
  const { fetch, calls } = unreliable(["before", Response.json({}, { status: 503 }), "after"]);
  const pauses: Pause[] = [];
  const client = clientFor(apiKey, { fetch, onPause: (pause) => pauses.push(pause) });
  const run = await client.importTransactions([transaction(locationUuid, "T-1")]);
  expect(run.results).toMatchObject([{ status: 3, reasonCode: 1 }]);
  expect(calls()).toBe(4);
  expect(pauses.map((pause) => pause.reason)).toEqual(["retry", "retry", "retry"]);
  expect(pauses[0]?.error?.message).toContain("could not be reached: ECONNREFUSED");
});

const failed = () => Response.json({ referenceUuid: "run", results: [] }, { status: 500 });

test("retries are limited, and the error contains the failed import", async () => {
  const { apiKey, locationUuid } = await live.gatehouse.tenant();
  const { fetch, calls } = unreliable(Array.from({ length: 20 }, failed));
  const client = clientFor(apiKey, { fetch, retry: { maxAttempts: 3, firstPauseMs: 1 } });
  const error = await client
    .importTransactions([transaction(locationUuid, "T-1")])
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ServerError);
  expect((error as ServerError).run).toMatchObject({ referenceUuid: "run" });
  expect(calls()).toBe(3);
});

test("a failed import says whether nothing was stored or the outcome is unknown, in the service's words", async () => {
  const { apiKey, locationUuid } = await live.gatehouse.tenant();
  const failure = async (cut: "before" | "after" | Response) => {
    const { fetch } = unreliable([cut]);
    const client = clientFor(apiKey, { fetch, retry: { maxAttempts: 1 } });
    const error = await errorOf(client.importTransactions([transaction(locationUuid, "T-1")]));
    return (error as Error).message;
  };
  const run = (errorDetail: string) =>
    Response.json({ referenceUuid: "run", results: [{ errorDetail }] }, { status: 500 });
  expect(await failure(run("nothing of it was kept"))).toMatch(/Import run .*: nothing of it was kept$/);
  expect(await failure(run("It is not known"))).toMatch(/Import run .*: It is not known$/);
  expect(await failure(failed())).toContain("It may or may not have been stored");
  expect(await failure("after")).toContain(
    "The request may have arrived and been stored; resending it stores nothing twice",
  );
});

test("a redirect is not followed, because it would send the key elsewhere", async () => {
  const moved = new Response(null, { status: 302, headers: { location: "https://elsewhere.example" } });
  const { fetch, calls } = unreliable([moved]);
  await expect(clientFor("key", { fetch }).listLocations()).rejects.toThrow(
    "The service redirects to https://elsewhere.example",
  );
  expect(calls()).toBe(1);
});

test("an invalid address or key is rejected immediately", () => {
  expect(() => clientFor("key\n")).toThrow("apiKey is empty or contains invalid characters");
  expect(() => createClient({ url: "gatehouse", apiKey: "key" })).toThrow(
    'url must be a valid address, not "gatehouse"',
  );
});

test("the key is never sent unencrypted over a network", () => {
  for (const url of ["http://gatehouse.example.com", "http://10.0.0.7:8080", "ftp://gatehouse.example.com"])
    expect(() => createClient({ url, apiKey: "key" }), url).toThrow("url must be an https:// address");
  for (const url of ["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080"])
    expect(() => createClient({ url, apiKey: "key" }), url).not.toThrow();
});

test("rejected requests are not retried", async () => {
  const { fetch, calls } = unreliable([]);
  await expect(clientFor("wrong", { fetch }).importAccounts([])).rejects.toBeInstanceOf(UnauthorizedError);
  expect(calls()).toBe(1);
});

test("a lead is retried only with an Idempotency-Key, which is sent along", async () => {
  const accepted = { success: true, message: "ok", leadUuid: "lead", timestamp: "now" };
  const lead = { email: "jo@example.com", locationUuid: "6f0d2c68-6a40-7c1e-8a52-0a1f4f3e9d10" };
  for (const cut of [
    "before",
    Response.json({}, { status: 500 }),
    Response.json({}, { status: 429 }),
  ] as const) {
    const { fetch, calls } = unreliable([cut, Response.json(accepted)]);
    await expect(clientFor("key", { fetch }).submitLead(lead)).rejects.toBeInstanceOf(GatehouseError);
    expect(calls()).toBe(1);
  }
  const sent: unknown[] = [];
  const { fetch, calls } = unreliable([
    "before",
    Response.json({}, { status: 500 }),
    Response.json(accepted),
  ]);
  const client = clientFor("key", {
    fetch: (url, init) => {
      sent.push((init.headers as Record<string, string>)["idempotency-key"]);
      return fetch(url, init);
    },
  });
  expect(await client.submitLead(lead, { idempotencyKey: "form-7" })).toEqual(accepted);
  expect(calls()).toBe(3);
  expect(sent).toEqual(["form-7", "form-7", "form-7"]);
});

/** Never answers. */
const silent: Fetch = (_url, init) =>
  new Promise((_resolve, reject) => {
    init.signal?.addEventListener("abort", () => reject(init.signal?.reason as Error));
  });

test("an attempt has a time limit, and a signal aborts everything immediately", async () => {
  const impatient = clientFor("key", {
    fetch: silent,
    timeoutMs: 5,
    retry: { maxAttempts: 2, firstPauseMs: 1 },
  });
  await expect(impatient.listLocations()).rejects.toThrow("no answer within 5 ms");
  await expect(impatient.listLocations()).rejects.toBeInstanceOf(ConnectionError);

  const controller = new AbortController();
  const waiting = clientFor("key", { fetch: silent }).listLocations({}, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
});

test("a stalled response is aborted by the time limit and by a signal, even after a garbage collection", async () => {
  const patience = { url: stalled.url, fetch, retry: { maxAttempts: 1 } };
  const impatient = clientFor("key", { ...patience, timeoutMs: 300 });
  const attempts = Array.from({ length: 5 }, () =>
    expect(impatient.listLocations()).rejects.toThrow("no answer within 300 ms"),
  );
  await whileGarbageIsCollected(Promise.all(attempts));

  const controller = new AbortController();
  const waiting = clientFor("key", patience).listLocations({}, { signal: controller.signal });
  await expect.poll(() => stalled.open).toBe(1);
  setTimeout(() => controller.abort(new Error("enough")), 300);
  const thrown = await whileGarbageIsCollected(waiting.catch((error: unknown) => error));
  expect((thrown as Error).message).toBe("enough");
  await expect.poll(() => stalled.open).toBe(0);
});

test("importAll takes any iterable, splits it by count, and yields every outcome in order", async () => {
  const { apiKey, locationUuid } = await live.gatehouse.tenant();
  async function* records(): AsyncGenerator<Transaction> {
    for (let index = 0; index < 1_203; index += 1) {
      yield transaction(locationUuid, index % 400 === 399 ? " " : `T-${index % 1_000}`);
    }
  }
  const outcomes = [];
  for await (const outcome of clientFor(apiKey).importAll("transactions", records())) outcomes.push(outcome);
  expect(outcomes.map((outcome) => outcome.index)).toEqual(
    Array.from({ length: 1_203 }, (_, index) => index),
  );
  expect(outcomes.every(({ record, reference }) => record.transactionId === reference)).toBe(true);
  expect(outcomes[0]).toMatchObject({ outcome: "Created", uuid: expect.any(String) });
  expect(outcomes[399]).toMatchObject({ outcome: "Failed", reasonCode: 4, reason: "MissingRequiredField" });
  expect(outcomes[1_000]).toMatchObject({ outcome: "Skipped", reason: "DuplicateTransactionId" });
  expect(new Set(outcomes.map((outcome) => outcome.referenceUuid)).size).toBe(3);
});

test("importBatches splits by bytes, so that no request exceeds 5 MB", async () => {
  const { apiKey, locationUuid } = await live.gatehouse.tenant();
  const mebibyte = 1024 * 1024;
  const records = Array.from({ length: 9 }, (_, index) => ({
    ...transaction(locationUuid, `T-${index}`),
    metadata: { text: "é".repeat(mebibyte / 2) },
  }));
  const sizes: number[] = [];
  for await (const { first, outcomes } of clientFor(apiKey).importBatches("transactions", records)) {
    expect(first).toBe(sizes.reduce((sum, size) => sum + size, 0));
    expect(outcomes.every(({ outcome }) => outcome === "Created")).toBe(true);
    sizes.push(outcomes.length);
  }
  expect(sizes).toEqual([4, 4, 1]);
  expect(maxBodyBytes).toBe(contract.maxBodyBytes);

  const huge = { ...records[0], metadata: { text: "x".repeat(6 * mebibyte) } } as Transaction;
  const batches = clientFor(apiKey).importBatches("transactions", [huge]);
  await expect(batches.next()).rejects.toThrow("Record 0 has");
});

test("a record that exceeds a request is an error after the records before it were imported", async () => {
  const { apiKey, locationUuid } = await live.gatehouse.tenant();
  const huge = { ...transaction(locationUuid, "T-2"), metadata: { text: "x".repeat(maxBodyBytes) } };
  const records = [transaction(locationUuid, "T-0"), transaction(locationUuid, "T-1"), huge];
  const created: string[] = [];
  const importing = (async () => {
    for await (const { reference } of clientFor(apiKey).importAll("transactions", records))
      created.push(reference);
  })();
  await expect(importing).rejects.toThrow(RecordTooLargeError);
  expect(created).toEqual(["T-0", "T-1"]);
});

test("an unknown reason code is UnknownReason", () => {
  const result = { reference: "T-1", status: 4, reasonCode: 42, errorDetail: "new" };
  expect(outcomeOf(result as contract.RecordResult)).toEqual({
    outcome: "Failed",
    reference: "T-1",
    reasonCode: 42,
    reason: "UnknownReason",
    errorDetail: "new",
  });
});
