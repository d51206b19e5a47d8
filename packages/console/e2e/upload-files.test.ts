import { describe, expect, it } from "vitest";
import { workbookOf } from "../../record-files/testing/workbook.js";
import { violationsInBothModes } from "./axe.js";
import { openConsole, type Tenant } from "./harness.js";
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

async function stored(tenant: Tenant) {
  const { rows } = await gatehouse.database.work.query(
    `select transaction_id as id, type, transaction_date as date, amount_total as amount
     from transactions where organization_id = $1 order by 1`,
    [tenant.organizationUuid],
  );
  return rows;
}

/** The format that spreadsheets call "Unicode text". */
function utf16(text: string): Buffer {
  return Buffer.from(`\ufeff${text}`, "utf16le");
}

const american = [
  "Ticket No,Garage,Type,Paid at,Total,Plate",
  "T-1,Battery Park Garage,Transient,03/04/2026 11:30 PM,$12.50,KLM 1001",
  'T-2,Battery Park Garage,VALET,03/05/2026 8:15 AM,"$1,234.50",KLM 1002',
  "T-3,Battery Park Garage,Monthly,03/06/2026 9:00 AM,n/a,KLM 1003",
].join("\r\n");

describe("files of other systems", () => {
  it("detects UTF-16, semicolons, a title line, German dates and decimal commas", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await openNewUpload(page, gatehouse, tenant);
    await drop(
      page,
      "parkvorgaenge.csv",
      utf16(
        [
          "Parkvorgänge März 2026",
          "",
          "Belegnummer;Parkhaus;Art;Bezahlt am;Betrag;Kennzeichen",
          "B-1;NYC-1;Kurzparker;31.03.2026 23:30;1.234,50;M-AB 1",
          "B-2;NYC-1;Dauerparker;13.03.2026 08:05;7,00;M-AB 2",
        ].join("\r\n"),
      ),
    );
    await page.getByText("These settings were detected").waitFor();
    await expect.poll(() => chosen(page, "Encoding")).toBe("UTF-16 (little endian)");
    await expect.poll(() => chosen(page, "Separator")).toBe("Semicolon");
    await expect.poll(() => chosen(page, "Header row")).toBe("Line 3");
    await answer(page, /"Art" looks like type/, "type");
    await previewRow(page, 4).getByText("2026-04-01T03:30:00Z").waitFor();
    await previewRow(page, 4).getByText("from 1.234,50").waitFor();
    await check(page);
    await expect.poll(() => countOf(page, "Would be created")).toBe("2");
    expect(await stored(tenant)).toEqual([]);
    await importFile(page);
    expect(await stored(tenant)).toEqual([
      // In New York local time.
      { id: "B-1", type: 1, date: new Date("2026-04-01T03:30:00Z"), amount: "1234.5" },
      { id: "B-2", type: 2, date: new Date("2026-03-13T12:05:00Z"), amount: "7" },
    ]);
  });

  it("asks about ambiguous dates and unknown words in one list, and marks problems", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant, { colorScheme: "light", bypassCSP: true });
    await openNewUpload(page, gatehouse, tenant);
    await drop(page, "us.csv", american);
    const questions = page.getByRole("region", { name: "Questions" });
    await questions.getByText("2 open").waitFor();
    await questions.getByText(/"Total".*mean an empty cell: "n\/a"/).waitFor();
    await questions.getByText("transactionDate: 2026-04-04T03:30:00Z", { exact: false }).waitFor();
    await answer(page, /"Paid at".*can be read as/, "d/M/yyyy h:mm a");
    await previewRow(page, 2).getByText("2026-04-04T03:30:00Z").waitFor();
    await answer(page, /"Paid at".*can be read as/, "M/d/yyyy h:mm a");
    await previewRow(page, 2).getByText("2026-03-05T04:30:00Z").waitFor();
    await answer(page, /What does "VALET" mean/, "Something else: I set it below");
    await previewRow(page, 3).getByText("must be one of 1, 2, 3, 4").waitFor();
    expect(await page.getByRole("button", { name: "Check file" }).isDisabled()).toBe(true);
    expect(await violationsInBothModes(page)).toEqual([]);
    await page.getByRole("button", { name: "Values of Type" }).click();
    await page.getByRole("dialog", { name: "Values of Type" }).getByText("3 different values").waitFor();
    await page.keyboard.press("Escape");

    await check(page);
    await expect.poll(() => countOf(page, "Would be created")).toBe("2");
    await page.getByRole("row", { name: /type must be one of.*“VALET” in line 3/ }).waitFor();
    await choose(page, "Meaning of VALET in Type", "Reservation");
    await page.getByText("The mapping has changed since the last check").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Import file" }).isDisabled()).toBe(true);
    await check(page);
    await expect.poll(() => countOf(page, "Would be created")).toBe("3");
    await importFile(page);
    expect(await stored(tenant)).toEqual([
      { id: "T-1", type: 1, date: new Date("2026-03-05T04:30:00Z"), amount: "12.5" },
      { id: "T-2", type: 4, date: new Date("2026-03-05T13:15:00Z"), amount: "1234.5" },
      { id: "T-3", type: 2, date: new Date("2026-03-06T14:00:00Z"), amount: null },
    ]);
  });

  it("reads spreadsheets, with a chosen sheet and header row", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const row = (...cells: string[]) => `<row>${cells.join("")}</row>`;
    const header = row(...["tpReferenceId", "Company"].map(cell));
    await openNewUpload(page, gatehouse, tenant);
    await page.getByText("Accounts", { exact: true }).last().click();
    await drop(
      page,
      "customers.xlsx",
      workbookOf([
        { name: "Old", rows: header + row(cell("A-1"), cell("Old Ltd")) },
        { name: "New", rows: row(cell("As of today")) + header + row(cell("A-2"), cell("New Ltd")) },
      ]),
    );
    await page.getByText("Spreadsheet (.xlsx)").waitFor();
    await expect.poll(() => chosen(page, "Sheet")).toBe("Old");
    await choose(page, "Sheet", "New");
    await expect.poll(() => chosen(page, "Header row")).toBe("Row 2");
    await choose(page, "Header row", "Row 1");
    await page.getByRole("alert").filter({ hasText: "cells, but the header has" }).waitFor();
    await page.getByRole("button", { name: "Detect again" }).click();
    await choose(page, "Sheet", "New");
    await previewRow(page, 3).getByText("New Ltd").waitFor();
    await check(page);
    await importFile(page);
    const { rows } = await gatehouse.database.work.query(
      "select tp_reference_id as id, name from accounts where organization_id = $1",
      [tenant.organizationUuid],
    );
    expect(rows).toEqual([{ id: "A-2", name: "New Ltd" }]);
  });

  it("combines date and time columns, maps locations, and adds fixed values", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await openNewUpload(page, gatehouse, tenant);
    await drop(
      page,
      "export.csv",
      ["Ref;Site;Day;Clock", "X-1;Downtown;2026-03-31;23:30", "X-2;Downtown;2026-03-30;08:00"].join("\n"),
    );
    await map(page, "Ref", "transactionId");
    await map(page, "Site", "locationUuid");
    await map(page, "Day", "transactionDate");
    await choose(page, "Column with the time of day for Day", "Clock");
    await page.getByText("type, which every record needs").waitFor();
    await page.getByRole("button", { name: "Add a fixed value" }).click();
    await page.getByRole("combobox", { name: "Field", exact: true }).fill("type");
    await page.getByRole("option", { name: "type", exact: true }).click();
    await choose(page, "Value", "Flex");
    await choose(page, "Meaning of Downtown in Site", "Battery Park Garage");
    await choose(page, "Times without a time zone", /^Local time in America.New York$/);
    await answerByHand(page);
    await check(page);
    await importFile(page);
    expect((await stored(tenant)).map(({ id, type, date }) => [id, type, date])).toEqual([
      ["X-1", 3, new Date("2026-04-01T03:30:00Z")],
      ["X-2", 3, new Date("2026-03-30T12:00:00Z")],
    ]);
  });

  it("explains why a file cannot be read, and offers other settings", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    for (const [name, content, message] of [
      ["page.csv", "<html><table><tr><td>1</td></tr></table></html>", /save it as \.xlsx or CSV/],
      // The message gives the position within the line.
      ["bad.ndjson", '{"a":1}\n{broken}', /line 2: not valid JSON(?!.*line 1)/],
      ["bad.csv", "a,b\n", /no records/],
      ["old.xls", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0, 0, 0]), /save it as .xlsx/],
    ] as const) {
      await openNewUpload(page, gatehouse, tenant);
      await drop(page, name, content);
      await page.getByRole("alert").filter({ hasText: message }).waitFor();
    }
    await openNewUpload(page, gatehouse, tenant);
    await drop(page, "odd.csv", "A report\ntpReferenceId,name\n1,2");
    await choose(page, "Header row", "Line 2");
    await page.getByRole("combobox", { name: "Field for tpReferenceId" }).waitFor();
  });
});

describe("saved mappings", () => {
  it("are offered for files with the same columns, and downloaded for gatehouse-push", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await openNewUpload(page, gatehouse, tenant);
    await drop(page, "march.csv", american);
    await choose(page, "Date format of Paid at", /^March 4, 2026/);
    await choose(page, "Meaning of VALET in Type", "Reservation");
    await page.getByLabel("Save mapping as").fill("US export");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("“US export” has been saved").waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as a file for gatehouse-push" }).click();
    expect((await saved).suggestedFilename()).toBe("mapping.json");

    await page.getByRole("link", { name: "Uploads" }).click();
    await page
      .getByRole("dialog", { name: "Leave this file?" })
      .getByRole("button", { name: "Leave" })
      .click();
    await page.getByRole("region", { name: "Saved mappings" }).getByText("US export").waitFor();
    const downloaded = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download the mapping file of US export" }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await downloaded).createReadStream()) chunks.push(chunk as Buffer);
    const mapping = JSON.parse(Buffer.concat(chunks).toString()) as { columns: object };
    expect(mapping.columns).toMatchObject({
      "Paid at": { to: "transactionDate", time: "M/d/yyyy h:mm a" },
      Type: { to: "type", values: { VALET: "Reservation" } },
    });

    await openNewUpload(page, gatehouse, tenant);
    await drop(page, "april.csv", american.replaceAll("T-", "U-"));
    await page.getByRole("button", { name: "Use “US export”" }).click();
    await expect.poll(() => chosen(page, "Meaning of VALET in Type")).toBe("Reservation");
    await check(page);
    await expect.poll(() => countOf(page, "Would be created")).toBe("3");

    await openNewUpload(page, gatehouse, tenant);
    await drop(page, "other.csv", "Ticket No,Garage\nT-1,Battery Park Garage");
    await page.getByRole("combobox", { name: "Field for Garage" }).waitFor();
    expect(await page.getByRole("button", { name: /^Use / }).count()).toBe(0);
  });
});
