import { expect, it } from "vitest";
import type { Page } from "playwright-core";
import { violationsInBothModes } from "./axe.js";
import { openConsole } from "./harness.js";
import {
  answer,
  answerByHand,
  check,
  choose,
  chosen,
  countOf,
  drop,
  importFile,
  map,
  openNewUpload,
  previewRow,
} from "./uploading.js";

const gatehouse = openConsole();

const rows = [
  "Site;Lane;Out;Fee;Status",
  "NYC-1;1;2026-03-31T11:00:00Z;1250;OK",
  "NYC-1;2;2026-03-31T12:00:00Z;700;VOID",
  "NYC-1;1;2026-03-31T13:00:00Z;5010;OK",
].join("\n");

const pick = async (page: Page, label: string, ...options: string[]) => {
  await page.getByRole("combobox", { name: label, exact: true }).click();
  for (const option of options) await page.getByRole("option", { name: option, exact: true }).click();
  await page.keyboard.press("Escape");
};
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

it("joins, prefixes, codes, several fields, cents and left-out rows are set and removed by hand", async () => {
  const tenant = await gatehouse.tenant();
  const page = await gatehouse.signedIn("admin", tenant, { colorScheme: "light", bypassCSP: true });
  await openNewUpload(page, gatehouse, tenant);
  await drop(page, "lanes.csv", rows);
  await map(page, "Site", "locationUuid");
  await choose(page, "Match location in Site by", "Third-party reference");
  await map(page, "Lane", "transactionId");
  await button(page, "More options for Lane").click();
  await pick(page, "Columns joined with Lane", "Out", "Status");
  await choose(page, "Between the values joined in Lane", "Hyphen (-)");
  await page.getByLabel("Text in front of Lane").fill("north-");
  await map(page, "Out", "transactionDate");
  await button(page, "Add a field: Out").click();
  await map(page, "Out, field 2", "sessionEnd");
  await map(page, "Fee", "amountTotal");
  await choose(page, "Unit of the amounts in Fee", "Cents (divide by 100)");
  await map(page, "Status", "metadata.Status");
  await button(page, "Do not import some rows").click();
  await choose(page, "Column of filter 1", "Status");
  await pick(page, "Rows are not imported if Status is", "VOID");
  await button(page, "Add a fixed value").click();
  await page.getByRole("combobox", { name: "Field", exact: true }).fill("type");
  await page.getByRole("option", { name: "type", exact: true }).click();
  await choose(page, "Value", "Flex");
  await answerByHand(page);

  await previewRow(page, 2).getByText("north-1-2026-03-31T11:00:00Z-OK", { exact: true }).waitFor();
  await previewRow(page, 2).getByText("12.50", { exact: true }).waitFor();
  await previewRow(page, 3).getByText("left out").waitFor();
  await page.getByRole("checkbox", { name: "Replace Lane by a code" }).check();
  await previewRow(page, 2)
    .getByText(/^north-[\da-f]{32}$/)
    .waitFor();
  expect(await violationsInBothModes(page)).toEqual([]);
  await page.getByRole("checkbox", { name: "Replace Lane by a code" }).uncheck();
  await pick(page, "Columns joined with Lane", "Status");
  await previewRow(page, 2).getByText("north-1-2026-03-31T11:00:00Z", { exact: true }).waitFor();
  await check(page);
  await expect.poll(() => countOf(page, "Would be created")).toBe("2");
  await importFile(page);
  const { rows: stored } = await gatehouse.database.work.query(
    `select transaction_id as id, amount_total as amount, transaction_date = session_end as is_same
     from transactions where organization_id = $1 order by 1`,
    [tenant.organizationUuid],
  );
  expect(stored).toEqual([
    { id: "north-1-2026-03-31T11:00:00Z", amount: "12.5", is_same: true },
    { id: "north-1-2026-03-31T13:00:00Z", amount: "50.1", is_same: true },
  ]);
});

it("what an answer puts into the mapping is shown, and stays when something else is edited", async () => {
  const tenant = await gatehouse.tenant();
  const page = await gatehouse.signedIn("admin", tenant);
  await openNewUpload(page, gatehouse, tenant);
  await drop(
    page,
    "week.csv",
    [
      "Garage,Paid at,Plate,Total,Type",
      "NYC-1,03/04/2026 11:30 PM,KLM 1001,$12.50,VALET",
      "NYC-1,03/05/2026 8:15 AM,KLM 1002,$7.00,Transient",
    ].join("\n"),
  );
  await answer(page, /No column contains transactionId/, "hash of the row");
  await page.getByRole("checkbox", { name: "Replace Garage, field 2 by a code", checked: true }).waitFor();
  await page.getByLabel("Text in front of Garage, field 2", { exact: true }).fill("w-");

  // Further answers about columns that a person has edited.
  await answer(page, /What does "VALET" mean/, "Monthly");
  await answer(page, /"Paid at".*can be read as/, "M/d/yyyy h:mm a");
  await previewRow(page, 2)
    .getByText(/^w-[\da-f]{32}$/)
    .waitFor();
  await previewRow(page, 2).getByText("2026-03-05T04:30:00Z").waitFor();
  expect(await chosen(page, "Meaning of VALET in Type")).toBe("Monthly");
});
