import type { ServiceHealth } from "@gatehouse-parking/contract/console";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { violations } from "./axe.js";
import { createFilledDemo } from "./filled-demo.js";
import { openConsole, settled, type Tenant } from "./harness.js";

const gatehouse = openConsole({});

/** Adds a failed automatic backup and a full disk to the response of the service, and checks the alarms. */
async function seesAlarm(page: Page): Promise<void> {
  const address = "**/console/api/installation/service";
  const createdAt = "2026-04-01T03:00:00.000Z";
  const scheduledBackups = {
    ...{
      folder: "/backups",
      everySeconds: 3_600,
      kept: 7,
      areTried: true,
      isRunning: false,
      isOverdue: true,
    },
    lastGood: { createdAt, file: "/backups/one.tar.gz", bytes: 5, restoredAt: createdAt },
    nextAt: createdAt,
    failure: { at: createdAt, message: "There is too little room in /backups", attempts: 3 },
  } satisfies ServiceHealth["scheduledBackups"];
  await page.route(address, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), scheduledBackups } });
  });
  await page.reload();
  const alarm = page.getByRole("alert").filter({ hasText: "Backups are overdue" });
  await expect.poll(() => alarm.textContent()).toMatch(/3 attempts in a row failed.*too little room/);
  const lights = page.getByRole("list", { name: "Health of the service" });
  await expect.poll(() => lights.textContent()).toMatch(/Databaseresponds in.*BackupsProblem: last one/);
  await expect.poll(() => page.getByText("verified").isVisible()).toBe(true);
  await settled(page);
  expect(await violations(page)).toEqual([]);
  await page.unroute(address);
  await page.reload();
  await settled(page);
}
let demo: string;
let harbour: Tenant;

beforeAll(async () => {
  ({ organizationUuid: demo } = await createFilledDemo(gatehouse));
  harbour = await gatehouse.tenant("Harbour Parking");
});

describe("the operators' start page", () => {
  it("is at /, and unknown addresses are not found", async () => {
    const page = await gatehouse.signedIn("operator");
    await page.goto(`${gatehouse.origin}/nothing`);
    await page.getByText("Page not found").waitFor();
    await page.getByRole("link", { name: "Gatehouse" }).click();
    await page.getByRole("heading", { name: "Health", exact: true }).waitFor();
  });

  it("lists organizations by attention, shows the service health, and finds an import in any organization", async () => {
    const page = await gatehouse.signedIn("operator", undefined, { bypassCSP: true });
    await page.goto(gatehouse.origin);
    await page.getByRole("heading", { name: "Health", exact: true }).waitFor();
    await settled(page);
    const rows = page.getByRole("table").getByRole("row");
    await expect
      .poll(() => rows.nth(1).textContent())
      .toMatch(/Demo Parking.*possible time zone error.*resent record/);
    await expect.poll(() => rows.nth(2).textContent()).toMatch(/Harbour Parking.*nothing.*never/);
    await expect.poll(() => page.getByText(/PostgreSQL \d+.*responds in/).isVisible()).toBe(true);
    await expect
      .poll(() => page.getByText("No backup by gatehouse backup is recorded").isVisible())
      .toBe(true);
    expect(await violations(page)).toEqual([]);
    await seesAlarm(page);

    // The page's URL keeps the sort order.
    await page.getByRole("combobox", { name: "Order by attention" }).click();
    await page.getByRole("option", { name: "Last import" }).click();
    await page.waitForURL(/sort=lastRun/);
    await page.getByRole("textbox", { name: "Name or UUID" }).fill("harb");
    await page.waitForURL(/query=harb/);
    await expect.poll(() => rows.count()).toBe(2);

    const box = page.getByRole("combobox", { name: "Search or go to" });
    await box.fill(`ghk_Abc123${"x".repeat(30)}`);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/search\?q=ghk_Abc123$/);
    await expect.poll(() => box.inputValue()).toBe("ghk_Abc123");

    const { rows: runs } = await gatehouse.database.work.query(
      "select id from import_runs where organization_id = $1 and status = 3 order by id desc limit 1",
      [demo],
    );
    await box.fill(runs[0].id);
    await page.keyboard.press("Enter");
    await page.getByText("in Demo Parking").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("main").getByRole("link", { name: "Import", exact: true }).click();
    await page.waitForURL(`**/organizations/${demo}/imports/${runs[0].id}`);
    await page.getByText("Why records failed").waitFor();
  });

  it("leads to the operators, the audit log of all organizations and an organization by name", async () => {
    const page = await gatehouse.signedIn("operator", undefined, { bypassCSP: true });
    await page.goto(gatehouse.origin);
    const menu = page.getByRole("navigation", { name: "Main" });
    await menu.getByRole("link", { name: "Operators" }).click();
    await page.getByRole("heading", { name: "Operators" }).waitFor();
    await expect.poll(() => page.getByRole("table").textContent()).toMatch(/@.*active|no password yet/);
    expect(await violations(page)).toEqual([]);

    await menu.getByRole("link", { name: "Audit log" }).click();
    await page.getByRole("heading", { name: "Audit log" }).waitFor();
    const line = page.getByRole("row").filter({ hasText: "organization.create" }).first();
    await line.getByRole("link", { name: "Harbour Parking" }).first().waitFor();
    expect(await violations(page)).toEqual([]);

    await page.keyboard.press("Control+k");
    await page.keyboard.type("harb");
    await page.getByRole("option", { name: "Harbour Parking" }).click();
    await page.waitForURL(`**/organizations/${harbour.organizationUuid}`);
  });

  it("requires two-factor authentication if an organization does", async () => {
    const page = await gatehouse.signedIn("operator");
    const require = (isRequired: boolean) =>
      gatehouse.database.work.query("update organizations set requires_second_factor = $2 where id = $1", [
        harbour.organizationUuid,
        isRequired,
      ]);
    await require(true);
    for (const path of ["/", "/search?q=demo", "/operators", "/audit"]) {
      await page.goto(`${gatehouse.origin}${path}`);
      await page.getByRole("heading", { name: "Set up two-factor authentication" }).waitFor();
    }
    await require(false);
    await page.goto(gatehouse.origin);
    await page.getByRole("heading", { name: "Health", exact: true }).waitFor();
  });

  it("redirects members to their own organization", async () => {
    const page = await gatehouse.signedIn("admin", harbour);
    for (const path of ["/", "/search?q=demo", "/operators", "/audit"]) {
      await page.goto(`${gatehouse.origin}${path}`);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      expect(page.url()).toContain(harbour.organizationUuid);
    }
  });
});

it("every chart of the demo has data, and its problems are shown", async () => {
  const page = await gatehouse.signedIn("operator");
  const home = `${gatehouse.origin}/organizations/${demo}`;
  const bars = () => page.locator(".recharts-bar-rectangle path").count();
  await page.goto(home);
  await page.getByText(/Possible time zone error: .*Park Street Parking/).waitFor();
  await page.locator(".recharts-surface").nth(1).waitFor();
  await expect.poll(bars).toBeGreaterThan(50);
  for (const name of ["24 hours", "7 days"]) {
    await page.getByText(name, { exact: true }).click();
    await settled(page);
    await expect.poll(bars).toBeGreaterThan(30);
  }
  const { rows: keys } = await gatehouse.database.work.query(
    "select id from api_keys where organization_id = $1",
    [demo],
  );
  expect(keys).toHaveLength(2);
  for (const { id } of keys) {
    await page.goto(`${home}/settings/api-keys/${id}`);
    await expect.poll(bars).toBeGreaterThan(5);
  }
  await page.goto(`${home}/uploads`);
  await page.getByRole("link", { name: "till-export.csv" }).waitFor();
  await page.goto(`${home}/leads`);
  await page
    .getByText(/quarantined/i)
    .first()
    .waitFor();
});
