import { expect, describe, it } from "vitest";
import { uuidv7 } from "../../service/src/core/uuidv7.js";
import { filterBy, openConsole, settled, type Tenant } from "./harness.js";

const gatehouse = openConsole();

/** Sends one accepted and two rejected requests. */
async function useKey(tenant: Tenant): Promise<string> {
  const accounts = [{ tpReferenceId: "A-1", name: "Acme" }];
  const run = await gatehouse.send("/integrations/accounts", tenant.apiKey, { accounts });
  expect(run.status).toBe(200);
  await gatehouse.send("/integrations/accounts", tenant.apiKey, { accounts: [] });
  await gatehouse.send("/integrations/transactions", tenant.apiKey, {});
  await expect
    .poll(async () => {
      const { rows } = await gatehouse.database.work.query(
        "select count(*)::int as lines from request_log where organization_id = $1",
        [tenant.organizationUuid],
      );
      return rows[0].lines;
    })
    .toBe(3);
  return (run.json as { referenceUuid: string }).referenceUuid;
}

describe("requests", () => {
  it("are listed with reasons, fit 1280 pixels, keep filters in the address, and link to their import", async () => {
    const tenant = await gatehouse.tenant();
    const referenceUuid = await useKey(tenant);
    const page = await gatehouse.signedIn("viewer", tenant);
    await page.goto(gatehouse.origin);
    await page.getByRole("link", { name: "Requests", exact: true }).click();
    const table = page.getByRole("region", { name: "Requests" });
    await table.getByText("batchEmpty").waitFor();
    await expect.poll(() => table.getByRole("row").count()).toBe(4);
    expect(await table.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
    expect(await table.getByRole("columnheader", { name: "Request ID" }).isVisible()).toBe(true);
    expect(await table.getByRole("button", { name: "Copy request ID" }).count()).toBe(3);

    await filterBy(page, "Status", "Accepted (2xx)");
    await page.waitForURL(/outcome=accepted/);
    await expect.poll(() => table.getByRole("row").count()).toBe(2);
    await page.reload();
    await table.getByRole("link", { name: "Show the import" }).click();
    await page.waitForURL(`**/imports/${referenceUuid}`);

    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/requests?outcome=error`);
    await table.getByText("envelopeInvalid").click();
    await page.getByRole("heading", { level: 1, name: "importTransactions" }).waitFor();
    await page.getByText("transactions is required").waitFor();
    await page.getByRole("button", { name: "Copy as curl" }).waitFor();
    await page.getByText("POST /integrations/transactions").waitFor();

    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/api-keys`);
    const state = page.getByText("active", { exact: true });
    await state.waitFor();
    // As displayed, not as in the interface.
    expect(await state.innerText()).toBe("Active");
  });

  it("can be paged in both directions", async () => {
    const tenant = await gatehouse.tenant();
    await gatehouse.database.work.query(
      `insert into request_log (organization_id, id, api_key_id, operation, status, duration_ms, request_id)
       select $1, ($2 || lpad(to_hex(number), 12, '0'))::uuid, gen_random_uuid(), 'listLocations', 200, 1,
              'request-' || number
       from generate_series(1, 70) as number`,
      // Of today, because older requests are deleted.
      [tenant.organizationUuid, uuidv7().slice(0, 24)],
    );
    const page = await gatehouse.signedIn("viewer", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/requests`);
    await page.getByText("request-70").waitFor();
    await page.getByText("1–50 of 70").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Newer" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Older" }).click();
    await page.getByText("request-20", { exact: true }).waitFor();
    await page.getByText("20 of 70").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Older" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Newer" }).click();
    await page.getByText("request-70").waitFor();
    await page.getByText("request-21", { exact: true }).waitFor();
  });

  it("appear without a reload, and the page shows when it was updated", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("viewer", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/requests`);
    await page.getByText("No requests yet").waitFor();
    const table = page.getByRole("region", { name: "Requests" });
    await page.getByText(/Updated \d\d:\d\d:\d\d UTC/).waitFor();
    await useKey(tenant);
    await table.getByText("batchEmpty").waitFor();
    await page.route("**/console/api/**", (route) => route.abort());
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText(/Outdated: last updated/).waitFor();
    await table.getByText("batchEmpty").waitFor();
  });
});

describe("the page of an API key", () => {
  it("shows usage, last errors and requests, and edits the key", async () => {
    const tenant = await gatehouse.tenant();
    await useKey(tenant);
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/api-keys`);
    await page.getByRole("link", { name: "Back end" }).click();
    await page.getByRole("heading", { name: "Back end", level: 1 }).waitFor();
    await page
      .getByRole("figure", { name: "Requests over time: 1 accepted, 0 rate limited, 2 rejected" })
      .waitFor();
    const errors = page.getByRole("region", { name: "Last errors" });
    await errors.getByText("batchEmpty").waitFor();
    await expect.poll(() => errors.getByRole("row").count()).toBe(3);
    const use = page.getByRole("region", { name: "Usage by operation" });
    const row = use.getByRole("row", { name: /importAccounts/ });
    await expect
      .poll(() => row.getByRole("cell").allTextContents())
      .toEqual(["importAccounts", "1", "1", "0", "100 %", "< 1 %"]);

    await page.getByRole("button", { name: "Edit…" }).click();
    await page.getByLabel("Name").fill("Booking engine");
    await page.getByRole("button", { name: "Save key" }).click();
    await page.getByRole("heading", { name: "Booking engine", level: 1 }).waitFor();

    await row.getByRole("link").nth(1).click();
    await page.waitForURL(/requests\?apiKey=.*&operation=importAccounts&outcome=refused/);
    await settled(page);
    await expect.poll(() => page.getByRole("region", { name: "Requests" }).getByRole("row").count()).toBe(2);
  });
});

describe("numbers on the overview", () => {
  it("link to the imports and requests that they count", async () => {
    const tenant = await gatehouse.tenant();
    await useKey(tenant);
    await gatehouse.send("/integrations/accounts", tenant.apiKey, { accounts: [{ tpReferenceId: "A-2" }] });
    const page = await gatehouse.signedIn("viewer", tenant);
    const overview = `${gatehouse.origin}/organizations/${tenant.organizationUuid}`;
    await page.goto(overview);
    await page.getByRole("link", { name: "1 MissingRequiredField" }).click();
    await page.waitForURL(/imports\?reason=4&from=/);
    const runs = page.getByRole("region", { name: "Imports" });
    await expect.poll(() => runs.getByRole("row").count()).toBe(2);

    await page.goto(overview);
    await page.getByRole("definition").filter({ hasText: "2" }).getByRole("link").click();
    await page.waitForURL(/imports\?from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/);
    await expect.poll(() => runs.getByRole("row").count()).toBe(3);
  });
});
