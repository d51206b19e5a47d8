import { randomUUID } from "node:crypto";
import { operationNames, permissions, type Permission } from "@gatehouse-parking/contract";
import type { FastifyInstance, InjectOptions } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, inject } from "vitest";
import { buildApp } from "../src/app.js";
import { readConfig, type Config } from "../src/config.js";
import type { ConsoleLimits } from "../src/core/console/limits.js";
import { openDatabase, type Database, type DatabaseOptions } from "../src/core/database/pool.js";
import { createApiKey } from "../src/core/organizations/api-keys.js";
import { createOrganization } from "../src/core/organizations/organizations.js";
import { createLocation, type NewLocation } from "../src/core/locations/manage-locations.js";
import { migrate } from "../src/core/database/schema/migrate.js";
import { dropDatabase, onServer, templateDatabase, withDatabase } from "./database-server.js";
import { logSerializers } from "../src/core/logger.js";

/** Opens the database like the service, with timeouts so long that a slow machine causes no 503. */
export function openPatientDatabase(options: DatabaseOptions): Database {
  return openDatabase({ connectTimeoutMs: 60_000, ...options });
}

/**
 * The name of a new database, to be cloned from the migrated template. `migrations`: folders of migrations to apply.
 * Absent: all.
 */
export function newDatabase(migrations?: readonly URL[]) {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const servers = inject("databaseServers");
  const connectionString = withDatabase(inject("databaseServer"), name);
  return {
    connectionString,
    async create(): Promise<Database> {
      const template = migrations ? "template1" : templateDatabase;
      for (const each of servers) await onServer(each, `create database ${name} template ${template}`);
      if (migrations) await migrate(connectionString, { folders: migrations });
      return openPatientDatabase({ connectionString, workConnections: 8 });
    },
    async drop(): Promise<void> {
      for (const each of servers) await dropDatabase(each, name);
    },
  };
}

/** A separate database for the calling test file, dropped afterwards. */
export function useDatabase(migrations?: readonly URL[]): {
  readonly connectionString: string;
  readonly database: Database;
} {
  const { connectionString, create, drop } = newDatabase(migrations);
  let database: Database;
  beforeAll(async () => {
    database = await create();
  });
  afterAll(async () => {
    await database.close();
    await drop();
  });
  return {
    connectionString,
    get database() {
      return database;
    },
  };
}

export interface Tenant {
  organizationId: string;
  apiKey: string;
  locationUuid: string;
}

export interface TestApp {
  readonly app: FastifyInstance;
  /** The options of the app, to build a second instance on the same database. */
  readonly config: Config;
  readonly database: Database;
  readonly connectionString: string;
  /** Lines the app logged, as objects. */
  readonly logged: Record<string, unknown>[];
  /** Creates an organization with a location in New York and a key with all permissions, or these. */
  tenant(options?: { permissions?: readonly Permission[]; location?: Partial<NewLocation> }): Promise<Tenant>;
  /** Sends a request as if over TLS; `key` goes into X-API-KEY. */
  send(request: InjectOptions & { key?: string }): Promise<Answer>;
  post(url: string, key: string, body: unknown): Promise<Answer>;
}

export interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  // Tests read answers without types; a wrong field fails the test.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
}

const lifted: Config["limits"] = Object.fromEntries(
  operationNames.map((name) => [name, { requests: 100_000, windowSeconds: 60 }]),
);

const unlimited = { perMinute: Number.POSITIVE_INFINITY, atOnce: Number.POSITIVE_INFINITY };
/** Background jobs would add to the statements and rows that a slow test counts. */
const longerThanAnyTestMs = 24 * 60 * 60_000;
/** Tests are one user at one address, and faster than people. */
export const liftedConsole: ConsoleLimits = { address: unlimited, person: unlimited };

/**
 * The production app on a separate database. Requests are injected with the header of a trusted TLS proxy. Rate limits
 * are lifted unless a test sets the default ones (`limits: {}`). `prepare` gets the app before it is ready, to listen
 * or to add a route.
 */
export function useApp(
  overrides: Partial<Config> = {},
  prepare: (app: FastifyInstance) => unknown = () => undefined,
  migrations?: readonly URL[],
): TestApp {
  const databaseOfFile = useDatabase(migrations);
  const logged: Record<string, unknown>[] = [];
  let config: Config;
  let app: FastifyInstance;
  beforeAll(async () => {
    config = {
      ...readConfig({}),
      trustedProxies: ["127.0.0.1"],
      limits: lifted,
      secretKey: Buffer.alloc(32, 7),
      ...overrides,
    };
    const logger = pino(
      { level: "debug", serializers: logSerializers },
      { write: (line: string) => void logged.push(JSON.parse(line)) },
    );
    // A busy machine must not cause 503 answers.
    app = await buildApp({
      config,
      database: databaseOfFile.database,
      logger,
      maxEventLoopDelayMs: 0,
      jobIntervalMs: longerThanAnyTestMs,
      consoleLimits: liftedConsole,
    });
    await prepare(app);
    await app.ready();
  });
  afterAll(async () => {
    await app.close();
  });

  const send: TestApp["send"] = (request) => sendTo(app, request);

  return {
    get app() {
      return app;
    },
    get config() {
      return config;
    },
    get database() {
      return databaseOfFile.database;
    },
    get connectionString() {
      return databaseOfFile.connectionString;
    },
    logged,
    send,
    post: (url, key, body) =>
      send({
        method: "POST",
        url,
        key,
        headers: { "content-type": "application/json" },
        payload: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    async tenant(options = {}) {
      const pool = databaseOfFile.database.work;
      const actor = "test";
      const organization = await createOrganization(pool, { name: "Test organization", actor });
      const { key } = await createApiKey(pool, {
        organizationId: organization.uuid,
        name: "test",
        permissions: options.permissions ?? permissions,
        actor,
      });
      const location = await createLocation(pool, {
        organizationId: organization.uuid,
        name: "Main garage",
        address: "1 Main Street",
        city: "New York",
        state: "NY",
        zipcode: "10001",
        timeZone: "America/New_York",
        actor,
        ...options.location,
      });
      return { organizationId: organization.uuid, apiKey: key, locationUuid: location.uuid };
    },
  };
}

/** The same for an app that the test has built. */
export async function sendTo(
  app: FastifyInstance,
  { key, ...request }: InjectOptions & { key?: string },
): Promise<Answer> {
  const headers = {
    host: "gatehouse.example",
    "x-forwarded-proto": "https",
    ...(key ? { "x-api-key": key } : {}),
    ...request.headers,
  };
  const answer = await app.inject({ ...request, headers });
  const isJson = /[/+]json/.test(String(answer.headers["content-type"] ?? ""));
  return {
    status: answer.statusCode,
    headers: answer.headers as Record<string, string | undefined>,
    text: answer.body,
    json: isJson && answer.body !== "" ? JSON.parse(answer.body) : undefined,
  };
}
