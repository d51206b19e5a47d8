import { expect, it } from "vitest";
import { openConsole } from "./harness.js";

const publicUrl = "https://gatehouse.example.com";
const gatehouse = openConsole({ publicUrl });

it("links and commands use the public address", async () => {
  const tenant = await gatehouse.tenant();
  const page = await gatehouse.signedIn("admin", tenant);
  await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/imports`);
  await page.getByText(`curl ${publicUrl}/integrations/accounts`).waitFor();

  await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/leads`);
  await page.getByText(`curl ${publicUrl}/lead/submit`).waitFor();

  await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/settings/members`);
  await page.getByRole("button", { name: "Invite" }).first().click();
  await page.getByLabel("Email").fill("new@example.com");
  await page.getByRole("button", { name: "Create sign-in link" }).click();
  const link = await page.getByLabel("Sign-in link", { exact: true }).textContent();
  expect(link).toMatch(/^https:\/\/gatehouse\.example\.com\/sign-in#token=/);
});
