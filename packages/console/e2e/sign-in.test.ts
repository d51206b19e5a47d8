import { describe, expect, it } from "vitest";
import { createSignInToken, signInAddress } from "../../service/src/core/organizations/sign-in-links.js";
import { createUser } from "../../service/src/core/organizations/accounts.js";
import { openConsole, password } from "./harness.js";

const gatehouse = openConsole();

describe("signing in", () => {
  it("returns to the requested address, and signs out", async () => {
    const tenant = await gatehouse.tenant();
    const email = await gatehouse.person("admin", tenant);
    const page = await gatehouse.page();
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/locations`);

    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Locations", level: 1 }).waitFor();
    expect(page.url()).toContain("/locations");

    await page.getByRole("button", { name: `Your menu, ${email}` }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  it("rejects a wrong password", async () => {
    const email = await gatehouse.person("operator");
    const page = await gatehouse.page();
    await page.goto(gatehouse.origin);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill("not it");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect.poll(() => page.getByRole("alert").textContent()).toMatch(/password/i);
    expect(await page.getByRole("navigation").count()).toBe(0);
  });

  it("accepts a one-time link once and asks for a password", async () => {
    const tenant = await gatehouse.tenant();
    const pool = gatehouse.database.work;
    const { uuid } = await createUser(pool, {
      email: "invited@example.com",
      role: "admin",
      organizationId: tenant.organizationUuid,
      actor: "test",
    });
    const token = await createSignInToken(pool, uuid, "operator");
    const link = signInAddress(gatehouse.origin, token);
    const page = await gatehouse.page();
    await page.goto(link);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();

    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("You are signed in as invited@example.com").waitFor();
    const username = page.locator("form input[autocomplete=username]");
    await expect.poll(() => username.inputValue()).toBe("invited@example.com");
    await page.getByLabel("New password", { exact: true }).fill(password);
    await page.getByLabel("Confirm new password").fill(password);
    await page.getByRole("button", { name: "Save password" }).click();
    await page.getByText("Password changed").waitFor();
    expect(await page.getByText("Set a password so that you can sign in again").count()).toBe(0);

    const second = await gatehouse.page();
    await second.goto(link);
    await second.getByRole("button", { name: "Sign in" }).click();
    await expect.poll(() => second.getByRole("alert").textContent()).toContain("Ask for a new link");
  });

  it("asks to sign in again over the page and keeps the form", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/locations/new`);
    await page.getByLabel("Name").fill("Harbour View");
    await page.getByLabel("Address").fill("2 Quay Street");
    await page.getByLabel("City").fill("Boston");
    await page.getByLabel("State or province").fill("MA");
    await page.getByLabel("Zip code").fill("02101");
    await page.getByRole("combobox", { name: "Time zone" }).fill("New York");
    await page.getByRole("option", { name: /New York/ }).click();
    await gatehouse.database.work.query("delete from sessions");
    await page.getByRole("button", { name: "Add location" }).click();

    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await page.keyboard.press("Escape");
    await dialog.getByLabel("Password", { exact: true }).fill("not it");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("Password", { exact: true }).fill(password);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.waitFor({ state: "detached" });

    await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("Harbour View");
    await page.getByRole("button", { name: "Add location" }).click();
    await page.getByText("Harbour View has been saved.").waitFor();
  });

  it("continues at the requested page, and hides it from a user who leaves", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("viewer", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/imports`);
    await page.getByRole("heading", { name: "Imports" }).waitFor();
    await gatehouse.database.work.query("delete from sessions");
    await page.getByRole("link", { name: "Leads" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByLabel("Password", { exact: true }).fill(password);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("No leads yet").waitFor();
    expect(page.url()).toContain("/leads");

    await gatehouse.database.work.query("delete from sessions");
    await page.getByRole("link", { name: "Locations" }).click();
    await dialog.getByRole("button", { name: "Leave this page" }).click();
    await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
    expect(await page.getByRole("navigation").count()).toBe(0);
  });

  it("discards the page if another user signs in over it", async () => {
    const tenant = await gatehouse.tenant();
    const other = await gatehouse.person("viewer", tenant);
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/locations/new`);
    await page.getByLabel("Name").fill("Harbour View");
    await gatehouse.database.work.query("delete from sessions");
    await page.getByRole("link", { name: "Leads" }).click();
    await page.getByRole("button", { name: "Leave without saving" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByLabel("Email").fill(other);
    await dialog.getByLabel("Password", { exact: true }).fill(password);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: `Your menu, ${other}` }).waitFor();
    const fields = await page.getByLabel("Name").all();
    expect(await Promise.all(fields.map((field) => field.inputValue()))).not.toContain("Harbour View");
  });
});
