import type { ImportRun } from "@gatehouse-parking/contract";
import { describe, expect, it } from "vitest";
import { openConsole, type Tenant } from "./harness.js";

const gatehouse = openConsole();

const transaction = (tenant: Tenant, transactionId: string, fields: object = {}) => ({
  transactionId,
  locationUuid: tenant.locationUuid,
  type: 1,
  transactionDate: "2026-04-01T03:30:00.000Z",
  ...fields,
});

async function send(tenant: Tenant, ...transactions: unknown[]): Promise<ImportRun> {
  const answer = await gatehouse.send("/integrations/transactions", tenant.apiKey, { transactions });
  expect(answer.status).toBe(200);
  return answer.json as ImportRun;
}

const account = { tpReferenceId: "ACME", name: "Acme" };

describe("undoing an import", () => {
  it("previews what is removed, asks again after a change, and marks the import", async () => {
    const tenant = await gatehouse.tenant();
    const wrong = [
      transaction(tenant, "WRONG-1", { account, vehicle: { licensePlate: "ABC 1" } }),
      transaction(tenant, "WRONG-2", { account }),
    ];
    const run = await send(tenant, ...wrong);
    await send(tenant, transaction(tenant, "LATER", { accountTPReferenceId: "ACME" }));
    const page = await gatehouse.signedIn("admin", tenant);
    const home = `${gatehouse.origin}/organizations/${tenant.organizationUuid}`;
    await page.goto(`${home}/imports/${run.referenceUuid}`);
    await page.getByRole("button", { name: "Undo import" }).click();
    const dialog = page.getByRole("dialog", { name: "Undo this import?" });
    await dialog.getByText("2 transactions, 1 vehicle.").waitFor();
    await dialog.getByText("account ACME, referred to by transaction LATER").waitFor();
    expect(await dialog.getByText("Reported as stored").count()).toBe(0);

    // A partner resends the batch before the undo is confirmed.
    await send(tenant, ...wrong);
    await dialog.getByRole("button", { name: "Remove 3 records" }).click();
    await dialog.getByText("so nothing was removed").waitFor();
    await dialog.getByText("Reported as stored: 2 records").waitFor();
    await dialog.getByRole("button", { name: "Remove 3 records" }).click();

    await page.getByText("This import was undone").waitFor();
    const notice = page.getByRole("alert").filter({ hasText: "This import was undone" });
    await expect.poll(() => notice.textContent()).toContain("Removed: 2 transactions, 1 vehicle.");
    await expect.poll(() => notice.textContent()).toContain("1 record stayed");
    await expect.poll(() => page.getByRole("row", { name: /WRONG-1 Created undone/ }).count()).toBe(1);

    await page.goto(`${home}/imports`);
    await page.getByRole("row", { name: /Undone/ }).waitFor();
    await page.goto(`${home}/search?q=WRONG-1`);
    await page.getByText("Removed by admin").waitFor();
    await page.goto(`${home}/records/transactions/${run.results[0]?.uuid}`);
    await page.getByText(/It was removed at .* when admin-.* undid the import/).waitFor();
    await page.goto(home);
    await page.getByText("Undone", { exact: true }).waitFor();

    const again = await send(tenant, ...wrong);
    expect(again.results.map(({ status }) => status)).toEqual([1, 1]);
  });

  it("asks to type a word before more than 1,000 records are removed", async () => {
    const tenant = await gatehouse.tenant();
    const many = Array.from({ length: 350 }, (_, index) =>
      transaction(tenant, `MANY-${index}`, {
        account: { tpReferenceId: `ACCOUNT-${index}`, name: "Acme" },
        vehicle: { licensePlate: `MANY ${index}` },
      }),
    );
    const run = await send(tenant, ...many);
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(
      `${gatehouse.origin}/organizations/${tenant.organizationUuid}/imports/${run.referenceUuid}`,
    );
    await page.getByRole("button", { name: "Undo import" }).click();
    const dialog = page.getByRole("dialog", { name: "Undo this import?" });
    await dialog.getByText("This cannot be undone.").waitFor();
    const remove = dialog.getByRole("button", { name: "Remove 1,050 records" });
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByLabel("Type undo to confirm").fill("undo");
    await remove.click();
    await page.getByText("This import was undone").waitFor();
  });

  it("is not offered to viewers or if nothing was created", async () => {
    const tenant = await gatehouse.tenant();
    const run = await send(tenant, transaction(tenant, "T-1"));
    const failed = await send(tenant, transaction(tenant, "T-2", { type: 9 }));
    for (const [role, { referenceUuid }] of [
      ["viewer", run],
      ["admin", failed],
    ] as const) {
      const page = await gatehouse.signedIn(role, tenant);
      await page.goto(
        `${gatehouse.origin}/organizations/${tenant.organizationUuid}/imports/${referenceUuid}`,
      );
      await page.getByRole("button", { name: "Copy as curl" }).waitFor();
      expect(await page.getByRole("button", { name: "Undo import" }).count()).toBe(0);
    }
  });
});
