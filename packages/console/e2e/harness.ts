import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { permissions } from "@gatehouse-parking/contract";
import { pino } from "pino";
import type { BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import { buildApp } from "../../service/src/app.js";
import { readConfig, type Config } from "../../service/src/config.js";
import type { Database } from "../../service/src/core/database/pool.js";
import { listen } from "../../service/src/core/server/servers.js";
import { loadOrCreateCertificate } from "../../service/src/core/server/tls/certificates.js";
import { createLocation } from "../../service/src/core/locations/manage-locations.js";
import { createApiKey } from "../../service/src/core/organizations/api-keys.js";
import { createOrganization } from "../../service/src/core/organizations/organizations.js";
import type { Role } from "../../service/src/core/organizations/accounts.js";
import { useBrowser } from "../../service/testing/browser/use-browser.js";
import { liftedConsole, newDatabase, useDatabase } from "../../service/testing/harness.js";
import { addPerson, testPassword as password } from "../../service/testing/person.js";

export { testPassword as password } from "../../service/testing/person.js";

const desktop = { width: 1280, height: 800 };
/** A generous timeout, so that a busy machine does not cause failures. */
const waitMs = 180_000;

export interface Tenant {
  organizationUuid: string;
  name: string;
  apiKey: string;
  locationUuid: string;
}

export interface ConsoleUnderTest {
  readonly origin: string;
  readonly database: Database;
  /** A new organization with a key that has all permissions and one location in New York. */
  tenant(name?: string, options?: { isDemo?: boolean }): Promise<Tenant>;
  person(role: Role, tenant?: Tenant): Promise<string>;
  /** A page without a session. */
  page(options?: BrowserContextOptions): Promise<Page>;
  /** A page with a new signed-in person of this role. */
  signedIn(role: Role, tenant?: Tenant, options?: BrowserContextOptions): Promise<Page>;
  /** Sends a batch or a lead to the public interface. */
  send(path: string, key: string, body: unknown): Promise<{ status: number; json: unknown }>;
}

/** Optional dependencies of a console, such as a sign-in provider. */
interface Surroundings {
  /** Gets the origin before the service starts, and returns the settings that depend on it. */
  prepare?: (origin: string) => Promise<Partial<Config>>;
  /** Further origins that pages may open. */
  elsewhere?: string[];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Waits until the page has its heading and no loading placeholders. */
/** Sets a filter of a list that has no value yet. */
export async function filterBy(page: Page, filter: string, value: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("menuitem", { name: filter, exact: true }).click();
  await page.getByRole("option", { name: value, exact: true }).click();
}

export async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await expect.poll(() => page.locator(".mantine-Skeleton-root, .mantine-Loader-root").count()).toBe(0);
}

/** Navigates within an open page, like a link: scripts, including axe, are not loaded again. */
export async function goOn(page: Page, address: string): Promise<void> {
  await page.evaluate((next) => history.pushState(null, "", next), address);
}

/** Clicks twice before the page can render again, like a bouncing mouse button. */
export function clickTwice(button: Locator): Promise<void> {
  return button.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });
}

/** The service as in production, with TLS on a free port. */
async function startService(
  database: Database,
  overrides: Partial<Config>,
  prepare?: Surroundings["prepare"],
) {
  const folder = await mkdtemp(join(inject("folderOfRun"), "console-"));
  const config: Config = {
    ...readConfig({}),
    trustedProxies: ["127.0.0.1"],
    secretKey: Buffer.alloc(32, 7),
    dataDirectory: folder,
    ...overrides,
  };
  const httpsPort = prepare ? await freePort() : 0;
  if (prepare) Object.assign(config, await prepare(`https://localhost:${httpsPort}`));
  // The tests keep the machine busy, which must not cause 503 responses.
  const app = await buildApp({
    config,
    database,
    logger: pino({ level: "silent" }),
    maxEventLoopDelayMs: 0,
    consoleLimits: liftedConsole,
  });
  const certificate = await loadOrCreateCertificate({ dataDirectory: folder, hosts: ["localhost"] });
  const ports = await listen(app, { host: "127.0.0.1", httpsPort, httpPort: 0, certificate });
  app.uploads.start();
  return { app, origin: `https://localhost:${ports.httpsPort}`, database };
}

type Service = Awaited<ReturnType<typeof startService>>;

/** The service that the test files of a worker share. It ends with the worker. */
let shared: Promise<Service> | undefined;
/** Also numbers the people of test files that share a service. */
let people = 0;
let sent = 0;

/**
 * A service with a real browser. Test files share the service of their worker unless they pass settings: settings, or
 * `{}`, start a separate service that has only the organizations of the file. After every test, it checks that no page
 * requested another host, violated the content policy, or threw an error.
 */
export function openConsole(
  overrides?: Partial<Config>,
  { prepare, elsewhere = [] }: Surroundings = {},
): ConsoleUnderTest {
  const databaseOfFile = overrides && useDatabase();
  const chromium = useBrowser();
  const contexts: BrowserContext[] = [];
  const problems: string[] = [];
  let service: Service;

  beforeAll(async () => {
    service = databaseOfFile
      ? await startService(databaseOfFile.database, overrides ?? {}, prepare)
      : await (shared ??= newDatabase()
          .create()
          .then((database) => startService(database, {})));
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(problems.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    if (overrides) await service?.app.close();
  });

  /** Requests of other sites' pages are ignored. */
  function isElsewhere(address: string): boolean {
    return elsewhere.some((other) => address.startsWith(other));
  }

  async function page(options: BrowserContextOptions = {}): Promise<Page> {
    // The browser does not trust the certificate's authority.
    const context = await chromium.browser.newContext({
      viewport: desktop,
      ignoreHTTPSErrors: true,
      // Waiting for transitions is slow on a machine without a graphics card.
      reducedMotion: "reduce",
      ...options,
    });
    contexts.push(context);
    context.setDefaultTimeout(waitMs);
    const opened = await context.newPage();
    opened.on("request", (request) => {
      const { protocol, origin: asked } = new URL(request.url());
      const isAllowed = [service.origin, ...elsewhere].includes(asked) || isElsewhere(request.frame().url());
      if (/^https?:$/.test(protocol) && !isAllowed) problems.push(`asked ${request.url()}`);
    });
    opened.on("pageerror", (error) => problems.push(`threw ${error.message}`));
    opened.on("console", (message) => {
      if (message.type() === "error" && /content security policy/i.test(message.text())) {
        problems.push(message.text());
      }
    });
    return opened;
  }

  async function person(role: Role, tenant?: Tenant): Promise<string> {
    people += 1;
    const email = `${role}-${people}@example.com`;
    await addPerson(service.database, { email, role, organizationId: tenant?.organizationUuid });
    return email;
  }

  return {
    get origin() {
      return service.origin;
    },
    get database() {
      return service.database;
    },
    page,
    person,
    async signedIn(role, tenant, options) {
      const email = await person(role, tenant);
      const opened = await page(options);
      // All people of the tests share one address, which may sign in thirty times in five minutes.
      await service.app.rateLimiter.forget("consoleSignIn:127.0.0.1");
      const answer = await opened.request.post(`${service.origin}/console/api/session`, {
        data: { email, password },
        headers: { origin: service.origin },
      });
      expect(answer.status(), await answer.text()).toBe(200);
      return opened;
    },
    async tenant(name = "Harbour Parking", { isDemo = false } = {}) {
      const pool = service.database.work;
      const actor = "test";
      const organization = await createOrganization(pool, { name, isDemo, actor });
      const organizationId = organization.uuid;
      const { key } = await createApiKey(pool, { organizationId, name: "Back end", permissions, actor });
      const location = await createLocation(pool, {
        organizationId,
        name: "Battery Park Garage",
        address: "70 Greenwich Street",
        city: "New York",
        state: "NY",
        zipcode: "10006",
        timeZone: "America/New_York",
        tpReferenceId: "NYC-1",
        actor,
      });
      return { organizationUuid: organizationId, name, apiKey: key, locationUuid: location.uuid };
    },
    async send(path, key, body) {
      sent += 1;
      const answer = await service.app.inject({
        method: "POST",
        url: path,
        headers: {
          "x-forwarded-proto": "https",
          // An address may send few leads per minute.
          "x-forwarded-for": `198.51.${Math.floor(sent / 250)}.${(sent % 250) + 1}`,
          "content-type": "application/json",
          "x-api-key": key,
        },
        payload: JSON.stringify(body),
      });
      return { status: answer.statusCode, json: answer.json() };
    },
  };
}
