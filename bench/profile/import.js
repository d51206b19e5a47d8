/**
 * node bench/profile/import.js [--short]
 *
 * Where the time of an import goes: the steps of a batch of 500 new transactions, one after the other, without HTTP.
 * Medians over many batches; the first table of docs/performance.md. They depend on the machine; their proportions hardly.
 * --short, which the test command runs, shows that it works.
 */
import { openDatabase } from "../../packages/service/dist/database/pool.js";
import { importBatch } from "../../packages/service/dist/imports/import-batch.js";
import { readEnvelope } from "../../packages/service/dist/imports/read/envelope.js";
import { resources } from "../../packages/service/dist/imports/resources.js";
import { readText } from "../../packages/service/dist/json/read-body.js";
import { freshBatches } from "../harness/batches.js";
import { median } from "../harness/compare.js";
import { createTenant, openEnvironment } from "../harness/environment.js";

const isShort = process.argv.includes("--short");
const warmUpBatches = isShort ? 0 : 100;
const measuredBatches = isShort ? 2 : 200;
const [transactions] = resources.filter(({ name }) => name === "transactions");
/** @type {any} as much of a log as an import uses */
const log = { child: () => log, error: console.error, warn: console.error };

const environment = await openEnvironment();
const database = openDatabase({ connectionString: environment.connectionString, workConnections: 1 });
try {
  const tenant = await createTenant(environment);
  const profiles = [];
  for (let index = 0; index < warmUpBatches + measuredBatches; index += 1) {
    const body = Buffer.from(freshBatches([tenant], 1)[0].body);
    const profile = await importOnce(body, tenant.organizationUuid);
    if (index >= warmUpBatches) profiles.push(profile);
  }
  print(profiles);
} finally {
  await database.close();
  await environment.close();
}

async function importOnce(body, organizationId) {
  const profile = new Map();
  const add = (step, milliseconds) => profile.set(step, (profile.get(step) ?? 0) + milliseconds);
  const begun = performance.now();
  const batch = await readEnvelope(readText(body), transactions);
  add("service: find the records in the body", performance.now() - begun);

  let accounted = 0;
  const account = (step, milliseconds) => {
    accounted += milliseconds;
    add(step, milliseconds);
  };
  /** @type {any} as much of a service as an import uses */
  const service = {
    pool: timedPool((step, milliseconds) => account(`database: ${step}`, milliseconds)),
    turns: { take: (_organization, work) => work() },
    metrics: {},
    maxAskingMs: 0,
    maxLockWaitMs: 60_000,
    log,
    tracer: {
      /** A step's own time: without that of the database and of the steps within it, which are told by themselves. */
      async span(name, _attributes, work) {
        const started = performance.now();
        const before = accounted;
        const done = await work();
        account(`service: ${name}`, performance.now() - started - (accounted - before));
        return done;
      },
    },
  };
  const request = { resource: transactions, organizationId, apiKeyId: undefined, requestId: "profile" };
  const { fatal } = await importBatch(service, {
    ...request,
    batch,
    validateOnly: false,
    rules: { keepsSentValues: true, keepsDeletedKeys: false, keepsReplaysOnce: false, quotas: null },
  });
  if (fatal) throw new Error("The import failed");
  add("in all", performance.now() - begun);
  return profile;
}

/**
 * The pool, with every statement's time told to `add` under the name of its step.
 * @returns {any} as much of a pool as an import uses
 */
function timedPool(add) {
  return {
    async query(statement) {
      const begun = performance.now();
      const result = await database.work.query(statement);
      add(stepOf(statement), performance.now() - begun);
      return result;
    },
    async connect() {
      const client = await database.work.connect();
      return {
        release: (error) => client.release(error),
        getTypeParser: (type, format) => client.getTypeParser(type, format),
        /** Several statements at once; each begins when the one before it is done. */
        query(exchange) {
          let begun = performance.now();
          exchange.onCompleted = () => {
            const now = performance.now();
            add(stepOf(exchange.statements[exchange.completed - 1]), now - begun);
            begun = now;
          };
          client.query(exchange);
        },
      };
    },
  };
}

function stepOf({ name, text }) {
  if (text.startsWith("copy")) return "COPY of rows";
  const others = {
    "write-run": "the run itself",
    "lock-organization": "begin and lock",
    begin: "begin and lock",
  };
  return others[name ?? text] ?? (text === "commit" ? "commit" : "look-ups");
}

function print(profiles) {
  const steps = [...profiles[0].keys()];
  const whole = median(profiles.map((profile) => profile.get("in all")));
  for (const step of steps) {
    const value = median(profiles.map((profile) => profile.get(step) ?? 0));
    console.log(
      `${value.toFixed(2).padStart(7)} ms  ${((value / whole) * 100).toFixed(0).padStart(3)} %  ${step}`,
    );
  }
}
