import { permissions } from "@gatehouse-parking/contract";
import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createApiKey } from "../../service/src/core/organizations/api-keys.js";
import { filterBy, openConsole, settled } from "./harness.js";

const gatehouse = openConsole();

describe("lists", () => {
  it("columns, order and saved views can be chosen, and the list exported", async () => {
    const tenant = await gatehouse.tenant();
    for (const name of ["Acme", "", "Zenith"])
      await gatehouse.send("/integrations/accounts", tenant.apiKey, {
        accounts: [{ tpReferenceId: `A-${name}`, name }],
      });
    const page = await gatehouse.signedIn("viewer", tenant);
    const home = `${gatehouse.origin}/organizations/${tenant.organizationUuid}`;
    await page.goto(`${home}/imports`);
    const table = page.getByRole("region", { name: "Imports" });
    const headers = () => table.getByRole("columnheader").allInnerTexts();
    await table.getByRole("row").nth(3).waitFor();
    expect((await headers()).join()).not.toContain("Reference");

    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("checkbox", { name: "Reference" }).check();
    await page.getByRole("checkbox", { name: "Outcome" }).uncheck();
    await page.keyboard.press("Escape");
    await page.reload();
    await table.getByRole("columnheader", { name: "Reference" }).waitFor();
    expect((await headers()).join()).not.toContain("Outcome");

    await table.getByRole("button", { name: "Started" }).click();
    await page.waitForURL(/sort=oldest/);
    await table.locator("th[aria-sort=ascending]").waitFor();
    await filterBy(page, "Status", "Failed");
    await page.waitForURL(/status=2/);
    await expect.poll(() => table.getByRole("row").count()).toBe(2);
    await page.getByRole("button", { name: "Save this view" }).click();
    await page.getByRole("textbox", { name: "View name" }).fill("What failed");
    await page.keyboard.press("Enter");
    const view = page.getByRole("link", { name: "What failed" });
    await view.and(page.locator("[aria-current=true]")).waitFor();

    await page.goBack();
    await page.waitForURL((address) => !address.search.includes("status"));
    await page.goForward();
    await page.waitForURL(/status=2/);

    await page.goto(`${home}/imports`);
    await expect.poll(() => table.getByRole("row").count()).toBe(4);
    await view.click();
    await expect.poll(() => table.getByRole("row").count()).toBe(2);
    await page.getByRole("button", { name: "Export" }).click();
    const csv = page.getByRole("menuitem", { name: /CSV/ });
    const address = (await csv.getAttribute("href")) ?? "";
    expect(Object.fromEntries(new URLSearchParams(address.split("?")[1]))).toEqual({
      status: "2",
      sort: "oldest",
    });
    const download = page.waitForEvent("download");
    await csv.click();
    expect((await download).suggestedFilename()).toBe("import-runs.csv");
    expect((await (await page.request.get(gatehouse.origin + address)).text()).split("\r\n")).toHaveLength(3);

    await page.getByRole("button", { name: "Remove the view What failed" }).click();
    await view.waitFor({ state: "detached" });
    await page.reload();
    await table.getByRole("row").nth(1).waitFor();
    expect(await view.count()).toBe(0);
  });

  it("short lists sort by any column, long lists page both ways, and empty lists explain the next step", async () => {
    const tenant = await gatehouse.tenant();
    await gatehouse.database.work.query(
      `insert into audit_log (id, organization_id, actor, action)
       select ('0197a000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid, $1, 'line-' || number, 'location.update'
       from generate_series(1, 70) as number`,
      [tenant.organizationUuid],
    );
    await gatehouse.person("viewer", tenant);
    const page = await gatehouse.signedIn("admin", tenant);
    const home = `${gatehouse.origin}/organizations/${tenant.organizationUuid}`;
    const line = (number: number) => page.getByText(`line-${number}`, { exact: true });
    await page.goto(`${home}/settings/audit?action=location.update`);
    await line(70).waitFor();
    await page.getByRole("button", { name: "Older" }).click();
    await line(1).waitFor();
    await page.getByRole("button", { name: "Newer" }).click();
    await line(70).waitFor();
    await page.getByRole("button", { name: "Time" }).click();
    await line(1).waitFor();
    await page.getByRole("button", { name: "Newer" }).click();
    await line(70).waitFor();
    await page.getByRole("button", { name: "Older", exact: true }).click();
    await line(50).waitFor();

    await page.goto(`${home}/settings/audit`);
    // A feature names its own subjects.
    await filterBy(page, "Subject", "Mappings");
    await page.waitForURL(/action=mapping/);
    await page.getByRole("button", { name: "Clear Subject" }).click();
    await page.getByRole("textbox", { name: "User" }).fill("LINE-7");
    await line(60).waitFor({ state: "detached" });
    await line(70).waitFor();
    await page.getByRole("textbox", { name: "Action, detail or UUID" }).fill("location.create");
    await line(70).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Clear filters" }).click();
    await line(60).waitFor();

    await page.getByRole("tab", { name: "Members" }).click();
    const members = page.getByRole("region", { name: "Members" });
    const first = () => members.getByRole("row").nth(1).innerText();
    await members.getByRole("button", { name: "Role" }).click();
    await expect.poll(first).toMatch(/^admin-/);
    await members.getByRole("button", { name: "Role" }).click();
    await expect.poll(first).toMatch(/^viewer-/);

    await page.goto(`${home}/locations?query=nowhere`);
    await page.getByText("No locations match these filters").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("link", { name: "Battery Park Garage" }).waitFor();
    await expect
      .poll(() => page.getByRole("textbox", { name: "Name, address or city" }).inputValue())
      .toBe("");
    await page.getByRole("button", { name: "Time zone" }).click();
    await page.waitForURL(/sort=timeZone/);
    await page.getByRole("link", { name: "Battery Park Garage" }).waitFor();

    await page.goto(`${home}/imports`);
    await page.getByRole("link", { name: "Upload a file" }).click();
    await page.waitForURL("**/uploads/new");
  });

  it("a list fits a laptop, keeps its first and last column in view where it is narrower, and is cards on a phone", async () => {
    const tenant = await gatehouse.tenant();
    const expiresAt = new Date(Date.now() + 40 * 86_400_000);
    for (const name of ["Web form of the harbour garages", "Back end of the ticket machines"])
      await createApiKey(gatehouse.database.work, {
        organizationId: tenant.organizationUuid,
        name,
        permissions: permissions.slice(0, 4),
        expiresAt,
        actor: "test",
      });
    const page = await gatehouse.signedIn("admin", tenant);
    const home = `${gatehouse.origin}/organizations/${tenant.organizationUuid}`;
    await page.goto(`${home}/settings/api-keys`);
    const table = page.getByRole("region", { name: "API keys" });
    const menu = page.getByRole("button", { name: "Actions for Web form of the harbour garages" });
    const name = page.getByRole("link", { name: "Web form of the harbour garages" });
    const isCovered = async (part: Locator) => {
      const box = await part.boundingBox();
      const frame = await table.boundingBox();
      return !box || !frame || box.x < frame.x || box.x + box.width > frame.x + frame.width + 1;
    };
    const excess = () => table.evaluate((element) => element.scrollWidth - element.clientWidth);
    await menu.waitFor();
    expect(await excess()).toBe(0);

    // Chosen columns are shown at any width.
    await page.goto(
      `${home}/settings/api-keys?columns=Name,Key,Status,Permissions,Last used,Expires,Created`,
    );
    await menu.waitFor();
    await page.setViewportSize({ width: 800, height: 700 });
    await expect.poll(excess).toBeGreaterThan(0);
    expect([await isCovered(menu), await isCovered(name)]).toEqual([false, false]);
    await table.evaluate((element) => element.scrollTo(element.scrollWidth, 0));
    await table.and(page.locator("[data-more-before]:not([data-more-after])")).waitFor();
    expect([await isCovered(menu), await isCovered(name)]).toEqual([false, false]);

    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(excess).toBe(0);
    expect([await isCovered(menu), await isCovered(name)]).toEqual([false, false]);
  });

  it("transaction times are local to the location, amounts have two decimals, and amounts in several currencies are not added up", async () => {
    const tenant = await gatehouse.tenant();
    await gatehouse.send("/integrations/transactions", tenant.apiKey, {
      transactions: [
        {
          ...{ transactionId: "T-1", locationUuid: tenant.locationUuid, type: 1, amountTotal: 12.5 },
          transactionDate: new Date(Date.now() - 3_600_000).toISOString().replace(/T.*/, "T03:30:00.000Z"),
        },
      ],
    });
    const page = await gatehouse.signedIn("admin", tenant);
    const home = `${gatehouse.origin}/organizations/${tenant.organizationUuid}`;
    await page.goto(`${home}/records/transactions?columns=Transaction,Transaction%20date`);
    const time = page.getByText(/ \d\d:30:00 America\/New_York$/);
    await expect.poll(() => time.getAttribute("title")).toMatch(/ 03:30:00 UTC, /);
    await page.getByRole("link", { name: "T-1" }).click();
    await time.first().waitFor();
    await page.getByText("12.50", { exact: true }).first().waitFor();

    await page.goto(home);
    await settled(page);
    await page.getByText("Refunded", { exact: true }).waitFor();
    await page.goto(`${home}/settings/forms`);
    await page.getByRole("switch", { name: "Our locations use different currencies" }).click({ force: true });
    await page.getByRole("button", { name: "Save settings" }).click();
    await page.getByText("Your settings have been saved.").waitFor();
    await page.goto(home);
    await page.getByText(/their revenue is not added up/).waitFor();
    expect(await page.getByText("Refunded", { exact: true }).count()).toBe(0);
    await page.goto(`${home}?location=${tenant.locationUuid}`);
    await page.getByText("Refunded", { exact: true }).waitFor();
  });
});
