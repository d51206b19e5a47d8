import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { inject, it } from "vitest";
import { createFilledDemo } from "./filled-demo.js";
import { openConsole, settled } from "./harness.js";
import { drop } from "./uploading.js";

// Unlike the tests, this must not be skipped without a browser.
const browser = inject("browser");
if ("leftOut" in browser) throw new Error(browser.leftOut);

const gatehouse = openConsole();
const folder =
  process.env["SCREENSHOT_FOLDER"] ?? fileURLToPath(new URL("../../../docs/images", import.meta.url));

it("takes the pictures of the documentation", async () => {
  await mkdir(folder, { recursive: true });
  const tenant = await createFilledDemo(gatehouse);
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

  const { rows } = await gatehouse.database.work.query(
    "select reference from import_exceptions where organization_id = $1 and differences is not null limit 1",
    [tenant.organizationUuid],
  );
  await open(page, `${home}/search?q=${rows[0].reference}`);
  await page.getByRole("heading", { name: "History" }).waitFor();
  await take("search");

  await open(page, `${home}/leads`);
  await take("leads");

  await open(page, `${home}/settings/api-keys`);
  await page.getByRole("button", { name: "Create New API Key" }).click();
  await page.getByLabel("Name").fill("Booking back end, production");
  await take("create-key");

  await open(page, `${home}/uploads/new`);
  await drop(page, "march.csv", americanExport);
  await page.getByRole("region", { name: "Questions" }).waitFor();
  await page.getByText("3. Map columns").evaluate((title) => title.scrollIntoView());
  await page.mouse.wheel(0, -80);
  await take("upload");

  const operator = await gatehouse.signedIn("operator");
  await open(operator, gatehouse.origin);
  await take("home", operator);

  const dark = await gatehouse.signedIn("admin", tenant, { colorScheme: "dark" });
  await open(dark, home);
  await dark.locator(".recharts-surface").nth(1).waitFor();
  await take("overview-dark", dark);
});

/** A CSV file as a parking system exports it. */
const americanExport = [
  "Ticket No,Garage,Type,Paid at,Total,Plate",
  "T-1,Battery Park Garage,Transient,03/04/2026 11:30 PM,$12.50,KLM 1001",
  'T-2,Battery Park Garage,VALET,03/05/2026 8:15 AM,"$1,234.50",KLM 1002',
  "T-3,Battery Park Garage,Monthly,03/06/2026 9:00 AM,n/a,KLM 1003",
].join("\r\n");

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await settled(page);
}
