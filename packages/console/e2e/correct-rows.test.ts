import { expect, it } from "vitest";
import type { Page } from "playwright-core";
import { clickTwice, openConsole, type Tenant } from "./harness.js";
import { violationsInBothModes } from "./axe.js";
import { answerByHand, check, countOf, drop, importFile, map, openNewUpload } from "./uploading.js";

const gatehouse = openConsole();

/** The types of rows 2 and 3 are unknown, and row 4 has no id. */
const csv = [
  "transactionId,type,transactionDate,Garage",
  "T-1,1,2026-03-01T10:00:00Z,NYC-1",
  "T-2,VALET,2026-03-01T11:00:00Z,NYC-1",
  "T-3,VALET,2026-03-01T12:00:00Z,NYC-1",
  ",1,2026-03-01T13:00:00Z,NYC-1",
].join("\n");

async function importWithFailures(page: Page, tenant: Tenant): Promise<void> {
  await openNewUpload(page, gatehouse, tenant);
  await drop(page, "sessions.csv", csv);
  await map(page, "Garage", "locationUuid");
  await answerByHand(page);
  await check(page);
  await importFile(page);
  await page.getByRole("region", { name: "Failed rows" }).first().waitFor();
}

const cell = (page: Page, column: string, line: number) =>
  page.getByRole("textbox", { name: `${column} in line ${line}`, exact: true });
const send = (page: Page) => page.getByRole("button", { name: "Send corrected rows" });

it("corrects failed rows with the keyboard, replaces equal values, and sends them as part of the upload", async () => {
  const tenant = await gatehouse.tenant();
  const page = await gatehouse.signedIn("admin", tenant, { colorScheme: "light", bypassCSP: true });
  await importWithFailures(page, tenant);
  await expect.poll(() => countOf(page, "Failed")).toBe("3");
  expect(await send(page).isDisabled()).toBe(true);
  expect(await cell(page, "type", 3).getAttribute("aria-invalid")).toBe("true");
  await page.getByText("type must be one of 1, 2, 3, 4").first().waitFor();

  await cell(page, "type", 3).focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("2");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("type: “VALET” becomes “2”").waitFor();
  await expect.poll(() => cell(page, "type", 4).inputValue()).toBe("2");
  await cell(page, "transactionId", 5).fill("T-4");
  expect(await violationsInBothModes(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
  await clickTwice(send(page));
  await page.getByText("3 corrected rows sent: 3 created").waitFor();
  await expect.poll(() => countOf(page, "Created")).toBe("4");
  await expect.poll(() => countOf(page, "Failed")).toBe("0");
  expect(await page.getByRole("region", { name: "Failed rows" }).count()).toBe(0);
  await page.getByRole("region", { name: "Corrections" }).first().waitFor();
  const { rows } = await gatehouse.database.work.query<{ id: string }>(
    "select transaction_id as id from transactions where organization_id = $1 order by 1",
    [tenant.organizationUuid],
  );
  expect(rows.map(({ id }) => id)).toEqual(["T-1", "T-2", "T-3", "T-4"]);

  await page.getByRole("button", { name: "Undo upload" }).click();
  const dialog = page.getByRole("dialog", { name: "Undo this upload?" });
  await dialog.getByText("4 transactions.").waitFor();
});

it("shows a second person what the first one corrected, and warns before corrections are lost", async () => {
  const tenant = await gatehouse.tenant();
  const page = await gatehouse.signedIn("admin", tenant);
  await importWithFailures(page, tenant);
  const colleague = await gatehouse.signedIn("admin", tenant);
  await colleague.goto(page.url());
  await cell(colleague, "transactionId", 5).fill("T-5");
  await colleague.getByRole("link", { name: "Leads" }).click();
  const question = colleague.getByRole("dialog", { name: "Leave without sending?" });
  await question.getByRole("button", { name: "Stay on this page" }).click();
  // The colleague's list of failed rows is older than what the first person sends.
  let isFirst = true;
  await colleague.route(/failures\?/, async (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    const response = await route.fetch();
    await cell(page, "transactionId", 5).fill("T-4");
    await send(page).click();
    await page.getByText("1 corrected row sent: 1 created").waitFor();
    return route.fulfill({ response });
  });
  await send(colleague).click();
  await colleague
    .getByText(/1 row had been corrected by .* in the meantime and was not sent again/)
    .waitFor();
  await expect.poll(() => countOf(colleague, "Created")).toBe("2");
});

it("can be used on a phone, and viewers only see the failed rows", async () => {
  const tenant = await gatehouse.tenant();
  const page = await gatehouse.signedIn("admin", tenant, { viewport: { width: 375, height: 740 } });
  await importWithFailures(page, tenant);
  await cell(page, "transactionId", 5).fill("T-4");
  await send(page).click();
  await page.getByText("1 corrected row sent: 1 created").waitFor();
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
  const viewer = await gatehouse.signedIn("viewer", tenant);
  await viewer.goto(page.url());
  await viewer.getByRole("region", { name: "Failed rows" }).getByText("VALET").first().waitFor();
  expect(await send(viewer).count()).toBe(0);
});
