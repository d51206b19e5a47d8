import type { Page } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { createUser } from "../../service/src/core/organizations/accounts.js";
import { startProvider, type TestProvider } from "../../service/testing/openid-provider.js";
import { authenticator } from "../../service/testing/second-factor.js";
import { openConsole, password } from "./harness.js";

const elsewhere: string[] = [];
let provider: TestProvider;
afterAll(() => provider.close());

const gatehouse = openConsole(
  {},
  {
    elsewhere,
    prepare: async (publicUrl) => {
      provider = await startProvider(`${publicUrl}/sign-in/provider`, (login) => ({
        email: login,
        email_verified: true,
      }));
      elsewhere.push(provider.issuer);
      return {
        publicUrl,
        oidcIssuer: provider.issuer,
        oidcClientId: provider.clientId,
        oidcClientSecret: provider.clientSecret,
        oidcName: "Harbour ID",
      };
    },
  },
);

async function comeBy(login: string, path: string) {
  const page = await gatehouse.page();
  // Block the font that the provider's pages load.
  await page.route("https://fonts.googleapis.com/**", (route) => route.abort());
  await page.goto(`${gatehouse.origin}${path}`);
  await page.getByRole("button", { name: "Sign in with Harbour ID" }).click();
  await passProvider(page, login);
  return page;
}

/** Signs in on the provider's pages. */
async function passProvider(page: Page, login: string) {
  await page.locator("input[name=login]").fill(login);
  await page.locator("input[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
  await page.getByRole("button", { name: "Continue" }).click();
}

it("single sign-on returns to the requested page", async () => {
  const tenant = await gatehouse.tenant();
  const email = "ann@example.com";
  await createUser(gatehouse.database.work, {
    email,
    role: "viewer",
    organizationId: tenant.organizationUuid,
    actor: "test",
  });
  const page = await comeBy(email, `/organizations/${tenant.organizationUuid}/leads`);
  await page.getByRole("heading", { name: "Leads", level: 1 }).waitFor();
  expect(page.url()).toBe(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/leads`);
  expect(await page.getByText("Set a password so that you can sign in again").count()).toBe(0);
});

it("single sign-on rejects people who were not invited", async () => {
  const page = await comeBy("stranger@example.com", "/");
  await page.getByRole("alert").filter({ hasText: "Your email address has no invitation" }).waitFor();
  expect(new URL(page.url()).search).toBe("");
  await page.getByRole("link", { name: "Back to the sign-in page" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
});

it("users with two-factor authentication connect the provider on their account page first", async () => {
  const tenant = await gatehouse.tenant();
  const page = await gatehouse.signedIn("viewer", tenant);
  await page.route("https://fonts.googleapis.com/**", (route) => route.abort());
  const ask = async (path: string, data: object) => {
    const headers = { origin: gatehouse.origin };
    const answer = await page.request.post(`${gatehouse.origin}/console/api${path}`, { data, headers });
    expect(answer.status(), await answer.text()).toBe(200);
    return answer.json();
  };
  const { secret } = await ask("/session/second-factor", { currentPassword: password });
  await ask("/session/second-factor/confirm", { code: authenticator(secret).code() });

  await page.goto(`${gatehouse.origin}/account`);
  await page.getByRole("heading", { name: "Your account" }).waitFor();
  const menu = await page.getByRole("button", { name: /Your menu/ }).getAttribute("aria-label");
  const email = menu?.split(", ")[1] ?? "";
  const before = await comeBy(email, "/");
  await before.getByRole("alert").filter({ hasText: "Sign in with your password first" }).waitFor();

  await page.getByRole("button", { name: "Connect Harbour ID" }).click();
  await passProvider(page, email);
  await page.getByRole("heading", { name: "Your account" }).waitFor();
  expect(page.url()).toBe(`${gatehouse.origin}/account`);
  const after = await comeBy(email, `/organizations/${tenant.organizationUuid}/leads`);
  await after.getByRole("heading", { name: "Leads", level: 1 }).waitFor();
});
