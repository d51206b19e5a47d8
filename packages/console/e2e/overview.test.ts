import { describe, expect, it } from "vitest";
import { createLocation } from "../../service/src/core/locations/manage-locations.js";
import { openConsole } from "./harness.js";

const gatehouse = openConsole();
const hourMs = 3_600_000;

describe("the overview", () => {
  /** @covers R104 */
  it("counts transactions by local day and shows the 25 hours of a clock change", async () => {
    const tenant = await gatehouse.tenant();
    // The clocks went back within the last year; open that day by its URL.
    const day = await lastLongDay("America/New_York");
    const transactions = Array.from({ length: 26 }, (_, hour) => ({
      transactionId: `H-${hour}`,
      locationUuid: tenant.locationUuid,
      type: 1,
      transactionDate: new Date(day.startMs + hour * hourMs).toISOString(),
      amountTotal: 1_000_000,
    }));
    await gatehouse.send("/integrations/transactions", tenant.apiKey, { transactions });
    const page = await gatehouse.signedIn("viewer", tenant);
    await page.goto(
      `${gatehouse.origin}/organizations/${tenant.organizationUuid}?location=${tenant.locationUuid}&date=${day.date}`,
    );
    await page.getByText(`${day.date} in America/New_York: 25 hours.`).waitFor();
    const plot = page.getByRole("figure", { name: `25 transactions by hour on ${day.date}` });
    await plot.locator(".recharts-surface").first().waitFor();
    // Large amounts do not overflow their box.
    await plot.getByText(/^\dM$/).first().waitFor();

    // The month can be chosen, whichever it was.
    await page.getByRole("combobox", { name: "Month" }).click();
    await page.getByRole("option", { name: day.date.slice(0, 7) }).click();
    await page.getByText(`Days in this location's time zone, ${day.date.slice(0, 7)}-01 to`).waitFor();
    await page.getByRole("figure", { name: /^By local day: (25|26) transactions/ }).waitFor();
    expect(new URL(page.url()).searchParams.get("month")).toBe(day.date.slice(0, 7));
  });

  it("shows outcomes, reasons, rate limits and a possible time zone error", async () => {
    const tenant = await gatehouse.tenant();
    const kolkata = await createLocation(gatehouse.database.work, {
      organizationId: tenant.organizationUuid,
      name: "Park Street",
      address: "22 Park Street",
      city: "Kolkata",
      state: "WB",
      zipcode: "700016",
      timeZone: "Asia/Kolkata",
      actor: "test",
    });
    // The local time there, as if it were UTC.
    const localNow = Date.now() + 5.5 * hourMs;
    await gatehouse.send("/integrations/transactions", tenant.apiKey, {
      transactions: Array.from({ length: 60 }, (_, index) => ({
        transactionId: `Z-${index}`,
        locationUuid: index === 0 ? "nowhere" : kolkata.uuid,
        type: 1,
        transactionDate: new Date(localNow - index * 60_000).toISOString(),
        amountTotal: 10,
      })),
    });
    const page = await gatehouse.signedIn("viewer", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}`);
    await page.getByRole("figure", { name: /1 import, 59 created, 0 skipped, 1 failed/ }).waitFor();
    await page.getByText("LocationNotFound failed").waitFor();
    await page.getByText("1 of 60 requests per minute").first().waitFor();
    await page.getByText("Possible time zone error: Park Street").waitFor();
    // With the counts of a large operator, the labels stay inside the chart.
    await gatehouse.database.work.query(
      "update import_runs set success_count = 987654, total_submitted = 987655 where organization_id = $1",
      [tenant.organizationUuid],
    );
    await page.reload();
    const plot = page.getByRole("figure", { name: /987654 created/ });
    await plot.getByText("1M").waitFor();
    const left = (await plot.boundingBox())?.x ?? 0;
    for (const label of await plot.locator(".recharts-yAxis text").all())
      expect((await label.boundingBox())?.x).toBeGreaterThanOrEqual(left);
    await page.getByText("90 days").click();
    await expect.poll(() => new URL(page.url()).search).toBe("?range=quarter");
  });
});

/** The latest day with 25 hours in a zone, and when it started. */
async function lastLongDay(timeZone: string): Promise<{ date: string; startMs: number }> {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone });
  const dateAt = (ms: number) => format.format(ms);
  let startMs = Math.floor(Date.now() / hourMs) * hourMs;
  for (let hours = 0; ; hours += 1, startMs -= hourMs) {
    const date = dateAt(startMs);
    if (dateAt(startMs - 1) !== date && dateAt(startMs + 25 * hourMs - 1) === date) return { date, startMs };
    if (hours > 366 * 24) throw new Error(`${timeZone} had no day of 25 hours within a year`);
  }
}
