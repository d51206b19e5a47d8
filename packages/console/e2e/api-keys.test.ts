import { permissions } from "@gatehouse-parking/contract";
import { describe, expect, it } from "vitest";
import { createApiKey, listApiKeys } from "../../service/src/core/organizations/api-keys.js";
import { violationsInBothModes } from "./axe.js";
import { clickTwice, openConsole } from "./harness.js";

const gatehouse = openConsole();

async function keysNamed(organizationUuid: string, name: string) {
  const keys = await listApiKeys(gatehouse.database.work, organizationUuid);
  return keys.filter((key) => key.name === name);
}

describe("Organization Settings, API Keys", () => {
  /** @covers R29, R30 */
  it("creates a key, shows it once, and the key works", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(gatehouse.origin);
    await page.getByRole("link", { name: "Organization Settings" }).click();
    await page.getByRole("tab", { name: "API Keys" }).click();
    await page.getByRole("button", { name: "Create New API Key" }).click();

    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Booking back end");
    await dialog.getByText("May import transactions, import accounts").waitFor();
    expect(await dialog.getByLabel("Expires").inputValue()).toBe("In one year");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const key = (await dialog.getByLabel("New API key").textContent()) ?? "";
    expect(key).toMatch(/^ghk_\w{20,}/);

    // Neither Escape nor a click outside closes the dialog with the key; the button does.
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 400);
    await expect.poll(() => dialog.getByRole("button", { name: "Done" }).isDisabled()).toBe(true);
    await dialog.getByLabel("I've saved it").check();
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "hidden" });

    await page.getByRole("cell", { name: "Booking back end", exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);
    await page.reload();
    await page.getByRole("cell", { name: "Booking back end", exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);

    const accounts = [{ tpReferenceId: "A-1", name: "Acme" }];
    expect((await gatehouse.send("/integrations/accounts", key, { accounts })).status).toBe(200);
    const lead = { email: "jo@example.com", locationUuid: tenant.locationUuid };
    expect((await gatehouse.send("/lead/submit", key, lead)).status).toBe(403);
  });

  it("shows a test command for the new key, and when its first request was received", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant, { bypassCSP: true });
    await page.goto(
      `${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/api-keys?dialog=create`,
    );
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Booking back end");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const key = (await dialog.getByLabel("New API key").textContent()) ?? "";
    const command = (await dialog.getByLabel("Test command").textContent()) ?? "";
    expect(command).toContain(`${gatehouse.origin}/integrations/locations`);
    expect(command).toContain(`-H "X-API-KEY: ${key}"`);
    await dialog.getByRole("status").filter({ hasText: "No request received yet." }).waitFor();

    const accounts = [{ tpReferenceId: "A-1", name: "Acme" }];
    expect((await gatehouse.send("/integrations/accounts/validate", key, { accounts })).status).toBe(200);
    await dialog.getByRole("status").filter({ hasText: "First request received" }).waitFor();
    expect(await violationsInBothModes(page)).toEqual([]);
    await dialog.getByLabel("I've saved it").check();
    await dialog.getByRole("button", { name: "Done" }).click();
    const row = page.getByRole("row").filter({ hasText: "Booking back end" });
    await expect.poll(() => row.getByRole("cell").nth(4).textContent()).toMatch(/^\d\d:\d\d$/);
  });

  it("a key for a web form may only submit leads, from the chosen origins, and does not expire", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(
      `${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/api-keys?dialog=create`,
    );
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Web form", { exact: true }).click();
    await dialog.getByText("May submit leads.").waitFor();
    await dialog.getByLabel("Name").fill("Contact form");
    await dialog.getByLabel("Allowed lead origins").fill("https://www.example.com");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const command = (await dialog.getByLabel("Test command").textContent()) ?? "";
    expect(command).toContain(`${gatehouse.origin}/lead/submit`);
    await dialog.getByText("It answers 400 if the key works").waitFor();
    const [key] = await keysNamed(tenant.organizationUuid, "Contact form");
    expect(key).toMatchObject({
      permissions: ["leads:write"],
      leadOrigins: ["https://www.example.com"],
      expiresAt: null,
    });
  });

  it("Change keeps the permissions of the preset and shows all of them", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant, { bypassCSP: true });
    await page.goto(
      `${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/api-keys?dialog=create`,
    );
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Change permissions" }).click();
    await dialog.getByRole("checkbox", { name: "Import accounts" }).uncheck();
    await dialog.getByRole("checkbox", { name: "Upload files" }).check();
    expect(await violationsInBothModes(page)).toEqual([]);
    await dialog.getByLabel("Name").fill("Night job");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByLabel("Test command").waitFor();
    const [key] = await keysNamed(tenant.organizationUuid, "Night job");
    expect(key?.permissions.toSorted()).toEqual([
      "imports:read",
      "locations:read",
      "subscriptions:write",
      "transactions:write",
      "uploads:write",
    ]);
    expect(Date.parse(key?.expiresAt ?? "")).toBeGreaterThan(Date.now() + 364 * 86_400_000);
  });

  it("revokes an unused key after a question, and a used key after its name was typed", async () => {
    const tenant = await gatehouse.tenant();
    const { organizationUuid: organizationId } = tenant;
    await createApiKey(gatehouse.database.work, {
      organizationId,
      name: "Unused",
      permissions,
      actor: "test",
    });
    await gatehouse.database.work.query(
      "update api_keys set last_used_at = now() where organization_id = $1 and name = 'Back end'",
      [organizationId],
    );
    const page = await gatehouse.signedIn("admin", tenant, { bypassCSP: true });
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/api-keys`);
    const button = page.getByRole("button", { name: "Revoke key" });
    await page.getByRole("button", { name: "Actions for Unused" }).click();
    await page.getByRole("menuitem", { name: "Revoke…" }).click();
    await page.getByText("It has never been used.").waitFor();
    await page.getByText("This cannot be undone.").waitFor();
    expect(await violationsInBothModes(page)).toEqual([]);
    await button.click();
    await page.getByRole("cell", { name: "revoked" }).waitFor();

    await page.getByRole("button", { name: "Actions for Back end" }).click();
    await page.getByRole("menuitem", { name: "Revoke…" }).click();
    await expect.poll(() => button.isDisabled()).toBe(true);
    // Distinguishes keys with the same name.
    const dialog = page.getByRole("dialog");
    await expect.poll(() => dialog.textContent()).toContain(tenant.apiKey.slice(0, 8));
    await expect.poll(() => dialog.textContent()).toMatch(/created \d\d:\d\d UTC \(just now\)/);
    await expect.poll(() => dialog.textContent()).toMatch(/last used \d\d:\d\d UTC \(just now\)/);
    await page.getByLabel("Type Back end to confirm").fill("Back end");
    await button.click();
    await expect.poll(() => page.getByRole("cell", { name: "revoked" }).count()).toBe(2);
    const accounts = [{ tpReferenceId: "A-1", name: "Acme" }];
    expect((await gatehouse.send("/integrations/accounts", tenant.apiKey, { accounts })).status).toBe(401);
  });

  it("rotates a key with an overlap, shows its successor and expiry, and edits permissions", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/api-keys`);
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Actions for Back end" }).click();
    await page.getByRole("menuitem", { name: "Rotate…" }).click();
    await page.getByRole("button", { name: "Rotate key" }).click();
    const successor = (await page.getByLabel("New API key").textContent()) ?? "";
    const accounts = [{ tpReferenceId: "A-1", name: "Acme" }];
    for (const key of [successor, tenant.apiKey])
      expect((await gatehouse.send("/integrations/accounts", key, { accounts })).status).toBe(200);
    await dialog.getByLabel("I've saved it").check();
    await dialog.getByRole("button", { name: "Done" }).click();
    const old = page.getByRole("row").filter({ hasText: "rotated" });
    await old.getByText(`replaced by ${successor.slice(0, 10)}…`).waitFor();
    await expect.poll(() => old.textContent()).toMatch(/expires \w{3} \d+/);

    const next = page.getByRole("row").filter({ hasText: "active" });
    await next.getByRole("button", { name: "Actions for Back end" }).click();
    await page.getByRole("menuitem", { name: "Edit…" }).click();
    await dialog.getByLabel("Name").fill("Leads only");
    await dialog.getByRole("checkbox", { name: "Import accounts" }).uncheck();
    await dialog.getByLabel("Expires on (midnight UTC)").fill("2099-01-01");
    await dialog.getByRole("button", { name: "Save key" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("cell", { name: "Leads only", exact: true }).waitFor();
    expect((await gatehouse.send("/integrations/accounts", successor, { accounts })).status).toBe(403);
  });

  it("a double click rotates a key once and shows the new key", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/api-keys`);
    await page.getByRole("button", { name: "Actions for Back end" }).click();
    await page.getByRole("menuitem", { name: "Rotate…" }).click();
    await clickTwice(page.getByRole("button", { name: "Rotate key" }));
    const successor = (await page.getByLabel("New API key").textContent()) ?? "";
    const accounts = [{ tpReferenceId: "A-1", name: "Acme" }];
    expect((await gatehouse.send("/integrations/accounts", successor, { accounts })).status).toBe(200);
    expect(await page.getByRole("alert").filter({ hasText: "already been rotated" }).count()).toBe(0);
  });

  it("shows viewers no controls", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("viewer", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/api-keys`);
    await page.getByRole("cell", { name: "Back end", exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Create New API Key" }).count()).toBe(0);
    expect(await page.getByRole("tab", { name: "Audit log" }).count()).toBe(0);
    for (const path of [
      "/settings/audit",
      "/settings/export",
      "/uploads/new",
      "/locations/new",
      "/locations/import",
    ]) {
      await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}${path}`);
      await page.getByText("Your role does not allow this").waitFor();
      expect(await page.getByRole("main").locator("form, input").count()).toBe(0);
    }
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/nothing`);
    await page.getByText("Page not found").waitFor();
  });
});
