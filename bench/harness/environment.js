/**
 * The environment of the benchmarks: a separate PostgreSQL server with production settings (fsync on), the built service
 * as a child process, and functions that fill the database. All files are in a temporary folder.
 */
import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { startEmbeddedServer } from "../../packages/service/dist/core/database/database-server.js";
import { migrate } from "../../packages/service/dist/core/database/schema/migrate.js";
import { loadOrCreateCertificate } from "../../packages/service/dist/core/server/tls/certificates.js";
import { createLocation } from "../../packages/service/dist/core/locations/manage-locations.js";
import { createApiKey } from "../../packages/service/dist/core/organizations/api-keys.js";
import { createOrganization } from "../../packages/service/dist/core/organizations/organizations.js";

const command = fileURLToPath(new URL("../../packages/service/bin/gatehouse.js", import.meta.url));
/**
 * @typedef {Awaited<ReturnType<typeof openEnvironment>>} Environment
 * @typedef {{ organizationUuid: string, locationUuids: [string, ...string[]], key: string, keyUuid: string }} Tenant
 */

const host = "127.0.0.1";
const startTimeoutMs = 60_000;
/** The settings of `npm start` and of the image, for the service and the references. */
const nodeOptions = ["--max-semi-space-size=32", "--max-old-space-size=512", "--heap-growing-percent=100"];

export async function openEnvironment() {
  /** @type {(() => unknown)[]} */
  const closers = [];
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "gatehouse-bench-"));
  closers.push(() => rm(dataDirectory, { recursive: true, force: true }));
  const server = await startEmbeddedServer({ dataDirectory, mayCreate: true });
  closers.push(() => server.stop());
  await migrate(server.connectionString);
  const certificate = await loadOrCreateCertificate({ dataDirectory, hosts: [host] });

  const environment = {
    PATH: process.env.PATH,
    DATABASE_URL: server.connectionString,
    GATEHOUSE_DATA_DIR: dataDirectory,
    GATEHOUSE_TLS_CERT: certificate.certFile,
    GATEHOUSE_TLS_KEY: certificate.keyFile,
    GATEHOUSE_HTTPS_PORT: "0",
    GATEHOUSE_HTTP_PORT: "0",
    LOG_LEVEL: "info",
  };
  return {
    connectionString: server.connectionString,
    certificate,
    /**
     * Starts the built service; `variables` are added to its environment.
     * @param {Record<string, string>} variables
     */
    startService: async (variables = {}) => {
      const child = await startChild(command, ["serve", "--json"], { ...environment, ...variables });
      closers.push(() => child.stop());
      const { apiAddress, signIn } = JSON.parse(child.firstOutput);
      return { url: apiAddress, signInLink: signIn?.link, stop: child.stop, pid: child.pid };
    },
    /**
     * Starts a reference server of bench/bare, which prints its address.
     * @param {string} file
     * @param {Record<string, string>} variables
     */
    startBare: async (file, variables = {}) => {
      const script = fileURLToPath(new URL(`../bare/${file}`, import.meta.url));
      const child = await startChild(script, [], { ...environment, ...variables });
      closers.push(() => child.stop());
      return { url: child.firstOutput.trim(), stop: child.stop, pid: child.pid };
    },
    close: async () => {
      for (const close of closers.toReversed()) await close();
    },
  };
}

/**
 * Creates an organization with locations and a key, using the functions behind the command line.
 * @param {{ connectionString: string }} environment
 * @param {{ locations?: number }} [options]
 * @returns {Promise<Tenant>}
 */
export async function createTenant({ connectionString }, { locations = 1 } = {}) {
  const pool = new pg.Pool({ connectionString, max: 1 });
  try {
    const actor = "bench";
    const organization = await createOrganization(pool, { name: "Bench", actor });
    const organizationId = organization.uuid;
    const addLocation = async (/** @type {number} */ index) => {
      const { uuid } = await createLocation(pool, {
        organizationId,
        name: `Garage ${index}`,
        address: `${index} Main Street`,
        city: "New York",
        state: "NY",
        zipcode: "10001",
        timeZone: "America/New_York",
        actor,
      });
      return uuid;
    };
    /** @type {Tenant["locationUuids"]} */
    const locationUuids = [await addLocation(0)];
    while (locationUuids.length < locations) locationUuids.push(await addLocation(locationUuids.length));
    const { key, uuid: keyUuid } = await createApiKey(pool, { organizationId, name: "Bench", actor });
    return { organizationUuid: organizationId, locationUuids, key, keyUuid };
  } finally {
    await pool.end();
  }
}

/**
 * @param {Environment} environment
 * @param {number} count
 * @param {{ locations?: number }} [options]
 */
export async function createTenants(environment, count, options) {
  const tenants = [];
  while (tenants.length < count) tenants.push(await createTenant(environment, options));
  return tenants;
}

/**
 * Returns the values in turn, starting over at the end.
 * @template T
 * @param {T[]} values
 */
export function inTurn(values) {
  let given = 0;
  return () => /** @type {T} */ (values[given++ % values.length]);
}

/**
 * Starts a child process and waits until it has written a complete JSON document or a line to stdout.
 * @param {string} script
 * @param {string[]} scriptArguments
 * @param {NodeJS.ProcessEnv & { GATEHOUSE_DATA_DIR: string }} env
 */
async function startChild(script, scriptArguments, env) {
  // The log goes to a file, as in production; reading it here would slow down the measurement.
  const logFile = path.join(env.GATEHOUSE_DATA_DIR, `${path.basename(script)}.log`);
  const log = openSync(logFile, "a");
  const child = spawn(process.execPath, [...nodeOptions, script, ...scriptArguments], {
    env,
    stdio: ["ignore", "pipe", log],
  });
  closeSync(log);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  /** @type {string} */
  const firstOutput = await new Promise((resolve, reject) => {
    let output = "";
    const timer = setTimeout(() => reject(new Error(`${script} did not start`)), startTimeoutMs);
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      if (!isComplete(output)) return;
      clearTimeout(timer);
      resolve(output);
    });
    child.once("exit", () => {
      clearTimeout(timer);
      reject(new Error(`${script} exited during startup:\n${readFileSync(logFile, "utf8")}`));
    });
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  return { firstOutput, stop, pid: child.pid };
}

/** @param {string} output */
function isComplete(output) {
  if (!output.startsWith("{")) return output.includes("\n");
  try {
    JSON.parse(output);
    return true;
  } catch {
    return false;
  }
}
