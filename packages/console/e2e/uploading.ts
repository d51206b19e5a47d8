import type { Page } from "playwright-core";
import type { ConsoleUnderTest, Tenant } from "./harness.js";

export async function openNewUpload(page: Page, gatehouse: ConsoleUnderTest, tenant: Tenant): Promise<void> {
  await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/uploads/new`);
  await page.getByRole("heading", { name: "Upload a file", level: 1 }).waitFor();
}

export async function drop(page: Page, name: string, content: string | Buffer): Promise<void> {
  await page
    .getByLabel(/Drop a file here/)
    .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) });
}

/** Maps a column to a field. */
export async function map(page: Page, column: string, field: string): Promise<void> {
  await page.getByRole("combobox", { name: `Field for ${column}`, exact: true }).fill(field);
  await page.getByRole("option", { name: field, exact: true }).click();
}

export async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole("combobox", { name: label, exact: true }).click();
  await page.getByRole("option", { name: option, exact: typeof option === "string" }).click();
}

/** The selected value of a choice. */
export function chosen(page: Page, label: string): Promise<string> {
  return page.getByRole("combobox", { name: label, exact: true }).inputValue();
}

/** A row of the preview, by its line in the file. */
export function previewRow(page: Page, line: number) {
  return page
    .getByRole("region", { name: "Preview" })
    .getByRole("row")
    .filter({ has: page.getByRole("cell", { name: String(line), exact: true }) });
}

/** Answers a question about the file. */
export async function answer(page: Page, question: string | RegExp, choice: string): Promise<void> {
  await page
    .getByRole("radiogroup", { name: question })
    .getByRole("radio", { name: choice, exact: true })
    .check();
}

/** Answers the open questions with what the columns say. */
export async function answerByHand(page: Page): Promise<void> {
  const open = page.getByRole("radiogroup").filter({ hasNot: page.locator("input:checked") });
  while ((await open.count()) > 0)
    await open.first().getByRole("radio", { name: "Something else: I set it below" }).check();
  // Questions with many choices are lists.
  for (const list of await page.getByRole("region", { name: "Questions" }).getByRole("combobox").all()) {
    if ((await list.inputValue()) !== "") continue;
    await list.click();
    await page.getByRole("option", { name: "Something else: I set it below" }).click();
  }
}

/** Confirms the assumptions about the file, if there are any. */
export async function confirmAssumptions(page: Page): Promise<void> {
  await page.getByRole("region", { name: "Preview" }).waitFor();
  const confirm = page.getByRole("button", { name: /^Confirm/ });
  if ((await confirm.count()) > 0) await confirm.click();
}

export async function check(page: Page): Promise<void> {
  await confirmAssumptions(page);
  await page.getByRole("button", { name: "Check file" }).click();
  await page.getByText("Checked", { exact: true }).waitFor();
}

export async function importFile(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Import file" }).click();
  await page.getByText("Imported", { exact: true }).first().waitFor();
}

/** The counts of rows by outcome, on the page of an upload or below the check. */
export async function countOf(page: Page, label: string): Promise<string> {
  const item = page.locator("dl > div").filter({ has: page.locator("dt", { hasText: label }) });
  return (await item.locator("dd").textContent()) ?? "";
}
