import { expect, it } from "vitest";
import { violations } from "./axe.js";
import { openConsole } from "./harness.js";

const gatehouse = openConsole();

it("filters are chips that show their value, and can be set, changed, removed and cleared", async () => {
  const tenant = await gatehouse.tenant();
  const page = await gatehouse.signedIn("viewer", tenant, { bypassCSP: true });
  await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/imports`);
  const query = () => new URL(page.url()).search;
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });

  // With the keyboard only.
  await button("Filter").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Status" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: "Failed" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await button("Status: Completed").waitFor();
  expect(query()).toBe("?status=1");
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: "Failed" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await button("Status: Partial success").waitFor();

  await button("Filter").click();
  await page.getByRole("menuitem", { name: "Dates (UTC)" }).click();
  await page.getByRole("button", { name: "Last 7 days" }).click();
  await button(/^Dates \(UTC\): from \d{4}-\d\d-\d\d$/).waitFor();
  expect(await violations(page)).toEqual([]);
  await button("Clear Status").click();
  await expect.poll(query).toMatch(/^\?from=[\d-]+$/);
  await page.goBack();
  await button("Status: Partial success").waitFor();
  await button("Clear all").click();
  await expect.poll(query).toBe("");

  // A filter without a value disappears.
  await button("Filter").click();
  await page.getByRole("menuitem", { name: "Status" }).click();
  await button("Status").waitFor();
  await page.keyboard.press("Escape");
  await button("Status").waitFor({ state: "detached" });
});
