import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { violations, violationsInBothModes } from "./axe.js";
import { createFilledDemo } from "./filled-demo.js";
import { pagesOf } from "./pages.js";
import { goOn, openConsole, settled, type Tenant } from "./harness.js";
import { answerByHand, check, choose, drop, importFile } from "./uploading.js";

const gatehouse = openConsole({});
const phone = { viewport: { width: 360, height: 740 } };

let tenant: Tenant;
let paths: Record<string, string>;
beforeAll(async () => {
  tenant = await createFilledDemo(gatehouse);
  paths = await pagesOf(gatehouse, tenant);
});

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}${path}`);
  await settled(page);
}

const desk = { width: 1280, height: 800 };
/** The viewport of a 1280-pixel window at 200% zoom. */
const zoomed = { width: 640, height: 400 };

const followTimeoutMs = 5_000;

/** How many pixels the page is wider than the window, after the charts have adapted to the window's size. */
async function overflow(page: Page): Promise<number> {
  const excess = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const fits = page.waitForFunction(`(${excess})() <= 0`, undefined, { timeout: followTimeoutMs });
  await fits.catch(() => undefined);
  return page.evaluate(excess);
}

describe("accessibility", () => {
  it("every page passes axe in both color schemes and fits a phone and 200 % zoom", async () => {
    const page = await gatehouse.signedIn("admin", tenant, { colorScheme: "light", bypassCSP: true });
    const complaints: string[] = [];
    const headings = new Set<string>();
    await open(page, "");
    for (const [name, path] of Object.entries(paths)) {
      await page.emulateMedia({ colorScheme: "light" });
      await page.setViewportSize(desk);
      await goOn(page, `${gatehouse.origin}/organizations/${tenant.organizationUuid}${path}`);
      await settled(page);
      headings.add((await page.getByRole("heading", { level: 1 }).textContent()) ?? "");
      const found = await violationsInBothModes(page);
      for (const size of [zoomed, phone.viewport]) {
        await page.setViewportSize(size);
        const excess = await overflow(page);
        if (excess > 0) found.push(`too wide by ${excess} for ${size.width} pixels`);
      }
      complaints.push(...found.map((complaint) => `${name}: ${complaint}`));
    }
    expect(complaints).toEqual([]);
    // Each page was checked, not the previous one again. The nine parts of the settings share one heading.
    expect(headings.size).toBe(Object.keys(paths).length - 8);
    await page.getByRole("button", { name: "Open navigation" }).click();
    const menu = page.getByRole("dialog");
    await menu.waitFor();
    await page.emulateMedia({ colorScheme: "light" });
    expect(await violationsInBothModes(page)).toEqual([]);
    await menu.getByRole("link", { name: "Leads" }).click();
    await page.getByRole("heading", { name: "Leads", level: 1 }).waitFor();
  });

  it("the API reference passes axe in both color schemes and fits a phone", async () => {
    const page = await gatehouse.page({ colorScheme: "light", bypassCSP: true });
    const complaints: string[] = [];
    for (const path of [
      "/docs",
      "/docs/guides/integrators",
      "/docs/guides/from-file-to-first-import",
      "/docs/guides/records",
      "/docs/guides/python",
      "/docs/guides/errors",
    ]) {
      await page.emulateMedia({ colorScheme: "light" });
      await page.goto(gatehouse.origin + path);
      // Check collapsed sections too.
      await page.evaluate(() => {
        for (const part of document.querySelectorAll("details")) part.open = true;
      });
      if (path === "/docs") await sendWithoutKey(page);
      const found = await violationsInBothModes(page);
      await page.setViewportSize(phone.viewport);
      const excess = await overflow(page);
      if (excess > 0) found.push(`too wide by ${excess}`);
      await page.setViewportSize(desk);
      complaints.push(...found.map((complaint) => `${path}: ${complaint}`));
    }
    expect(complaints).toEqual([]);
  });

  async function sendWithoutKey(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Send: Submit one lead" }).click();
    await page.locator("#submitLead .answer").getByText("Status 403").waitFor();
    await page.getByRole("button", { name: "Use this key" }).click();
    await page.getByText("Enter a key first.").waitFor();
  }

  it("the sign-in page and the dialog that creates a key pass axe", async () => {
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

  it("the upload wizard and a finished upload pass axe and fit a phone", async () => {
    const page = await gatehouse.signedIn("admin", tenant, { ...phone, bypassCSP: true });
    await open(page, "/uploads/new");
    await drop(
      page,
      "us.csv",
      [
        "Ticket No,Garage,Type,Paid at,Total,Customer,Refunded",
        `A-1,${tenant.locationUuid},VALET,03/04/2026 11:30 PM,$12.50,Jo Doe,N`,
        `A-2,${tenant.locationUuid},Monthly,03/05/2026 8:15 AM,$1.00,,Y`,
      ].join("\n"),
    );
    await page.getByRole("region", { name: "Questions" }).waitFor();
    const looked = async () => {
      await page.emulateMedia({ colorScheme: "light" });
      return [await violationsInBothModes(page), await overflow(page)];
    };
    expect(await looked()).toEqual([[], 0]);
    await choose(page, "Date format of Paid at", /^March 4/);
    await answerByHand(page);
    await check(page);
    expect(await looked()).toEqual([[], 0]);
    await importFile(page);
    await settled(page);
    expect(await looked()).toEqual([[], 0]);
  });

  it("dark mode is remembered and applied from the first paint", async () => {
    const page = await gatehouse.signedIn("admin", tenant);
    await open(page, "/imports");
    await page.getByRole("button", { name: /Your menu/ }).click();
    await page.getByRole("menuitem", { name: "Dark mode" }).click();
    await page.reload({ waitUntil: "commit" });
    await page.locator("html[data-mantine-color-scheme=dark]").waitFor({ state: "attached" });
    await page.getByRole("heading", { name: "Imports" }).waitFor();
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(background).toBe("rgb(18, 22, 30)");
  });
});
