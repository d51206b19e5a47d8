import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { inject, it } from "vitest";
import { createDemoData } from "./demo-data.js";
import { openConsole, settled } from "./harness.js";

// Without a browser there is nothing to leave out here: no picture would be taken.
const browser = inject("browser");
if ("leftOut" in browser) throw new Error(browser.leftOut);

const gatehouse = openConsole({
  limits: {
    submitLead: { requests: 1000, windowSeconds: 60 },
    importTransactions: { requests: 200, windowSeconds: 60 },
  },
});
const folder =
  process.env["SCREENSHOT_FOLDER"] ?? fileURLToPath(new URL("../../../docs/images", import.meta.url));

it("takes the pictures of the documentation", async () => {
  await mkdir(folder, { recursive: true });
  const tenant = await createDemoData(gatehouse);
  const home = `${gatehouse.origin}/organizations/${tenant.organizationUuid}`;
  const page = await gatehouse.signedIn("admin", tenant);
  const take = (name: string, of: Page = page) =>
    of.screenshot({ path: join(folder, `console-${name}.png`) });

  await open(page, home);
  await page.locator(".recharts-surface").nth(1).waitFor();
  await take("overview");

  await open(page, `${home}/imports`);
  await take("runs");
  await page
    .getByRole("row", { name: /partial success/i })
    .first()
    .getByRole("link")
    .click();
  await page.getByText("Why records failed").waitFor();
  await take("run");

  await open(page, `${home}/search?q=T-38010`);
  await page.getByRole("heading", { name: "History" }).waitFor();
  await take("search");

  await open(page, `${home}/leads`);
  await take("leads");

  await open(page, `${home}/settings/api-keys`);
  await page.getByRole("button", { name: "Create New API Key" }).click();
  await page.getByLabel("Name").fill("Booking back end, production");
  await take("create-key");

  const dark = await gatehouse.signedIn("admin", tenant, { colorScheme: "dark" });
  await open(dark, home);
  await dark.locator(".recharts-surface").nth(1).waitFor();
  await take("overview-dark", dark);
});

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await settled(page);
}
