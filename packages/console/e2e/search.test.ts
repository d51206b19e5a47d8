import { describe, expect, it } from "vitest";
import { violations } from "./axe.js";
import { openConsole } from "./harness.js";

const gatehouse = openConsole();

describe("the search box", () => {
  it("shows the history of a reference with the keyboard only", async () => {
    const tenant = await gatehouse.tenant();
    const record = {
      transactionId: "T-1",
      locationUuid: tenant.locationUuid,
      type: 1,
      transactionDate: "2026-04-01T03:30:00.000Z",
      contact: { email: "jo@example.com", firstName: "Jo" },
      vehicle: { licensePlate: "ABC 1234" },
      metadata: { exact: 1 },
    };
    const send = (transactions: unknown[]) =>
      gatehouse.send("/integrations/transactions", tenant.apiKey, { transactions });
    await send([record]);
    await send([{ ...record, type: 4 }]);
    await send([{ transactionId: "GHOST", locationUuid: "nowhere", type: 1 }]);

    const page = await gatehouse.signedIn("viewer", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/imports`);
    await page.getByRole("heading", { name: "Imports" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("T-1");
    await page.keyboard.press("Enter");

    const life = page.locator("section").filter({ has: page.getByRole("heading", { name: "History" }) });
    await life.getByText("Created").waitFor();
    await expect.poll(() => life.textContent()).toContain("Skipped");
    await expect.poll(() => life.textContent()).toContain("differ from the stored ones");
    await expect.poll(() => page.getByRole("link", { name: "jo@example.com" }).count()).toBe(1);
    await expect.poll(() => page.getByRole("link", { name: "ABC 1234" }).count()).toBe(1);
    await expect.poll(() => page.getByLabel("Metadata").textContent()).toContain('"exact": 1');

    for (const [text, kind] of [
      ["JO@example.com", "Contact"],
      ["abc-1234", "Vehicle"],
    ] as const) {
      await page.keyboard.press("Control+k");
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
      await page.getByRole("article").filter({ hasText: kind }).waitFor();
    }

    await page.keyboard.press("Control+k");
    await page.keyboard.type("GHOST");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Sent, but not stored" }).waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBe("GHOST");

    await page.keyboard.press("Control+k");
    await page.keyboard.type("never heard of");
    await page.keyboard.press("Enter");
    await page.getByText("No results for").waitFor();
  });

  it.each(["A/B?c=d&e#f%20", "x%41", "50%"])("finds %s as it was sent, and so do the filters", async (id) => {
    const tenant = await gatehouse.tenant();
    await gatehouse.send("/integrations/transactions", tenant.apiKey, {
      transactions: [id, "OTHER"].map((transactionId) => ({
        transactionId,
        locationUuid: tenant.locationUuid,
        type: 1,
        transactionDate: "2026-04-01T03:30:00.000Z",
      })),
    });
    const page = await gatehouse.signedIn("viewer", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/records/transactions`);
    await page.getByRole("link", { name: "OTHER" }).waitFor();
    await page.getByRole("main").getByRole("textbox").first().fill(id);
    await page.getByRole("link", { name: "OTHER" }).waitFor({ state: "hidden" });
    await page.getByRole("link", { name: id, exact: true }).waitFor();
    await page.reload();
    await page.getByRole("link", { name: id, exact: true }).waitFor();

    await page.keyboard.press("Control+k");
    await page.keyboard.type(id);
    await page.keyboard.press("Enter");
    await page.getByRole("article").getByRole("link", { name: id, exact: true }).waitFor();
    await expect.poll(() => page.getByRole("combobox", { name: "Search or go to" }).inputValue()).toBe(id);
  });

  it("goes to pages, begins actions and suggests what begins with the text, with the keyboard only", async () => {
    const tenant = await gatehouse.tenant();
    await gatehouse.send("/integrations/accounts", tenant.apiKey, {
      accounts: [{ tpReferenceId: "Bay-7", name: "Harbour Bay" }],
    });
    const page = await gatehouse.signedIn("admin", tenant, { bypassCSP: true });
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/imports`);
    await page.getByRole("heading", { name: "Imports" }).waitFor();
    const type = async (text: string) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type(text);
    };

    await type("set mem");
    await page.getByRole("option", { name: "Settings: Members" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/settings\/members$/);

    await type("create api");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Create New API Key" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });

    await type("bay-");
    const suggestion = page.getByRole("option", { name: /Account.*Bay-7/ });
    await suggestion.waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /Bay-7/ }).waitFor();

    await type("leads");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Leads" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("group", { name: "Recent" }).getByRole("option", { name: /Bay-7/ }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it("offers viewers nothing that they may not do", async () => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("viewer", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/imports`);
    await page.getByRole("heading", { name: "Imports" }).waitFor();
    await page.keyboard.press("/");
    await page.getByRole("option", { name: "Leads" }).waitFor();
    expect(await page.getByRole("option", { name: /Create|Invite|Add a|Upload a|Audit/ }).count()).toBe(0);
  });
});
