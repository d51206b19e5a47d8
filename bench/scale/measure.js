/**
 * node bench/scale/measure.js
 *
 * What docs/scaling.md computes with: what a batch costs in processor time, log and storage, and what the gate costs.
 * These are no ratios and depend on the machine; the sizes do not. Writes results/scale.json. Linux only (/proc).
 */
import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { admitByKey } from "../../packages/service/dist/core/gate/admission.js";
import { freshBatches, liftedLimits, recordsPerBatch, sendBatches } from "../harness/batches.js";
import { createTenant, openEnvironment } from "../harness/environment.js";
import { readCosts } from "../harness/costs.js";

const warmUpBatches = 60;
const measuredBatches = 120;
const clients = 4;
const gateKeys = 2_000;
const gateSeconds = 4;

const environment = await openEnvironment();
try {
  const client = new pg.Client({ connectionString: environment.connectionString });
  await client.connect();
  const results = {
    imports: await measureImports(client),
    gate: await measureGate(client),
    keyUsage: await measureKeyUsage(client),
  };
  await client.end();
  const machine = { node: process.version, cpus: cpus().length, model: cpus()[0]?.model ?? "unknown" };
  const document = `${JSON.stringify({ date: new Date().toISOString(), machine, ...results }, null, 2)}\n`;
  await writeFile(fileURLToPath(new URL("../results/scale.json", import.meta.url)), document);
  console.log(document);
} finally {
  await environment.close();
}

async function measureImports(client) {
  const tenants = [];
  for (let index = 0; index < clients; index += 1) tenants.push(await createTenant(environment));
  const service = await environment.startService(liftedLimits);
  const target = { url: service.url, caFile: environment.certificate.caFile, clients };
  await sendBatches({ ...target, batches: freshBatches(tenants, warmUpBatches) });

  const alone = await sendBatches({ ...target, clients: 1, batches: freshBatches(tenants.slice(0, 1), 30) });
  const batches = freshBatches(tenants, measuredBatches);
  // So that every page is written to the log in full once, as after any checkpoint.
  await client.query("checkpoint");
  const before = await readCosts(client, service.pid);
  const { rate } = await sendBatches({ ...target, batches });
  const connections = await countConnections(client);
  const after = await readCosts(client, service.pid);
  await service.stop();
  const perBatch = (name) => (after[name] - before[name]) / measuredBatches;
  return {
    recordsPerSecond: Math.round(rate),
    batchesPerSecondOfOneOrganization: Number((alone.rate / recordsPerBatch).toFixed(1)),
    bodyBytesPerBatch: Buffer.byteLength(batches[0].body),
    serviceCpuMsPerBatch: Math.round(perBatch("serviceCpuMs")),
    databaseCpuMsPerBatch: Math.round(perBatch("databaseCpuMs")),
    logBytesPerBatch: Math.round(perBatch("logBytes")),
    connections,
    tables: await readSizes(client),
  };
}

async function countConnections(client) {
  const { rows } = await client.query(
    "select application_name as name, count(*)::int as count from pg_stat_activity where application_name like 'gatehouse%' group by 1 order by 1",
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

async function readSizes(client) {
  const sizes = {};
  for (const table of ["transactions", "accounts", "contacts", "vehicles", "import_runs"])
    sizes[table] = await readSize(client, table);
  return sizes;
}

async function readSize(client, table) {
  await client.query(`vacuum analyze ${table}`);
  const { rows } = await client.query(
    `select (select count(*)::float8 from ${table}) as rows, pg_table_size('${table}')::float8 as data,
            pg_indexes_size('${table}')::float8 as indexes`,
  );
  const { rows: count, data, indexes } = rows[0];
  return {
    rows: count,
    dataBytesPerRow: Math.round(data / count),
    indexBytesPerRow: Math.round(indexes / count),
  };
}

/** One row a key, operation and hour: fifty hours of the gate's keys, each of which used one operation. */
async function measureKeyUsage(client) {
  await client.query("truncate api_key_usage");
  for (let hour = 0; hour < 50; hour += 1)
    await client.query(
      `insert into api_key_usage (organization_id, api_key_id, operation, hour, accepted)
       select organization_id, id, 'importTransactions', date_trunc('hour', now()) + make_interval(hours => $1), 60
       from api_keys order by organization_id`,
      [hour],
    );
  return readSize(client, "api_key_usage");
}

/** The statement that every request passes, on the gate's four connections, for one request and for twenty at once. */
async function measureGate(client) {
  await client.query(
    `with made as (
       insert into organizations (id, name) select gen_random_uuid(), 'Gate' from generate_series(1, $1) returning id
     )
     insert into api_keys (organization_id, id, name, prefix, hash, permissions)
     select id, gen_random_uuid(), 'gate', 'ghk_', sha256(id::text::bytea), '{imports:read}' from made`,
    [gateKeys],
  );
  const { rows } = await client.query("select hash from api_keys where name = 'gate'");
  const hashes = rows.map(({ hash }) => hash);
  await client.query("vacuum analyze");
  const results = {};
  for (const together of [1, 20]) {
    const { requests, before, after } = await askGate(client, hashes, together);
    results[`${together} at once`] = {
      requestsPerSecond: Math.round(requests / gateSeconds),
      databaseCpuMsPerThousand: Math.round((1000 * (after.databaseCpuMs - before.databaseCpuMs)) / requests),
      logBytesPerRequest: Math.round((after.logBytes - before.logBytes) / requests),
    };
  }
  return results;
}

async function askGate(client, hashes, together) {
  const pool = new pg.Pool({
    connectionString: environment.connectionString,
    max: 4,
    options: "-c synchronous_commit=off",
  });
  const limit = { requests: 300, windowSeconds: 60 };
  // Connections that are open before and after, because those that have ended show no time any more.
  await Promise.all(Array.from({ length: 4 }, () => pool.query("select pg_sleep(0.1)")));
  const before = await readCosts(client, process.pid);
  const end = performance.now() + gateSeconds * 1000;
  let requests = 0;
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (performance.now() < end) {
        const some = Array.from(
          { length: together },
          () => hashes[Math.floor(Math.random() * hashes.length)],
        );
        const values = ["listImports", limit.requests, limit.windowSeconds, some, "imports:read"];
        await pool.query({ name: "admit-by-key", text: admitByKey, values });
        requests += together;
      }
    }),
  );
  const after = await readCosts(client, process.pid);
  await pool.end();
  return { requests, before, after };
}
