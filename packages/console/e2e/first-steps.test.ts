import { describe, expect, it } from "vitest";
import { createOrganization } from "../../service/src/core/organizations/organizations.js";
import { violationsInBothModes } from "./axe.js";
import { goOn, openConsole, settled, type Tenant } from "./harness.js";

const gatehouse = openConsole();

async function newOrganization(): Promise<Tenant> {
  const name = "Pier 7";
  const { uuid } = await createOrganization(gatehouse.database.work, { name, actor: "test" });
  return { organizationUuid: uuid, name, apiKey: "", locationUuid: "" };
}

describe("the first steps of an organization", () => {
  it("each links to the dialog that does it, and is ticked once it is done", async () => {
    const tenant = await newOrganization();
    const home = `${gatehouse.origin}/organizations/${tenant.organizationUuid}`;
    const page = await gatehouse.signedIn("admin", tenant, { bypassCSP: true });
    await page.goto(home);
    await page.getByText("0 of 4 done").waitFor();

    await page.getByRole("link", { name: "Add a location" }).click();
    await page.getByRole("heading", { name: "Add location", level: 1 }).waitFor();
    await goOn(page, home);
    await page.getByRole("link", { name: "Invite a member" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Email").fill("sam-of-pier-7@example.com");
    await dialog.getByRole("button", { name: "Create sign-in link" }).click();
    await dialog.getByText("One-time sign-in link").first().waitFor();
    await goOn(page, home);
    await page
      .getByRole("listitem")
      .filter({ hasText: /Done:.*Invite a member/ })
      .waitFor();

    await page.getByRole("link", { name: "Create an API key" }).click();
    await dialog.getByLabel("Name").fill("Back end");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const key = (await dialog.getByLabel("New API key").textContent()) ?? "";
    await dialog.getByLabel("I've saved it").check();
    await dialog.getByRole("button", { name: "Done" }).click();

    // The list of imports has the same steps. The overview notices the import without a reload.
    await goOn(page, `${home}/imports`);
    await page.getByText("2 of 4 done").waitFor();
    await goOn(page, home);
    await page.getByRole("link", { name: "Import the first records" }).waitFor();
    const accounts = [{ tpReferenceId: "A-1", name: "Acme" }];
    expect((await gatehouse.send("/integrations/accounts", key, { accounts })).status).toBe(200);
    await page.getByText("3 of 4 done").waitFor();
    expect(await violationsInBothModes(page)).toEqual([]);
  });

  it("stay hidden in this organization once the person hid them", async () => {
    const [tenant, other] = [await newOrganization(), await newOrganization()];
    const page = await gatehouse.signedIn("operator");
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}`);
    await page.getByRole("button", { name: "Hide" }).click();
    await page.getByRole("heading", { name: "First steps" }).waitFor({ state: "detached" });
    await page.reload();
    await settled(page);
    expect(await page.getByRole("heading", { name: "First steps" }).count()).toBe(0);
    await goOn(page, `${gatehouse.origin}/organizations/${other.organizationUuid}`);
    await page.getByRole("heading", { name: "First steps" }).waitFor();
  });

  it("are not shown to viewers", async () => {
    const tenant = await newOrganization();
    const page = await gatehouse.signedIn("viewer", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}`);
    await page.getByText("Nothing has been imported yet").waitFor();
    await settled(page);
    expect(await page.getByRole("heading", { name: "First steps" }).count()).toBe(0);
  });
});
