import { afterAll, expect, it } from "vitest";
import { createUser } from "../../service/src/organizations/users.js";
import { startProvider, type TestProvider } from "../../service/testing/openid-provider.js";
import { openConsole } from "./harness.js";

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
  // The provider's pages would like a font from far away.
  await page.route("https://fonts.googleapis.com/**", (route) => route.abort());
  await page.goto(`${gatehouse.origin}${path}`);
  await page.getByRole("button", { name: "Sign in with Harbour ID" }).click();
  // The pages of the provider.
  await page.locator("input[name=login]").fill(login);
  await page.locator("input[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
  await page.getByRole("button", { name: "Continue" }).click();
  return page;
}

it("people sign in with the provider and arrive at the page that they asked for", async () => {
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
  expect(await page.getByText("You have no password yet").count()).toBe(0);
});

it("whoever was not invited is told so, and stays out", async () => {
  const page = await comeBy("stranger@example.com", "/");
  await page.getByRole("alert").filter({ hasText: "Nobody with your e-mail address was invited" }).waitFor();
  expect(new URL(page.url()).search).toBe("");
  await page.getByRole("link", { name: "Back to the sign-in page" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
});
