import type { Page, Request } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openConsole, type Tenant } from "./harness.js";
import { check, countOf, drop, importFile, map, openNewUpload, confirmAssumptions } from "./uploading.js";

const gatehouse = openConsole({
  limits: { importAccounts: { requests: 1, windowSeconds: 4 } },
});

const accountsCsv = (count: number, name: (index: number) => string = (index) => `Company ${index}`) =>
  ["tpReferenceId,name", ...Array.from({ length: count }, (_, index) => `A-${index},${name(index)}`)].join(
    "\n",
  );

async function dropAccounts(page: Page, tenant: Tenant, content: string): Promise<void> {
  await openNewUpload(page, gatehouse, tenant);
  await page.getByText("Accounts", { exact: true }).last().click();
  await drop(page, "accounts.csv", content);
  await page.getByRole("combobox", { name: "Field for name" }).waitFor();
}

async function accountCount(tenant: Tenant): Promise<number> {
  const { rows } = await gatehouse.database.work.query(
    "select count(*) as count from accounts where organization_id = $1",
    [tenant.organizationUuid],
  );
  return Number(rows[0].count);
}

/** Lets imports of the organization wait until the returned function is called. */
async function holdImports(tenant: Tenant): Promise<() => Promise<void>> {
  const client = await gatehouse.database.work.connect();
  await client.query("begin");
  await client.query("select from import_turns where organization_id = $1 for update", [
    tenant.organizationUuid,
  ]);
  return async () => {
    await client.query("rollback");
    client.release();
  };
}

/** A file that needs several requests, with few, long rows. */
const largeCsv = () =>
  [
    "tpReferenceId,name,Notes",
    ...Array.from({ length: 20 }, (_, at) => `A-${at},Company,${"x".repeat(300_000)}`),
  ].join("\n");
const isPiece = (request: Request) => request.url().includes("/pieces?");

describe("an upload", () => {
  it("continues without its page, and other users can pause, resume and watch it", async () => {
    const tenant = await gatehouse.tenant();
    const release = await holdImports(tenant);
    const page = await gatehouse.signedIn("admin", tenant);
    await dropAccounts(page, tenant, accountsCsv(350));
    await check(page);
    await page.getByRole("button", { name: "Import file" }).click();
    await page.getByRole("heading", { name: "accounts.csv", level: 1 }).waitFor();
    const address = page.url();
    await page.close();

    const viewer = await gatehouse.signedIn("viewer", tenant);
    await viewer.goto(address);
    await viewer.getByRole("heading", { name: "accounts.csv", level: 1 }).waitFor();
    expect(await viewer.getByRole("button", { name: "Pause" }).count()).toBe(0);

    const other = await gatehouse.signedIn("admin", tenant);
    await other.goto(address);
    await other.getByRole("button", { name: "Pause" }).click();
    await other.getByText("Import paused").first().waitFor();
    await release();
    await other.getByRole("button", { name: "Resume" }).click();
    await other.getByText("Imported", { exact: true }).first().waitFor();
    expect(await accountCount(tenant)).toBe(350);
    await viewer.getByText("350 of 350 rows").waitFor();
    await expect
      .poll(() => viewer.getByRole("region", { name: "Imports of this file" }).getByRole("link").count())
      .toBe(4);

    await viewer.getByRole("link", { name: "Uploads" }).click();
    await viewer.getByRole("row", { name: /accounts.csv.*Imported/ }).waitFor();
    expect(await viewer.getByRole("link", { name: "Upload a file" }).count()).toBe(0);
  });

  it("with more than 1,000 records requires a typed confirmation to undo", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await dropAccounts(page, tenant, accountsCsv(2_150));
    await check(page);
    await importFile(page);
    await page.getByRole("button", { name: "Undo upload" }).click();
    const dialog = page.getByRole("dialog", { name: "Undo this upload?" });
    await dialog.getByText("2,150 accounts.").waitFor();
    const remove = dialog.getByRole("button", { name: "Remove 2,150 records" });
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByLabel("Type undo to confirm").fill("undo");
    await remove.click();
    await page.getByText("Removed: 2,150 accounts.").waitFor();
    expect(await accountCount(tenant)).toBe(0);
  });

  it("can be undone after a preview, and shows who undid it", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await dropAccounts(page, tenant, accountsCsv(3));
    await check(page);
    await importFile(page);
    await page.getByRole("button", { name: "Undo upload" }).click();
    const dialog = page.getByRole("dialog", { name: "Undo this upload?" });
    await dialog.getByText("1 import that created 3 records.").waitFor();
    await dialog.getByText("3 accounts.").waitFor();
    expect(await accountCount(tenant)).toBe(3);
    await dialog.getByRole("button", { name: /^Remove \d+ records?$/ }).click();
    await page.getByText("This upload was undone").waitFor();
    await page.getByText("Removed: 3 accounts.").waitFor();
    await expect.poll(() => countOf(page, "Created")).toBe("3");
    await page.getByRole("region", { name: "Imports of this file" }).getByText("Undone").waitFor();
    expect(await page.getByRole("button", { name: "Undo upload" }).count()).toBe(0);
    expect(await accountCount(tenant)).toBe(0);
  });

  it("can be cancelled, and removed from the list", async () => {
    const tenant = await gatehouse.tenant();
    const release = await holdImports(tenant);
    const page = await gatehouse.signedIn("admin", tenant);
    await dropAccounts(page, tenant, accountsCsv(450));
    await check(page);
    await page.getByRole("button", { name: "Import file" }).click();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel upload" }).click();
    await page.getByText("Cancelled").first().waitFor();
    await release();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("No file has been uploaded yet").waitFor();
  });

  it("shows problems by field, every failed row, and a download of all outcomes", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await dropAccounts(page, tenant, `${accountsCsv(3)}\nA-9,"  "\nA-10,\n`);
    await check(page);
    await expect.poll(() => countOf(page, "Would fail")).toBe("2");
    await page.getByRole("link", { name: "Show the rows that would fail" }).click();
    await page.getByRole("region", { name: "Failed rows" }).getByText("A-9").waitFor();
    await importFile(page);
    await page.getByRole("region", { name: "Problem" }).getByText("name is required").waitFor();
    await expect.poll(() => countOf(page, "Created")).toBe("3");
    const downloaded = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download all outcomes" }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await downloaded).createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString().trim().split(/\r?\n/);
    expect(lines[0]).toMatch(/^tpReferenceId,name,/);
    expect(lines).toHaveLength(6);
  });
});

describe("uploading a file", () => {
  it("resumes after the tab was closed, with the same mapping and only the missing part", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    const content = largeCsv();
    await dropAccounts(page, tenant, content);
    await map(page, "Notes", "Leave out");
    await confirmAssumptions(page);
    const held = page.waitForRequest((request) => isPiece(request) && !request.url().endsWith("offset=0"));
    // The first piece arrives, the next one never does.
    await page.route(/pieces\?offset=[1-9]/, () => undefined);
    await page.getByRole("button", { name: "Check file" }).click();
    await held;
    await page.getByText("Stay on this page until the upload is complete").waitFor();
    const address = page.url();
    expect(address).toContain("?upload=");
    page.on("dialog", (dialog) => void dialog.accept());
    await page.goto(address.replace("/new?upload=", "/"));
    await page.unroute(/pieces\?offset=[1-9]/);
    await page.getByText("Upload incomplete").waitFor();
    await page.getByRole("link", { name: "Continue uploading" }).click();
    await page.getByText("choose the same file again").waitFor();
    await drop(page, "accounts.csv", "tpReferenceId,name\n1,2");
    await page.getByRole("alert").filter({ hasText: "This is a different file" }).waitFor();
    await drop(page, "accounts.csv", content);
    await expect
      .poll(() => page.getByRole("combobox", { name: "Field for Notes" }).inputValue())
      .toBe("Leave out");
    const pieces: string[] = [];
    page.on("request", (request) => {
      if (isPiece(request)) pieces.push(new URL(request.url()).search);
    });
    await page.getByRole("button", { name: "Continue uploading, then check" }).click();
    await page.getByText("Checked", { exact: true }).waitFor();
    expect(pieces).toEqual(["?offset=4194304"]);
    await expect.poll(() => countOf(page, "Would be created")).toBe("20");
  });

  it("retries a lost connection, and warns before the page is left", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/uploads`);
    await page.getByRole("link", { name: "Upload a file" }).first().click();
    await page.getByRole("heading", { name: "Upload a file", level: 1 }).waitFor();
    await page.getByText("Accounts", { exact: true }).last().click();
    await drop(page, "accounts.csv", largeCsv());
    // Removing the route in the middle of a request would leave it unanswered.
    let isLost = true;
    await page.route(/pieces\?/, (route) => (isLost ? route.abort() : route.continue()));
    await confirmAssumptions(page);
    await page.getByRole("button", { name: "Check file" }).click();
    await page.getByText("Connection lost. Retrying.").waitFor();
    const question = page.getByRole("dialog", { name: "Stop uploading the file?" });
    for (const leave of [() => page.getByRole("link", { name: "Leads" }).click(), () => page.goBack()]) {
      await leave();
      await question.getByRole("button", { name: "Stay on this page" }).click();
      await question.waitFor({ state: "detached" });
    }
    isLost = false;
    await page.getByText("Checked", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Leads" }).click();
    await page.getByRole("heading", { name: "Leads", level: 1 }).waitFor();
  });

  it("warns before unused mapping choices are lost", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await dropAccounts(page, tenant, accountsCsv(2));
    await map(page, "name", "accountNumber");
    await page.getByRole("link", { name: "Leads" }).click();
    const question = page.getByRole("dialog", { name: "Leave this file?" });
    await question.getByRole("button", { name: "Stay on this page" }).click();
    await expect
      .poll(() => page.getByRole("combobox", { name: "Field for name" }).inputValue())
      .toBe("accountNumber");
    await page.getByRole("link", { name: "Leads" }).click();
    await question.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("heading", { name: "Leads", level: 1 }).waitFor();
  });
});
