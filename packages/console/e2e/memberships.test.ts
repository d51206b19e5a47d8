import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openConsole, password, settled, type Tenant } from "./harness.js";

const gatehouse = openConsole();

async function openMembers(page: Page, tenant: Tenant): Promise<void> {
  await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/members`);
  await settled(page);
}

it("an existing user accepts an invitation, switches organizations, and is removed from one", async () => {
  const first = await gatehouse.tenant("Northwind Parking");
  const second = await gatehouse.tenant("Kestrel Parking");
  const email = await gatehouse.person("admin", first);
  const inviting = await gatehouse.signedIn("admin", second);
  await openMembers(inviting, second);
  await inviting.getByRole("button", { name: "Invite member" }).click();
  await inviting.getByLabel("Email").fill(email);
  await inviting.getByRole("button", { name: "Create sign-in link" }).click();
  const link = (await inviting.getByLabel("Sign-in link", { exact: true }).textContent()) ?? "";
  await inviting.keyboard.press("Escape");
  const row = inviting.getByRole("row").filter({ hasText: email });
  await row.getByText("invited").waitFor();

  // With another account signed in, the link has no effect; with the invited account, it opens the organization.
  const page = await gatehouse.signedIn("viewer", first);
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Accept" }).click();
  await page.getByText("You are signed in to a different account").waitFor();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  expect(page.url()).toBe(`${gatehouse.origin}/organizations/${second.organizationUuid}`);

  // Permissions follow the organization on screen.
  await openMembers(page, second);
  expect(await page.getByRole("button", { name: "Invite member" }).count()).toBe(0);
  await page.getByRole("button", { name: "Kestrel Parking" }).click();
  await page.getByRole("menuitem", { name: "Northwind Parking" }).click();
  await page.getByRole("button", { name: "Northwind Parking" }).waitFor();
  const other = await page.context().newPage();
  await openMembers(other, second);
  await openMembers(page, first);
  await page.getByRole("button", { name: "Invite member" }).waitFor();
  expect(await other.getByRole("button", { name: "Invite member" }).count()).toBe(0);

  await inviting.reload();
  await row.getByText("active").waitFor();
  await inviting.getByRole("button", { name: `Actions for ${email}` }).click();
  await inviting.getByRole("menuitem", { name: "Remove" }).click();
  await inviting.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await row.waitFor({ state: "detached" });

  // A page that is still open shows the removal and leads back, and the organization switch is gone.
  await other.reload();
  await other.getByText("Organization not found").waitFor();
  expect(await other.content()).not.toContain("Kestrel Parking");
  await other.getByRole("link", { name: "Go to your organization" }).click();
  await other.getByRole("heading", { name: "Overview" }).waitFor();
  expect(other.url()).toContain(first.organizationUuid);
  expect(await other.getByRole("button", { name: "Northwind Parking" }).count()).toBe(0);
});
