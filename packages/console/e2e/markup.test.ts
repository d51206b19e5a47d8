import { describe, expect, it } from "vitest";
import { openConsole, settled } from "./harness.js";

const gatehouse = openConsole();
const markup = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;

describe("markup in stored values", () => {
  it("is shown as text on every page that shows it", async () => {
    const tenant = await gatehouse.tenant(`Org ${markup}`);
    const metadata = { [markup]: markup };
    const { json } = await gatehouse.send("/integrations/transactions", tenant.apiKey, {
      transactions: [
        {
          transactionId: markup,
          locationUuid: tenant.locationUuid,
          type: 1,
          transactionDate: "2026-04-01T03:30:00.000Z",
          cardType: "<b>Visa</b>",
          metadata,
          account: { tpReferenceId: markup, name: markup, metadata },
          contact: { email: "jo@example.com", firstName: markup },
          vehicle: { licensePlate: "<b>KLM</b>", make: "<u>Ford</u>" },
        },
        { transactionId: `${markup}2`, locationUuid: markup, type: 1, transactionDate: markup },
      ],
      metadata,
    });
    const results = (json as { results: { uuid?: string }[]; referenceUuid: string }).results;
    await gatehouse.send("/lead/submit", tenant.apiKey, {
      email: "lead@example.com",
      locationUuid: tenant.locationUuid,
      firstName: markup.slice(0, 100),
      notes: markup,
      metadata,
    });
    const { rows } = await gatehouse.database.work.query("select id from leads where organization_id = $1", [
      tenant.organizationUuid,
    ]);
    const page = await gatehouse.signedIn("admin", tenant);
    const pages = [
      "",
      "/imports",
      `/imports/${(json as { referenceUuid: string }).referenceUuid}`,
      "/records/transactions",
      "/records/accounts",
      "/records/contacts",
      "/records/vehicles",
      `/records/transactions/${results[0]?.uuid}`,
      `/search?q=${encodeURIComponent(markup)}`,
      "/leads",
      `/leads/${rows[0].id}`,
      "/settings/audit",
    ];
    for (const path of pages) {
      await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}${path}`);
      await settled(page);
      expect(await page.locator("img[src=x], script:not([src]), main b, main u").count(), path).toBe(0);
      expect(await page.evaluate("window.hacked"), path).toBeUndefined();
      // The organization's name is on every page, unescaped markup included.
      expect(await page.getByText(`Org ${markup}`).first().textContent(), path).toBe(`Org ${markup}`);
    }
    expect(await page.title()).toContain("Gatehouse");
  });
});
