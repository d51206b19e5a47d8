import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../../testing/browser.js";
import { useApp } from "../../testing/harness.js";
import { useRunningService } from "../../testing/running-service.js";
import { createApiKey } from "../organizations/api-keys.js";
import { configureOrganization } from "../organizations/configure-organization.js";

/** The pages of examples/, in a real browser, against the running service with its published limits. */
const gatehouse = useApp();
const service = useRunningService(gatehouse, { trustedProxies: ["127.0.0.1"] });
const examples = fileURLToPath(new URL("../../../../examples/", import.meta.url));

let browser: Browser;
let site: Server;
let siteOrigin: string;
let formPage: string;

beforeAll(async () => {
  browser = await launchBrowser();
  site = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(formPage);
  });
  await new Promise<void>((resolve) => void site.listen(0, "127.0.0.1", resolve));
  siteOrigin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser.close();
  site.closeAllConnections();
  await new Promise((resolve) => void site.close(resolve));
});

/** A browser that trusts the service's local authority, and whose requests come from an address of its own. */
async function visit(url: string, address: string): Promise<Page> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  await context.route(`${service.url}/**`, (route) =>
    route.continue({ headers: { ...route.request().headers(), "x-forwarded-for": address } }),
  );
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

async function tenantWithForm(leadOrigins: string[]) {
  const tenant = await gatehouse.tenant();
  await configureOrganization(gatehouse.database.work, Buffer.alloc(32, 7), {
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

async function openForm(form: { key: string; locationUuid: string }, address: string): Promise<Page> {
  formPage = (await readFile(join(examples, "lead-form.html"), "utf8"))
    .replace("https://gatehouse.example", service.url)
    .replace("YOUR_LEAD_KEY", form.key)
    .replace("YOUR_LOCATION_UUID", form.locationUuid);
  return visit(siteOrigin, address);
}

const send = (page: Page) => page.getByRole("button", { name: "Send" }).click();

test("lead-form.html: a visitor sees every problem beside its field, corrects them and is thanked", async () => {
  const tenant = await tenantWithForm([siteOrigin]);
  const page = await openForm(tenant, "203.0.113.31");
  await page.getByLabel("E-mail").fill("jo");
  await page.getByLabel("Phone").fill("555");
  await send(page);
  const problems = page.locator(".problem");
  await problems.nth(1).waitFor();
  expect(await problems.allTextContents()).toEqual([
    "email must be an e-mail address",
    "phone must be a phone number with + and country code, of 7 to 15 digits",
  ]);

  await page.getByLabel("E-mail").fill("jo@example.com");
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

test("lead-form.html: the limit is explained, because the page may read the refusal", async () => {
  const page = await openForm(await tenantWithForm([siteOrigin]), "203.0.113.32");
  await page.getByLabel("E-mail").fill("no");
  for (let request = 0; request < 5; request += 1) {
    await send(page);
    await page.locator(".problem").waitFor();
  }
  await send(page);
  await page.getByText("Too many requests. Please try again in 60 seconds.").waitFor();
  expect(await page.getByRole("status").textContent()).toContain("60 seconds");
  await page.context().close();
});

test("lead-form.html: what fills the hidden field is thanked as well, and quarantined", async () => {
  const tenant = await tenantWithForm([siteOrigin]);
  const page = await openForm(tenant, "203.0.113.33");
  await page.getByLabel("E-mail").fill("bot@example.com");
  await page.locator("input[name=website]").fill("http://spam.example", { force: true });
  await send(page);
  await page.getByText("Thank you. We will be in touch.").waitFor();
  expect(await tenant.leads()).toMatchObject([{ email: "bot@example.com", state: "quarantined" }]);
  await page.context().close();
});

test("lead-form.html: a page whose origin is not listed gets nothing through", async () => {
  const tenant = await tenantWithForm(["https://another.example"]);
  await tenantWithForm([siteOrigin]);
  const page = await openForm(tenant, "203.0.113.34");
  await page.getByLabel("E-mail").fill("jo@example.com");
  await send(page);
  await page.getByText("The service could not be reached.").waitFor();
  expect(await tenant.leads()).toEqual([]);
  await page.context().close();
});

test("lead-form-server.js: the key stays on the server, errors are shown as text, and two clicks store one lead", async () => {
  const tenant = await tenantWithForm([]);
  const server = await startExampleServer(tenant);
  try {
    const page = await visit(server.url, "not sent");
    await page.getByLabel("E-mail").fill("jo@example.com");
    await page.getByLabel("Phone").fill("<b>555</b>");
    await send(page);
    await page.getByRole("alert").getByText("phone must be a phone number").waitFor();
    expect(await page.getByLabel("Phone").inputValue()).toBe("<b>555</b>");
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
