import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { send, type Answer, type Sending } from "../requests.js";
import { leave, placeAt, startService, stop, type Place, type RunningService } from "../running-service.js";
import { startDatabase, type RigDatabase } from "./database.js";
import { obtainProgram } from "./debian-programs.js";
import { newTenant, type Tenant } from "./fleet.js";
import { freePort, startFront, type Front, type FrontName } from "./front.js";
import { startRig } from "./rig.js";
import { startLoad } from "./steady-load.js";

// Only in the long form, because it needs programs that are not part of the project. See vitest.config.ts.
const maxBodyBytes = 5 * 1024 * 1024;
const drainSeconds = 5;
const fronts: FrontName[] = ["nginx", "haproxy"];
const programs = new Map(
  await Promise.all(fronts.map(async (name) => [name, await obtainProgram(name, name)] as const)),
);
const lifted = ["importTransactions", "importAccounts", "listLocations"].map((name) => `${name}=1000000/60`);

let folder: string;
let database: RigDatabase;
let places: [Place, Place];
let ports: [number, number];
let services: [RunningService, RunningService];
let tenant: Tenant;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gatehouse-rig-"));
  database = await startDatabase();
  ports = [await freePort(), await freePort()];
  const variables = {
    DATABASE_URL: database.connectionString,
    GATEHOUSE_HTTPS: "off",
    // The proxy's address. Clients of the rig use other addresses.
    GATEHOUSE_TRUST_PROXY: "127.0.0.1",
    GATEHOUSE_PUBLIC_URL: "https://gatehouse.example.com",
    GATEHOUSE_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    GATEHOUSE_DRAIN_SECONDS: String(drainSeconds),
    GATEHOUSE_LIMITS: lifted.join(","),
    GATEHOUSE_DEMO: "off",
    LOG_LEVEL: "warn",
  };
  const placeOf = (port: number) => placeAt(folder, { ...variables, GATEHOUSE_HTTP_PORT: String(port) });
  places = [placeOf(ports[0]), placeOf(ports[1])];
  services = [await startService(places[0]), await startService(places[1])];
  tenant = await newTenant((...words) => places[0].gatehouse([...words, "--json"]), "Proxied");
}, 120_000);
afterAll(async () => {
  await Promise.all(services.map(stop));
  await leave(places[0]);
  await database.leave();
  for (const obtained of programs.values()) if ("leave" in obtained) await obtained.leave();
}, 120_000);

describe.each(fronts)("%s", (name) => {
  const obtained = programs.get(name);
  if (!obtained || "missing" in obtained) {
    test(`${name} is not available here, so its file was not tested`, () => {
      startRig(name).held({ [name]: `not tried: ${obtained?.missing}` });
    });
    return;
  }

  let front: Front | undefined;
  beforeAll(async () => {
    front = await startFront(name, obtained.program, ports);
  });
  afterAll(() => front?.leave());

  /** As a client at this address of the loopback network. */
  const ask = (pathname: string, sending: Sending = {}, localAddress = "127.0.0.2"): Promise<Answer> =>
    send(`${front?.secureAddress}${pathname}`, { ca: front?.ca, localAddress, ...sending });
  const lead = () => ({ email: "jo@example.com", locationUuid: tenant.locationUuid });

  test("passes on a batch of 500 records with all outcomes", async () => {
    const transactions = Array.from({ length: 500 }, (_, index) => ({
      transactionId: `${name}-${index}`,
      locationUuid: tenant.locationUuid,
      type: 1,
      transactionDate: "2026-04-01T14:30:00Z",
      vehicle: { licensePlate: `${name} ${index}` },
    }));
    const answer = await ask("/integrations/transactions", { key: tenant.key, body: { transactions } });
    expect(answer.json, answer.text).toMatchObject({ successCount: 500, results: { length: 500 } });
  });

  test("accepts a body of 5 MiB, and answers larger ones with the empty 413 of the interface", async () => {
    const bodyOf = (bytes: number) =>
      JSON.stringify({ accounts: [{ tpReferenceId: `${name}-5MB`, name: "Acme" }] }).padEnd(bytes);
    const importBody = (bytes: number) =>
      ask("/integrations/accounts", { key: tenant.key, text: bodyOf(bytes) });
    expect(await importBody(maxBodyBytes)).toMatchObject({ status: 200 });
    expect(await importBody(maxBodyBytes + 1)).toMatchObject({ status: 413, text: "" });
    // Larger than the proxy accepts.
    expect(await importBody(2 * maxBodyBytes)).toMatchObject({ status: 413, text: "" });
  });

  test("rejects plain HTTP for the interface with the interface's error, without a redirect", async () => {
    const plain = (pathname: string, sending: Sending = {}) =>
      send(`${front?.plainAddress}${pathname}`, { localAddress: "127.0.0.2", ...sending });
    for (const [pathname, body] of [
      ["/lead/submit", lead()],
      ["/integrations/accounts", { accounts: [] }],
      ["/integrations/locations", undefined],
      ["/INTEGRATIONS/imports", undefined],
    ] as const) {
      const answer = await plain(pathname, { key: tenant.key, ...(body ? { body } : {}) });
      expect(answer.status, pathname).toBe(403);
      expect(answer.headers.location).toBeUndefined();
      expect(answer.json).toMatchObject({ success: false, errors: [expect.stringContaining("HTTPS")] });
      // Headers that only the proxy may set have no effect.
      const headers = { "x-forwarded-proto": "https" };
      expect((await plain(pathname, { key: tenant.key, headers, ...(body ? { body } : {}) })).status).toBe(
        403,
      );
    }
    expect((await plain("/")).status).toBe(301);
    for (const pathname of ["/metrics", "/readyz", "/console/api/session"])
      expect((await plain(pathname)).status, pathname).toBe(403);
  });

  test("leads are limited by the client's real address, whatever headers it sends", async () => {
    const submit = (localAddress: string, forged?: string) =>
      ask(
        "/lead/submit",
        { key: tenant.key, body: lead(), headers: forged ? { "x-forwarded-for": forged } : {} },
        localAddress,
      );
    const [limited, other] = name === "nginx" ? ["127.1.0.2", "127.1.0.3"] : ["127.2.0.2", "127.2.0.3"];
    for (let request = 0; request < 5; request += 1)
      expect((await submit(limited as string, `203.0.113.${request}`)).status).toBe(200);
    expect((await submit(limited as string)).status).toBe(429);
    expect((await submit(limited as string, "203.0.113.77")).status).toBe(429);
    expect((await submit(other as string, limited)).status).toBe(200);
  });

  test("serves the console, and does not serve metrics", async () => {
    const page = await ask("/", { headers: { host: "gatehouse.example.com" } });
    expect(page).toMatchObject({ status: 200, headers: { "content-type": expect.stringContaining("html") } });
    expect(page.headers["strict-transport-security"]).toBeDefined();
    for (const pathname of ["/metrics", "/METRICS", "/metrics/", "/%6detrics", "//metrics"])
      expect((await ask(pathname)).text, pathname).not.toContain("gatehouse_");
    // The instances created no folder.
    expect(existsSync(places[0].variables["GATEHOUSE_DATA_DIR"] as string)).toBe(false);
  });

  test("no request fails while the instances are replaced one by one under load", async () => {
    const rig = startRig(name);
    const load = startLoad(ask, tenant, name === "nginx" ? "127.3" : "127.4");
    for (const index of [0, 1] as const) {
      services[index].kill("SIGTERM");
      expect(await services[index].ended).toEqual({ exitCode: 0, signal: null });
      services[index] = await startService(places[index]);
      await reachedBy(services[index]);
    }
    const { answered, failed } = await load.end();
    expect(failed).toEqual([]);
    rig.held({ "requests answered": answered, "instances replaced": 2, "seconds of draining": drainSeconds });
  }, 180_000);
});

/** Waits until the proxy sends requests to a restarted instance. */
async function reachedBy(service: RunningService): Promise<void> {
  await expect
    .poll(async () => {
      const { text } = await send(`${service.plainAddress}/metrics`);
      return /gatehouse_request_duration_seconds_count\{operation="importAccounts",status="200"\} \d/.test(
        text,
      );
    })
    .toBe(true);
}
