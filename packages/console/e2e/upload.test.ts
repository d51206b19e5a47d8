import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openConsole, type Tenant } from "./harness.js";

const gatehouse = openConsole({
  limits: { importAccounts: { requests: 1, windowSeconds: 4 } },
});

const csv = (tenant: Tenant) =>
  [
    "Ticket,Garage,Kind,Paid at,Amount,Plate,Attendant",
    `T-1,${tenant.locationUuid},Transient,2026-03-31 23:30:00,12.50,KLM 1001,Ann`,
    `T-2,${tenant.locationUuid},Reservation,2026-04-01 08:15:00,7,KLM 1002,Bob`,
    `T-3,${tenant.locationUuid},Transient,2026-04-01 09:00:00,abc,KLM 1003,`,
  ].join("\n");

async function openUpload(page: Page, tenant: Tenant): Promise<void> {
  await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/upload`);
  await page.getByRole("heading", { name: "Upload", level: 1 }).waitFor();
}

async function map(page: Page, column: string, field: string): Promise<void> {
  await page.getByRole("combobox", { name: `Field for ${column}` }).fill(field);
  await page.getByRole("option", { name: field, exact: true }).click();
}

/** Accounts with two columns that could be their name, neither of which is recognised. */
const namesCsv = (count: number) =>
  [
    "tpReferenceId,Old name,New name",
    ...Array.from({ length: count }, (_, index) => `A-${index},Old ${index},New ${index}`),
  ].join("\n");

async function dropAccounts(page: Page, tenant: Tenant, content: string): Promise<void> {
  await openUpload(page, tenant);
  await page.getByText("Accounts", { exact: true }).last().click();
  await drop(page, "accounts.csv", content);
}

async function drop(page: Page, name: string, content: string): Promise<void> {
  await page
    .getByLabel(/Drop a CSV or NDJSON file/)
    .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
}

describe("uploading a file", () => {
  it("maps the columns of a CSV, checks it without storing anything, then imports it as a run", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await openUpload(page, tenant);
    await drop(page, "tickets.csv", csv(tenant));
    await page.getByText("3 records, 7 columns").waitFor();

    await map(page, "Ticket", "transactionId");
    await map(page, "Garage", "locationUuid");
    await map(page, "Kind", "type");
    await map(page, "Paid at", "transactionDate");
    await map(page, "Amount", "amountTotal");
    await map(page, "Plate", "vehicle.licensePlate");
    await map(page, "Attendant", "metadata.Attendant");
    await page.getByRole("combobox", { name: "Times without a time zone" }).click();
    await page.getByRole("option", { name: "Local time at the record's location" }).click();

    await page.getByRole("button", { name: "Check the file" }).click();
    await page.getByText("3 of 3 checked").waitFor();
    await page.getByText("Would be created: 2").waitFor();
    await page.getByText("amountTotal must be a number").waitFor();
    const stored = () =>
      gatehouse.database.work.query(
        "select transaction_id, transaction_date, amount_total, local_date from transactions where organization_id = $1 order by 1",
        [tenant.organizationUuid],
      );
    expect((await stored()).rowCount).toBe(0);

    await page.getByRole("button", { name: "Import 3 records" }).click();
    await page.getByText("3 of 3 imported").waitFor();
    await page.getByText("Created: 2").last().waitFor();
    const { rows } = await stored();
    expect(rows[0]).toEqual({
      transaction_id: "T-1",
      // By the clock in New York, four hours behind UTC on that day.
      transaction_date: new Date("2026-04-01T03:30:00.000Z"),
      amount_total: "12.5",
      local_date: "2026-03-31",
    });
    expect(rows).toHaveLength(2);
    await page.getByRole("link", { name: /^…/ }).click();
    await page.getByRole("heading", { name: /Transactions import/ }).waitFor();
    await page.getByText("console upload").waitFor();
  });

  it("can be cancelled while it waits for the limit, and resumed, even after the page was closed", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    const lines = Array.from(
      { length: 250 },
      (_, index) => `{"tpReferenceId":"A-${index}","name":"Company ${index}"}`,
    );
    await openUpload(page, tenant);
    await page.getByText("Accounts", { exact: true }).last().click();
    await drop(page, "accounts.ndjson", lines.join("\n"));
    await page.getByRole("button", { name: "Check the first 100" }).click();
    await page.getByRole("button", { name: "Import 250 records" }).click();
    await page.getByText("100 of 250 imported").waitFor();
    await page.getByText(/Rate limit reached; continuing in \d+ s/).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Resume" }).waitFor();

    await openUpload(page, tenant);
    await page.getByText("Accounts", { exact: true }).last().click();
    await drop(page, "accounts.ndjson", lines.join("\n"));
    await page.getByRole("button", { name: "Resume after record 100" }).click();
    await page.getByText("250 of 250 imported").waitFor();
    const { rows } = await gatehouse.database.work.query(
      "select count(*) as count from accounts where organization_id = $1",
      [tenant.organizationUuid],
    );
    expect(rows[0].count).toBe(250);
  });

  it("imports nothing before the needed fields are mapped and that mapping is checked, as often as it is corrected", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await dropAccounts(page, tenant, namesCsv(2));
    const check = page.getByRole("button", { name: "Check the file" });
    const importing = page.getByRole("button", { name: "Import 2 records" });
    expect(await importing.isDisabled()).toBe(true);
    await check.click();
    await page.getByText("2 of 2 checked").waitFor();
    expect(await importing.isDisabled()).toBe(true);

    await map(page, "Old name", "name");
    expect(await importing.isDisabled()).toBe(true);
    await check.click();
    await importing.click();
    await page.getByText("2 of 2 imported").waitFor();

    await map(page, "New name", "metadata.New name");
    expect(await importing.isDisabled()).toBe(true);
    await check.click();
    await importing.click();
    await page.getByText("2 of 2 imported").waitFor();
    await page.getByText("Skipped: 2").last().waitFor();
  });

  it("goes on with the mapping it was cancelled with, or with another one after that is checked", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    const field = (column: string) => page.getByRole("combobox", { name: `Field for ${column}` });
    const resume = page.getByRole("button", { name: "Resume after record 100" });
    await dropAccounts(page, tenant, namesCsv(250));
    await map(page, "Old name", "name");
    await page.getByRole("button", { name: "Check the first 100" }).click();
    await page.getByRole("button", { name: "Import 250 records" }).click();
    await page.getByText("100 of 250 imported").waitFor();
    expect(await field("Old name").isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Resume", exact: true }).waitFor();
    await map(page, "New name", "metadata.New name");
    expect(await page.getByRole("button", { name: "Resume", exact: true }).count()).toBe(0);
    expect(await resume.isDisabled()).toBe(true);

    await dropAccounts(page, tenant, namesCsv(250));
    await resume.waitFor();
    expect(await resume.isDisabled()).toBe(false);
    expect(await field("Old name").inputValue()).toBe("name");
    expect(await field("New name").inputValue()).toBe("");
    await map(page, "Old name", "metadata.Old name");
    await map(page, "New name", "name");
    expect(await resume.isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Check the first 100" }).click();
    await resume.click();
    await page.getByText("250 of 250 imported").waitFor();
    const { rows } = await gatehouse.database.work.query(
      "select left(name, 3) as named, count(*) as count from accounts where organization_id = $1 group by 1 order by 1",
      [tenant.organizationUuid],
    );
    expect(rows).toEqual([
      { named: "New", count: 150 },
      { named: "Old", count: 100 },
    ]);
  });

  it("asks before its page is closed or left, and says where it stopped when another page was opened", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/locations`);
    await page.getByRole("link", { name: "Upload" }).click();
    await page.getByRole("heading", { name: "Upload", level: 1 }).waitFor();
    await page.getByText("Accounts", { exact: true }).last().click();
    await drop(page, "accounts.csv", namesCsv(450));
    await map(page, "Old name", "name");
    await page.getByRole("button", { name: "Check the first 100" }).click();
    await page.getByRole("button", { name: "Import 450 records" }).click();
    await page.getByText("100 of 450 imported").waitFor();
    const asked = page.waitForEvent("dialog");
    const closing = page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe("beforeunload");
    await dialog.dismiss();
    await closing;

    const question = page.getByRole("dialog", { name: "Stop the import?" });
    const isStillSending = () => page.getByText("Stay on this page: leaving it stops the import").count();
    for (const leave of [() => page.getByRole("link", { name: "Leads" }).click(), () => page.goBack()]) {
      await leave();
      await question.getByRole("button", { name: "Stay on this page" }).click();
      await question.waitFor({ state: "detached" });
      expect(page.url()).toContain("/upload");
      expect(await isStillSending()).toBe(1);
    }
    expect(await page.getByRole("button", { name: "Choose another file" }).isDisabled()).toBe(true);

    await page.getByRole("link", { name: "Leads" }).click();
    await question.getByRole("button", { name: "Stop and leave" }).click();
    await page.getByRole("heading", { name: "Leads", level: 1 }).waitFor();
    await page
      .getByText(/The import of accounts.csv stopped after record \d00 of 450.*Drop the same file.*to resume/)
      .waitFor();
  });

  it("reads times by the clock of any of a thousand locations, and names one that is unknown", async () => {
    const tenant = await gatehouse.tenant();
    await gatehouse.database.work.query(
      `insert into locations (organization_id, id, name, address, city, state, zipcode, time_zone)
       select $1, gen_random_uuid(), 'A ' || n, n || ' Elm Street', 'Boston', 'MA', '02101', 'America/New_York'
       from generate_series(1, 1000) as n`,
      [tenant.organizationUuid],
    );
    const unknown = "01a1dd0e-4441-7266-ad97-022be11da628";
    const page = await gatehouse.signedIn("admin", tenant);
    await openUpload(page, tenant);
    await drop(
      page,
      "tickets.csv",
      [
        "transactionId,locationUuid,type,transactionDate",
        `T-1,${tenant.locationUuid},Transient,2026-03-31 23:30:00`,
        `T-2,${unknown},Transient,2026-03-31 23:30:00`,
      ].join("\n"),
    );
    await page.getByRole("combobox", { name: "Times without a time zone" }).click();
    await page.getByRole("option", { name: "Local time at the record's location" }).click();
    await page.getByRole("button", { name: "Check the file" }).click();
    await page.getByText("Would be created: 1").waitFor();
    await page.getByRole("row", { name: "T-2" }).getByText(`There is no location ${unknown}`).waitFor();
  });

  it("shows every column on a phone without a scroll box in the page", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant, { viewport: { width: 390, height: 800 } });
    await openUpload(page, tenant);
    const columns = Array.from({ length: 20 }, (_, index) => `Column ${index}`);
    await drop(page, "wide.csv", `${columns.join(",")}\n${columns.join(",")}`);
    const isCut = await page.getByRole("combobox", { name: "Field for Column 0" }).evaluate((field) => {
      const boxes: Element[] = [];
      for (let box = field.parentElement; box; box = box.parentElement) boxes.push(box);
      return boxes.some((box) => /auto|scroll/.test(getComputedStyle(box).overflowY));
    });
    expect(isCut).toBe(false);
  });

  it("says what is wrong with a file it cannot read", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await openUpload(page, tenant);
    for (const [content, message] of [
      ["a,a\n1,2", /“a” appears twice/],
      ['a,b\n"1,2', /CSV cannot be read/],
      // Where in its line it is, and not that it is the first line of itself.
      ['{"a":1}\n{broken}', /line 2: not valid JSON(?!.*line 1)/],
      ["a,b\n", /no records/],
    ] as const) {
      await drop(page, "bad.csv", content);
      await page.getByRole("alert").filter({ hasText: message }).waitFor();
    }
  });
});
