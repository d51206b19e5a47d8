import { text } from "node:stream/consumers";
import type { ImportRun } from "@gatehouse-parking/contract";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { isLong } from "../../../testing/seed.js";
import { filterBy, openConsole, type Tenant } from "./harness.js";

const gatehouse = openConsole();

const transaction = (tenant: Tenant, transactionId: string) => ({
  transactionId,
  locationUuid: tenant.locationUuid,
  type: 1,
  transactionDate: "2026-04-01T03:30:00.000Z",
  amountTotal: 12.5,
});

async function runOf(tenant: Tenant, transactions: unknown[], metadata?: unknown): Promise<string> {
  const { json } = await gatehouse.send("/integrations/transactions", tenant.apiKey, {
    transactions,
    metadata,
  });
  return (json as ImportRun).referenceUuid;
}

async function open(page: Page, tenant: Tenant, path: string): Promise<void> {
  await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}${path}`);
}

describe("the page of an import", () => {
  it("explains failures by reason, with meaning, advice and records", async () => {
    const tenant = await gatehouse.tenant();
    const run = await runOf(
      tenant,
      [
        transaction(tenant, "GOOD-1"),
        { ...transaction(tenant, "BAD-1"), vehicle: { state: "NY" } },
        { ...transaction(tenant, "BAD-2"), vehicle: { state: "NY" } },
        { ...transaction(tenant, "BAD-3"), locationUuid: "nowhere" },
      ],
      { job: 12345678901234567890n.toString() },
    );
    const page = await gatehouse.signedIn("viewer", tenant);
    await open(page, tenant, "/imports");
    await page.getByRole("row", { name: /partial success/i }).click();
    await page.getByRole("heading", { name: /Transactions import/ }).waitFor();
    expect(page.url()).toContain(run);

    const missing = page.getByRole("listitem").filter({ hasText: "MissingRequiredField" }).first();
    await expect.poll(() => missing.textContent()).toContain("2");
    await expect.poll(() => missing.textContent()).toContain("How to fix it");
    await expect.poll(() => missing.textContent()).toContain("vehicle.licensePlate is required (2 records)");
    const elsewhere = page.getByRole("listitem").filter({ hasText: "LocationNotFound" }).first();
    await expect.poll(() => elsewhere.textContent()).toContain("sent: nowhere");
    // First why records failed, then what else is known about the import, then its records.
    const reasons = await page.getByRole("heading", { name: "Why records failed" }).boundingBox();
    const facts = await page.getByRole("heading", { name: "About this import" }).boundingBox();
    expect(reasons?.y).toBeLessThan(facts?.y ?? 0);
    const resultsBox = await page.getByRole("heading", { name: "Results" }).boundingBox();
    expect(facts?.y).toBeLessThan(resultsBox?.y ?? 0);

    await missing.getByRole("button", { name: "Show these 2 records" }).click();
    expect(new URL(page.url()).search).toBe("?show=failed&reason=4");
    const results = page.getByRole("region", { name: "Results" });
    await expect.poll(() => results.getByRole("row").count()).toBe(3);
    // Positions start at one.
    await expect.poll(() => results.getByRole("row", { name: /^2 BAD-1/ }).count()).toBe(1);
    await page.getByText(/Started\d\d:\d\d UTC \(.+\)/).waitFor();
    await expect.poll(() => page.getByText("12345678901234567890").count()).toBe(1);
  });

  it("offers failed records as files with escaped formulas", async () => {
    const tenant = await gatehouse.tenant();
    const run = await runOf(tenant, [{ ...transaction(tenant, "=1+1"), type: 9 }]);
    const page = await gatehouse.signedIn("viewer", tenant);
    await open(page, tenant, `/imports/${run}`);
    for (const format of ["CSV", "NDJSON"]) {
      await page.getByRole("button", { name: "Failed records" }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name: `Download as ${format}` }).click(),
      ]);
      const content = await text(await download.createReadStream());
      expect(content).toContain("=1+1");
      if (format === "CSV") expect(content).not.toMatch(/(^|,|\n)"?=1\+1/);
    }
  });

  it("shows resolved relations, dropped subscriptions and differing fields", async () => {
    const tenant = await gatehouse.tenant();
    await runOf(tenant, [transaction(tenant, "SAME")]);
    const run = await runOf(tenant, [
      { ...transaction(tenant, "SAME"), amountTotal: 99.99 },
      {
        ...transaction(tenant, "LINKED"),
        vehicle: { licensePlate: "KLM 1" },
        subscription: { tpReferenceId: "S-1" },
      },
    ]);
    const page = await gatehouse.signedIn("viewer", tenant);
    await open(page, tenant, `/imports/${run}`);
    await page.getByRole("button", { name: "Show the differences" }).click();
    await page.getByRole("button", { name: "1 field differs" }).click();
    const difference = page.getByRole("row", { name: /^amountTotal/ });
    await expect.poll(() => difference.textContent()).toContain("12.5");
    await expect.poll(() => difference.textContent()).toContain("99.99");

    await page.getByRole("button", { name: "Show these records" }).click();
    await page.getByRole("button", { name: /subscription: dropped/ }).click();
    await page.getByText("dropped: the record has no account").waitFor();
    await page.getByText("created by this record").waitFor();
    await page.getByText("1 vehicle", { exact: true }).waitFor();
  });

  it("leads to its API key, its request, and the imports before and after it", async () => {
    const tenant = await gatehouse.tenant();
    const [first = "", second = "", third = ""] = [
      await runOf(tenant, [transaction(tenant, "N-1")]),
      await runOf(tenant, [transaction(tenant, "N-2")]),
      await runOf(tenant, [transaction(tenant, "N-3")]),
    ];
    const page = await gatehouse.signedIn("viewer", tenant);
    await open(page, tenant, `/imports/${second}`);
    await page.getByRole("link", { name: "Previous import" }).click();
    await page.waitForURL(`**/imports/${first}`);
    await page.getByRole("link", { name: "Next import" }).click();
    await page.waitForURL(`**/imports/${second}`);
    await page.getByRole("link", { name: "Next import" }).click();
    await page.waitForURL(`**/imports/${third}`);
    await page.getByRole("link", { name: "Next import" }).waitFor({ state: "detached" });

    const main = page.getByRole("main");
    await main.getByRole("link", { name: "Show in the request log" }).click();
    await page.waitForURL(/\/requests\?requestId=/);
    await expect.poll(() => main.getByRole("table").getByRole("row").count()).toBe(2);
    await page.goBack();
    await main.getByRole("link", { name: /\(ghk_/ }).click();
    await page.waitForURL(/\/settings\/api-keys\//);
  });

  it("loads 500 results with one request and filters them in the browser", async () => {
    const tenant = await gatehouse.tenant();
    const run = await runOf(
      tenant,
      Array.from({ length: 500 }, (_, index) => ({
        ...transaction(tenant, `MANY-${index}`),
        ...(index % 5 === 0 ? { type: 9 } : {}),
      })),
    );
    const page = await gatehouse.signedIn("viewer", tenant);
    await open(page, tenant, "/imports");
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/console/api/")) asked.push(new URL(request.url()).pathname);
    });
    const openAndFilter = async (): Promise<number> => {
      await page.getByRole("row", { name: /partial success/i }).waitFor();
      asked.length = 0;
      const begunMs = performance.now();
      await page.locator("tbody tr a").first().click();
      await page.getByText("MANY-0", { exact: true }).first().waitFor();
      expect(asked.filter((path) => path.includes(run))).toHaveLength(1);
      await page.getByLabel("Filter results").fill("MANY-499");
      await page.getByText("1 of 500 results").waitFor();
      return performance.now() - begunMs;
    };
    const tookMs = [await openAndFilter()];
    // Other load on the machine can only increase it.
    const times = isLong ? 5 : 1;
    while (tookMs.length < times) {
      await open(page, tenant, "/imports");
      tookMs.push(await openAndFilter());
    }
    if (isLong) expect(Math.min(...tookMs)).toBeLessThan(1_000);
    const askedToOpen = asked.length;
    await page.getByLabel("Filter results").fill("");
    const results = page.getByRole("region", { name: "Results" });
    await expect.poll(() => results.getByRole("row").count()).toBe(51);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(6_000);
    for (const part of [2, 3]) {
      await page.getByRole("button", { name: "Next" }).click();
      await page.getByText(`Page ${part} of 10`).waitFor();
    }
    await page.getByText("MANY-100", { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe("?page=3");
    await page.getByRole("button", { name: "Previous" }).click();
    await page.getByText("MANY-50", { exact: true }).waitFor();
    // A failed record shows the rejected value.
    await expect
      .poll(() => results.getByRole("row", { name: /MANY-50/ }).textContent())
      .toContain("type was sent as 9");
    expect(asked).toHaveLength(askedToOpen);
  });
});

/** Words in the page's tables that are broken across lines. */
function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const broken: string[] = [];
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = words.nextNode(); node; node = words.nextNode()) {
      if (!node.parentElement?.closest("td")) continue;
      for (const match of (node.textContent ?? "").matchAll(/\w+/g)) {
        const range = document.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        if (range.getClientRects().length > 1) broken.push(match[0]);
      }
    }
    return broken;
  });
}

describe("the list of imports", () => {
  it("keeps its filters in the address", async () => {
    const tenant = await gatehouse.tenant();
    await runOf(tenant, [transaction(tenant, "T-1")]);
    await gatehouse.send("/integrations/accounts", tenant.apiKey, {
      accounts: [{ tpReferenceId: "A-1", name: "Acme" }],
    });
    const page = await gatehouse.signedIn("viewer", tenant);
    await open(page, tenant, "/imports?resource=2");
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await expect.poll(() => page.getByRole("row").nth(1).textContent()).toContain("Accounts");

    await filterBy(page, "Status", "Failed");
    await page.getByText("No imports match these filters").waitFor();
    expect(new URL(page.url()).search).toBe("?resource=2&status=2");
  });

  it("shows start time and failed records, also on a phone", async () => {
    const tenant = await gatehouse.tenant();
    const run = await runOf(tenant, [
      transaction(tenant, "GOOD-1"),
      { ...transaction(tenant, "BAD-1"), amountTotal: "much" },
      { ...transaction(tenant, "BAD-2"), type: 9 },
    ]);
    const page = await gatehouse.signedIn("viewer", tenant, { viewport: { width: 360, height: 740 } });
    await open(page, tenant, "/imports");
    await page.getByRole("link", { name: /^\d\d:\d\d$/ }).waitFor();
    await expect.poll(() => page.getByRole("columnheader", { name: "Failed" }).isVisible()).toBe(true);
    await expect.poll(() => page.getByRole("row").nth(1).innerText()).toMatch(/\b2$/);
    expect(await brokenWords(page)).toEqual([]);
    await open(page, tenant, `/imports/${run}`);
    await page.getByRole("region", { name: "Results" }).waitFor();
    expect(await brokenWords(page)).toEqual([]);
  });

  it("shows older imports from the top of the page", async () => {
    const tenant = await gatehouse.tenant();
    await runOf(tenant, [transaction(tenant, "T-1")]);
    await gatehouse.database.work.query(
      `insert into import_runs select (jsonb_populate_record(run, jsonb_build_object('id', gen_random_uuid()))).*
         from import_runs run, generate_series(1, 120) where organization_id = $1`,
      [tenant.organizationUuid],
    );
    const page = await gatehouse.signedIn("viewer", tenant);
    await open(page, tenant, "/imports");
    await page.getByRole("button", { name: "Older" }).click();
    await page.getByRole("button", { name: "Newest" }).and(page.locator(":enabled")).waitFor();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  });

  it("explains the first import to a new organization", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await open(page, tenant, "/imports");
    await page.getByText("Nothing has been imported yet").waitFor();
    const command = page.getByLabel("Command", { exact: true });
    await expect
      .poll(() => command.textContent())
      .toContain("curl --cacert gatehouse-ca.pem https://localhost");
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download gatehouse-ca.pem" }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe("gatehouse-ca.pem");
    expect(await text(await saved.createReadStream())).toMatch(/^-----BEGIN CERTIFICATE-----/);
  });

  it("keeps the copy button next to a long command", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant, { viewport: { width: 390, height: 800 } });
    await open(page, tenant, "/imports");
    const text = await page.getByLabel("Command", { exact: true }).boundingBox();
    const button = await page.getByRole("button", { name: "Copy command" }).boundingBox();
    expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0);
  });
});
