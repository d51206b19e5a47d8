import type { ImportRun } from "@gatehouse-parking/contract";
import type { Role, Session } from "@gatehouse-parking/contract/console";
import { beforeAll, describe, expect, it } from "vitest";
import { goOn, openConsole, settled, type Tenant } from "./harness.js";

const gatehouse = openConsole();

interface Addition {
  /** Its menu entry. */
  entry?: string;
  path?: string;
  /** Its entry in the settings. */
  tab?: string;
  /** The paths of its operations, which no other page requests. */
  operations?: RegExp;
}

/** What each feature adds for an admin of a demo organization. */
const features: Record<string, Addition> = {
  undo: { operations: /^\/console\/api\/.*\/undo$/ },
  uploads: { entry: "Uploads", path: "uploads", operations: /^\/console\/api\/.*\/uploads/ },
  retention: { path: "settings/retention", tab: "Retention", operations: /^\/console\/api\/.*\/retention/ },
  exports: { path: "settings/export", tab: "Export" },
  sandbox: { entry: "Sandbox", path: "sandbox", operations: /^\/console\/api\/.*\/sandbox/ },
  search: { path: "search", operations: /^\/console\/api\/.*\/search/ },
  overview: { entry: "Overview", operations: /^\/console\/api\/.*\/overview/ },
  "request-log": { entry: "Requests", path: "requests", operations: /^\/console\/api\/.*\/requests/ },
  people: { entry: "Personal data", path: "people", operations: /^\/console\/api\/.*\/people/ },
  "saved-views": { operations: /^\/console\/api\/.*\/saved-views/ },
};

/** Opens a page of a service without one feature, and records the paths that it requests. */
async function withoutFeature(feature: string, role: Role, tenant?: Tenant) {
  const page = await gatehouse.signedIn(role, tenant);
  const asked: string[] = [];
  await page.route("**/console/api/session", async (route) => {
    const response = await route.fetch();
    const session = (await response.json()) as Session;
    expect(session.features).toContain(feature);
    await route.fulfill({
      response,
      json: { ...session, features: session.features.filter((name) => name !== feature) },
    });
  });
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  return { page, asked };
}

let tenant: Tenant;
let run: ImportRun;
beforeAll(async () => {
  tenant = await gatehouse.tenant("Harbour Parking", { isDemo: true });
  const transactions = [
    {
      transactionId: "T-1",
      locationUuid: tenant.locationUuid,
      type: 1,
      transactionDate: "2026-04-01T03:30:00Z",
    },
  ];
  const answer = await gatehouse.send("/integrations/transactions", tenant.apiKey, { transactions });
  expect(answer.status).toBe(200);
  run = answer.json as ImportRun;
});

describe("a feature that the service has not registered", () => {
  for (const [feature, { entry, path, tab, operations }] of Object.entries(features)) {
    it(`the console works without ${feature}`, async () => {
      const { page, asked } = await withoutFeature(feature, "admin", tenant);
      const home = `${gatehouse.origin}/organizations/${tenant.organizationUuid}`;
      const corePages = {
        imports: "Imports",
        [`imports/${run.referenceUuid}`]: "Transactions import",
        "records/transactions": "Transactions",
        leads: "Leads",
        "settings/api-keys": "Organization Settings",
      };
      await page.goto(home);
      await settled(page);
      for (const [corePath, heading] of Object.entries(corePages)) {
        await goOn(page, `${home}/${corePath}`);
        await page.getByRole("heading", { level: 1, name: heading }).waitFor();
        await settled(page);
        expect(await page.getByRole("alert").count()).toBe(0);
      }
      await page.getByRole("tab", { name: "Lead forms" }).waitFor();
      const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
      expect(await links.allInnerTexts()).not.toContain(entry);
      expect(await page.getByRole("tab").allInnerTexts()).not.toContain(tab);
      if (path !== undefined) {
        await goOn(page, `${home}/${path}`);
        await page.getByText("Page not found").waitFor();
      }
      if (operations !== undefined) expect(asked.filter((address) => operations.test(address))).toEqual([]);
      await goOn(page, home);
      const start = feature === "overview" ? "Imports" : "Overview";
      await page.getByRole("heading", { level: 1, name: start }).waitFor();
    });
  }

  it("operators start at the list of organizations without the installation feature", async () => {
    const { page } = await withoutFeature("installation", "operator");
    await page.goto(gatehouse.origin);
    await page.getByRole("heading", { level: 1, name: "Organizations" }).waitFor();
    await settled(page);
    await page.goto(`${gatehouse.origin}/search`);
    await page.getByText("Page not found").waitFor();
  });
});
