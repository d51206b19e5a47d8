import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useBrowser } from "../../../testing/browser/use-browser.js";
import { useApp } from "../../../testing/harness.js";
import { useRunningService } from "../../../testing/running-service.js";
import { createApiKey } from "../organizations/api-keys.js";
import { configureOrganization } from "../organizations/configure-organization.js";

/**
 * The pages of examples/ in a real browser, against the running service. Nothing is intercepted: the
 * browser's preflights decide. All visitors share one address, so one service has its limit lifted and the
 * other one does not.
 */
const gatehouse = useApp();
const service = useRunningService(gatehouse, {
  limits: { submitLead: { requests: 1_000, windowSeconds: 60 } },
});
const limitedService = useRunningService(gatehouse);
const examples = fileURLToPath(new URL("../../../../../examples/", import.meta.url));

const chromium = useBrowser();
let site: Server;
let siteOrigin: string;
let formPage: string;

beforeAll(async () => {
  site = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(formPage);
  });
  await new Promise<void>((resolve) => void site.listen(0, "127.0.0.1", resolve));
  siteOrigin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(async () => {
  site.closeAllConnections();
  await new Promise((resolve) => void site.close(resolve));
});

async function visit(url: string): Promise<Page> {
  const context = await chromium.browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

async function tenantWithForm(leadOrigins: string[]) {
  const tenant = await gatehouse.tenant();
  await configureOrganization(gatehouse.database.work, async () => Buffer.alloc(32, 7), {
    organizationId: tenant.organizationId,
    honeypotField: "website",
    actor: "test",
  });
  const { key } = await createApiKey(gatehouse.database.work, {
    organizationId: tenant.organizationId,
    name: "Web site",
    permissions: ["leads:write"],
    leadOrigins,
    actor: "test",
  });
  const leads = async () => {
    const { rows } = await gatehouse.database.work.query(
      "select email, first_name, phone, notes, state, source, address from leads where organization_id = $1 order by id",
      [tenant.organizationId],
    );
    return rows;
  };
  return { ...tenant, key, leads };
}

async function openForm(form: { key: string; locationUuid: string }, url = service.url): Promise<Page> {
  formPage = (await readFile(join(examples, "lead-form.html"), "utf8"))
    .replace("https://gatehouse.example", url)
    .replace("YOUR_LEAD_KEY", form.key)
    .replace("YOUR_LOCATION_UUID", form.locationUuid);
  return visit(siteOrigin);
}

const send = (page: Page) => page.getByRole("button", { name: "Send" }).click();

test("lead-form.html: a visitor sees every problem beside its field, corrects them and is thanked", async () => {
  const tenant = await tenantWithForm([siteOrigin]);
  const page = await openForm(tenant);
  await page.getByLabel("Email").fill("jo");
  await page.getByLabel("Phone").fill("555");
  await send(page);
  const problems = page.locator(".problem");
  await problems.nth(1).waitFor();
  await expect
    .poll(() => problems.allTextContents())
    .toEqual([
      "email must be an email address",
      "phone must be a phone number with + and country code, of 7 to 15 digits",
    ]);

  await page.getByLabel("Email").fill("jo@example.com");
  await page.getByLabel("First name").fill("Jo");
  await page.getByLabel("Phone").fill("+1 555 010 0123");
  await send(page);
  await page.getByText("Thank you. We will be in touch.").waitFor();
  expect(await problems.count()).toBe(0);
  expect(await tenant.leads()).toMatchObject([
    {
      email: "jo@example.com",
      first_name: "Jo",
      phone: "+1 555 010 0123",
      state: "accepted",
      source: "Website",
    },
  ]);
  await page.context().close();
});

test("lead-form.html: the page can read the rate limit error and explains it", async () => {
  const page = await openForm(await tenantWithForm([siteOrigin]), limitedService.url);
  await page.getByLabel("Email").fill("no");
  const explained = page.getByText("Too many requests. Please try again in 60 seconds.");
  for (let request = 0; request < 6 && !(await explained.isVisible()); request += 1) {
    await send(page);
    await page.locator(".problem").or(explained).waitFor();
  }
  await expect.poll(() => explained.isVisible()).toBe(true);
  await page.context().close();
});

test("lead-form.html: a bot that fills the hidden field is thanked too, and its lead is quarantined", async () => {
  const tenant = await tenantWithForm([siteOrigin]);
  const page = await openForm(tenant);
  await page.getByLabel("Email").fill("bot@example.com");
  await page.locator("input[name=website]").fill("http://spam.example", { force: true });
  await send(page);
  await page.getByText("Thank you. We will be in touch.").waitFor();
  expect(await tenant.leads()).toMatchObject([{ email: "bot@example.com", state: "quarantined" }]);
  await page.context().close();
});

test("lead-form.html: leads from a page whose origin is not listed are blocked", async () => {
  const tenant = await tenantWithForm(["https://another.example"]);
  await tenantWithForm([siteOrigin]);
  const page = await openForm(tenant);
  await page.getByLabel("Email").fill("jo@example.com");
  await send(page);
  await page.getByText("The service could not be reached.").waitFor();
  expect(await tenant.leads()).toEqual([]);
  await page.context().close();
});

test("lead-form-server.js: the key stays on the server, errors are shown as text, and two clicks store one lead", async () => {
  const tenant = await tenantWithForm([]);
  const server = await startExampleServer(tenant);
  try {
    const page = await visit(server.url);
    await page.getByLabel("Email").fill("jo@example.com");
    await page.getByLabel("Phone").fill("<b>555</b>");
    await send(page);
    await page.getByRole("alert").getByText("phone must be a phone number").waitFor();
    await expect.poll(() => page.getByLabel("Phone").inputValue()).toBe("<b>555</b>");
    expect(await page.content()).not.toContain(tenant.key);

    await page.getByLabel("Phone").fill("+1 555 010 0123");
    await page.getByRole("button", { name: "Send" }).dblclick();
    await page.getByText("Thank you. We will be in touch.").waitFor();
    expect(await tenant.leads()).toMatchObject([{ email: "jo@example.com", address: "127.0.0.1" }]);
    await page.context().close();
  } finally {
    await server.stop();
  }
});

async function startExampleServer(tenant: { key: string; locationUuid: string }) {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-example-"));
  const keyFile = join(folder, "key");
  await writeFile(keyFile, `${tenant.key}\n`, { mode: 0o600 });
  const child: ChildProcess = spawn(process.execPath, [join(examples, "lead-form-server.js")], {
    env: {
      PATH: process.env["PATH"],
      NODE_EXTRA_CA_CERTS: service.caFile,
      LEAD_SERVICE_URL: service.url,
      LEAD_KEY_FILE: keyFile,
      LEAD_LOCATION: tenant.locationUuid,
      PORT: "0",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => void child.once("exit", resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.once("data", (line: Buffer) => resolve(line.toString().trim()));
    child.once("exit", (code) => reject(new Error(`the example ended with ${code}`)));
  });
  return {
    url,
    stop: async () => {
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
