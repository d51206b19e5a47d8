import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gatehouse } from "../command.js";
import {
  leave,
  placeAt,
  startService,
  stop,
  until,
  type Place,
  type RunningService,
} from "../running-service.js";
import { startDatabase, type RigDatabase } from "./database.js";
import { obtainProgram, type Program } from "./debian-programs.js";
import { newTenant, type Tenant } from "./fleet.js";
import { answers, freePort } from "./front.js";
import { startRig } from "./rig.js";

// Only in the long form, because it needs a program that is not part of the project. See vitest.config.ts.
const obtained = await obtainProgram("pgbouncer", "pgbouncer");
/** Fewer than the service has, so that transactions of different clients share each of them. */
const serverConnections = 3;
const clients = 6;
const batchesPerClient = 10;
const recordsPerBatch = 100;

if ("missing" in obtained)
  test("PgBouncer is not available here, so it was not tested", () => {
    startRig("pooler").held({ pooler: `not tried: ${obtained.missing}` });
  });
else behindPooler(obtained.program, obtained.leave);

function behindPooler(program: Program, forget: () => Promise<void>): void {
  let folder: string;
  let database: RigDatabase;
  let pooler: ChildProcess;
  let place: Place;
  let services: RunningService[] = [];
  let tenants: Tenant[];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "gatehouse-rig-"));
    database = await startDatabase();
    const pooled = new URL(database.connectionString);
    const [port, user] = [await freePort(), process.getuid?.() === 0 ? ["-u", "daemon"] : []];
    pooler = spawn(program.command, [...user, await writeSettings(pooled, port)], {
      env: { ...process.env, ...program.environment },
      stdio: "ignore",
    });
    await until(() => answers(port));
    pooled.port = String(port);
    place = placeAt(folder, {
      DATABASE_URL: pooled.href,
      GATEHOUSE_DATABASE_POOLER: "transaction",
      GATEHOUSE_LIMITS: "importTransactions=1000000/60",
      GATEHOUSE_DEMO: "off",
      LOG_LEVEL: "warn",
    });
    services = [await startService(place)];
    const command = (...words: string[]) => place.gatehouse([...words, "--json"]);
    tenants = await Promise.all(
      Array.from({ length: clients }, (_, index) => newTenant(command, `T ${index}`)),
    );
  }, 120_000);
  afterAll(async () => {
    await Promise.all(services.map(stop));
    pooler.kill("SIGINT");
    await once(pooler, "close");
    await leave(place);
    await database.leave();
    await rm(folder, { recursive: true, force: true });
    await forget();
  }, 120_000);

  /** The defaults, with the settings that every installation needs. */
  async function writeSettings(
    { hostname, port, username, password }: URL,
    listenPort: number,
  ): Promise<string> {
    const users = path.join(folder, "users.txt");
    const settings = path.join(folder, "pgbouncer.ini");
    await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`, { mode: 0o644 });
    await writeFile(
      settings,
      `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${serverConnections}
`,
    );
    return settings;
  }

  test("everything is stored once behind PgBouncer in transaction mode, with fewer connections than clients", async () => {
    const rig = startRig("pooler");
    const [service] = services as [RunningService];
    let acknowledged = 0;
    const importAll = async ({ key, locationUuid }: Tenant): Promise<void> => {
      for (let batch = 0; batch < batchesPerClient; batch += 1) {
        const transactions = Array.from({ length: recordsPerBatch }, (_, index) => ({
          transactionId: `T-${batch}-${index}`,
          locationUuid,
          type: 1,
          transactionDate: "2026-04-01T14:30:00Z",
          account: { tpReferenceId: `A-${index}`, name: "Acme" },
        }));
        const body = { transactions };
        const created = await service.send("/integrations/transactions", { key, body });
        expect(created.json, created.text).toMatchObject({ successCount: recordsPerBatch });
        const replayed = await service.send("/integrations/transactions", { key, body });
        expect(replayed.json, replayed.text).toMatchObject({ skippedCount: recordsPerBatch });
        acknowledged += recordsPerBatch;
      }
    };
    await Promise.all(tenants.map(importAll));
    const [stored] = await database.query("select count(*)::int as count from transactions");
    expect(stored.count).toBe(acknowledged);
    expect(acknowledged).toBe(clients * batchesPerClient * recordsPerBatch);
    rig.held({ "transactions through PgBouncer": acknowledged });
  }, 300_000);

  test("distribute is rejected through PgBouncer, declared or not, and leaves no lock behind", async () => {
    const { GATEHOUSE_DATABASE_POOLER: _told, ...untold } = place.variables;
    for (const variables of [place.variables, untold]) {
      const refused = await gatehouse(["distribute"], variables);
      expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/direct connection/) });
    }
    expect(await database.query("select from pg_locks where locktype = 'advisory' and objid > 1000")).toEqual(
      [],
    );
    expect((await place.gatehouse(["migrate", "--json"])).json).toEqual({ applied: [] });
  });

  test("a second start, with nothing to migrate, does not hang", async () => {
    services.push(await startService(place));
    expect(services).toHaveLength(2);
  }, 60_000);
}
