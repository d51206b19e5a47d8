import { describe, expect, it } from "vitest";
import { password, openConsole } from "./harness.js";

const gatehouse = openConsole();

describe("signing in", () => {
  it("lets a person in at the address they asked for, and out again", async () => {
    const tenant = await gatehouse.tenant();
    const email = await gatehouse.person("admin", tenant);
    const page = await gatehouse.page();
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/locations`);

    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Locations", level: 1 }).waitFor();
    expect(page.url()).toContain("/locations");

    await page.getByRole("button", { name: `Your menu, ${email}` }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  it("says that the password is wrong and keeps the person out", async () => {
    const email = await gatehouse.person("operator");
    const page = await gatehouse.page();
    await page.goto(gatehouse.origin);
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password", { exact: true }).fill("not it");
    await page.getByRole("button", { name: "Sign in" }).click();
    expect(await page.getByRole("alert").textContent()).toMatch(/e-mail|password/i);
    expect(await page.getByRole("navigation").count()).toBe(0);
  });
});
