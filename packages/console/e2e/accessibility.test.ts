import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { createDemoData } from "./demo-data.js";
import { openConsole, settled, type Tenant } from "./harness.js";

const gatehouse = openConsole({
  limits: {
    submitLead: { requests: 1000, windowSeconds: 60 },
    importTransactions: { requests: 200, windowSeconds: 60 },
  },
});
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const phone = { viewport: { width: 360, height: 740 } };

let tenant: Tenant;
let paths: Record<string, string>;
beforeAll(async () => {
  tenant = await createDemoData(gatehouse);
  const one = async (statement: string) =>
    (await gatehouse.database.work.query(statement, [tenant.organizationUuid])).rows[0].id as string;
  const run = await one("select id from import_runs where organization_id = $1 and failed_count > 0");
  const transaction = await one(
    "select id from transactions where organization_id = $1 and account_id is not null",
  );
  const lead = await one("select id from leads where organization_id = $1");
  paths = {
    overview: "",
    "import runs": "/imports",
    "import run": `/imports/${run}`,
    transactions: "/records/transactions",
    transaction: `/records/transactions/${transaction}`,
    leads: "/leads",
    lead: `/leads/${lead}`,
    locations: "/locations",
    location: `/locations/${tenant.locationUuid}`,
    upload: "/upload",
    sandbox: "/sandbox",
    search: "/search?q=T-38010",
    "api keys": "/settings/api-keys",
    forms: "/settings/forms",
    members: "/settings/members",
    "audit log": "/settings/audit",
  };
});

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}${path}`);
  await settled(page);
}

interface Violation {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** What axe finds serious or critical, in a form that says where. */
async function violations(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: axe });
  const found = await page.evaluate<Violation[]>(
    'axe.run({ resultTypes: ["violations"] }).then((result) => result.violations)',
  );
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`),
    );
}

describe("accessibility", () => {
  it.each(["light", "dark"] as const)(
    "axe finds nothing serious on the main pages, %s",
    async (colorScheme) => {
      const page = await gatehouse.signedIn("admin", tenant, { colorScheme, bypassCSP: true });
      const found: string[] = [];
      for (const [name, path] of Object.entries(paths)) {
        await open(page, path);
        found.push(...(await violations(page)).map((violation) => `${name}: ${violation}`));
      }
      expect(found).toEqual([]);
    },
  );

  it("axe finds nothing serious on the sign-in page and in the dialog that creates a key", async () => {
    const out = await gatehouse.page({ bypassCSP: true });
    await out.goto(gatehouse.origin);
    await out.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await violations(out)).toEqual([]);
    const page = await gatehouse.signedIn("admin", tenant, { bypassCSP: true });
    await open(page, "/settings/api-keys");
    await page.getByRole("button", { name: "Create New API Key" }).click();
    await page.getByLabel("Name").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it("fits a phone of 360 pixels: no page scrolls sideways, and the navigation opens", async () => {
    const page = await gatehouse.signedIn("admin", tenant, phone);
    const tooWide: string[] = [];
    for (const [name, path] of Object.entries(paths)) {
      await open(page, path);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (overflow > 0) tooWide.push(`${name} by ${overflow}`);
    }
    expect(tooWide).toEqual([]);
    await page.getByRole("button", { name: "Open navigation" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Leads" }).click();
    await page.getByRole("heading", { name: "Leads", level: 1 }).waitFor();
  });

  it("remembers dark mode and paints it from the start", async () => {
    const page = await gatehouse.signedIn("admin", tenant);
    await open(page, "/imports");
    await page.getByRole("button", { name: /Your menu/ }).click();
    await page.getByRole("menuitem", { name: "Dark mode" }).click();
    await page.reload({ waitUntil: "commit" });
    await page.locator("html[data-mantine-color-scheme=dark]").waitFor({ state: "attached" });
    await page.getByRole("heading", { name: "Import runs" }).waitFor();
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(background).toBe("rgb(18, 22, 30)");
  });
});
